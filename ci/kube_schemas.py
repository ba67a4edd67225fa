"""Write JSON schemas for kubeconform from the definitions in Go modules: Kubernetes' own kinds, CRDs of what we compile.

`kube_schemas.py [OUT]` prints the folder: `<group>/<kind>_<version>.json`, where the core group reads `v1`. Schemas
forbid unknown fields wherever the server would prune them, so that `kubeconform -strict` means what a server with
strict field validation says about form. Needs Go; versions are those of the lab.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml

from kohort.lab.build import cache_folder, module_folder

Schema = dict[str, Any]

# (family of the lab whose go.mod pins the version, module, folder of CRDs)
CRDS = (
    ("kueue", "sigs.k8s.io/kueue", "config/components/crd/bases"),
    ("kueue", "k8s.io/autoscaler/cluster-autoscaler/apis", "config/crd"),
    ("kueue", "github.com/kubeflow/training-operator", "manifests/base/crds"),
    ("appwrapper", "github.com/project-codeflare/appwrapper", "config/crd/bases"),
    ("schedulerplugins", "sigs.k8s.io/scheduler-plugins", "config/crd/bases"),
    ("argocd", "github.com/argoproj/argo-cd/v3", "manifests/crds"),
)
KUBERNETES = ("kubernetes", "k8s.io/kubernetes", "api/openapi-spec/swagger.json")
META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
LOCATION = (
    "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"  # below the folder, for -schema-location
)
_BITS = {"int32": 31, "int64": 63}
_OPEN = ("additionalProperties", "x-kubernetes-preserve-unknown-fields")
_KEPT = (
    "type", "required", "enum", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
    "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "multipleOf",
)  # fmt: skip
# Kinds of values that Kubernetes' document describes loosely.
_SPECIAL: dict[str, Schema] = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["string", "integer"]},
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["string", "number"]},
    "io.k8s.apimachinery.pkg.runtime.RawExtension": {"type": "object"},
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": {"type": "object"},
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": {},
}


def strict(schema: Schema) -> Schema:
    """The schema with references kept and objects closed, unless they are open to any field."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    result: Schema = {key: schema[key] for key in _KEPT if key in schema}
    if schema.get("x-kubernetes-int-or-string"):
        result["type"] = ["integer", "string"]
    elif schema.get("x-kubernetes-embedded-resource"):
        return {"type": "object", "required": ["apiVersion", "kind"]}
    if schema.get("format") == "date-time":
        result["format"] = "date-time"
    bits = _BITS.get(schema.get("format", ""))
    if bits and schema.get("type") == "integer":
        result.setdefault("minimum", -(2**bits))
        result.setdefault("maximum", 2**bits - 1)
    if "properties" in schema:
        result["properties"] = {name: strict(value) for name, value in schema["properties"].items()}
        if not any(schema.get(key) for key in _OPEN):
            result["additionalProperties"] = False
    if isinstance(schema.get("additionalProperties"), dict):
        result["additionalProperties"] = strict(schema["additionalProperties"])
    if isinstance(schema.get("items"), dict):
        result["items"] = strict(schema["items"])
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema:  # parts of a closed object: they say what is required, not what exists
            result[word] = [_part(each) for each in schema[word]]
    if "not" in schema:
        result["not"] = _part(schema["not"])
    if schema.get("nullable") and isinstance(result.get("type"), str):
        result["type"] = [result["type"], "null"]
    return result


def _part(schema: Schema) -> Schema:
    result = strict(schema)
    result.pop("additionalProperties", None)
    return result


