"""Write the schema tables under validator/kohort/objects/schema/tables from the definitions of Kueue.

Run at development time, when a version of Kueue is added; it needs Go and its module proxy. With `--check`
nothing is written and the exit code is 1 when a table differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from kohort.objects.schema.patch import difference
from schema_compact import POD_TEMPLATE, QUANTITY, compact, pod_template, table
from schema_history import Crds, version_0_16, version_0_18

TABLES = Path(__file__).parent.parent / "validator" / "kohort" / "objects" / "schema" / "tables"
MODULES = {"0.15": "v0.15.2", "0.16": "v0.16.9", "0.17": "v0.17.1", "0.18": "v0.18.6", "0.19": "v0.19.1"}
NEEDED = ("0.15", "0.17", "0.19")
NEWEST = "0.19"
APPWRAPPER = ("github.com/project-codeflare/appwrapper", "v1.2.2", "config/crd/bases")
KUEUE = ("sigs.k8s.io/kueue", "config/components/crd/bases")
# What Kueue's webhooks do with the objects of a kind: "defaults" rewrites it unless it has the finalizer of the
# webhook, "reads" decodes it before the server judges it, "validates" decodes it afterwards.
WEBHOOKS = {
    "ClusterQueue": "defaults",
    "ResourceFlavor": "defaults",
    "Workload": "reads",
    "Cohort": "validates",
}
# Required fields that rewriting supplies although they were absent (Go types without an empty form).
FILLED = {"ClusterQueue": ("nominalQuota",)}


def module(path: str, version: str, folder: str) -> Crds | None:
    """The definitions in a Go module, by kind; None when the module cannot be had."""
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            ["go", "mod", "download", "-json", f"{path}@{version}"],
            cwd=empty,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        return None
    crds: Crds = {}
    for file in sorted(Path(json.loads(done.stdout)["Dir"], folder).glob("*.yaml")):
        crd = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        crds[crd["spec"]["names"]["kind"]] = crd
    return crds


def definitions() -> dict[str, Crds]:
    """The definitions of each minor version of Kueue."""
    found = {minor: module(KUEUE[0], version, KUEUE[1]) for minor, version in MODULES.items()}
    have = {minor: crds for minor, crds in found.items() if crds is not None}
    for minor in NEEDED:
        if minor not in have:
            sys.exit(f"{KUEUE[0]}@{MODULES[minor]} cannot be downloaded")
    have.setdefault("0.16", version_0_16(have["0.15"], have["0.17"]))
    have.setdefault("0.18", version_0_18(have["0.17"], have["0.19"]))
    return have


def schemas(crds: Crds) -> dict[tuple[str, str], dict[str, Any]]:
    """The served schemas: (kind, API version) to definition and schema."""
    return {
        (kind, version["name"]): {
            "crd": crd,
            "version": version,
            "schema": version["schema"]["openAPIV3Schema"],
        }
        for kind, crd in crds.items()
        for version in crd["spec"]["versions"]
        if version["served"]
    }


def fill(node: Any, names: tuple[str, ...]) -> None:
    """Mark in a compact node which required fields the webhook supplies."""
    if isinstance(node, dict):
        supplied = [name for name in node.get("required", []) if name in names]
        if supplied:
            node["filled"] = supplied
        for key in ("fields", "map", "items"):
            for sub in node.get(key, {}).values() if key == "fields" else [node.get(key)]:
                fill(sub, names)


def root(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """The compact table of one kind; metadata is judged elsewhere."""
    schema = dict(entry["schema"])
    schema["properties"] = {
        k: v for k, v in schema["properties"].items() if k not in ("apiVersion", "kind", "metadata")
    }
    node = compact(schema)
    fill(node["fields"].get("spec"), FILLED.get(kind, ()))
    return table(node)


def layered(by_minor: dict[str, Any]) -> dict[str, Any]:
    """Newest version as base, older ones as patches; equal patches are written once."""
    newest = max(by_minor, key=lambda minor: [int(part) for part in minor.split(".")])
    older: list[dict[str, Any]] = []
    for minor, value in by_minor.items():
        patch = difference(by_minor[newest], value)
        same = [entry for entry in older if entry["patch"] == patch]
        if patch and same:
            same[0]["kueue"].append(minor)
        elif patch:
            older.append({"kueue": [minor], "patch": patch})
    return {"table": by_minor[newest], "older": older}


def cel(all_schemas: dict[str, dict[tuple[str, str], dict[str, Any]]]) -> dict[str, Any]:
    """Every CEL rule: a short hash of its text, where it stands and in which versions."""
    rules: dict[str, Any] = {}

    def walk(node: dict[str, Any], path: str, where: tuple[str, str, str]) -> None:
        for rule in node.get("x-kubernetes-validations", []):
            digest = hashlib.sha256(rule["rule"].encode()).hexdigest()[:12]
            entry = rules.setdefault(
                digest, {"update": "oldSelf" in rule["rule"], "places": {}, "text": rule}
            )
            kinds = entry["places"].setdefault(path or ".", {})
            kinds.setdefault(f"{where[0]}/{where[1]}", []).append(where[2])
        for name, sub in node.get("properties", {}).items():
            walk(sub, f"{path}.{name}" if path else name, where)
        if "items" in node:
            walk(node["items"], f"{path}[*]", where)
        if "additionalProperties" in node:
            walk(node["additionalProperties"], f"{path}[*]", where)

    for minor, entries in all_schemas.items():
        for (kind, api), entry in entries.items():
            walk(entry["schema"], "", (kind, api, minor))
    return dict(sorted(rules.items()))


def build() -> tuple[dict[str, str], dict[str, Any]]:
    """All files of the tables (name to text), and the CEL rules with their text."""
    crds = definitions()
    by_minor = {minor: schemas(crds[minor]) for minor in MODULES}
    out: dict[str, Any] = {}
    index: list[dict[str, Any]] = []
    templates: dict[str, Any] = {}
    for key in sorted({key for entries in by_minor.values() for key in entries}):
        kind, api = key
        minors = [minor for minor in MODULES if key in by_minor[minor]]
        entry = by_minor[minors[-1]][key]
        name = f"{kind.lower()}.{api}.json"
        data = layered({minor: root(by_minor[minor][key], kind) for minor in minors})
        if kind in WEBHOOKS:
            data["webhook"] = WEBHOOKS[kind]
        if "status" in entry["version"].get("subresources", {}):
            data["statusSubresource"] = True
        out[name] = data
        index.append(_index_entry(entry["crd"], kind, api, name, minors))
        if kind == "Workload":
            for minor in minors:
                pods = by_minor[minor][key]["schema"]["properties"]["spec"]["properties"]["podSets"]["items"]
                template = table(pod_template(pods["properties"]["template"]))
                if templates.setdefault(minor, template) != template:
                    sys.exit(
                        "the pod templates of the API versions of Workload differ; one table is not enough"
                    )
    out[f"{POD_TEMPLATE}.json"] = layered(templates)
    appwrapper = module(*APPWRAPPER)
    if appwrapper is None:
        sys.exit(f"{APPWRAPPER[0]}@{APPWRAPPER[1]} cannot be downloaded")
    for (kind, api), entry in schemas(appwrapper).items():
        name = f"{kind.lower()}.{api}.json"
        out[name] = {"table": root(entry, kind), "older": [], "statusSubresource": True}
        index.append(_index_entry(entry["crd"], kind, api, name, list(MODULES)))
    out["index.json"] = {"quantityPattern": QUANTITY, "tables": index}
    rules = cel(by_minor)
    out["cel.json"] = {key: {k: v for k, v in rule.items() if k != "text"} for key, rule in rules.items()}
    return {
        name: json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n" for name, data in out.items()
    }, rules


def _index_entry(crd: dict[str, Any], kind: str, api: str, name: str, minors: list[str]) -> dict[str, Any]:
    return {
        "apiVersion": f"{crd['spec']['group']}/{api}",
        "kind": kind,
        "namespaced": crd["spec"]["scope"] == "Namespaced",
        "kueue": minors,
        "file": name,
    }


def main() -> None:
    """Write or compare the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only; exit code 1 on a difference")
    parser.add_argument("--cel", type=Path, help="also write the text of all CEL rules to this file, to read")
    options = parser.parse_args()
    files, rules = build()
    if options.cel:
        lines = []
        for key, rule in rules.items():
            lines.append(
                f"{key}  {'on update' if rule['update'] else 'always'}  {rule['text'].get('message', '')}"
            )
            lines.extend(
                f"    {k} {path}: {' '.join(v)}"
                for path, kinds in rule["places"].items()
                for k, v in kinds.items()
            )
            lines.extend(f"    {name}: {value}" for name, value in rule["text"].items() if name != "message")
        options.cel.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.check:
        have = {file.name: file.read_text(encoding="utf-8") for file in TABLES.glob("*.json")}
        wrong = sorted(name for name in {*have, *files} if have.get(name) != files.get(name))
        print("differs: " + ", ".join(wrong) if wrong else f"{len(files)} tables are as generated")
        sys.exit(1 if wrong else 0)
    TABLES.mkdir(exist_ok=True)
    for file in TABLES.glob("*.json"):
        if file.name not in files:
            file.unlink()
    for name, text in files.items():
        (TABLES / name).write_text(text, encoding="utf-8")
    print(f"{len(files)} tables, {sum(len(text) for text in files.values()) // 1024} KiB")


if __name__ == "__main__":
    main()
