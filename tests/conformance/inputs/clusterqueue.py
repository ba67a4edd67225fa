"""Inputs for ClusterQueue: one per rule of schema, expression and webhook, on both sides of each limit."""

from __future__ import annotations

from typing import Any

from edit import (
    GROUP,
    NAMES,
    NOT_A_LIST,
    NOT_A_MAP,
    NOT_A_NUMBER,
    NOT_TEXT,
    QUANTITIES,
    common,
    drop,
    each,
    put,
)

KIND = "ClusterQueue"


def flavor(name: str, *resources: tuple[str, Any]) -> dict[str, Any]:
    return {"name": name, "resources": [{"name": r, "nominalQuota": q} for r, q in resources]}


def queue(spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "metadata": {"name": "blue"}, "spec": spec}


def groups(*found: dict[str, Any]) -> dict[str, Any]:
    return queue({"cohortName": "all", "namespaceSelector": {}, "resourceGroups": list(found)})


def group(covered: list[str], *flavors: dict[str, Any]) -> dict[str, Any]:
    return {"coveredResources": covered, "flavors": list(flavors)}


def many_flavors(count: int, prefix: str = "f") -> list[dict[str, Any]]:
    return [flavor(f"{prefix}{i}", ("cpu", "1")) for i in range(count)]


def many_resources(count: int, name: str = "default") -> dict[str, Any]:
    names = [f"example.com/r{i}" for i in range(count)]
    return group(names, flavor(name, *((each_name, "1") for each_name in names)))


def grid(flavors: int, resources: int, prefix: str = "g") -> dict[str, Any]:
    names = [f"example.com/{prefix}{i}" for i in range(resources)]
    return group(names, *(flavor(f"{prefix}{i}", *((n, "1") for n in names)) for i in range(flavors)))


GOOD = groups(group(["cpu", "nvidia.com/gpu"], flavor("a100", ("cpu", "10"), ("nvidia.com/gpu", "8"))))
FIRST = "spec/resourceGroups/0/flavors/0/resources/0"
ALONE = drop(GOOD, "spec/cohortName")


def cases() -> list[tuple[str, Any]]:
    return [
        *common("cq", GOOD),
        *spec_shape(),
        *names_and_order(),
        *limits(),
        *quotas(),
        *policies(),
        *checks(),
        *old_version(),
    ]


