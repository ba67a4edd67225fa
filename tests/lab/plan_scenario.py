"""What a scenario of a plan's class is: a cluster with work, a change, what the plan must say, and what Kueue must do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kohort.lab.recording.story import Story

Object = dict[str, Any]
Named = tuple[str, str]  # kind and name of an object


@dataclass(frozen=True)
class Scenario:
    """Everything but `story`, `change` and `removed` is an expectation that a person wrote before it was played.

    Attributes:
        story: the cluster at the start and the steps that lead to its work.
        says: the class that the plan must state, the gravest of all objects.
        change: objects that are new or differ, as they will be; applied in this order.
        removed: objects that are deleted, after that.
        named: workloads that the plan must name, each with its class; complete.
        happens: states (`pending`, `reserved`, `admitted`) that differ once the change has come to rest; complete.
        evicted: who is evicted by the change alone, and Kueue's reason; complete.
        touched: workloads whose status tells of the change though their state stays.
        arrives: steps of a story that follow, told to it with a lambda.
        then: states after that; those not named are as before.
        then_evicted: who is evicted then, and for which reason; complete.
        on: flavor of workloads at the end.
        refused: what the server answers to the change, in part.
        hangs: removed objects that stay, with a deletion time.
        inactive: queues that are not active once the change has come to rest, and the reason.
        forced: queues that are not active once the finalizers of what hangs were taken away, and the reason.
        steps: the title of the runbook that is to be followed instead of applying the change at once.
        ends: workloads that end where the runbook says that something should end.
        given: objects that only the plan is given, on both sides: the manager's Configuration.
    """

    name: str
    story: Story
    says: str
    change: tuple[Object, ...] = ()
    removed: tuple[Named, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    happens: Mapping[str, str] = field(default_factory=dict)
    evicted: Mapping[str, str] = field(default_factory=dict)
    touched: tuple[str, ...] = ()
    arrives: Story | None = None
    then: Mapping[str, str] = field(default_factory=dict)
    then_evicted: Mapping[str, str] = field(default_factory=dict)
    on: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""
    hangs: tuple[Named, ...] = ()
    inactive: Mapping[str, str] = field(default_factory=dict)
    forced: Mapping[str, str] = field(default_factory=dict)
    steps: str = ""
    ends: tuple[str, ...] = ()
    given: tuple[Object, ...] = ()

    @property
    def base(self) -> list[Object]:
        """The objects at the start, without what only a controller writes."""
        made = (*self.story.told().objects, *self.given)
        return [{k: v for k, v in each.items() if k != "status"} for each in made]

    @property
    def configuration(self) -> Mapping[str, Any]:
        """Fields of the manager's Configuration that the server runs with."""
        return self.story.told().configuration

    @property
    def head(self) -> list[Object]:
        """The objects after the change."""
        changed = {key(each): each for each in self.change}
        kept = [changed.pop(key(each), each) for each in self.base if key(each) not in self.removed]
        return [*kept, *changed.values()]


def key(obj: Mapping[str, Any]) -> Named:
    """Kind and name; a Configuration has none."""
    return obj["kind"], (obj.get("metadata") or {}).get("name", "")
