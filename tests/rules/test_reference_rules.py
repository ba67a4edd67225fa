"""Names that point nowhere: what is said, where, what is suggested, and what is left to other findings."""

from __future__ import annotations

from judged import Judged, check, cohort, flavor, job, local, namespace, queue

from kohort.diagnostics import Audience, Consequence, Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.rules.references import duplicate_object, wording

CHECKED = "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gate}]}"


def test_two_missing_flavors_are_one_finding_with_both_places():
    judged = Judged(flavor("h100"), queue("train", "h1o0 8", "spot 4", "h100 1"), local("q", "train"))
    found = judged.only("REF401")
    assert found.message == (
        'ClusterQueue train references missing ResourceFlavor "h1o0" (did you mean "h100"?), "spot"'
    )
    assert judged.place(found) == ("1.yaml", 9)
    assert [(*judged.place(label), label.text) for label in found.related] == [
        ("1.yaml", 10, "spot does not exist either"),
        ("2.yaml", 4, "LocalQueue team-a/q is inactive with it (ClusterQueueIsInactive)"),
    ]
    assert found.fix is None
    assert found.consequence is Consequence.INACTIVE


def test_without_any_flavor_the_references_are_not_checked():
    judged = Judged(queue("train", "h100 8", "a100 8"))
    assert judged.codes("REF") == []
    assert "ResourceFlavors a100, h100: no ResourceFlavor was given" in judged.gaps()


def test_a_missing_flavor_gives_no_further_findings_on_it():
    judged = Judged(
        flavor("a100"),
        queue("train", "h100 0", more="stopPolicy: None"),
        local("q", "train"),
        job("run", "{cpu: 4}"),
    )
    assert judged.codes("REF", "QTA", "WKL") == ["REF401"]


def test_missing_and_misspelt_checks():
    judged = Judged(flavor("h100"), check("budgets"), queue("train", "h100 8", more=CHECKED))
    assert [(f.message, judged.place(f)) for f in judged.of("REF402")] == [
        (
            'ClusterQueue train references missing AdmissionCheck "budget" (did you mean "budgets"?)',
            ("2.yaml", 6),
        ),
        ('ClusterQueue train references missing AdmissionCheck "gate"', ("2.yaml", 6)),
    ]
    assert judged.of("REF402")[1].help[-1] == "AdmissionChecks given: budgets"


def test_missing_parameters_hold_up_the_queues_of_the_check():
    provisioning = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ProvisioningRequestConfig\nmetadata: {name: dws}\nspec: {provisioningClassName: a}\n"
    judged = Judged(
        flavor("h100"),
        provisioning,
        check(
            "budget",
            "kueue.x-k8s.io/provisioning-request",
            "{apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: dwss}",
        ),
        check("gate"),
        queue("train", "h100 8", more=CHECKED),
    )
    found = judged.only("REF403")
    assert found.message == (
        'AdmissionCheck budget points to missing ProvisioningRequestConfig "dwss" (did you mean "dws"?)'
    )
    assert judged.place(found) == ("2.yaml", 4)
    assert found.help[0] == (
        "ClusterQueues train: Active=False, reason AdmissionCheckInactive, \"Can't admit new workloads: references inactive "
        'AdmissionCheck(s): budget."'
    )
    assert [judged.place(label) for label in found.related] == [("4.yaml", 3)]


def test_topology_names_the_queues_it_stops():
    topology = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: racks}\nspec: {levels: [{nodeLabel: example.com/rack}]}\n"
    judged = Judged(
        topology, flavor("h100", "{nodeLabels: {a: b}, topologyName: rack}"), queue("train", "h100 8")
    )
    found = judged.only("REF405")
    assert found.message == 'ResourceFlavor h100: there is no Topology "rack" (did you mean "racks"?)'
    assert found.help == ("Kueue shows Active=False, reason TopologyNotFound, on ClusterQueues train",)


def test_local_queue_of_an_unknown_namespace():
    judged = Judged(
        namespace("team-a"),
        flavor("h100"),
        queue("train", "h100 8"),
        local("q", "train", "team-aa"),
        local("q", "train", "default"),
    )
    found = judged.only("REF407")
    assert found.message == 'LocalQueue team-aa/q: namespace "team-aa" not found (did you mean "team-a"?)'
    assert found.consequence is Consequence.REFUSED