def spec_shape() -> list[tuple[str, Any]]:
    return [
        ("cq-no-spec", drop(GOOD, "spec")),
        *each("cq-spec", GOOD, "spec", NOT_A_MAP),
        ("cq-unknown-spec-field", put(GOOD, "spec/cohort", "all")),
        ("cq-unknown-group-field", put(GOOD, "spec/resourceGroups/0/name", "x")),
        ("cq-unknown-flavor-field", put(GOOD, "spec/resourceGroups/0/flavors/0/quota", "x")),
        ("cq-unknown-resource-field", put(GOOD, f"{FIRST}/nominal", "5")),
        ("cq-unknown-preemption-field", put(GOOD, "spec/preemption", {"policy": "Never"})),
        *each("cq-groups", GOOD, "spec/resourceGroups", NOT_A_LIST),
        ("cq-no-groups", drop(GOOD, "spec/resourceGroups")),
        ("cq-group-null", put(GOOD, "spec/resourceGroups", [None])),
        ("cq-group-empty", put(GOOD, "spec/resourceGroups", [{}])),
        *each("cq-covered", GOOD, "spec/resourceGroups/0/coveredResources", NOT_A_LIST),
        ("cq-no-covered", drop(GOOD, "spec/resourceGroups/0/coveredResources")),
        *each("cq-flavors", GOOD, "spec/resourceGroups/0/flavors", NOT_A_LIST),
        ("cq-no-flavors", drop(GOOD, "spec/resourceGroups/0/flavors")),
        *each("cq-resources", GOOD, "spec/resourceGroups/0/flavors/0/resources", NOT_A_LIST),
        ("cq-no-resources", drop(GOOD, "spec/resourceGroups/0/flavors/0/resources")),
        ("cq-flavor-without-name", drop(GOOD, "spec/resourceGroups/0/flavors/0/name")),
        *each("cq-flavor-name-not", GOOD, "spec/resourceGroups/0/flavors/0/name", NOT_TEXT),
        ("cq-resource-without-name", drop(GOOD, f"{FIRST}/name")),
        *each("cq-cohort-not", GOOD, "spec/cohortName", NOT_TEXT),
        *each("cq-selector", GOOD, "spec/namespaceSelector", NOT_A_MAP),
        ("cq-no-selector", drop(GOOD, "spec/namespaceSelector")),
        ("cq-selector-labels", put(GOOD, "spec/namespaceSelector", {"matchLabels": {"team": "blue"}})),
        ("cq-selector-label-bad-key", put(GOOD, "spec/namespaceSelector", {"matchLabels": {"a b": "blue"}})),
        ("cq-selector-label-bad-value", put(GOOD, "spec/namespaceSelector", {"matchLabels": {"a": "b c"}})),
        ("cq-selector-label-boolean", put(GOOD, "spec/namespaceSelector", {"matchLabels": {"a": True}})),
        ("cq-selector-unknown-field", put(GOOD, "spec/namespaceSelector", {"matchLabel": {"a": "b"}})),
        *[
            (f"cq-selector-{name}", put(GOOD, "spec/namespaceSelector", {"matchExpressions": [expression]}))
            for name, expression in {
                "in": {"key": "a", "operator": "In", "values": ["b"]},
                "in-empty": {"key": "a", "operator": "In", "values": []},
                "in-no-values": {"key": "a", "operator": "In"},
                "exists": {"key": "a", "operator": "Exists"},
                "exists-with-values": {"key": "a", "operator": "Exists", "values": ["b"]},
                "operator-unknown": {"key": "a", "operator": "Equals", "values": ["b"]},
                "no-key": {"operator": "Exists"},
                "no-operator": {"key": "a"},
                "value-bad": {"key": "a", "operator": "In", "values": ["b c"]},
                "key-bad": {"key": "a b", "operator": "Exists"},
            }.items()
        ],
    ]


def names_and_order() -> list[tuple[str, Any]]:
    one = [("cpu", "1")]
    resources = {
        "cpu": "cpu", "pods": "pods", "gpu": "nvidia.com/gpu", "dots": "example.com/a.b", "capitals": "CPU",
        "blank": "my cpu", "two-slashes": "a/b/c", "empty": "", "63": "r" * 63, "64": "r" * 64,
        "prefix-253": "a" * 253 + "/r", "prefix-254": "a" * 254 + "/r", "prefix-capitals": "Example.com/r",
        "underscore": "my_cpu", "dash-at-end": "cpu-", "slash-first": "/cpu", "slash-last": "cpu/", "hugepages": "hugepages-2Mi",
    }  # fmt: skip
    swapped = GOOD["spec"]["resourceGroups"][0]["flavors"][0]["resources"][::-1]
    return [
        *each("cq-cohort", GOOD, "spec/cohortName", NAMES),
        *each("cq-flavor", GOOD, "spec/resourceGroups/0/flavors/0/name", NAMES),
        *[(f"cq-resource-{n}", groups(group([r], flavor("a", (r, "1"))))) for n, r in resources.items()],
        ("cq-order-swapped", put(GOOD, "spec/resourceGroups/0/flavors/0/resources", swapped)),
        ("cq-resource-not-covered", put(GOOD, f"{FIRST}/name", "memory")),
        ("cq-resource-missing", drop(GOOD, "spec/resourceGroups/0/flavors/0/resources/1")),
        ("cq-resource-too-many", groups(group(["cpu"], flavor("a", ("cpu", "1"), ("memory", "1"))))),
        ("cq-covered-twice", groups(group(["cpu", "cpu"], flavor("a", *one, *one)))),
        ("cq-resource-twice", groups(group(["cpu", "memory"], flavor("a", *one, *one)))),
        ("cq-flavor-twice-in-group", groups(group(["cpu"], flavor("a", *one), flavor("a", *one)))),
        ("cq-flavor-in-two-groups", groups(group(["cpu"], flavor("a", *one)), group(["memory"], flavor("a", ("memory", "1"))))),
        ("cq-resource-in-two-groups", groups(group(["cpu"], flavor("a", *one)), group(["cpu"], flavor("b", *one)))),
        ("cq-two-groups", groups(group(["cpu"], flavor("a", *one)), group(["memory"], flavor("b", ("memory", "1"))))),
        ("cq-second-flavor-order", groups(group(["cpu", "memory"], flavor("a", *one, ("memory", "1")), flavor("b", ("memory", "1"), *one)))),
        ("cq-three-faults-at-once", put(put(put(GOOD, f"{FIRST}/nominalQuota", "-1"), f"{FIRST}/name", "a b"), "spec/namespaceSelector", {"matchLabels": {"a": "b c"}})),
    ]  # fmt: skip


