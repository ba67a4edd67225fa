"""The verdicts of a real API server with Kueue, as far as the schemas explain them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from kohort.objects.schema import check, check_metadata, field_path, is_namespaced, table_for

RECORDED = Path(__file__).parents[3] / "conformance" / "webhooks"
OURS = ("Required value", "Unsupported value", "Too long", "Too many", "Duplicate value")


def verdicts():
    for path in sorted(RECORDED.glob("*.yaml")):
        data = yaml.load(
            path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        )
        for verdict in data["verdicts"]:
            obj = verdict["object"]
            table = (
                table_for(obj.get("apiVersion"), obj.get("kind"), data["kueue"])
                if isinstance(obj, dict)
                else None
            )
            if table is not None:
                yield pytest.param(verdict, table, id=verdict["id"])


def found(obj, table):
    namespaced = is_namespaced(obj["apiVersion"], obj["kind"])
    given = "namespace" in (obj.get("metadata") or {})
    return [*check(obj, table), *check_metadata(obj, namespaced=namespaced and given)]


def explained_elsewhere(verdict):
    """Refused by a validating webhook, by a CEL rule alone, or because the namespace does not exist."""
    if verdict["code"] == 404:
        return True
    message = verdict["message"]
    if 'spec.components: Invalid value: "null"' in message:
        return True  # AppWrapper's mutating webhook writes the null; rules/appwrapper answers for it
    if re.search(r'admission webhook "v\w+', message) or (
        verdict["code"] == 403 and "admission webhook" in message
    ):
        return True
    causes = verdict.get("causes") or []
    rules = [
        cause
        for cause in causes
        if "Invalid value" in cause["message"] and " in body " not in cause["message"]
    ]
    return (
        bool(causes)
        and len(rules) == len(causes)
        and not any("metadata" in cause["field"] for cause in causes)
    )


@pytest.mark.parametrize(("verdict", "table"), list(verdicts()))
def test_a_recorded_verdict(verdict, table):
    violations = found(verdict["object"], table)
    places = {field_path(violation.path) for violation in violations}
    if verdict["accepted"]:
        assert violations == []
        return
    if not violations:
        assert explained_elsewhere(verdict), verdict["message"]
        return
    for unknown in re.findall(r'unknown field "([^"]+)"', verdict["message"]):
        assert covered(unknown, places)
    for cause in verdict.get("causes") or []:
        if cause["message"].startswith(OURS):
            assert covered(re.sub(r"\[([^]0-9][^]]*)\]", r".\1", cause["field"]), places)


def covered(field, places):
    """The server's place is one of ours, or lies inside a value that we refuse as a whole."""
    return field in places or any(field.startswith((f"{place}.", f"{place}[")) for place in places)
