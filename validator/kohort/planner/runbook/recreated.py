"""A field that the server does not let change: the object is deleted and made again."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Disruption, Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted

# Where others refer to the object by name, another name is better than a moment without it.
_BY_NAME = frozenset({"Topology", "ResourceFlavor", "AdmissionCheck"})


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per object; declared work is made again under the name of its next run."""
    for change in case.open():
        fields = [field for field in change.fields if field.disruption is Disruption.RECREATE]
        if not fields or fields[0].rule == "work":
            continue
        case.take(change)
        space = f" -n {quoted(change.ref.namespace)}" if change.ref.namespace else ""
        delete = f"kubectl delete {change.ref.kind.lower()} {quoted(change.ref.name)}{space}"
        steps: tuple[Step, ...]
        if change.ref.kind in _BY_NAME:
            steps = (
                Step(f"declare it under another name and leave {change.ref.name} as it is"),
                Step(
                    "let what uses it name the new one; hold and drain queues whose work is bound to the old one"
                ),
                Step(f"when nothing names {change.ref.name} any more, delete it", (delete,)),
            )
        else:
            steps = (
                Step("delete the object", (delete,)),
                apply("it is made again with the new value", compiled=is_compiled(change)),
            )
        yield Runbook(case.cluster, f"changing {fields[0].path} of {change.ref}", fields[0].why, steps)
