"""What happens to nodes in a run, and whom it hits.

Source: kube-controller-manager's defaults (a silent node is NotReady after 50 s, its pods are evicted 300 s later) and
AppWrapper (mlbatch 2.3 and 3.5): a cordon and a lost device move nobody, a health label of effect NoExecute moves jobs of
AppWrapper away, a node that is NotReady for too long takes its pods with it.
"""

from __future__ import annotations

from typing import Final

from kohort.model.scenario import NodeChange
from kohort.simulator.agenda import Agenda
from kohort.simulator.placement.board import Board
from kohort.simulator.placement.host import Host
from kohort.simulator.record import End
from kohort.simulator.tending import Tell, Tending

GRACE: Final = 50_000  # --node-monitor-grace-period
TOLERATION: Final = 300_000  # tolerationSeconds of not-ready and unreachable


class Outages:
    """The changes of nodes of one run."""

    def __init__(self, board: Board, tending: Tending, agenda: Agenda, tell: Tell) -> None:
        self._board, self._tending, self._agenda, self._tell = board, tending, agenda, tell
        self._silent: dict[str, int] = {}  # node → since when it is not Ready
        self.changed = False  # since the last look: healthy capacity may differ

    def plan(self, change: NodeChange) -> None:
        """Put a change and its end on the agenda."""
        self._agenda.at(change.at, self._apply, change)
        if change.lasts is not None:
            self._agenda.at(change.at + change.lasts, self._restore, change.nodes)

    def _apply(self, at: int, change: NodeChange) -> None:
        if change.back:
            self._restore(at, change.nodes)
            return
        for name in change.nodes:
            host = self._board.by_name.get(name)
            if host is None:
                continue
            self._tell(at, "node", name, _words(change))
            evicted = host.evicts
            if change.cordon is not None:
                host.cordon = change.cordon
            for key, value in change.labels.items():
                if value is None:
                    host.labels.pop(key, None)
                else:
                    host.labels[key] = value
            host.lose(change.lost)
            if change.ready is not None and change.ready != host.ready:
                self._ready(at, host, ready=change.ready)
            self._board.changed(host)
            self.changed = True
            if host.evicts and not evicted:
                for key in self._board.on(host):
                    self._tending.hit(at, self._tending.lives[key], End.NODE_UNHEALTHY, at)

    def _restore(self, at: int, names: tuple[str, ...]) -> None:
        for name in names:
            host = self._board.by_name.get(name)
            if host is None:
                continue
            self._tell(at, "node", name, "back")
            host.cordon = host.first_cordon
            host.labels = dict(host.first_labels)
            host.lose({**dict.fromkeys(host.lost, 0), **host.first_lost})
            if host.ready != host.first_ready:
                self._ready(at, host, ready=host.first_ready)
            self._board.changed(host)
            self.changed = True

    def _ready(self, at: int, host: Host, *, ready: bool) -> None:
        host.ready = ready
        if ready:
            self._silent.pop(host.name, None)
        else:
            self._silent[host.name] = at
            self._agenda.at(at + GRACE + TOLERATION, self._lost, host, at)

    def _lost(self, at: int, host: Host, since: int) -> None:
        if self._silent.get(host.name) != since:
            return
        for key in self._board.on(host):
            self._tending.hit(at, self._tending.lives[key], End.NODE_LOST, since)


def _words(change: NodeChange) -> str:
    said = []
    if change.cordon is not None:
        said.append("cordoned" if change.cordon else "uncordoned")
    if change.ready is not None:
        said.append("Ready" if change.ready else "NotReady")
    said += [
        f"{key}={value}" if value is not None else f"{key} removed" for key, value in change.labels.items()
    ]
    said += [f"{count} {name} lost" if count else f"all {name} back" for name, count in change.lost.items()]
    return ", ".join(said)