def limits() -> list[tuple[str, Any]]:
    return [
        ("cq-groups-16", groups(*(group([f"r{i}"], flavor(f"f{i}", (f"r{i}", "1"))) for i in range(16)))),
        ("cq-groups-17", groups(*(group([f"r{i}"], flavor(f"f{i}", (f"r{i}", "1"))) for i in range(17)))),
        ("cq-flavors-64", groups(group(["cpu"], *many_flavors(64)))),
        ("cq-flavors-65", groups(group(["cpu"], *many_flavors(65)))),
        ("cq-resources-64", groups(many_resources(64))),
        ("cq-resources-65", groups(many_resources(65))),
        ("cq-combinations-512", groups(grid(8, 64))),
        ("cq-combinations-520", groups(grid(8, 64), grid(2, 4, "h"))),
        ("cq-combinations-576", groups(grid(9, 64))),
        ("cq-flavors-total-256", groups(*(group([f"r{g}"], *(flavor(f"f{g}-{i}", (f"r{g}", "1")) for i in range(64))) for g in range(4)))),
        ("cq-flavors-total-257", groups(*(group([f"r{g}"], *(flavor(f"f{g}-{i}", (f"r{g}", "1")) for i in range(64 if g < 4 else 1))) for g in range(5)))),
        ("cq-resources-total-256", groups(*(grid(1, 64, f"p{g}-") for g in range(4)))),
        ("cq-resources-total-257", groups(*(grid(1, 64 if g < 4 else 1, f"p{g}-") for g in range(5)))),
    ]  # fmt: skip


def quotas() -> list[tuple[str, Any]]:
    few = {
        k: QUANTITIES[k]
        for k in (
            "integer",
            "zero",
            "minus-one",
            "minus-milli",
            "12000m",
            "null",
            "word",
            "empty-text",
            "float",
            "true",
            "1-5-gi",
        )
    }
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
            "float",
            "int64-max",
            "float-text",
            "true",
        )
    }
    weights |= {"2n": "2n", "1u": "1u"}
    return [
        *each("cq-nominal", GOOD, f"{FIRST}/nominalQuota", QUANTITIES),
        ("cq-nominal-absent", drop(GOOD, f"{FIRST}/nominalQuota")),
        *each("cq-borrowing", GOOD, f"{FIRST}/borrowingLimit", few),
        *each("cq-lending", GOOD, f"{FIRST}/lendingLimit", few),
        ("cq-lending-equals-nominal", put(GOOD, f"{FIRST}/lendingLimit", "10")),
        ("cq-lending-above-nominal", put(GOOD, f"{FIRST}/lendingLimit", "10001m")),
        ("cq-lending-without-nominal", put(drop(GOOD, f"{FIRST}/nominalQuota"), f"{FIRST}/lendingLimit", "1")),
        ("cq-borrowing-above-everything", put(GOOD, f"{FIRST}/borrowingLimit", "9P")),
        ("cq-alone", ALONE),
        ("cq-alone-borrowing", put(ALONE, f"{FIRST}/borrowingLimit", "1")),
        ("cq-alone-borrowing-zero", put(ALONE, f"{FIRST}/borrowingLimit", "0")),
        ("cq-alone-borrowing-null", put(ALONE, f"{FIRST}/borrowingLimit", None)),
        ("cq-alone-lending", put(ALONE, f"{FIRST}/lendingLimit", "1")),
        ("cq-alone-lending-zero", put(ALONE, f"{FIRST}/lendingLimit", "0")),
        ("cq-alone-both", put(put(ALONE, f"{FIRST}/lendingLimit", "1"), f"{FIRST}/borrowingLimit", "1")),
        ("cq-cohort-empty-lending", put(put(GOOD, "spec/cohortName", ""), f"{FIRST}/lendingLimit", "1")),
        ("cq-fair-empty", put(GOOD, "spec/fairSharing", {})),
        *each("cq-fair", GOOD, "spec/fairSharing", {"null": None, "text": "a", "unknown": {"share": 1}}),
        *each("cq-weight", GOOD, "spec/fairSharing/weight", weights),
    ]  # fmt: skip


