"""What becomes of work: Kueue's Workloads, read again and again, told as changes between readings."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kohort.lab.work import API

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kohort.lab.client import Client

KUEUE = "kueue.x-k8s.io/v1beta2"
_WORKLOADS = f"/apis/{KUEUE}/workloads"
_WRAPPERS = f"/apis/{API}/appwrappers"
_UID = re.compile(r"\b(?:Job)?UID: ([0-9a-f-]{36})")
_MOVING = "Pending the preemption"
_TOLD = ("Resetting", "Failed")  # phases of an AppWrapper that its Workload does not show
WAITING, RUNNING, SUSPENDED, ENDED, FAILED = "waiting", "running", "suspended", "ended", "failed"


@dataclass(frozen=True, slots=True)
class Work:
    """One Workload as Kueue sees it.

    Attributes:
        name: `namespace/name` of its owner, for example the AppWrapper.
        uid: of the Workload.
        state: `waiting`, `running` (quota given), `suspended` (after it ran), `ended` or `failed`.
        why: Kueue's own message for waiting and being suspended.
        queue: the ClusterQueue that gave quota; empty without.
        flavors: flavor by resource, as given; empty without.
        amounts: what it uses, as given.
        priority: its value.
        phase: of its AppWrapper when that resets or has failed; else empty.
        gone: it is no longer on the server.
    """

    name: str
    uid: str
    state: str
    why: str = ""
    queue: str = ""
    flavors: tuple[tuple[str, str], ...] = ()
    amounts: tuple[tuple[str, str], ...] = ()
    priority: int = 0
    phase: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one workload between two readings.

    Attributes:
        seconds: since the watch began.
        before: the earlier state; empty for a new one.
        now: the state it has now.
    """

    seconds: float
    before: str
    now: Work


class Watch:
    """Reads all Workloads of the lab."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._began = time.monotonic()
        self.work: dict[str, Work] = {}

    @property
    def seconds(self) -> float:
        """Seconds since the watch began."""
        return time.monotonic() - self._began

    def poll(self) -> list[Change]:
        """Read once and return what changed, in order of name."""
        items = self._client.must("GET", _WORKLOADS)["items"]
        names = {item["metadata"]["uid"]: _owner(item) for item in items}
        names |= {
            owner["uid"]: names[item["metadata"]["uid"]]
            for item in items
            for owner in item["metadata"].get("ownerReferences") or ()
        }
        phases = self._phases()
        now = {}
        for item in items:
            work = _read(item, names)
            now[work.uid] = replace(work, phase=phases.get(work.name, ""))
        changes = []
        for uid in sorted({*now, *self.work}, key=lambda each: (now.get(each) or self.work[each]).name):
            before = self.work.get(uid)
            if uid not in now:
                if before is not None and not before.gone:
                    changes.append(Change(self.seconds, before.state, replace(before, gone=True)))
                    self.work[uid] = replace(before, gone=True)
            elif before is None or _told(before) != _told(now[uid]):
                changes.append(Change(self.seconds, before.state if before else "", now[uid]))
                self.work[uid] = now[uid]
        return changes

    def _phases(self) -> dict[str, str]:
        answer = self._client.request("GET", _WRAPPERS)
        found = {}
        for item in answer.body["items"] if answer.ok else ():
            phase = (item.get("status") or {}).get("phase")
            if phase in _TOLD:
                found[f"{item['metadata']['namespace']}/{item['metadata']['name']}"] = phase
        return found

    def follow(
        self,
        tell: Callable[[Change], None],
        *,
        until: Callable[[], bool] = lambda: False,
        seconds: float,
        quiet: float | None = None,
    ) -> bool:
        """Read and tell until something holds.

        Args:
            tell: receives each change.
            until: ends the watch with True.
            seconds: ends it with False.
            quiet: ends it with True when nothing changed for so many seconds.
        """
        end = time.monotonic() + seconds
        last = time.monotonic()
        while True:
            for change in self.poll():
                tell(change)
                last = time.monotonic()
            if until():
                return True
            if any(_MOVING in each.why for each in self.work.values() if not each.gone):
                last = time.monotonic()  # Kueue has said that more will come
            if quiet is not None and time.monotonic() - last > quiet:
                return True
            if time.monotonic() > end:
                return False
            time.sleep(0.25)

    def states(self) -> dict[str, str]:
        """Return the state of each workload that is still there, by name."""
        return {w.name: w.state for w in sorted(self.work.values(), key=lambda w: w.name) if not w.gone}


def _told(work: Work) -> tuple[str, str, str]:
    return work.state, work.why, work.phase


def _owner(item: Mapping[str, Any]) -> str:
    meta = item["metadata"]
    owners = [each for each in meta.get("ownerReferences") or () if each.get("controller")]
    return f"{meta['namespace']}/{owners[0]['name'] if owners else meta['name']}"


def _read(item: Mapping[str, Any], names: Mapping[str, str]) -> Work:
    status = item.get("status") or {}
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    true = {kind for kind, each in conditions.items() if each["status"] == "True"}
    assigned = (status.get("admission") or {}).get("podSetAssignments") or ()
    state, why = _state(conditions, true)
    return Work(
        name=names[item["metadata"]["uid"]],
        uid=item["metadata"]["uid"],
        state=state,
        why=_UID.sub(lambda found: names.get(found[1], "work that is gone"), why),
        queue=(status.get("admission") or {}).get("clusterQueue", ""),
        flavors=tuple(sorted({pair for each in assigned for pair in (each.get("flavors") or {}).items()})),
        amounts=tuple(pair for each in assigned for pair in (each.get("resourceUsage") or {}).items()),
        priority=(item.get("spec") or {}).get("priority") or 0,
    )


def _state(conditions: Mapping[str, Mapping[str, str]], true: set[str]) -> tuple[str, str]:
    if "Finished" in true:
        reason = conditions["Finished"]["reason"]
        return (FAILED, conditions["Finished"]["message"]) if reason == "Failed" else (ENDED, "")
    if "Evicted" in true:
        preempted = conditions.get("Preempted") or conditions["Evicted"]
        return SUSPENDED, f"{preempted['reason']}: {conditions['Evicted']['message']}"
    if "QuotaReserved" in true:
        return RUNNING, ""
    waiting = conditions.get("QuotaReserved") or {}
    return WAITING, waiting.get("message", "")
