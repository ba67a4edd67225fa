"""The reader on files after public reports, and every example of its catalogue."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import pytest
from read_text import case, only, read, shown

from kohort.diagnostics import Severity
from kohort.source.codes import RULES
from kohort.source.positions import Positions
from kohort.spans import Origin


def test_case_61_duplicate_keys_give_no_quota_from_either() -> None:
    data = case("61-duplicate-keys/input.yaml")
    assert shown(data) == [
        '10:3 YAM003 duplicate key "resourceGroups" (first at line 7)',
        '17:9 YAM003 duplicate key "nominalQuota" (first at line 16)',
    ]
    (document,) = read(data).documents
    assert document.value["spec"] == {"cohortName": "training", "stopPolicy": "None", "namespaceSelector": {}}
    places = Positions({"f.yaml": data}.get)
    first = places.span(read(data).findings[0].related[0].origin)
    assert first is not None
    assert (first.line, first.column, first.end_column) == (7, 3, 17)


def test_case_63_noise_between_documents() -> None:
    data = case("63-multi-doc-noise/input.yaml")
    result = read(data)
    assert [(d.index, d.value["kind"]) for d in result.documents] == [(1, "ResourceFlavor"), (4, "List")]
    assert shown(data) == ["28:1 YAM013 not a Kubernetes object (string)"]
    assert result.findings[0].severity is Severity.ERROR


def test_case_65_tab() -> None:
    assert shown(case("65-tabs/input.yaml")) == ["4:1 YAM002 tab used for indentation"]


def test_case_67_utf16_is_read_and_latin1_named() -> None:
    utf16 = read(case("67-utf16-and-latin1/utf16.yaml"))
    assert utf16.documents[0].value["metadata"] == {"name": "default-flavor"}
    assert [f.severity for f in utf16.findings] == [Severity.INFO]
    assert shown(case("67-utf16-and-latin1/latin1.yaml")) == [
        "1:6 YAM004 not UTF-8 (byte 0xe9 at offset 5, line 1)"
    ]


def test_case_68_merge_keys_expand_and_share_nothing() -> None:
    result = read(case("68-anchors-and-merge/input.yaml"))
    assert result.findings == ()
    a, b, c = (item["spec"] for item in result.documents[0].value["items"])
    assert (a["cohortName"], b["cohortName"], "cohortName" in c) == ("org", "org", False)
    assert b["queueingStrategy"] == "StrictFIFO"
    quotas = [spec["resourceGroups"][0]["flavors"][0]["resources"][0] for spec in (a, b, c)]
    assert quotas == [{"name": "cpu", "nominalQuota": 4}] * 3
    quotas[1]["nominalQuota"] = 5
    assert [quota["nominalQuota"] for quota in quotas] == [4, 5, 4]


def test_case_68_bomb_is_refused_quickly_in_little_memory() -> None:
    data = case("68-anchors-and-merge/bomb.yaml")
    started = time.process_time()
    finding = only(data)
    elapsed = time.process_time() - started
    tracemalloc.start()
    read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (finding.code, finding.message) == ("YAM008", "aliases expand to more than 100,036 values")
    assert elapsed < 1
    assert peak < 30 << 20


def test_cases_59_and_60_keep_the_typed_text() -> None:
    data = case("60-boolean-labels-norway/input.yaml")
    labels = read(data).documents[0].value["spec"]["nodeLabels"]
    assert labels == {
        "gpu": True,
        "country": False,
        "spot": True,
        "gpu-count": 8,
        "cuda": 12.1,
        "empty": None,
        "quoted": "on",
    }
    places = Positions({"f.yaml": data}.get)
    texts = [places.text(Origin("f.yaml", 0, ("spec", "nodeLabels", name))) for name in labels]
    assert texts == ["on", "NO", "true", "8", "12.10", "", '"on"']
    numbers = case("59-yaml-number-traps/input.yaml")
    spec = read(numbers).documents[1].value["spec"]
    quotas = [r["nominalQuota"] for r in spec["resourceGroups"][0]["flavors"][0]["resources"]]
    assert (spec["cohortName"], quotas) == (7, [16, 1000, 8])


@pytest.mark.parametrize(
    "name",
    [
        "18-job-without-requests/input.yaml",
        "18-job-without-requests/workloads.yaml",
        "64-server-dump-import/input.yaml",
    ],
)
def test_ordinary_cases_read_without_findings(name: str) -> None:
    result = read(case(name))
    assert result.findings == ()
    assert result.documents


def _encoded(code: str, text: str) -> bytes:
    return text.encode({"YAM004": "latin-1", "YAM005": "utf-16"}.get(code, "utf-8"))


@pytest.mark.parametrize("rule", [r for r in RULES if not r.bad.startswith("(")], ids=lambda r: r.code)
def test_bad_example_gives_exactly_its_code_and_good_gives_none(rule: Any) -> None:
    assert [f.code for f in read(_encoded(rule.code, rule.bad)).findings] == [rule.code]
    good = read(rule.good)
    assert good.findings == ()
    assert good.documents
    finding = only(_encoded(rule.code, rule.bad))
    assert (finding.name, finding.severity, finding.consequence) == (
        rule.name,
        rule.severity,
        rule.consequence,
    )


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)
