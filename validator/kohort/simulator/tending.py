"""What becomes of jobs once Kueue has spoken: pods, ends, failures, and AppWrapper's resets.

Source: AppWrapper 1.2.2 (mlbatch 3.5). While a job runs AppWrapper looks at it every 60 s, counted from when its pods were
ready; a failed Job is reset without grace, a node whose health label is NoExecute costs no retry, what waits for nodes
longer than the warm-up is reset, and a reset keeps the quota. A plain Job makes lost pods anew at once and for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from kohort.objects.kueue import Flavor
from kohort.semantics.assignment import Assignment
from kohort.simulator.agenda import Agenda
from kohort.simulator.live import Live, Stage
from kohort.simulator.placement.board import Board, Wanted
from kohort.simulator.placement.domains import Placed, placed, shares, words
from kohort.simulator.record import End, Outcome

POLL: Final = 60_000  # while pods are ready (AppWrapper runMonitor)
Tell = Callable[[int, str, str, str], None]


class Kueue(Protocol):
    """What a job's controller tells Kueue."""

    def finish(self, key: str, at: int) -> None:
        """The job ended by itself: its quota is free."""

    def set_ready(self, key: str, ready: bool, at: int) -> None:
        """Whether all its pods run."""


class Tending:
    """All jobs that exist."""

    def __init__(
        self,
        machine: Kueue,
        agenda: Agenda,
        board: Board | None,
        flavors: Mapping[str, Flavor],
        tell: Tell,
        topologies: Mapping[str, Sequence[str]],
    ) -> None:
        """`board` is None where no nodes are modelled: pods then run as soon as a job is admitted.

        `topologies` are their levels by name, as they are at any moment.
        """
        self.machine, self.agenda, self.board = machine, agenda, board
        self.flavors, self.tell, self.topologies = flavors, tell, topologies
        self.lives: dict[str, Live] = {}

    def admitted(self, at: int, live: Live) -> None:
        """Kueue lets it start."""
        live.admitted = at
        assignment = live.work.assignment
        live.flavor = _accelerator_flavor(assignment)
        live.domains = self._domains(assignment)
        self.tell(
            at,
            "admitted",
            live.job.key,
            f"{live.flavor}: {words(live.domains)}" if live.domains else live.flavor,
        )
        self._make_pods(at, live, live.move(Stage.ADMITTED))

    def _make_pods(self, at: int, live: Live, token: int) -> None:
        if live.token != token or live.work.assignment is None:
            return  # of another stage, or evicted in the same moment: that is told next
        token = live.move(Stage.ADMITTED)
        if self.board is None or self._place(live):
            self._start(at, live)
            return
        self.tell(at, "waits for nodes", live.job.key, "")
        restarts = live.job.restarts
        if restarts is not None:
            self.agenda.at(at + restarts.warmup, self._not_placed, live, token)

    def _place(self, live: Live) -> bool:
        assignment = live.work.assignment
        if self.board is None or assignment is None:
            return True
        wanted = []
        for ask, choice in zip(live.work.podsets, assignment.podsets, strict=True):
            names = dict.fromkeys(each.flavor for each in choice.flavors.values())
            flavors = tuple(self.flavors[name] for name in names if name in self.flavors)
            wanted += [
                Wanted(ask, pods, flavors, labels)
                for labels, pods in shares(choice, self.flavors, self.topologies)
            ]
        return self.board.place(live.job.key, wanted, gang=live.job.shape.gang)

    def _domains(self, assignment: Assignment | None) -> tuple[Placed, ...]:
        if assignment is None or self.board is None:
            return ()
        nodes = {name: host.labels for name, host in self.board.by_name.items()}
        return tuple(placed(assignment, self.flavors, self.topologies, nodes))

    def placed(self, at: int) -> None:
        """Nodes got free: whoever waited for them and is complete now starts."""
        if self.board is not None:
            for key in self.board.settle():
                self._start(at, self.lives[key])

    def _start(self, at: int, live: Live) -> None:
        token = live.move(Stage.RUNNING)
        live.started = at
        if self.board is not None:
            live.nodes = self.board.nodes_of(live.job.key)
            self.machine.set_ready(live.job.key, ready=True, at=at)
        self.tell(at, "runs", live.job.key, " ".join(live.nodes))
        self.agenda.at(at + live.remaining(), self._end, live, token)

    def _end(self, at: int, live: Live, token: int) -> None:
        if live.token != token:
            return
        if not live.job.fails:
            live.close(at, End.SUCCEEDED)
            self._over(at, live, Outcome.SUCCEEDED)
        elif live.job.restarts is None:
            live.close(at, End.FAILED)
            self._over(at, live, Outcome.FAILED)
        else:
            self._seen_later(at, live, token, End.FAILED, counts=True)

    def evicted(self, at: int, live: Live, reason: str, by: str) -> None:
        """Kueue takes its quota back: its pods stop."""
        live.close(at, End.EVICTED, reason, by)
        live.move(Stage.QUEUED)
        if self.board is not None:
            self.board.remove(live.job.key)
            self.machine.set_ready(live.job.key, ready=False, at=at)
        self.tell(at, "evicted", live.job.key, f"{reason} for {by}" if by else reason)

    def hit(self, at: int, live: Live, end: End, since: int) -> None:
        """Something took its pods, or will: a lost node (its work stopped at `since`), or an unhealthy one."""
        if live.stage is not Stage.RUNNING:
            return
        if live.job.restarts is not None:
            self._seen_later(at, live, live.token, end, counts=end is not End.NODE_UNHEALTHY, since=since)
        elif end is End.NODE_LOST:
            self._interrupt(at, live, end, since)
            self._make_pods(at, live, live.token)

    def _seen_later(
        self, at: int, live: Live, token: int, end: End, *, counts: bool, since: int | None = None
    ) -> None:
        """AppWrapper sees it when it looks next."""
        seen = live.started + -((live.started - at) // POLL) * POLL
        self.agenda.at(max(at, seen), self._reset, live, token, end, counts, since)

    def _reset(self, at: int, live: Live, token: int, end: End, counts: bool, since: int | None) -> None:
        if live.token != token:
            return
        restarts = live.job.restarts
        if restarts is None:
            return
        lost = end is End.NODE_LOST
        self._interrupt(at, live, end, at if since is None else since)
        if restarts.limit is not None and live.record.resets >= restarts.limit:
            self._over(at, live, Outcome.FAILED)
            return
        live.record.resets += counts
        pause = max(restarts.pause, restarts.forceful_deletion) if lost else restarts.pause
        self.agenda.at(at + pause, self._make_pods, live, live.token)

    def _not_placed(self, at: int, live: Live, token: int) -> None:
        if live.token == token:
            self._reset(at, live, token, End.NOT_PLACED, counts=True, since=None)

    def _interrupt(self, at: int, live: Live, end: End, since: int) -> None:
        live.close(at, end, worked_until=since)
        live.move(Stage.RESETTING)
        if self.board is not None:
            self.board.remove(live.job.key)
            self.machine.set_ready(live.job.key, ready=False, at=at)
        self.tell(at, "reset", live.job.key, end.value)

    def _over(self, at: int, live: Live, outcome: Outcome) -> None:
        live.move(Stage.GONE)
        live.record.outcome, live.record.finished = outcome, at
        del self.lives[live.job.key]
        if self.board is not None:
            self.board.remove(live.job.key)
        self.tell(at, outcome.value, live.job.key, "")
        self.machine.finish(live.job.key, at)


def _accelerator_flavor(assignment: Assignment | None) -> str:
    """The flavor that counts for people: of the first device, else of the first resource."""
    if assignment is None:
        return ""
    flavors = [(name, each.flavor) for part in assignment.podsets for name, each in part.flavors.items()]
    return next((flavor for name, flavor in flavors if "/" in name), flavors[0][1] if flavors else "")
