"""The class that a plan states is what a real Kueue then does, and the runbooks that it prints lead where they should.

All scenarios of the files beside this one play side by side on one Kueue. The plan is made from a snapshot of the
server's own objects, then the change is applied and everything is left alone until it rests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import plan_fair_scenarios
import plan_loud_scenarios
import plan_quiet_scenarios
import plan_stepwise_scenarios
import pytest
import yaml
from plan_scenario import Named, Scenario, key
from plan_stage import Picture, Server, Stage, hanging
from plan_steps import follow, runbook

from kohort.engine.outcome import Settings
from kohort.engine.planning_plain import plan_manifests
from kohort.engine.snapshot import read_snapshot
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.recording.story import FAIR
from kohort.planner.plan import Disruption, Plan

pytestmark = [pytest.mark.lab, pytest.mark.slow, pytest.mark.timeout(900)]  # all scenarios in one fixture
SCENARIOS = (
    *plan_quiet_scenarios.SCENARIOS,
    *plan_loud_scenarios.SCENARIOS,
    *plan_stepwise_scenarios.SCENARIOS,
    *plan_fair_scenarios.SCENARIOS,
)
_APART, _THREADS = 0.25, 64  # seconds between two beginnings; every scenario waits in a thread of its own


@dataclass
class Played:
    """What became of one scenario."""

    plan: Plan | None = None
    before: Picture | None = None
    after: Picture | None = None
    last: Picture | None = None
    refused: str = ""
    removed: dict[Named, Any] = field(default_factory=dict)  # what is left of removed objects
    forced: Mapping[str, str] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    error: BaseException | None = None
    seconds: float = 0.0


def play(server: Server, scenario: Scenario, number: int, folder: Path) -> Played:
    """Base and work, snapshot and plan, change, and what arrives afterwards; rests in between."""
    found, began, stage = Played(), time.monotonic(), Stage(server, number)
    try:
        told = scenario.story.told()
        stage.put(each for each in told.objects if each["kind"] != "LocalQueue")
        stage.judged(sum(1 for each in told.objects if each["kind"] == "ClusterQueue"))
        stage.put(each for each in told.objects if each["kind"] == "LocalQueue")
        stage.do(told.steps)
        found.before = stage.rest()
        found.plan = planned(scenario, stage.snapshot(), folder / scenario.name)
        if scenario.steps:
            for text in follow(stage, scenario, runbook(found.plan, scenario.steps)):
                found.steps.append(text)
        else:
            try:
                stage.put(scenario.change)
            except LabError as error:
                found.refused = str(error)
            for kind, name in scenario.removed:
                stage.delete(kind, name)
        hung = set(scenario.hangs)
        left = {each: stage.gone(each) for each in scenario.removed if each not in hung}
        found.after = stage.rest(lambda now: _came(scenario, found.before, now))
        found.removed = {**left, **{each: stage.found(*each) for each in scenario.removed if each in hung}}
        if scenario.arrives is not None:
            stage.do(scenario.arrives.told().steps)
        found.last = found.after
        if scenario.arrives is not None:
            found.last = stage.rest(lambda now: now.states.items() >= scenario.then.items())
        if scenario.forced:
            for kind, name in scenario.hangs:
                stage.patch(kind, name, {"metadata": {"finalizers": None}})
            found.forced = stage.rest(lambda now: now.inactive == scenario.forced).inactive
    except BaseException as error:  # noqa: BLE001 - told by the scenario's own test
        found.error = error
    found.seconds = time.monotonic() - began
    stage.clear()
    server.client.close()
    return found


def _came(scenario: Scenario, before: Picture | None, now: Picture) -> bool:
    """Whether all that the scenario expects of the change is there to be seen."""
    assert before is not None
    told = all(now.statuses.get(name) != before.statuses[name] for name in scenario.touched)
    return (
        told
        and now.states.items() >= scenario.happens.items()
        and now.inactive.items() >= scenario.inactive.items()
    )


def planned(scenario: Scenario, snapshot: str, folder: Path) -> Plan:
    """The plan as the command makes it of files."""
    folder.mkdir()
    for name, objects in (("old", scenario.base), ("new", scenario.head)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    (folder / "snapshot.json").write_text(snapshot, encoding="utf-8")
    state = read_snapshot([str(folder / "snapshot.json")])
    old, new = (str(folder / f"{name}.yaml") for name in ("old", "new"))
    return plan_manifests(old, new, Settings(), snapshot=state).plan


def side_by_side(plane: ControlPlane, scenarios: Sequence[Scenario], folder: Path) -> dict[str, Played]:
    """Play scenarios on one Kueue, each in a thread of its own."""
    server = Server(plane.client)
    server.start()
    try:
        with ThreadPoolExecutor(_THREADS) as pool:
            futures = {}
            for number, scenario in enumerate(scenarios):
                futures[scenario.name] = pool.submit(play, server, scenario, number, folder)
                time.sleep(_APART)
            return {name: future.result() for name, future in futures.items()}
    finally:
        server.stop()


@pytest.fixture(scope="module")
def played(
    plane: ControlPlane,
    tmp_path_factory: pytest.TempPathFactory,
    record_testsuite_property: Callable[[str, object], None],
) -> Mapping[str, Played]:
    """Every scenario, played once; those with fair sharing on a Kueue of their own. JUnit files keep the times."""
    folder = tmp_path_factory.mktemp("plans")
    fair = [each for each in SCENARIOS if each.configuration]
    assert all(each.configuration == FAIR for each in fair)
    found = side_by_side(plane, [each for each in SCENARIOS if not each.configuration], folder)
    with ControlPlane(kueue_configuration=FAIR) as other:
        found |= side_by_side(other, fair, folder)
    for each in SCENARIOS:
        record_testsuite_property(each.name, f"{each.says}, {found[each.name].seconds:.1f} s")
    return found


@pytest.fixture(params=SCENARIOS, ids=lambda each: each.name)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    found: Scenario = request.param
    return found


@pytest.fixture
def seen(scenario: Scenario, played: Mapping[str, Played]) -> Played:
    found = played[scenario.name]
    if found.error is not None:
        raise AssertionError(f"after {found.steps or 'the start'}: {found.error}") from found.error
    return found


def test_the_plan_states_the_class_and_names_the_work(scenario: Scenario, seen: Played) -> None:
    assert seen.plan is not None
    assert seen.plan.disruption.value == scenario.says, [(str(o.ref), o.why) for o in seen.plan.objects]
    assert {each.name: each.disruption.value for each in seen.plan.work} == dict(scenario.named)


def test_kueue_does_what_was_foreseen(scenario: Scenario, seen: Played) -> None:
    before, after, last = seen.before, seen.after, seen.last
    assert before is not None
    assert after is not None
    assert last is not None
    assert before.evicted == {}
    assert (scenario.refused in seen.refused) if scenario.refused else not seen.refused, seen.refused
    assert after.states == {**before.states, **scenario.happens}
    assert after.evicted == dict(scenario.evicted)
    assert after.inactive == {**_kept(before.inactive, scenario), **scenario.inactive}
    told = {name for name in before.states if before.statuses[name] != after.statuses[name]}
    assert told == {*scenario.happens, *scenario.touched}
    left = {named for named, obj in seen.removed.items() if obj is not None}
    assert left == set(scenario.hangs)
    assert all(hanging(seen.removed[named], named) for named in left)
    if scenario.arrives is not None:
        assert last.states == {**after.states, **scenario.then}
        assert last.evicted == dict(scenario.then_evicted)
    assert seen.forced == scenario.forced
    assert {name: last.flavors[name] for name in scenario.on} == {k: {v} for k, v in scenario.on.items()}


def test_the_class_means_what_the_docs_say(scenario: Scenario, seen: Played) -> None:
    """Beside what a person foresaw of each scenario: what every scenario of a class must have shown."""
    before, after = seen.before, seen.after
    assert before is not None
    assert after is not None
    assert seen.last is not None
    assert seen.plan is not None
    ran = {name for name, state in before.states.items() if state in {"admitted", "reserved"}}
    lost = {*after.evicted, *seen.last.evicted}
    warned = {each.name for each in seen.plan.work if each.running}
    says = Disruption(scenario.says)
    if scenario.steps:
        assert not lost
        assert not [named for named, obj in seen.removed.items() if obj is not None]
    elif says is Disruption.NOTHING:
        assert after.versions == before.versions
    elif says is Disruption.NEW_WORK:
        assert after.statuses == before.statuses
        assert scenario.then
    elif says is Disruption.REQUEUES:
        assert all(after.statuses[name] == before.statuses[name] for name in ran - warned)
        told = any(after.statuses[name] != before.statuses[name] for name in before.states)
        assert told or "pending" in scenario.then.values()  # put aside: it waits where there is room
    elif says in {Disruption.MAY_PREEMPT, Disruption.EVICTS}:
        assert lost == warned != set()
    elif says is Disruption.RECREATE:
        assert seen.refused
        assert after.statuses == before.statuses
    else:
        assert says is Disruption.STEPS
        assert scenario.hangs or scenario.then
        assert all(after.statuses[name] == before.statuses[name] for name in ran)


def test_every_class_is_met() -> None:
    assert {each.says for each in SCENARIOS} == {each.value for each in Disruption}


def _kept(inactive: Mapping[str, str], scenario: Scenario) -> dict[str, str]:
    """Queues that were not active before the change and are not part of it."""
    changed = {name for _, name in map(key, scenario.change)}
    return {name: reason for name, reason in inactive.items() if name.rpartition("/")[2] not in changed}