def policies() -> list[tuple[str, Any]]:
    def preemption(**found: Any) -> Any:
        return put(GOOD, "spec/preemption", found)

    def fungibility(**found: Any) -> Any:
        return put(GOOD, "spec/flavorFungibility", found)

    result = [
        *each("cq-strategy", GOOD, "spec/queueingStrategy", {"strict": "StrictFIFO", "best": "BestEffortFIFO", "lower": "strictFIFO", "empty": "", "null": None, "integer": 1}),
        *each("cq-stop", GOOD, "spec/stopPolicy", {"none": "None", "hold": "Hold", "drain": "HoldAndDrain", "lower": "hold", "empty": "", "null": None, "true": True}),
        ("cq-preemption-empty", preemption()),
        ("cq-preemption-null", put(GOOD, "spec/preemption", None)),
        ("cq-fungibility-empty", fungibility()),
        ("cq-fungibility-null", put(GOOD, "spec/flavorFungibility", None)),
        ("cq-borrow-within-empty", preemption(reclaimWithinCohort="Any", borrowWithinCohort={})),
        ("cq-borrow-within-null", preemption(borrowWithinCohort=None)),
        ("cq-borrow-within-lower-reclaim-any", preemption(reclaimWithinCohort="Any", borrowWithinCohort={"policy": "LowerPriority"})),
        ("cq-borrow-within-lower-reclaim-never", preemption(reclaimWithinCohort="Never", borrowWithinCohort={"policy": "LowerPriority"})),
        ("cq-borrow-within-lower-reclaim-absent", preemption(borrowWithinCohort={"policy": "LowerPriority"})),
        ("cq-borrow-within-never-reclaim-never", preemption(reclaimWithinCohort="Never", borrowWithinCohort={"policy": "Never"})),
        ("cq-borrow-within-any", preemption(reclaimWithinCohort="Any", borrowWithinCohort={"policy": "Any"})),
        ("cq-threshold-with-never", preemption(reclaimWithinCohort="Any", borrowWithinCohort={"policy": "Never", "maxPriorityThreshold": 5})),
        ("cq-stay-in-scope-usage", put(GOOD, "spec/admissionScope", {"admissionMode": "UsageBasedAdmissionFairSharing"})),
        ("cq-scope-none", put(GOOD, "spec/admissionScope", {"admissionMode": "NoAdmissionFairSharing"})),
        ("cq-scope-empty", put(GOOD, "spec/admissionScope", {})),
        ("cq-scope-null", put(GOOD, "spec/admissionScope", None)),
        ("cq-scope-unknown", put(GOOD, "spec/admissionScope", {"admissionMode": "Usage"})),
        ("cq-preference-alone", fungibility(preference="PreemptionOverBorrowing")),
        ("cq-preference-both-next", fungibility(preference="BorrowingOverPreemption", whenCanBorrow="TryNextFlavor", whenCanPreempt="TryNextFlavor")),
        ("cq-preference-borrow-stop", fungibility(preference="BorrowingOverPreemption", whenCanBorrow="MayStopSearch", whenCanPreempt="TryNextFlavor")),
        ("cq-preference-preempt-stop", fungibility(preference="BorrowingOverPreemption", whenCanBorrow="TryNextFlavor", whenCanPreempt="MayStopSearch")),
        ("cq-preference-unknown", fungibility(preference="Borrowing", whenCanBorrow="TryNextFlavor", whenCanPreempt="TryNextFlavor")),
        ("cq-concurrent-empty", put(GOOD, "spec/concurrentAdmissionPolicy", {})),
        ("cq-concurrent-try", put(GOOD, "spec/concurrentAdmissionPolicy", {"migration": {"mode": "TryPreferredFlavors"}})),
        ("cq-concurrent-retain", put(GOOD, "spec/concurrentAdmissionPolicy", {"migration": {"mode": "RetainFirstAdmission"}})),
        ("cq-concurrent-unknown", put(GOOD, "spec/concurrentAdmissionPolicy", {"migration": {"mode": "Always"}})),
        ("cq-concurrent-last-flavor", put(GOOD, "spec/concurrentAdmissionPolicy", {"migration": {"mode": "TryPreferredFlavors", "constraints": {"lastAcceptableFlavorName": "nowhere"}}})),
    ]  # fmt: skip
    for policy, values in {
        "reclaimWithinCohort": (
            "Never",
            "LowerPriority",
            "Any",
            "LowerOrNewerEqualPriority",
            "",
            None,
            "any",
        ),
        "withinClusterQueue": ("Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any", "", None),
    }.items():
        result += [(f"cq-{policy.lower()}-{value}", preemption(**{policy: value})) for value in values]
    for policy in ("whenCanBorrow", "whenCanPreempt"):
        result += [
            (f"cq-{policy.lower()}-{value}", fungibility(**{policy: value}))
            for value in ("MayStopSearch", "TryNextFlavor", "Borrow", "Preempt", "", None)
        ]
    thresholds = {
        **NOT_A_NUMBER,
        "int32-max": 2**31 - 1,
        "int32-max-plus-1": 2**31,
        "int32-min": -(2**31),
        "int32-min-minus-1": -(2**31) - 1,
    }
    result += each(
        "cq-threshold", preemption(reclaimWithinCohort="Any", borrowWithinCohort={"policy": "LowerPriority"}),
        "spec/preemption/borrowWithinCohort/maxPriorityThreshold", thresholds,
    )  # fmt: skip
    return result