def test_implicit_cohorts_need_a_reason_to_be_named():
    assert Judged(flavor("h100"), queue("a", "h100 8", cohort="org")).codes("REF") == []
    alone = Judged(
        flavor("h100"),
        queue("a", "h100 8", cohort="research"),
        queue("b", "h100 8", cohort="research"),
        queue("c", "h100 8", cohort="reserach"),
    )
    found = alone.only("REF410")
    assert found.message == (
        'ClusterQueue c: no Cohort "reserach" is declared (did you mean "research"?): an implicit cohort, this queue is its '
        "only member"
    )
    assert found.severity is Severity.WARNING
    assert alone.place(found) == ("3.yaml", 6)
    others = Judged(
        flavor("h100"),
        cohort("org"),
        queue("a", "h100 8", cohort="org"),
        queue("b", "h100 8", cohort="physics"),
    )
    assert others.only("REF410").severity is Severity.INFO


def test_implicit_parent_of_two_cohorts_is_one_finding():
    judged = Judged(cohort("a", "{parentName: org}"), cohort("b", "{parentName: org}"))
    found = judged.only("REF409")
    assert (
        found.message
        == 'Cohort a: no Cohort "org" is declared: an implicit cohort without quota with 2 members'
    )
    assert found.severity is Severity.INFO
    assert [judged.place(label) for label in found.related] == [("1.yaml", 3)]


def test_two_cycles_and_their_queues():
    judged = Judged(
        flavor("h100"),
        cohort("a", "{parentName: b}"),
        cohort("b", "{parentName: a}"),
        cohort("x", "{parentName: x}"),
        cohort("below", "{parentName: b}"),
        queue("one", "h100 8", cohort="below"),
        queue("two", "h100 8", cohort="x"),
        queue("free", "h100 8"),
    )
    assert sorted(f.message for f in judged.of("REF408")) == [
        "Cohort cycle a -> b -> a; ClusterQueue one inactive",
        "Cohort cycle x -> x; ClusterQueue two inactive",
    ]
    assert judged.codes("QTA") == []


def test_duplicates_name_the_first_difference():
    judged = Judged(
        flavor("h100", "{nodeLabels: {a: b}}"),
        flavor("h100", "{nodeLabels: {a: c}}"),
        flavor("h100", "{nodeLabels: {a: b}}"),
    )
    assert [(f.message, judged.place(f)) for f in judged.of("REF414")] == [
        ("ResourceFlavor h100 is written twice; they differ in spec.nodeLabels.a", ("1.yaml", 3)),
        ("ResourceFlavor h100 is written twice; both say the same", ("2.yaml", 3)),
    ]


def test_the_version_does_not_make_another_object():
    old = flavor("h100").replace("v1beta2", "v1beta1")
    assert Judged(flavor("h100"), old).message("REF414").endswith("they differ in apiVersion")


def test_same_name_in_other_namespaces_or_without_one_is_no_duplicate():
    unnamed = job("run", "{}").replace(", namespace: team-a", "")
    judged = Judged(job("run", "{}"), job("run", "{}", namespace="team-b"), unnamed, unnamed)
    assert judged.of("REF414") == []


def test_resources_that_differ_in_case():
    judged = Judged(
        flavor("h100"),
        queue("a", "h100 8", resource="nvidia.com/gpu"),
        queue("b", "h100 8", resource="nvidia.com/GPU"),
    )
    found = judged.only("REF415")
    assert found.message == (
        'resource "nvidia.com/GPU" and resource "nvidia.com/gpu" are different names that look alike'
    )
    assert judged.place(found) == ("2.yaml", 7)


def test_deprecated_version_is_information_where_it_is_stored():
    old = flavor("h100").replace("v1beta2", "v1beta1")
    assert Judged(old).only("REF412").severity is Severity.WARNING
    assert Judged(old, kueue="0.15.2").only("REF412").severity is Severity.INFO


def test_fields_to_rename_are_listed():
    old = queue(
        "a", more="cohort: org\nadmissionChecks: [x]\nflavorFungibility: {whenCanBorrow: Borrow}"
    ).replace("v1beta2", "v1beta1")
    assert Judged(old).only("REF412").help == (
        "spec.cohort becomes spec.cohortName",
        "spec.admissionChecks becomes spec.admissionChecksStrategy.admissionChecks: [{name: …}]",
        "flavorFungibility.whenCanBorrow: Borrow becomes MayStopSearch",
        "kueue.x-k8s.io/v1beta2 is what the server stores and shows",
    )


def test_missing_local_queue_suggests_one_of_the_namespace():
    judged = Judged(
        local("main", "train"),
        job("run", "{}", queue="mian"),
        job("other", "{}", namespace="team-c", queue="x"),
    )
    assert [f.message for f in judged.of("REF416")] == [
        'workload team-a/run: LocalQueue mian doesn\'t exist in namespace team-a (did you mean "main"?)',
        "workload team-c/other: LocalQueue x doesn't exist in namespace team-c",
    ]
    assert judged.of("REF416")[1].help == ("namespace team-c has no LocalQueue",)
    assert judged.of("REF416")[0].audience is Audience.TEAM


