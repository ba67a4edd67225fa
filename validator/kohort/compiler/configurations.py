"""The configuration files of the systems on a cluster, each a ConfigMap that Kohort owns as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.compiler.appwrapper_config import appwrapper_config
from kohort.compiler.kueue_config import kueue_config
from kohort.compiler.scheduler_config import scheduler_config
from kohort.compiler.scope import Scope
from kohort.compiler.settings import has_appwrapper, own_scheduler
from kohort.objects.kube import KubeObject


def configurations(scope: Scope) -> Iterator[KubeObject]:
    """Kueue's always; AppWrapper's where its version is declared; the scheduler's where one packs or starts gangs."""
    yield kueue_config(scope)
    if has_appwrapper(scope):
        yield appwrapper_config(scope)
    if own_scheduler(scope):
        yield scheduler_config(scope)
