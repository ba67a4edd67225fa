"""The process that evaluates: `python -m kohort.policy.cel.worker`, one JSON object per line in and out.

It says `ready` first. `{"know": NAME, "variables": {…}}` keeps variables under a name and is not answered. `{"ask": EXPRESSION,
"known": [NAME…], "variables": {…}}` is answered with `{"value": …}` or `{"failure": …, "text": …, "line": …, "column": …}`, and
with the processor time that it took (`seconds`). An expression cannot be interrupted from within, so whoever asks ends this
process when it does not answer.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

from kohort.policy.cel.answer import Failure
from kohort.policy.cel.check import compiled
from kohort.policy.cel.wire import decoded, encoded
from kohort.policy.cel.wrong import Wrong, place

MEMORY: Final = 1 << 30  # bytes this process may take
LARGEST: Final = 4 << 20  # characters of a value that is handed back
_DEPTH: Final = 10_000  # calls
_I64: Final = 2**63


def main() -> None:
    """Answer until standard input ends."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.setrecursionlimit(_DEPTH)
    known: dict[str, Mapping[str, Any]] = {}
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        since = time.process_time()
        request = json.loads(line)
        if "know" in request:
            known[request["know"]] = _bounded(request["variables"])
            continue
        variables: dict[str, Any] = {}
        for name in request["known"]:
            variables |= known[name]
        own = request["variables"]
        named = {"variables": decoded(own.pop("variables"))} if "variables" in own else {}
        _say(_run(request["ask"], variables | _bounded(own) | named), since)


def _say(answer: Mapping[str, Any], since: float) -> None:
    try:
        text = json.dumps(answer)
    except (RecursionError, MemoryError, TypeError, ValueError) as error:
        text = json.dumps({"failure": Failure.RUN, "text": f"its value cannot be handed on: {_plain(error)}"})
    if len(text) > LARGEST:
        text = json.dumps(
            {"failure": Failure.COST, "text": f"its value has more than {LARGEST:,} characters"}
        )
    sys.stdout.write(f'{text[:-1]}, "seconds": {time.process_time() - since:.6f}}}\n')
    sys.stdout.flush()


def _run(expression: str, variables: dict[str, Any]) -> dict[str, Any]:
    failure = Failure.SYNTAX
    try:
        asked = compiled(expression)
        failure = Failure.RUN
        return {"value": encoded(asked(variables))}
    except Wrong as wrong:
        line, column = place(expression, wrong.offset)
        return {"failure": failure, "text": wrong.text, "line": line, "column": column}
    except MemoryError:
        return {"failure": Failure.COST, "text": f"it needs more than {MEMORY >> 20} MiB"}
    except RecursionError:
        return {"failure": Failure.COST, "text": "it is nested too deep"}
    except Exception as error:  # noqa: BLE001 - an answer is owed, whatever a function makes of odd values
        return {"failure": failure, "text": _plain(error)}


def _plain(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0] or type(error).__name__


def _bounded(value: Any) -> Any:
    """Whole numbers beyond 64 bits as floating-point numbers: CEL has no larger ones."""
    if isinstance(value, dict):
        return {key: _bounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_bounded(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -_I64 <= value < _I64:
        return float(value)
    return value


if __name__ == "__main__":
    main()
