"""Inputs for Cohort."""

from __future__ import annotations

from typing import Any

from clusterqueue import flavor, grid, group, many_flavors, many_resources
from edit import GROUP, NAMES, NOT_A_LIST, NOT_A_MAP, NOT_TEXT, QUANTITIES, common, drop, each, put

KIND = "Cohort"
FIRST = "spec/resourceGroups/0/flavors/0/resources/0"


def cohort(spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "metadata": {"name": "science"}, "spec": spec}


def groups(*found: dict[str, Any]) -> dict[str, Any]:
    return cohort({"parentName": "all", "resourceGroups": list(found)})


GOOD = groups(group(["cpu", "nvidia.com/gpu"], flavor("a100", ("cpu", "10"), ("nvidia.com/gpu", "8"))))
ROOT = drop(GOOD, "spec/parentName")


def cases() -> list[tuple[str, Any]]:
    one = [("cpu", "1")]
    few = {k: QUANTITIES[k] for k in ("integer", "zero", "minus-one", "12000m", "null", "word", "float")}
    weights = {
        k: QUANTITIES[k]
        for k in (
            "zero",
            "integer",
            "minus-one",
            "smallest",
            "below-smallest",
            "1500m",
            "word",
            "null",
            "float-text",
        )
    }
    return [
        *common("co", GOOD),
        ("co-no-spec", drop(GOOD, "spec")),
        *each("co-spec", GOOD, "spec", NOT_A_MAP),
        ("co-no-spec-v1beta1", drop(put(GOOD, "apiVersion", f"{GROUP}/v1beta1"), "spec")),
        ("co-old-parent", put(GOOD, "spec/parent", "all")),
        ("co-unknown-resource-field", put(GOOD, f"{FIRST}/quota", "5")),
        ("co-cohort-name", put(GOOD, "spec/cohortName", "all")),
        ("co-root", ROOT),
        *each("co-parent", GOOD, "spec/parentName", NAMES),
        *each("co-parent-not", GOOD, "spec/parentName", NOT_TEXT),
        ("co-parent-self", put(GOOD, "spec/parentName", "science")),
        *each("co-groups", GOOD, "spec/resourceGroups", NOT_A_LIST),
        ("co-no-groups", drop(GOOD, "spec/resourceGroups")),
        ("co-group-empty", put(GOOD, "spec/resourceGroups", [{}])),
        *each("co-covered", GOOD, "spec/resourceGroups/0/coveredResources", NOT_A_LIST),
        *each("co-flavors", GOOD, "spec/resourceGroups/0/flavors", NOT_A_LIST),
        ("co-resource-bad-name", groups(group(["my cpu"], flavor("a", ("my cpu", "1"))))),
        ("co-flavor-bad-name", put(GOOD, "spec/resourceGroups/0/flavors/0/name", "A100")),
        ("co-order-swapped", put(GOOD, "spec/resourceGroups/0/flavors/0/resources", GOOD["spec"]["resourceGroups"][0]["flavors"][0]["resources"][::-1])),
        ("co-resource-missing", drop(GOOD, "spec/resourceGroups/0/flavors/0/resources/1")),
        ("co-covered-twice", groups(group(["cpu", "cpu"], flavor("a", *one, *one)))),
        ("co-flavor-twice-in-group", groups(group(["cpu"], flavor("a", *one), flavor("a", *one)))),
        ("co-flavor-in-two-groups", groups(group(["cpu"], flavor("a", *one)), group(["memory"], flavor("a", ("memory", "1"))))),
        ("co-resource-in-two-groups", groups(group(["cpu"], flavor("a", *one)), group(["cpu"], flavor("b", *one)))),
        ("co-groups-16", groups(*(group([f"r{i}"], flavor(f"f{i}", (f"r{i}", "1"))) for i in range(16)))),
        ("co-groups-17", groups(*(group([f"r{i}"], flavor(f"f{i}", (f"r{i}", "1"))) for i in range(17)))),
        ("co-flavors-64", groups(group(["cpu"], *many_flavors(64)))),
        ("co-flavors-65", groups(group(["cpu"], *many_flavors(65)))),
        ("co-resources-65", groups(many_resources(65))),
        ("co-combinations-576", groups(grid(9, 64))),
        *each("co-nominal", GOOD, f"{FIRST}/nominalQuota", QUANTITIES),
        ("co-nominal-absent", drop(GOOD, f"{FIRST}/nominalQuota")),
        *each("co-borrowing", GOOD, f"{FIRST}/borrowingLimit", few),
        *each("co-lending", GOOD, f"{FIRST}/lendingLimit", few),
        ("co-lending-above-nominal", put(GOOD, f"{FIRST}/lendingLimit", "100")),
        ("co-root-borrowing", put(ROOT, f"{FIRST}/borrowingLimit", "1")),
        ("co-root-borrowing-zero", put(ROOT, f"{FIRST}/borrowingLimit", "0")),
        ("co-root-lending", put(ROOT, f"{FIRST}/lendingLimit", "1")),
        ("co-root-parent-empty-lending", put(put(GOOD, "spec/parentName", ""), f"{FIRST}/lendingLimit", "1")),
        ("co-fair-empty", put(GOOD, "spec/fairSharing", {})),
        ("co-fair-null", put(GOOD, "spec/fairSharing", None)),
        ("co-fair-unknown", put(GOOD, "spec/fairSharing", {"weights": 1})),
        *each("co-weight", GOOD, "spec/fairSharing/weight", weights),
        ("co-root-v1beta1-lending", put(put(ROOT, f"{FIRST}/lendingLimit", "1"), "apiVersion", f"{GROUP}/v1beta1")),
        ("co-v1beta1-negative", put(put(GOOD, f"{FIRST}/nominalQuota", "-1"), "apiVersion", f"{GROUP}/v1beta1")),
    ]  # fmt: skip
