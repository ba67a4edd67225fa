"""A random scenario from its seed: queues first, then work that comes and goes while people edit quota."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from kohort.lab.recording.objects import Object, flavor, namespace, podset
from kohort.lab.recording.player import ANY_ADMITTED, ANY_RESERVED
from kohort.lab.recording.random_edits import edit
from kohort.lab.recording.random_queues import Layout, layout
from kohort.lab.recording.story import FAIR, FAIR_FINAL, FAIR_INITIAL, Story
from kohort.simulator.replay.trace import Trace

AFS = {
    "admissionFairSharing": {
        "usageHalfLifeTime": "10m",
        "usageSamplingInterval": "5m",
        "resourceWeights": {"gpu": 1, "cpu": 1},
    }
}
_CONFIGURATIONS: tuple[tuple[Mapping[str, Any], int], ...] = (
    ({}, 56), (FAIR, 26), (FAIR_FINAL, 7), (FAIR_INITIAL, 7), (AFS, 4),
)  # fmt: skip


@dataclass(slots=True)
class _Life:
    """A scenario that is being made up."""

    rng: Random
    made: Layout
    story: Story
    fair: bool
    count: int = 0
    submitted: list[Object] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)  # deactivated ones
    reclaimed: dict[str, int] = field(default_factory=dict)


def random_scenario(seed: int) -> Trace:
    """Return the scenario of a seed; the same one each time."""
    rng = Random(seed)  # noqa: S311 - no secret
    configurations, weights = zip(*_CONFIGURATIONS, strict=True)
    configuration = rng.choices(configurations, weights)[0]
    fair = "fairSharing" in configuration
    made = layout(rng, fair=fair, afs="admissionFairSharing" in configuration)
    story = Story(f"random-{seed}", "", *made.objects, configuration=configuration)
    life = _Life(rng, made, story, fair)
    for _ in range(rng.randint(2, 4)):
        _submit(life)
    for _ in range(rng.randint(6, 18)):
        actions, chances = zip(*_ACTIONS, strict=True)
        rng.choices(actions, chances)[0](life)
    if fair:
        made.features.add("fair")
    if "admissionFairSharing" in configuration:
        made.features.add("admission fair sharing")
    told = life.story.told()
    return Trace(
        told.name,
        told.kueue,
        told.objects,
        told.steps,
        sorted({"random", *made.features}),
        configuration=configuration,
        seed=seed,
    )


def _submit(life: _Life) -> None:
    rng, made = life.rng, life.made
    life.count += 1
    name = f"w{life.count}"
    if life.submitted and rng.random() < 0.15:  # a twin
        twin = rng.choice(life.submitted)
        sets, priority = twin["sets"], twin["priority"]
        local = twin["local"] if rng.random() < 0.7 else rng.choice(made.locals_)
        made.features.add("hash")
    else:
        sets = _podsets(life)
        priority = rng.choice((0, 0, 0, 1, 1, 2, 3, 4))
        local = rng.choice(made.locals_)
    cls = ""
    if made.classes and rng.random() < 0.4:
        cls = rng.choice(sorted(made.classes))
        priority = made.classes[cls]
        made.features.add("priority classes")
    if priority:
        made.features.add("priorities")
    life.submitted.append({"name": name, "sets": sets, "priority": priority, "local": local})
    life.story.submit(name, local, sets, priority, cls=cls)


def _podsets(life: _Life) -> list[Object]:
    rng, made = life.rng, life.made
    if rng.random() < 0.12:
        made.features.add("podsets")
        head = podset("head", 1, _requests(life, 2))
        return [head, podset("tail", rng.randint(1, 3), _requests(life, 2), **_placing(life))]
    fields = _placing(life)
    if rng.random() < 0.3:  # one large pod
        return [podset("main", 1, _requests(life, 8), **fields)]
    count = rng.randint(1, 5)
    if count > 1 and rng.random() < 0.25:
        fields["min_count"] = rng.randint(1, count - 1)
        made.features.add("partial")
    return [podset("main", count, _requests(life, 2), **fields)]


def _requests(life: _Life, largest: int) -> dict[str, int]:
    rng = life.rng
    covered = [name for resources, _ in life.made.groups for name in resources]
    chosen = [name for name in covered if rng.random() < 0.75] or [rng.choice(covered)]
    requests = {name: rng.randint(1, largest) for name in chosen}
    if rng.random() < 0.02:
        requests["disk"] = 1
        life.made.features.add("missing")
    return requests


def _placing(life: _Life) -> dict[str, Any]:
    rng, made = life.rng, life.made
    fields: dict[str, Any] = {}
    if made.labelled and rng.random() < 0.25:
        fields["selector"] = {"pool": rng.choice([*made.labelled, "none"])}
        made.features.add("selectors")
    if made.tainted and rng.random() < 0.4:
        fields["tolerations"] = [{"key": rng.choice(made.tainted), "operator": "Exists"}]
        made.features.add("taints")
    return fields


def _finish(life: _Life) -> None:
    life.story.finish(f"{ANY_ADMITTED}{life.rng.randint(0, 9)}")


def _delete(life: _Life) -> None:
    if life.submitted:
        gone = life.submitted.pop(life.rng.randrange(len(life.submitted)))
        life.story.delete(gone["name"])


def _edit(life: _Life) -> None:
    edit(life.rng, life.made, life.story, fair=life.fair)


def _check(life: _Life) -> None:
    if not life.made.checks:
        _finish(life)
        return
    state = life.rng.choice(("Ready", "Ready", "Ready", "Retry", "Rejected"))
    life.story.check(f"{ANY_RESERVED}{life.rng.randint(0, 9)}", life.made.checks[0], state)


def _activation(life: _Life) -> None:
    life.made.features.add("activation")
    if life.idle and life.rng.random() < 0.6:
        life.story.activate(life.idle.pop())
    elif life.submitted:
        name = life.rng.choice(life.submitted)["name"]
        life.idle.append(name)
        life.story.deactivate(name)


def _reclaimable(life: _Life) -> None:
    able = [each for each in life.submitted if len(each["sets"]) == 1 and each["sets"][0]["count"] > 1]
    if not able:
        _submit(life)
        return
    chosen = life.rng.choice(able)
    before = life.reclaimed.get(chosen["name"], 0)
    count = min(before + life.rng.randint(1, 2), chosen["sets"][0]["count"])
    life.reclaimed[chosen["name"]] = count
    life.made.features.add("reclaimable")
    life.story.reclaimable(chosen["name"], main=count)


def _missing(life: _Life) -> None:
    """Create what a reference may lack, or a namespace's label."""
    if life.rng.random() < 0.5:
        life.story.apply(namespace("work", **({"team": "yes"} if life.rng.random() < 0.7 else {})))
    else:
        life.story.apply(flavor(life.rng.choice(life.made.groups[0][1])))


_ACTIONS: tuple[tuple[Callable[[_Life], None], int], ...] = (
    (_submit, 52),
    (_finish, 18),
    (_edit, 12),
    (_delete, 5),
    (_check, 5),
    (_activation, 3),
    (_reclaimable, 4),
    (_missing, 1),
)
