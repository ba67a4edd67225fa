"""Try a change of an organisation on a real Kueue: base, work, head, and what became of the work."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kohort.lab.account import because, table, teller
from kohort.lab.apply import Applier
from kohort.lab.applying import read
from kohort.lab.changes import Changes, changes, key, label, quota_lines
from kohort.lab.compiled import surroundings
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.placeholders import placeholders
from kohort.lab.watching import RUNNING, SUSPENDED, WAITING, Watch, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kohort.lab.build import Report
    from kohort.lab.compiled import Compiled
    from kohort.lab.upstream import Manifest

COMPONENTS = ("controllers", "scheduler", "kueue", "appwrapper", "kwok")
START = "lab/start-after"  # annotation: seconds after the one before, such as `2s`
_PAUSE = re.compile(r"(\d+(?:\.\d+)?)s?")


@dataclass(frozen=True, slots=True)
class Result:
    """What a rehearsal showed.

    Attributes:
        before: state of each piece of work under base, once nothing moved any more.
        after: the same under head.
        suspended: work that head took its quota from, with Kueue's reason.
        started: work that runs under head and did not under base.
        refused: what the server refused of head, with its words.
    """

    before: Mapping[str, str]
    after: Mapping[str, str]
    suspended: Mapping[str, str]
    started: tuple[str, ...]
    refused: tuple[str, ...]


def rehearse(
    base: Compiled,
    head: Compiled,
    workloads: list[Manifest],
    write: Callable[[str], None],
    report: Report,
    *,
    quiet: float = 5.0,
    seconds: float = 120.0,
    cache: Path | None = None,
    network: str | None = None,
) -> Result:
    """Rehearse the change from base to head in a lab of its own.

    Args:
        base: the cluster as it is.
        head: the same cluster as it is to be.
        workloads: objects to create in order, for example of `read_workloads`.
        write: receives the account, line by line.
        report: receives progress of the lab itself.
        quiet: nothing moves any more when nothing changed for so many seconds.
        seconds: how long to wait for that at most, each time.
        cache: folder of built programs.
        network: see `open_network`.

    Raises:
        LabError: the lab did not start, or refused base or the work.
    """
    parts = [*COMPONENTS, *(["second-scheduler"] if base.settings.scheduler else [])]
    with ControlPlane(parts, settings=base.settings, cache=cache, network=network, report=report) as plane:
        nodes = plane.nodes.add(base.nodes)
        plane.create(surroundings(base, head))
        # Declared work may be of kinds whose operators are not here.
        plane.create(placeholders(plane.client, [*base.manifests, *head.manifests, *workloads]))
        plane.wait_for_definitions()
        for warning in plane.apply(base.manifests):
            write(f"warning: {warning}")
        write(
            f"Base: {len(nodes)} nodes, {len(base.manifests)} objects. Submitting {len(workloads)} pieces of work."
        )
        watch = Watch(plane.client)
        tell = teller(write)
        for each in workloads:
            watch.follow(tell, seconds=_pause(each))
            plane.create([each])
        _settle(watch, tell, write, seconds, quiet)
        before = _live(watch)
        write("\nUnder base:")
        for text in table(before.values()):
            write(f"  {text}")
        change = changes(base, head)
        write("\nHead:" if not change.none else "\nHead changes nothing on this cluster.")
        refused = _carry_out(plane, base, change, write)
        _settle(watch, tell, write, seconds, quiet)
        after = _live(watch)
        write("\nUnder head:")
        for text in table(after.values()):
            write(f"  {text}")
        result = _result(before, after, refused)
        write("")
        for text in summary(result):
            write(text)
        return result


def summary(result: Result) -> list[str]:
    """Return the sentences that sum a rehearsal up."""
    lines = [f"refused: {text}" for text in result.refused]
    lines += [f"{name} lost its quota: {why}" for name, why in result.suspended.items()]
    lines += [f"{name} runs now" for name in result.started]
    kept = sum(1 for name, state in result.before.items() if RUNNING == state == result.after.get(name))
    waiting = sum(1 for state in result.after.values() if state == WAITING)
    lines.append(
        f"{kept} of {list(result.before.values()).count(RUNNING)} that ran still run; {waiting} wait"
    )
    return lines


def read_workloads(path: Path) -> list[Manifest]:
    """Return the objects of a YAML file in their order.

    An object's annotation `lab/start-after` lets it wait for so long after the one before.

    Raises:
        LabError: the file cannot be read, or holds something that is no object with a name.
    """
    found = read(path)
    for each in found:
        _pause(each)
    if not found:
        raise LabError(f"{path} holds no workloads")
    return found


def _pause(manifest: Manifest) -> float:
    text = str((manifest["metadata"].get("annotations") or {}).get(START, "0s"))
    matched = _PAUSE.fullmatch(text)
    if not matched:
        raise LabError(f"{label(manifest)}: annotation {START} is {text!r}; write seconds, such as 2s")
    return float(matched[1])


def _settle(
    watch: Watch, tell: Callable[[Any], None], write: Callable[[str], None], seconds: float, quiet: float
) -> None:
    if not watch.follow(tell, seconds=seconds, quiet=quiet):
        write(f"(after {seconds:.0f} s things still move)")


def _live(watch: Watch) -> dict[str, Work]:
    return {each.name: each for each in sorted(watch.work.values(), key=lambda w: w.name) if not each.gone}


def _carry_out(
    plane: ControlPlane, base: Compiled, change: Changes, write: Callable[[str], None]
) -> tuple[str, ...]:
    """Do what Argo CD would; what the server refuses is told and the rest goes on."""
    old = {key(each): each for each in base.manifests}
    applier = Applier(plane.client)
    refused: list[str] = []

    def attempt(text: str, action: Callable[[], object]) -> None:
        write(f"  {text}")
        try:
            action()
        except LabError as error:
            refused.append(str(error))
            write(f"    REFUSED: {error}")

    for node in change.added_nodes:
        attempt(f"node {node['metadata']['name']} comes", lambda node=node: plane.nodes.add([node]))  # type: ignore[misc]
    for node in change.changed_nodes:
        attempt(f"node {node['metadata']['name']} changes", lambda node=node: plane.nodes.change(node))  # type: ignore[misc]
    for name in change.lost_nodes:
        attempt(f"node {name} goes", lambda name=name: plane.nodes.delete(name))  # type: ignore[misc]
    for each in change.applied:
        what = "changes" if key(each) in old else "is new"
        attempt(f"{label(each)} {what}", lambda each=each: applier.apply([each], seconds=5))  # type: ignore[misc]
        for text in quota_lines(old.get(key(each)), each):
            write(f"    {text}")
    for each in change.removed:
        attempt(f"{label(each)} goes", lambda each=each: plane.client.must("DELETE", applier.path(each)))  # type: ignore[misc]
    for each in change.kept:
        write(f"  {label(each)} is no longer in Git and stays (Prune=false): an admin removes it by hand")
    time.sleep(0.5)
    return tuple(refused)


def _result(before: Mapping[str, Work], after: Mapping[str, Work], refused: tuple[str, ...]) -> Result:
    return Result(
        before={name: each.state for name, each in before.items()},
        after={name: each.state for name, each in after.items()},
        suspended={
            name: because(each.why)
            for name, each in after.items()
            if each.state == SUSPENDED and name in before and before[name].state == RUNNING
        },
        started=tuple(
            name
            for name, each in after.items()
            if each.state == RUNNING and (name not in before or before[name].state != RUNNING)
        ),
        refused=refused,
    )
