"""Every name that scenarios could share gets the prefix, and texts of the server lose it again."""

from kohort.lab.recording.objects import (
    check,
    cohort,
    flavor,
    group,
    local_queue,
    namespace,
    podset,
    queue,
    workload,
)
from kohort.lab.recording.prefix import bare, prefixed


def test_names_and_references():
    made = prefixed(
        queue(
            "q", group("gpu", {"f": (1, 2, None)}), cohort="c", checks=[{"name": "ok", "onFlavors": ["f"]}]
        ),
        "s001-",
    )
    spec = made["spec"]
    assert made["metadata"]["name"] == "s001-q"
    assert spec["cohortName"] == "s001-c"
    assert spec["resourceGroups"][0]["flavors"][0]["name"] == "s001-f"
    assert spec["admissionChecksStrategy"]["admissionChecks"] == [
        {"name": "s001-ok", "onFlavors": ["s001-f"]}
    ]
    assert spec["resourceGroups"][0]["coveredResources"] == ["gpu"]
    assert prefixed(cohort("c", "p"), "s001-")["spec"]["parentName"] == "s001-p"
    assert prefixed(check("ok"), "s001-")["metadata"]["name"] == "s001-ok"
    assert prefixed(namespace("work", team="yes"), "s001-")["metadata"] == {
        "name": "s001-work",
        "labels": {"team": "yes"},
    }


def test_names_inside_a_namespace_stay():
    made = prefixed(local_queue("l", "q"), "s001-")
    assert made["metadata"] == {"name": "l", "namespace": "s001-work"}
    assert made["spec"]["clusterQueue"] == "s001-q"
    work = prefixed(workload("w", "l", podset("main", 1, {"gpu": 1}), cls="high"), "s001-")
    assert (work["metadata"]["name"], work["metadata"]["namespace"]) == ("w", "s001-work")
    assert work["spec"]["queueName"] == "l"
    assert work["spec"]["priorityClassRef"]["name"] == "s001-high"


def test_the_given_object_stays_as_it_is():
    given = flavor("f", {"pool": "a"})
    prefixed(given, "s001-")
    assert given["metadata"]["name"] == "f"


def test_texts():
    assert (
        bare("quota for gpu in flavor s001-f, 1 more needed", "s001-")
        == "quota for gpu in flavor f, 1 more needed"
    )
