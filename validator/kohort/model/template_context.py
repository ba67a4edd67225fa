"""What a template knows about the place where it runs, without asking: names, and what comes with an accelerator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from kohort.dataclass import dataclass
from kohort.model.template_values import Value
from kohort.spans import Origin

# Name → what it is. A parameter may not have the name of a fact.
FACTS: Final[Mapping[str, str]] = {
    "name": "name of the object, run included",
    "namespace": "namespace that it runs in",
    "team": "team that runs it",
    "cluster": "cluster that it runs on",
    "queue": "LocalQueue that it waits in",
    "priority": "its priority; not set where none is declared",
    "flavor": "first flavor of the queue on this cluster",
    "scheduler": "second scheduler of the cluster; not set where the default one places pods",
    "gangs": "whether that scheduler starts the pods of a PodGroup together",
    "accelerator": "resource that accelerators of the flavor are counted in; not set where it has none",
    "cpuPerAccelerator": "whole cores that come with one accelerator, after the reserve of the node pool",
    "memoryPerAccelerator": "memory that comes with one accelerator, after the reserve of the node pool",
    "rdma": "resource of RDMA devices; not set where the nodes have none",
    "rdmaPerAccelerator": "RDMA devices that come with one accelerator",
}
NUMERIC_FACTS: Final = frozenset({"cpuPerAccelerator", "memoryPerAccelerator", "rdmaPerAccelerator"})


@dataclass(frozen=True, slots=True)
class Fact:
    """The value of a fact, the place in the source that decides it, and the arithmetic of a derived one."""

    value: Value
    origin: Origin
    arithmetic: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """The facts that are known; `missing` says of the others why not (`queue prepare has no accelerators on vela`)."""

    facts: Mapping[str, Fact]
    missing: Mapping[str, str] = field(default_factory=dict)
