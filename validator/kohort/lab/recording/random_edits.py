"""Random edits of queues, cohorts and priority classes while work runs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

from kohort.lab.recording.objects import Object, cohort
from kohort.lab.recording.random_queues import POLICIES, WEIGHTS, WITHIN, Layout, fungibility, random_group
from kohort.lab.recording.story import Story


def edit(rng: Random, made: Layout, story: Story, *, fair: bool) -> None:
    """Change one thing of one object."""
    made.features.add("edits")
    name = rng.choice(sorted(made.queues))
    choices: list[tuple[Callable[[Random, Layout, Story, str], None], int]] = [
        (_quota, 8), (_stop, 5), (_policy, 3), (_strategy, 2), (_fungibility, 2), (_move, 2),
    ]  # fmt: skip
    if made.cohorts:
        choices.append((_tree, 3))
    if made.classes:
        choices.append((_class, 6))
    if fair:
        choices.append((_weight, 4))
    actions, chances = zip(*choices, strict=True)
    rng.choices(actions, chances)[0](rng, made, story, name)


def _quota(rng: Random, made: Layout, story: Story, name: str) -> None:
    limits = bool(made.queues[name])
    groups = [
        random_group(rng, made, resources, flavors, limits=limits) for resources, flavors in made.groups
    ]
    if rng.random() < 0.1:
        for each in groups:
            each["flavors"].reverse()
    story.edit("ClusterQueue", name, resourceGroups=groups)


def _stop(rng: Random, made: Layout, story: Story, name: str) -> None:
    made.features.add("stop")
    kind = "ClusterQueue"
    if rng.random() < 0.3 and name in made.locals_:
        kind = "LocalQueue"
        if story.spec(kind, name) is None:  # it was added by the story itself
            return
    now = (story.spec(kind, name) or {}).get("stopPolicy", "None")
    story.edit(kind, name, stopPolicy="None" if now != "None" else rng.choice(("Hold", "HoldAndDrain")))


def _policy(rng: Random, made: Layout, story: Story, name: str) -> None:
    made.features.add("preemption edits")
    preemption: Object = {
        "reclaimWithinCohort": rng.choice(POLICIES),
        "withinClusterQueue": rng.choice(WITHIN),
    }
    if preemption["reclaimWithinCohort"] != "Never" and rng.random() < 0.3:
        preemption["borrowWithinCohort"] = {
            "policy": "LowerPriority",
            "maxPriorityThreshold": rng.randint(0, 3),
        }
    story.edit("ClusterQueue", name, preemption=preemption)


def _strategy(rng: Random, made: Layout, story: Story, name: str) -> None:
    made.features.add("strict")
    story.edit("ClusterQueue", name, queueingStrategy=rng.choice(("StrictFIFO", "BestEffortFIFO")))


def _fungibility(rng: Random, made: Layout, story: Story, name: str) -> None:
    made.features.add("fungibility")
    story.edit("ClusterQueue", name, flavorFungibility=fungibility(rng))


def _weight(rng: Random, made: Layout, story: Story, name: str) -> None:
    made.features.add("weights")
    story.edit("ClusterQueue", name, fairSharing={"weight": str(rng.choice(WEIGHTS))})


def _class(rng: Random, made: Layout, story: Story, _name: str) -> None:
    chosen = rng.choice(sorted(made.classes))
    made.classes[chosen] = rng.randint(0, 5)
    made.features.add("priority classes")
    story.edit("WorkloadPriorityClass", chosen, value=made.classes[chosen])


def _move(rng: Random, made: Layout, story: Story, name: str) -> None:
    """Move a queue to another cohort, or out of all; then it may have no limits."""
    target = rng.choice(["", "elsewhere", *made.cohorts])
    made.queues[name] = target
    spec = copy.deepcopy(story.spec("ClusterQueue", name) or {})
    if not target:
        for each in _quotas(spec):
            each.pop("borrowingLimit", None)
            each.pop("lendingLimit", None)
    story.edit("ClusterQueue", name, cohortName=target or None, resourceGroups=spec["resourceGroups"])


def _tree(rng: Random, made: Layout, story: Story, _name: str) -> None:
    """Change a cohort's parent or remove the object; a root may have no limits."""
    name = rng.choice(sorted(made.cohorts))
    made.features.add("hierarchy")
    spec = story.spec("Cohort", name)
    if spec is not None and rng.random() < 0.25:
        story.remove("Cohort", name)
        story.forget("Cohort", name)
        return
    parents = ["", "top", *(each for each in made.cohorts if each != name)]
    parent = rng.choice(parents)
    if _below(made, parent, name):
        parent = ""
    made.cohorts[name] = parent
    made_up = cohort(name, parent)
    if spec is not None:
        made_up["spec"] = {**copy.deepcopy(spec), **made_up["spec"]}
        if not parent:
            made_up["spec"].pop("parentName", None)
    if not parent:
        for each in _quotas(made_up["spec"]):
            each.pop("borrowingLimit", None)
            each.pop("lendingLimit", None)
    story.apply(made_up)


def _below(made: Layout, name: str, ancestor: str) -> bool:
    """Say whether `name` is `ancestor` or lies below it; cycles have scenarios of their own."""
    seen: set[str] = set()
    while name and name not in seen:
        if name == ancestor:
            return True
        seen.add(name)
        name = made.cohorts.get(name, "")
    return False


def _quotas(spec: Object) -> list[Object]:
    return [
        resource
        for group in spec.get("resourceGroups") or ()
        for flavor in group["flavors"]
        for resource in flavor["resources"]
    ]
