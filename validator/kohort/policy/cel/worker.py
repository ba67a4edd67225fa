"""The process that evaluates: `python -m kohort.policy.cel.worker`, one JSON object per line in and out.

`{"compile": EXPRESSION}` is answered with `{"value": true}` or a failure. `{"know": NAME, "variables": {…}}` keeps variables
under a name and is not answered. `{"ask": EXPRESSION, "known": [NAME…], "variables": {…}}` is answered with `{"value": …}` or
`{"failure": …, "text": …, "line": …, "column": …}`. Every answer says what processor time it took (`seconds`). Native code
cannot be interrupted, so whoever asks ends this process when it does not answer.
"""

from __future__ import annotations

import contextlib
import json
import re
import resource
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from kohort.policy.cel.answer import Failure
from kohort.policy.cel.functions import FUNCTIONS

MEMORY: Final = 1 << 30  # bytes this process may take
LARGEST: Final = 4 << 20  # characters of a value that is handed back
_PLACE: Final = re.compile(r"ERROR: <input>:([0-9]+):([0-9]+): ([^\n]*)")
_UNKNOWN: Final = re.compile(r"Undefined variable or function: '([^']*)'")
_CALLED: Final = re.compile(
    r"Python function call failed: \w+: (.*?)\.? Check function arguments and their types\."
)
_DEEP: Final = re.compile(r"Recursion limit of ([0-9]+) exceeded")
_I64: Final = 2**63


def main() -> None:
    """Answer until standard input ends."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import cel
    from cel.stdlib import add_stdlib_to_context

    known: dict[str, Mapping[str, Any]] = {}
    programs: dict[str, Any] = {}
    contexts: dict[tuple[tuple[str, ...], tuple[str, ...]], Any] = {}
    for line in sys.stdin:
        since = time.process_time()
        request = json.loads(line)
        if "know" in request:
            known[request["know"]] = _bounded(request["variables"])
            contexts.clear()
            continue
        expression = request.get("compile") or request["ask"]
        try:
            program = programs.get(expression) or programs.setdefault(expression, cel.compile(expression))
        except ValueError as error:
            answer = _syntax(str(error))
        except BaseException as error:  # noqa: BLE001 - a panic of native code is no Exception; the answer says what it was
            answer = {"failure": Failure.SYNTAX, "text": _plain(error)}
        else:
            if "compile" in request:
                _say({"value": True}, since)
                continue
            # Handing over a whole repository takes longer than most expressions: a context is kept per set of names.
            own, names = _bounded(request["variables"]), tuple(request["known"])
            key = (names, tuple(sorted(own)))
            context = contexts.get(key)
            if context is None:
                context = contexts[key] = cel.Context()
                add_stdlib_to_context(context)
                for name, function in FUNCTIONS.items():
                    context.add_function(name, function)
                for name in names:
                    for variable, value in known[name].items():
                        context.add_variable(variable, value)
            for variable, value in own.items():
                context.add_variable(variable, value)
            answer = _run(program, context, sorted({*own, *(v for name in names for v in known[name])}))
        _say(answer, since)


def _say(answer: Mapping[str, Any], since: float) -> None:
    try:
        text = json.dumps(answer, default=_shown)
    except (RecursionError, MemoryError, TypeError, ValueError) as error:
        text = json.dumps({"failure": Failure.RUN, "text": f"its value cannot be handed on: {_plain(error)}"})
    if len(text) > LARGEST:
        text = json.dumps(
            {"failure": Failure.COST, "text": f"its value has more than {LARGEST:,} characters"}
        )
    sys.stdout.write(f'{text[:-1]}, "seconds": {time.process_time() - since:.6f}}}\n')
    sys.stdout.flush()


def _run(program: Any, context: Any, variables: Iterable[str]) -> dict[str, Any]:
    try:
        return {"value": program.execute(context)}
    except MemoryError:
        return {"failure": Failure.COST, "text": f"it needs more than {MEMORY >> 20} MiB"}
    except KeyError as error:
        return {"failure": Failure.RUN, "text": f"there is no key {error}; ask with has(…) first"}
    except RuntimeError as error:
        unknown = _UNKNOWN.search(str(error))
        if unknown is None:
            return {"failure": Failure.RUN, "text": _plain(error)}
        names = ", ".join(sorted(variables))
        return {
            "failure": Failure.RUN,
            "text": f"there is no variable or function `{unknown.group(1)}` (variables: {names})",
        }
    except BaseException as error:  # noqa: BLE001 - native code may panic; an answer is owed
        return {"failure": Failure.RUN, "text": _plain(error)}


def _syntax(text: str) -> dict[str, Any]:
    place = _PLACE.search(text)
    deep = _DEEP.search(text)
    if deep is not None:
        return {"failure": Failure.SYNTAX, "text": f"it is nested more than {deep.group(1)} deep"}
    if place is None:
        return {"failure": Failure.SYNTAX, "text": text.splitlines()[0]}
    line, column, cause = place.groups()
    return {
        "failure": Failure.SYNTAX,
        "text": cause.split(" expecting ")[0],
        "line": int(line),
        "column": int(column),
    }


def _plain(error: BaseException) -> str:
    text = (str(error).splitlines() or [""])[0] or type(error).__name__
    called = _CALLED.search(text)
    return called.group(1) if called else text.split(" CEL does not coerce")[0]


def _bounded(value: Any) -> Any:
    """Whole numbers beyond 64 bits as floating-point numbers: CEL has no larger ones."""
    if isinstance(value, dict):
        return {key: _bounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_bounded(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -_I64 <= value < _I64:
        return float(value)
    return value


def _shown(value: Any) -> Any:
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}s"
    return value.isoformat() if isinstance(value, datetime) else str(value)


if __name__ == "__main__":
    main()
