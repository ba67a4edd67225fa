"""Record the verdicts of a real Kueue over the inputs beside this file.

    python tests/conformance/record.py [KIND ...]

Starts a control plane (it is built when missing), offers every input and
rewrites `webhooks/*.yaml`. With `configuration` among the arguments the
manager's own configuration files are tried as well, with `jobs` the job webhooks.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "inputs"))

from kohort.lab import job_verdicts  # noqa: E402
from kohort.lab.build import build  # noqa: E402
from kohort.lab.configurations import try_configuration  # noqa: E402
from kohort.lab.controlplane import ControlPlane  # noqa: E402
from kohort.lab.families import KUBERNETES, KUEUE  # noqa: E402
from kohort.lab.verdicts import record  # noqa: E402

MODULES = sorted(
    path.stem for path in (HERE / "inputs").glob("*.py") if path.stem not in {"edit", "configuration", "jobs"}
)


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Never shares a node between two places, and writes long text as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text and not text.startswith((" ", "\n")) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def write(path: Path, document: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    path.write_text(text, encoding="utf-8")


def unique(cases: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    seen = [name for name, *_ in cases]
    twice = {name for name in seen if seen.count(name) > 1}
    if twice:
        raise SystemExit(f"ids used twice: {', '.join(sorted(twice))}")
    return cases


def record_kinds(plane: ControlPlane, names: list[str]) -> None:
    head = {"kueue": KUEUE, "kubernetes": KUBERNETES}
    for name in names:
        module = importlib.import_module(name)
        offered = [{"id": key, "object": value} for key, value in unique(module.cases())]
        verdicts = record(plane, module.KIND, offered)
        write(HERE / "webhooks" / f"{name}.yaml", {**head, "verdicts": verdicts})
        accepted = sum(each["accepted"] for each in verdicts)
        sys.stdout.write(f"{name}: {len(verdicts)} verdicts, {accepted} accepted\n")
        if hasattr(module, "updates"):
            changes = [
                {"id": key, "before": old, "object": new} for key, old, new in unique(module.updates())
            ]
            verdicts = record(plane, module.KIND, changes)
            write(HERE / "webhooks" / "updates" / f"{name}.yaml", {**head, "verdicts": verdicts})
            accepted = sum(each["accepted"] for each in verdicts)
            sys.stdout.write(f"{name}: {len(verdicts)} updates, {accepted} accepted\n")
        sys.stdout.flush()


def record_configurations() -> None:
    module = importlib.import_module("configuration")
    program = build(["kueue"])["kueue"]
    verdicts: list[dict[str, Any]] = []
    for name, text in unique(module.cases()):
        start = try_configuration(program, text)
        found = {"id": name, "configuration": text, "starts": start.starts}
        if not start.starts:
            found |= {"step": start.step, "error": start.error}
        verdicts.append(found)
    write(HERE / "configuration" / "manager.yaml", {"kueue": KUEUE, "verdicts": verdicts})
    sys.stdout.write(f"configuration: {len(verdicts)} files, {sum(v['starts'] for v in verdicts)} start\n")


def record_jobs() -> None:
    module = importlib.import_module("jobs")
    cases, changes, running = (unique(some) for some in (module.cases(), module.updates(), module.running()))
    head = {"kueue": KUEUE, "kubernetes": KUBERNETES, "frameworks": list(job_verdicts.FRAMEWORKS)}
    with ControlPlane(["kueue"], kueue_configuration=job_verdicts.CONFIGURATION) as plane:
        job_verdicts.prepare(plane)
        job_verdicts.wait(plane, [each for key, each in cases if key.endswith("-good")])
        found = job_verdicts.creations(plane, cases)
        write(HERE / "webhooks" / "jobs.yaml", {**head, "verdicts": found})
        changed = [*job_verdicts.updates(plane, changes), *job_verdicts.running(plane, running)]
        write(HERE / "webhooks" / "updates" / "jobs.yaml", {**head, "verdicts": changed})
    for what, verdicts in (("verdicts", found), ("updates", changed)):
        accepted = sum(each["accepted"] for each in verdicts)
        sys.stdout.write(f"jobs: {len(verdicts)} {what}, {accepted} accepted\n")


def main(arguments: list[str]) -> None:
    names = arguments or [*MODULES, "configuration", "jobs"]
    kinds = [name for name in names if name not in {"configuration", "jobs"}]
    if kinds:
        for name in kinds:  # complain about the inputs before anything starts
            unique(importlib.import_module(name).cases())
        component = "appwrapper" if "appwrapper" in kinds else "kueue"
        with ControlPlane([component]) as plane:
            record_kinds(plane, kinds)
    if "configuration" in names:
        record_configurations()
    if "jobs" in names:
        record_jobs()


if __name__ == "__main__":
    main(sys.argv[1:])
