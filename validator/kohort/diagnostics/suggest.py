"""Which existing name was meant: only real names are ever suggested."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

_MOST_NAMES = 200_000
_LONGEST = 253  # no Kubernetes name is longer
_MOST_EDITS = 4
_TWO_EDITS_FROM = 5  # of shorter names two edits leave too little
_SEPARATOR = re.compile(r"[^0-9a-z]+")


def did_you_mean(name: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """At most `limit` of `names` that may be meant by `name`, the likeliest first, equal ones by alphabet.

    Near is: other case, few edits (Damerau-Levenshtein: 1 up to 4 characters, then 2, then 1 in 3 up to 4), all words
    of one name in the other, one name the beginning of the other (from 3 characters). Deterministic; time grows
    linearly with `names`, of which the first 200,000 by alphabet are looked at.
    """
    if not name or len(name) > _LONGEST:
        return ()
    folded = name.casefold()
    words = _words(folded)
    allowed = min(_MOST_EDITS, max(1 if len(name) < _TWO_EDITS_FROM else 2, len(name) // 3))
    best: list[tuple[int, str]] = []
    for other in _candidates(name, names):
        bound = best[-1][0] - 1 if len(best) >= limit else _WORST
        rank = _rank(folded, words, other.casefold(), min(allowed, bound // 2), bound)
        if rank is not None:
            best = sorted([*best, (rank, other)])[:limit]
            if best[-1][0] == 0 and len(best) == limit:
                break
    return tuple(other for _, other in best)


_WORDS_RANK = 3  # between one edit (2) and two (4)
_PREFIX_RANK = 5
_WORST = 2 * _MOST_EDITS


def _candidates(name: str, names: Iterable[str]) -> Iterator[str]:
    return (
        other for other in islice(sorted(set(names)), _MOST_NAMES) if other != name and len(other) <= _LONGEST
    )


def _rank(name: str, words: frozenset[str], other: str, allowed: int, bound: int) -> int | None:
    """0: other case only; 2 per edit; odd ranks for words and beginnings. None: not near, or not below `bound`."""
    if name == other:
        return 0
    rank: int | None = None
    if bound >= _WORDS_RANK:
        rank = _related(name, words, other)
    edits = _distance(name, other, allowed if rank is None else min(allowed, rank // 2))
    if edits is not None:
        rank = 2 * edits
    return rank if rank is not None and rank <= bound else None


def _related(name: str, words: frozenset[str], other: str) -> int | None:
    # Either way one of our words stands in the other name: a cheap test that most names fail.
    if any(word in other for word in words):
        theirs = _words(other)
        if words <= theirs or theirs <= words:
            return _WORDS_RANK
    if min(len(name), len(other)) >= 3 and (other.startswith(name) or name.startswith(other)):
        return _PREFIX_RANK
    return None


def _words(name: str) -> frozenset[str]:
    return frozenset(word for word in _SEPARATOR.split(name) if word)


def _distance(one: str, two: str, allowed: int) -> int | None:
    """Edits (insert, delete, replace, swap neighbours) from one text to the other, or None above `allowed`."""
    if allowed < 0 or abs(len(one) - len(two)) > allowed:
        return None
    start, shortest = 0, min(len(one), len(two))
    while start < shortest and one[start] == two[start]:
        start += 1
    end = 0
    while end < shortest - start and one[-1 - end] == two[-1 - end]:
        end += 1
    one, two = one[start : len(one) - end], two[start : len(two) - end]
    if not one or not two:
        return max(len(one), len(two))
    if allowed <= 1:  # both ends differ, so one edit is a replaced character or a swapped pair
        return 1 if allowed and (len(one) == len(two) == 1 or (len(one) == 2 and one == two[::-1])) else None
    return _table(one, two, allowed)


def _table(one: str, two: str, allowed: int) -> int | None:
    beyond = allowed + 1
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, char in enumerate(one, 1):
        current = [i] + [beyond] * len(two)
        for j in range(max(1, i - allowed), min(len(two), i + allowed) + 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (char != two[j - 1]))
            if i > 1 and j > 1 and char == two[j - 2] and one[i - 2] == two[j - 1]:
                cost = min(cost, before[j - 2] + 1)
            current[j] = cost
        if min(current) > allowed:
            return None
        before, row = row, current
    return row[-1] if row[-1] <= allowed else None
