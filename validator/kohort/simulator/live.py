"""A job while it exists: where it stands, how far its work has come, and what an interruption costs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kohort.semantics.work import Work
from kohort.simulator.job import Job
from kohort.simulator.placement.domains import Placed
from kohort.simulator.record import Attempt, End, JobRecord


class Stage(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    ADMITTED = "admitted"  # has quota, waits for nodes
    RUNNING = "running"
    RESETTING = "resetting"  # keeps its quota, its pods are being replaced
    GONE = "gone"


@dataclass(eq=False, slots=True)
class Live:
    """One job. `token` grows with every change of stage: calls that were meant for an earlier stage do nothing.

    `done` is the useful work that no interruption takes away any more, in milliseconds.
    """

    job: Job
    work: Work
    record: JobRecord
    stage: Stage = Stage.QUEUED
    token: int = 0
    admitted: int = -1
    started: int = -1
    done: int = 0
    flavor: str = ""
    nodes: tuple[str, ...] = ()
    domains: tuple[Placed, ...] = ()  # what its topology gave it
    hurt: set[str] = field(default_factory=set)  # nodes that it stands on and that are lost

    def move(self, stage: Stage) -> int:
        """Enter a stage; the token of calls that belong to it."""
        self.stage = stage
        self.token += 1
        return self.token

    def remaining(self) -> int:
        """Milliseconds from the start of its pods until it is done, if nothing disturbs it."""
        return self.job.startup + self.job.duration - self.done

    def useful(self, until: int) -> int:
        """Useful work of this attempt until then."""
        if self.started < 0:
            return 0
        return min(max(0, until - self.started - self.job.startup), self.job.duration - self.done)

    def close(
        self, at: int, end: End, reason: str = "", by: str = "", *, worked_until: int | None = None
    ) -> None:
        """Note the end of an attempt.

        What an interruption leaves is the last checkpoint; without checkpoints nothing of all attempts is left.
        """
        worked = self.useful(at if worked_until is None else worked_until)
        kept = worked
        if end not in (End.SUCCEEDED, End.RUNNING):
            every = self.job.checkpoint
            kept = 0 if every is None else (self.done + worked) // every * every - self.done
        self.done += kept
        self.record.attempts.append(
            Attempt(
                self.admitted,
                self.started,
                -1 if end is End.RUNNING else at,
                end,
                reason,
                by,
                kept,
                self.flavor,
                self.nodes,
                self.domains,
            )
        )
        self.admitted, self.started, self.nodes = at, -1, ()
        self.hurt.clear()
