"""The model of Kueue as a machine for the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kohort.objects.kube import KubeObject
from kohort.simulator.machine import Machine
from kohort.simulator.settings import read_settings


def start_model(objects: Sequence[KubeObject], configuration: Mapping[str, Any], kueue: str) -> Machine:
    """Return the model with these objects.

    Args:
        objects: everything that exists at the start.
        configuration: fields of the manager's Configuration, as a trace holds them.
        kueue: version whose behaviour is asked for.
    """
    return Machine.start(objects, settings=read_settings(configuration, kueue), kueue=kueue)