def checks() -> list[tuple[str, Any]]:
    def strategy(*found: Any) -> Any:
        return put(GOOD, "spec/admissionChecksStrategy", {"admissionChecks": list(found)})

    names = {**NAMES, "316": "a" * 316, "317": "a" * 317}
    return [
        ("cq-old-checks-field", put(GOOD, "spec/admissionChecks", ["budget"])),
        ("cq-checks-strategy-empty", put(GOOD, "spec/admissionChecksStrategy", {})),
        ("cq-checks-strategy-null", put(GOOD, "spec/admissionChecksStrategy", None)),
        ("cq-checks-0", strategy()),
        ("cq-checks-64", strategy(*({"name": f"c{i}"} for i in range(64)))),
        ("cq-checks-65", strategy(*({"name": f"c{i}"} for i in range(65)))),
        ("cq-checks-twice", strategy({"name": "c"}, {"name": "c"})),
        ("cq-check-without-name", strategy({"onFlavors": ["a100"]})),
        *[(f"cq-check-name-{key}", strategy({"name": value})) for key, value in names.items()],
        ("cq-check-on-flavor", strategy({"name": "c", "onFlavors": ["a100"]})),
        ("cq-check-on-no-flavor", strategy({"name": "c", "onFlavors": []})),
        ("cq-check-on-null", strategy({"name": "c", "onFlavors": None})),
        ("cq-check-on-unknown-flavor", strategy({"name": "c", "onFlavors": ["a100", "h100"]})),
        ("cq-check-on-flavor-twice", strategy({"name": "c", "onFlavors": ["a100", "a100"]})),
        ("cq-check-on-bad-flavor", strategy({"name": "c", "onFlavors": ["A100"]})),
        ("cq-check-unknown-field", strategy({"name": "c", "flavors": ["a100"]})),
    ]


