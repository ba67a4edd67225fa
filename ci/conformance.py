"""Replay recorded answers of a real Kueue: `verdicts PATH… [--kueue VERSION]`; the last line is for machines.

With `--live` the recorded objects are offered to the lab's Kueue again, so that a new version shows its differences.
`record` plays scenarios on the lab's Kueue and writes what happened.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

import conformance_record
import conformance_replay
from kohort.engine.verdicts import Verdict, apply_differences, compare, read_verdicts, verdict_files


def main() -> int:
    """Exit 1 on any disagreement about accept or refuse, 2 where nothing could be read."""
    parser = argparse.ArgumentParser(prog="ci/conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verdicts = commands.add_parser("verdicts", help="replay recorded verdicts of the webhooks")
    verdicts.add_argument("paths", nargs="+", type=Path)
    verdicts.add_argument("--kueue", default="0.19.1", help="Kueue version (0.19.1)")
    verdicts.add_argument("--all", action="store_true", help="also list differing paths and stored forms")
    verdicts.add_argument("--live", action="store_true", help="ask the lab's real server, not the rules")
    conformance_replay.add(commands)
    conformance_record.add(commands)
    arguments = parser.parse_args()
    if arguments.command == "replay":
        return conformance_replay.run(arguments)
    if arguments.command == "record":
        return conformance_record.run(arguments)
    if arguments.live:
        return live(arguments.paths, everything=arguments.all)
    return replay(arguments.paths, arguments.kueue, everything=arguments.all)


def load(path: Path) -> object:
    """One recorded file; several YAML documents read as a list."""
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return json.loads(text)
    documents = list(yaml.load_all(text, Loader=yaml.CSafeLoader))
    return documents[0] if len(documents) == 1 else documents


def replay(paths: list[Path], kueue: str, *, everything: bool) -> int:
    """Print each disagreement and the closing counts."""
    recorded: list[Verdict] = []
    for path in paths:
        if not path.exists():
            print(f"no such file or folder: {path}", file=sys.stderr)
            return 2
    for file in verdict_files(paths):
        try:
            recorded += read_verdicts(load(file), file.name)
        except (OSError, ValueError, yaml.YAMLError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
    for folder in {candidate for path in paths for candidate in (path, path.parent, path.parent.parent)}:
        differences = folder / "webhooks-versions.yaml"
        if differences.is_file():
            recorded = apply_differences(recorded, load(differences), kueue)
    if not recorded:
        print("no verdict was found", file=sys.stderr)
        return 2
    agreed = paths_known = paths_agreed = stored_known = stored_agreed = 0
    for verdict in recorded:
        result = compare(verdict, kueue)
        agreed += result.agrees
        if not result.agrees:
            said = f"{result.first.code} {result.first.message}" if result.first else "nothing"
            print(
                f"DISAGREE {verdict.id}: server {'accepts' if verdict.accepted else 'refuses'} ({verdict.message[:200]}), Kohort says {said}"
            )
        if result.path_agrees is not None:
            paths_known += 1
            paths_agreed += result.path_agrees
            if everything and not result.path_agrees and result.first:
                print(
                    f"PATH {verdict.id}: server {verdict.field}, Kohort {result.first.field} ({result.first.code})"
                )
        if result.stored_agrees is not None and result.accepted:
            stored_known += 1
            stored_agreed += result.stored_agrees
            if everything and not result.stored_agrees:
                print(f"STORED {verdict.id}: {result.stored_difference}")
    print(
        f"verdicts {len(recorded)}, agreed {agreed}, paths {paths_agreed}/{paths_known}, stored {stored_agreed}/{stored_known}"
    )
    return 0 if agreed == len(recorded) else 1


def live(paths: list[Path], *, everything: bool) -> int:
    """Offer the recorded objects to a real server: print where it answers otherwise than was recorded."""
    from kohort.lab import job_verdicts
    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.failure import LabError
    from kohort.lab.verdicts import KINDS, record

    recorded: dict[str, list[dict[str, Any]]] = {}
    jobs: list[dict[str, Any]] = []
    for file in verdict_files(paths):
        try:
            found = _offered(load(file))
        except (OSError, ValueError, yaml.YAMLError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
        by_name = {kind.lower(): kind for kind in KINDS}
        for each in found:
            kind = by_name.get(file.stem.lower(), str(each["object"].get("kind")))
            if file.stem.lower() == "jobs" or kind in job_verdicts.KINDS.keys() - KINDS.keys():
                jobs.append(each)
            elif kind in KINDS:
                recorded.setdefault(kind, []).append(each)
    if not recorded and not jobs:
        print("no verdict was found", file=sys.stderr)
        return 2
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = []
    try:
        if recorded:
            with ControlPlane(["appwrapper"]) as plane:
                for kind, cases in sorted(recorded.items()):
                    pairs += zip(cases, record(plane, kind, cases), strict=True)
        if jobs:
            with ControlPlane(["kueue"], kueue_configuration=job_verdicts.CONFIGURATION) as plane:
                pairs += job_verdicts.again(plane, jobs)
    except LabError as error:
        print(error, file=sys.stderr)
        return 2
    same = worded = 0
    for old, new in pairs:
        same += old["accepted"] is new["accepted"]
        alike = _words(old) == _words(new)
        worded += alike
        if old["accepted"] is not new["accepted"] or (everything and not alike):
            print(f"DIFFERS {old['id']}: recorded {_said(old)}, the lab {_said(new)}")
    asked = len(pairs)
    print(f"live verdicts {asked}, same {same}, also in words {worded}")
    return 0 if asked == same else 1


def _offered(document: object) -> list[dict[str, Any]]:
    """Entries of a recorded file that hold an object and whether it was accepted."""
    entries = document
    if isinstance(document, dict):
        entries = next((document[k] for k in ("verdicts", "cases", "results") if k in document), [])
    found = []
    for index, each in enumerate(entries if isinstance(entries, list) else []):
        if (
            isinstance(each, dict)
            and isinstance(each.get("object"), dict)
            and isinstance(each.get("accepted"), bool)
        ):
            found.append({"id": str(index), **each})
    return found


def _said(verdict: dict[str, Any]) -> str:
    if verdict["accepted"]:
        return "accepted" + "".join(f", warning: {text}" for text in verdict.get("warnings") or ())
    return f"refused ({verdict.get('code', '')} {str(verdict.get('message', ''))[:300]})"


def _words(verdict: dict[str, Any]) -> object:
    """What was said; several faults come in the order of a Go map, which differs from run to run."""
    said = sorted(re.findall(r"[^\s,\[\]]+", str(verdict.get("message", ""))))
    return verdict["accepted"], said, verdict.get("stored"), verdict.get("warnings")


if __name__ == "__main__":
    sys.exit(main())
