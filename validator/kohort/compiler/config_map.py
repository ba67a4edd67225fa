"""A ConfigMap that holds one configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.compiler.emit import document
from kohort.compiler.make import make
from kohort.objects.kube import KubeObject
from kohort.spans import Origin


def config_map(namespace: str, name: str, key: str, content: Mapping[str, Any], origin: Origin) -> KubeObject:
    """The ConfigMap as a whole: nobody else may own a part of it."""
    return make("v1", "ConfigMap", name, origin, {"data": {key: document(content)}}, namespace=namespace)