def old_version() -> list[tuple[str, Any]]:
    old = put(drop(GOOD, "spec/cohortName"), "apiVersion", f"{GROUP}/v1beta1")
    old = put(old, "spec/cohort", "all")
    return [
        ("cq-old-good", old),
        ("cq-old-borrowing-without-cohort", put(drop(old, "spec/cohort"), f"{FIRST}/borrowingLimit", "1")),
        ("cq-old-lending-without-cohort", put(drop(old, "spec/cohort"), f"{FIRST}/lendingLimit", "1")),
        ("cq-old-cohort-name", put(old, "spec/cohortName", "all")),
        ("cq-old-checks", put(old, "spec/admissionChecks", ["budget"])),
        ("cq-old-checks-and-strategy", put(put(old, "spec/admissionChecks", ["budget"]), "spec/admissionChecksStrategy", {"admissionChecks": [{"name": "c"}]})),
        ("cq-old-borrow", put(old, "spec/flavorFungibility", {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"})),
        ("cq-old-stop-search", put(old, "spec/flavorFungibility", {"whenCanBorrow": "MayStopSearch"})),
        ("cq-old-concurrent", put(old, "spec/concurrentAdmissionPolicy", {})),
        ("cq-old-number", put(old, f"{FIRST}/nominalQuota", 1000)),
        ("cq-old-negative", put(old, f"{FIRST}/nominalQuota", "-1")),
        ("cq-old-word", put(old, f"{FIRST}/nominalQuota", "many")),
        ("cq-old-order", put(old, f"{FIRST}/name", "memory")),
        ("cq-old-cohort-bad", put(old, "spec/cohort", "Blue Team")),
        ("cq-old-no-groups", drop(old, "spec/resourceGroups")),
        ("cq-old-weight-minus-one", put(old, "spec/fairSharing/weight", "-1")),
        ("cq-old-unknown-field", put(old, "spec/queueVisibility", {})),
        ("cq-old-preference-stop", put(old, "spec/flavorFungibility", {"preference": "BorrowingOverPreemption"})),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    checked = put(
        GOOD, "spec/admissionChecksStrategy", {"admissionChecks": [{"name": "c", "onFlavors": ["a100"]}]}
    )
    concurrent = put(GOOD, "spec/concurrentAdmissionPolicy", {"migration": {"mode": "TryPreferredFlavors"}})
    return [
        ("cq-update-quota", GOOD, put(GOOD, f"{FIRST}/nominalQuota", "7000m")),
        ("cq-update-quota-integer", GOOD, put(GOOD, f"{FIRST}/nominalQuota", 1000)),
        ("cq-update-quota-word", GOOD, put(GOOD, f"{FIRST}/nominalQuota", "many")),
        ("cq-update-quota-null", GOOD, put(GOOD, f"{FIRST}/nominalQuota", None)),
        ("cq-update-quota-negative", GOOD, put(GOOD, f"{FIRST}/nominalQuota", "-1")),
        ("cq-update-cohort", GOOD, put(GOOD, "spec/cohortName", "other")),
        ("cq-update-drop-cohort", GOOD, ALONE),
        ("cq-update-drop-cohort-with-limit", put(GOOD, f"{FIRST}/borrowingLimit", "1"), put(ALONE, f"{FIRST}/borrowingLimit", "1")),
        ("cq-update-strategy", GOOD, put(GOOD, "spec/queueingStrategy", "StrictFIFO")),
        ("cq-update-flavor-renamed", GOOD, put(GOOD, "spec/resourceGroups/0/flavors/0/name", "h100")),
        ("cq-update-checked-flavor-renamed", checked, put(checked, "spec/resourceGroups/0/flavors/0/name", "h100")),
        ("cq-update-check-on-unknown-flavor", checked, put(checked, "spec/admissionChecksStrategy/admissionChecks/0/onFlavors", ["h100"])),
        ("cq-update-add-concurrent", GOOD, concurrent),
        ("cq-update-drop-concurrent", concurrent, GOOD),
        ("cq-update-concurrent", concurrent, put(concurrent, "spec/concurrentAdmissionPolicy/migration/mode", "RetainFirstAdmission")),
        ("cq-update-empty", GOOD, put(GOOD, "spec", {})),
    ]  # fmt: skip
