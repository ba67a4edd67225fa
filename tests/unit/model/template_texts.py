"""Templates and parameters as the tests write them, and what rendering one gives."""

from __future__ import annotations

from typing import Any

from kohort.model.repo import Parameter, WorkloadTemplate
from kohort.model.template import Place, Rendered, render
from kohort.model.template_context import Context, Fact
from kohort.objects.quantity import Quantity
from kohort.spans import Origin

HERE = Origin("run.yaml", 0, ("spec", "values"))


FACTS = {
    "name": Fact("fit-1", Origin("run.yaml")),
    "accelerator": Fact("example.com/gpu", Origin("cluster.yaml")),
    "cpuPerAccelerator": Fact(
        Quantity.parse("10"), Origin("cluster.yaml"), "(100 − 20 cpu) ÷ 8 GPUs per node = 10"
    ),
    "memoryPerAccelerator": Fact(Quantity.parse("100Gi"), Origin("cluster.yaml")),
    "gangs": Fact(True, Origin("cluster.yaml")),
}


def parameter(name: str, kind: str = "integer", index: int = 0, **more: Any) -> Parameter:
    rest: dict[str, Any] = {
        "description": f"about {name}",
        "default": None,
        "required": False,
        "minimum": None,
        "maximum": None,
        "enum": (),
        "pattern": "",
    }
    return Parameter(name=name, type=kind, path=("spec", "parameters", index), **{**rest, **more})


def template(spec: Any, *parameters: Parameter, **body: Any) -> WorkloadTemplate:
    whole = {"apiVersion": "v1", "kind": "Thing", "spec": spec, **body}
    return WorkloadTemplate(
        name="t", origin=Origin("t.yaml"), description="a test", parameters=parameters, body=whole
    )


def place(origin: Origin = HERE) -> Place:
    return Place(origin, origin.child, "Workload fit")


def rendered(spec: Any, values: dict[str, Any], *parameters: Parameter, **missing: str) -> Rendered:
    facts = {name: fact for name, fact in FACTS.items() if name not in missing}
    result = render(template(spec, *parameters), values, Context(facts, missing), place())
    assert isinstance(result, Rendered), [fault.message for fault in result]
    return result


GPUS = parameter("gpus", default=1)


PODS = parameter("pods", default=2)


OPT = parameter("opt")


TEXT = parameter("text", "string")


def faults_of(result: Any) -> list[tuple[str, Any]]:
    assert isinstance(result, tuple)
    return [(fault.message, fault.primary.origin) for fault in result]