def test_a_pod_priority_class_is_told_from_a_workload_priority_class():
    classes = [
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: production}\nvalue: 1\n",
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1\n",
    ]
    judged = Judged(
        *classes,
        job(
            "run",
            "{}",
            labels=", kueue.x-k8s.io/priority-class: urgent",
            spec=", priorityClassName: production",
        ),
    )
    assert judged.message("REF417") == 'Job team-a/run: WorkloadPriorityClass "urgent" not found'
    assert (
        "a PriorityClass urgent exists, but this label names WorkloadPriorityClasses"
        in judged.only("REF417").help
    )
    assert judged.message("REF418") == 'Job team-a/run: PriorityClass "production" not found'
    built_in = job("run", "{}", spec=", priorityClassName: system-cluster-critical")
    assert Judged(*classes, built_in).of("REF418") == []


def test_everything_not_checked_is_named():
    config = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: MultiKueueConfig\nmetadata: {name: all}\nspec: {clusters: [east]}\n"
    judged = Judged(
        config,
        flavor("h100", "{nodeLabels: {a: b}, topologyName: racks}"),
        queue(
            "train",
            "h100 8",
            more="admissionChecksStrategy: {admissionChecks: [{name: gate}]}",
            selector="{matchLabels: {a: b}}",
        ),
        job("run", "{}", labels=", kueue.x-k8s.io/priority-class: high", spec=", priorityClassName: urgent"),
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t, namespace: x, labels: {kueue.x-k8s.io/queue-name: q}}\n",
    )
    assert judged.gaps() == [
        "AdmissionCheck gate: no AdmissionCheck was given",
        "Topology racks: no Topology was given",
        "MultiKueueCluster east: no MultiKueueCluster was given",
        "LocalQueue q: no LocalQueue was given",
        "WorkloadPriorityClass high: no WorkloadPriorityClass was given",
        "PriorityClass urgent: no PriorityClass was given",
        "the namespace selector of ClusterQueue train: no Namespace was given",
        "requests of TrainJob x/t: the pods of kind 'TrainJob' cannot be read from the object",
    ]
    assert judged.codes("REF", "WKL") == []


def test_searches_for_what_was_meant_cost_a_bounded_number_of_looks(monkeypatch):
    """Thousands of wrong names among thousands: each is told, the first are searched for, all get the names."""
    looked = []

    def counting(name, names, limit=3):
        looked.append(len(names))
        return did_you_mean(name, names, limit) if len(looked) < 3 else ()

    monkeypatch.setattr(wording, "did_you_mean", counting)
    monkeypatch.setattr(wording, "_MOST_LOOKS", 1000)
    flavors = [
        f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {{name: f{i:03}}}\n"
        for i in range(300)
    ]
    queue = (
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: q{0}}}\nspec:\n  namespaceSelector: {{}}\n"
        "  resourceGroups:\n  - coveredResources: [cpu]\n"
        "    flavors: [{{name: wrong-{0}, resources: [{{name: cpu, nominalQuota: 1}}]}}]\n"
    )
    found = Judged("---\n".join([*flavors, *(queue.format(i) for i in range(20))])).of("REF401")
    assert len(found) == 20
    assert looked == [300] * 3  # the fourth would be the 1,200th look
    assert {line for f in found for line in f.help if line.startswith("ResourceFlavors given")} == {
        "ResourceFlavors given: f000, f001, f002, f003, f004, f005, f006, f007 and 292 more"
    }


def test_the_first_search_is_made_however_many_names_there_are(monkeypatch):
    monkeypatch.setattr(wording, "_MOST_LOOKS", 1)
    text = (
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: a100}\n---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  namespaceSelector: {}\n"
        "  resourceGroups:\n  - coveredResources: [cpu]\n"
        "    flavors: [{name: a10, resources: [{name: cpu, nominalQuota: 1}]}]\n"
    )
    assert '(did you mean "a100"?)' in Judged(text).only("REF401").message


def test_the_first_difference_is_named_as_deep_as_a_person_would_look():
    def nested(depth, value):
        for _ in range(depth):
            value = {"a": value}
        return value

    deepest = duplicate_object._DEEPEST
    for depth in (1, deepest - 1, deepest, deepest + 1, deepest + 9):
        path = duplicate_object._difference(nested(depth, 1), nested(depth, 2))
        assert path == ("a",) * min(depth, deepest)
        lists = duplicate_object._difference(nested(depth, [1, 3]), nested(depth, [1, 4]))
        assert lists == (*("a",) * depth, 1)[:deepest]
    assert duplicate_object._difference(nested(9, 1), nested(9, 1)) is None