def standalone(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """The schema together with every definition that it reaches."""
    needed: dict[str, Schema] = {}
    todo = _references(schema)
    while todo:
        name = todo.pop()
        if name not in needed:
            needed[name] = definitions[name]
            todo |= _references(definitions[name])
    return {"$schema": "http://json-schema.org/draft-07/schema#", **schema, "definitions": needed}


def _references(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        ref = schema.get("$ref")
        found = {ref.removeprefix("#/definitions/")} if isinstance(ref, str) else set()
        return found.union(*(_references(value) for value in schema.values()))
    return set().union(*(_references(value) for value in schema)) if isinstance(schema, list) else set()


def named(schema: Schema, api_version: str, kind: str) -> Schema:
    """A top-level schema that insists on its own kind."""
    properties = {
        **schema["properties"],
        "apiVersion": {"type": "string", "enum": [api_version]},
        "kind": {"type": "string", "enum": [kind]},
    }
    required = sorted({*schema.get("required", ()), "apiVersion", "kind"})
    return {**schema, "properties": properties, "required": required}


def core(swagger: Schema) -> tuple[dict[tuple[str, str, str], Schema], dict[str, Schema]]:
    """Kubernetes' own kinds that are stored (they have metadata), and all definitions."""
    definitions = {name: _SPECIAL.get(name) or strict(each) for name, each in swagger["definitions"].items()}
    kinds: dict[tuple[str, str, str], Schema] = {}
    for name, each in swagger["definitions"].items():
        if each.get("properties", {}).get("metadata", {}).get("$ref") != f"#/definitions/{META}":
            continue
        for gvk in each.get("x-kubernetes-group-version-kind", ()):
            kinds[gvk["group"], gvk["version"], gvk["kind"]] = definitions[name]
    return kinds, definitions


def custom(folder: Path) -> dict[tuple[str, str, str], Schema]:
    """The served versions of all CRDs in a folder, with Kubernetes' own metadata."""
    kinds: dict[tuple[str, str, str], Schema] = {}
    for file in sorted(folder.glob("*.yaml")):
        for crd in yaml.load_all(file.read_text(encoding="utf-8"), yaml.CSafeLoader):
            if not isinstance(crd, dict) or crd.get("kind") != "CustomResourceDefinition":
                continue
            spec = crd["spec"]
            for version in spec["versions"]:
                schema = strict(version["schema"]["openAPIV3Schema"])
                schema["properties"]["metadata"] = {"$ref": f"#/definitions/{META}"}
                kinds[spec["group"], version["name"], spec["names"]["kind"]] = schema
    return kinds


def write(kinds: dict[tuple[str, str, str], Schema], definitions: dict[str, Schema], folder: Path) -> None:
    """One file per kind and version."""
    for (group, version, kind), schema in kinds.items():
        api_version = f"{group}/{version}" if group else version
        target = folder / (group or version) / f"{kind.lower()}_{version}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(standalone(named(schema, api_version, kind), definitions), separators=(",", ":"))
        target.write_text(text, encoding="utf-8")


def schemas(out: Path | None = None) -> Path:
    """Make the folder of schemas once per set of module versions and return it.

    Raises:
        LabError: without Go, or where a module cannot be had.
    """
    swagger = module_folder(KUBERNETES[0], KUBERNETES[1]) / KUBERNETES[2]
    folders = [module_folder(family, module) / path for family, module, path in CRDS]
    digest = hashlib.sha256("\n".join(map(str, [swagger, *folders])).encode() + Path(__file__).read_bytes())
    target = out or cache_folder() / f"schemas-{digest.hexdigest()[:16]}"
    if target.is_dir():
        return target
    kinds, definitions = core(json.loads(swagger.read_text(encoding="utf-8")))
    for folder in folders:
        if not folder.is_dir():
            raise FileNotFoundError(f"the module has no folder {folder}")
        kinds |= custom(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".schemas-", dir=target.parent))
    try:
        write(kinds, definitions, unfinished)
        unfinished.rename(target)
    except OSError:
        if not target.is_dir():  # otherwise another process made the same meanwhile
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def main() -> None:
    """Print the folder, with a final separator as kubeconform's template needs it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, nargs="?")
    print(f"{schemas(parser.parse_args().out)}{os.sep}")


if __name__ == "__main__":
    main()
