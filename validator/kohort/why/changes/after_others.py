"""After which running jobs have ended the job is admitted: a smallest set, found by taking them out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from kohort.capacity.words import amount, listed
from kohort.objects.names import visible
from kohort.semantics.work import Work
from kohort.why.answer import Change, Lever
from kohort.why.changes.situation import Lack, Situation
from kohort.why.trying import outcome

_MOST_TRIED: Final = 400  # jobs that are taken out together
_MOST_ALONE: Final = 100  # jobs that are taken out one by one
_FLAVORS: Final = 3
_NAMED: Final = 4


def after_others(now: Situation) -> Change | None:
    """The fewest running jobs, of any queue of the tree, after whose end the job fits on one of its flavors."""
    best: tuple[Lack, list[Work], int] | None = None
    for lack in now.lacks()[:_FLAVORS]:
        found = _smallest(now, lack)
        if found is not None and (best is None or len(found[0]) < len(best[1])):
            best = (lack, *found)
    if best is None:
        return None
    lack, works, alike = best
    for work in works:
        now.state.lift(work)
    verdict = outcome(now.work, now.queue, now.state)
    for work in reversed(works):
        now.state.put_back(work)
    if verdict is None:
        return None
    return Change(Lever.AFTER, _message(lack, works, alike), verdict, {"workloads": [w.key for w in works]})


def _message(lack: Lack, works: list[Work], alike: int) -> str:
    flavor, resource = lack.scarce
    freed = sum(work.usage.get(lack.scarce, 0) for work in works)
    names = listed([visible(work.key) for work in works], _NAMED)
    ends = "ends" if len(works) == 1 else "end"
    many = f"at least {alike}" if alike >= _MOST_ALONE else str(alike)
    more = f"; any one of {many} running jobs would do" if alike > 1 else ""
    return f"wait until {names} {ends}: {amount(freed, resource)} of flavor {visible(flavor)}{more}"


def _smallest(now: Situation, lack: Lack) -> tuple[list[Work], int] | None:
    """Jobs whose end makes room on this flavor, and how many single ones would do alone."""
    missing = lack.missing[lack.scarce]
    users = now.users.of(now.state, now.queue, lack.scarce)
    enough = (work for work in users.at_least(missing) if work is not now.work)
    single, alike = None, 0
    for work in islice(enough, _MOST_ALONE):
        now.state.lift(work)
        if now.queue.fits(lack.usage):
            single, alike = single or work, alike + 1
        now.state.put_back(work)
    if single is not None:
        return [single], alike
    several = _several(now, lack, (work for work in users.largest if work is not now.work))
    return (several, 0) if several else None


def _several(now: Situation, lack: Lack, users: Iterable[Work]) -> list[Work]:
    """Jobs taken out from the largest on until there is room, less those that turn out not to be needed."""
    state, queue = now.state, now.queue
    cells = [now.cell(pair) for pair in lack.missing]
    gone: list[Work] = []
    for work in islice(users, _MOST_TRIED):
        before = [cell.available() for cell in cells]
        state.lift(work)
        if [cell.available() for cell in cells] == before:
            state.put_back(work)  # its end would not help this queue
            continue
        gone.append(work)
        if queue.fits(lack.usage):
            break
    fit = queue.fits(lack.usage)
    needed = list(gone)
    if fit:
        for work in reversed(gone[:-1]):
            state.put_back(work)
            if queue.fits(lack.usage):
                needed.remove(work)
            else:
                state.lift(work)
    for work in reversed(needed):
        state.put_back(work)
    return needed if fit else []
