"""Workloads that can never run: which flavor refuses them and why, in numbers."""

from __future__ import annotations

from judged import Judged, flavor, job, local, queue

from kohort.diagnostics import Audience

H100 = flavor("h100", "{nodeLabels: {gpu: h100}}")
A100 = flavor("a100", "{nodeLabels: {gpu: a100}}")


def test_uncovered_resource_is_told_once_per_workload():
    twice = job("run", "{cpu: 1, memory: 1Gi}").replace(
        "containers: [",
        "initContainers: [{name: i, image: x, resources: {requests: {memory: 2Gi}}}], containers: [",
    )
    judged = Judged(H100, queue("a", "h100 8"), local("q", "a"), twice)
    found = judged.only("WKL651")
    assert found.message == "Job team-a/run requests memory, which ClusterQueue a does not cover"
    assert found.primary.text == "2Gi per pod"
    assert found.help[1] == "covered: cpu"
    assert found.audience is Audience.TEAM


def test_uncovered_only_by_case_says_so():
    judged = Judged(
        H100,
        queue("a", "h100 8", resource="nvidia.com/GPU"),
        local("q", "a"),
        job("run", "{nvidia.com/gpu: 1}"),
    )
    assert judged.only("WKL651").help[1] == "the queue writes it nvidia.com/GPU"


def test_configuration_may_ignore_or_drop_resources():
    config = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nresources: "
    base = (
        H100,
        queue("a", "h100 8"),
        local("q", "a"),
        job("run", "{cpu: 1, memory: 1Gi, example.com/x: 1}"),
    )
    assert [f.message.split(",")[0] for f in Judged(*base).of("WKL651")] == [
        "Job team-a/run requests example.com/x",
        "Job team-a/run requests memory",
    ]
    dropped = Judged(*base, config + "{excludeResourcePrefixes: [example.com/]}\n")
    assert [f.message.split(",")[0] for f in dropped.of("WKL651")] == ["Job team-a/run requests memory"]


def test_limit_range_of_another_namespace_or_with_zero_is_none():
    def ranged(namespace, value):
        return f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: d, namespace: {namespace}}}\nspec: {{limits: [{{type: Container, defaultRequest: {{memory: {value}}}}}]}}\n"

    base = (H100, queue("a", "h100 8"), local("q", "a"))
    assert Judged(*base, ranged("team-a", "1Gi")).message("WKL652") == (
        "LimitRange team-a/d injects memory, not covered by ClusterQueue a (reached from LocalQueue team-a/q)"
    )
    assert Judged(*base, ranged("team-b", "1Gi")).of("WKL652") == []
    assert Judged(*base, ranged("team-a", "0")).of("WKL652") == []


def test_one_flavor_refuses_and_the_other_is_too_small():
    judged = Judged(
        A100,
        H100,
        queue("a", "a100 8", "h100 2"),
        local("q", "a"),
        job("run", "{cpu: 2}", pods=2, spec=", nodeSelector: {gpu: h100}"),
    )
    found = judged.only("WKL654")
    assert found.message == (
        "Job team-a/run asks 4 cpu, and no flavor of ClusterQueue a can ever give it: flavor a100 doesn't match node affinity "
        "(the pod wants gpu=h100, the flavor has gpu=a100); flavor h100: insufficient quota (2 cpu at most)"
    )
    assert [(t.sign, t.amount, t.text) for t in found.terms] == [
        (" ", "4", "asked of cpu: 2 pods"),
        (">", "2", "the most of flavor h100: nominalQuota 2, no cohort to borrow from"),
    ]
    assert judged.codes("CAP", "WKL") == ["WKL654"]


def test_quota_alone_is_one_finding():
    judged = Judged(H100, queue("a", "h100 8"), local("q", "a"), job("run", "{cpu: 9}"))
    assert len(judged.codes("CAP", "WKL")) == 1


def test_taints_of_every_flavor():
    tainted = flavor(
        "spot", "{nodeLabels: {a: b}, nodeTaints: [{key: spot, value: 'yes', effect: NoSchedule}]}"
    )
    base = (tainted, queue("a", "spot 8"), local("q", "a"))
    judged = Judged(*base, job("run", "{cpu: 1}"))
    assert judged.message("WKL655") == (
        "Job team-a/run can take no flavor of ClusterQueue a: untolerated taint spot=yes:NoSchedule in flavor spot"
    )
    assert [judged.place(label)[0] for label in judged.only("WKL655").related] == ["0.yaml"]
    assert (
        Judged(*base, job("run", "{cpu: 1}", spec=", tolerations: [{key: spot, operator: Exists}]")).codes(
            "WKL"
        )
        == []
    )


def test_affinity_terms_are_reduced_to_the_flavors_keys():
    def wanting(key, value):
        terms = f"{{matchExpressions: [{{key: {key}, operator: In, values: [{value}]}}]}}"
        return f", affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}}}}}"

    base = (H100, queue("a", "h100 8"), local("q", "a"))
    judged = Judged(*base, job("run", "{cpu: 1}", spec=wanting("gpu", "a100")))
    assert judged.message("WKL655").endswith("flavor h100 doesn't match node affinity")
    assert judged.only("WKL655").field == "spec.template.spec.affinity"
    assert Judged(*base, job("run", "{cpu: 1}", spec=wanting("zone", "east"))).codes("WKL") == []


def topology_job(level):
    return job("run", "{cpu: 1}").replace(
        "template: {spec",
        f"template: {{metadata: {{annotations: {{kueue.x-k8s.io/podset-required-topology: {level}}}}}, spec",
    )


def test_topology_requests():
    topology = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: racks}\nspec: {levels: [{nodeLabel: example.com/rack}]}\n"
    tas = flavor("tas", "{nodeLabels: {gpu: h100}, topologyName: racks}")
    plain = Judged(H100, queue("a", "h100 8"), local("q", "a"), topology_job("example.com/rack"))
    assert plain.message("WKL655").endswith("flavor h100 does not support TopologyAwareScheduling")
    aware = (topology, tas, queue("a", "tas 8"), local("q", "a"))
    assert Judged(*aware, topology_job("example.com/rack")).codes("WKL") == []
    assert (
        Judged(*aware, job("run", "{cpu: 1}")).codes("WKL") == []
    )  # a queue with only such flavors implies it
    wrong = Judged(*aware, topology_job("example.com/block"))
    assert wrong.message("WKL655").endswith(
        "topology racks of flavor tas does not contain the requested level example.com/block"
    )
    mixed = Judged(
        topology, tas, H100, queue("a", "tas 8", "h100 1"), local("q", "a"), job("run", "{cpu: 2}")
    )
    assert (
        "flavor tas supports only TopologyAwareScheduling; flavor h100: insufficient quota (1 cpu at most)"
        in mixed.message("WKL654")
    )


def test_pod_sets_that_fit_only_one_by_one():
    def jobset(*cpus):
        jobs = "".join(
            f"  - {{name: j{i}, replicas: 2, template: {{spec: {{template: {{spec: {{containers: [{{name: c, image: x, resources: {{requests: {{cpu: {cpu}}}}}}}]}}}}}}}}}}\n"
            for i, cpu in enumerate(cpus)
        )
        return (
            "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n"
            "metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}\n"
            f"spec:\n  replicatedJobs:\n{jobs}"
        )

    base = (H100, queue("a", "h100 8"), local("q", "a"))
    judged = Judged(*base, jobset(3, 2))
    found = judged.only("WKL656")
    assert found.message == (
        "JobSet team-a/run: its pod sets ask 10 cpu together, more than the 8 that ClusterQueue a can ever have"
    )
    assert [(t.sign, t.amount, t.text) for t in found.terms] == [
        ("+", "6", "pod set j0"),
        ("+", "4", "pod set j1"),
        ("=", "10", "asked at once"),
        (">", "8", "the most of flavor h100: nominalQuota 8, no cohort to borrow from"),
    ]
    assert Judged(*base, jobset(3, 1)).of("WKL656") == []
    assert (
        Judged(H100, A100, queue("a", "h100 8", "a100 2"), local("q", "a"), jobset(3, 2)).of("WKL656") == []
    )


def test_request_over_limit_names_container_and_numbers():
    text = job("run", "{cpu: 1500m}").replace(
        "requests: {cpu: 1500m}", "requests: {cpu: 1500m, memory: 1Gi}, limits: {cpu: 1, memory: 1024Mi}"
    )
    judged = Judged(H100, queue("a", "h100 8"), local("q", "a"), text)
    assert (
        judged.message("WKL659") == "Job team-a/run: container main requests 1500m cpu, more than its limit 1"
    )


def test_annotation_beside_the_label_is_none():
    both = job("run", "{cpu: 1}").replace(
        "labels:", "annotations: {kueue.x-k8s.io/queue-name: other}, labels:"
    )
    assert Judged(H100, queue("a", "h100 8"), local("q", "a"), both).codes("WKL", "REF") == []


def test_a_default_queue_takes_jobs_without_a_name():
    unnamed = job("run", "{memory: 1Gi}").replace("labels: {kueue.x-k8s.io/queue-name: q}", "labels: {}")
    judged = Judged(H100, queue("a", "h100 8"), local("default", "a"), unnamed)
    assert judged.message("WKL651") == "Job team-a/run requests memory, which ClusterQueue a does not cover"
    assert Judged(H100, queue("a", "h100 8"), local("main", "a"), unnamed).codes("WKL") == []


def ranged(limits):
    return (
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: team-a}\n"
        f"spec:\n  limits:\n  - {limits}\n"
    )


def test_bounds_of_a_limit_range_keep_a_workload_out():
    judged = Judged(
        ranged('{type: Container, max: {cpu: "4"}, min: {memory: 1Gi}}'), job("run", "{cpu: 8, memory: 1Mi}")
    )
    over, under = judged.of("WKL665")
    assert over.message == (
        "Job team-a/run: container main requests 8 cpu, more than 4, the maximum per container of LimitRange team-a/bounds"
    )
    assert under.message == (
        "Job team-a/run: container main requests 1Mi memory, less than 1Gi, the minimum per container of "
        "LimitRange team-a/bounds"
    )
    assert judged.place(over) == ("1.yaml", 4)
    assert judged.place(over.related[0]) == ("0.yaml", 6)
    assert over.audience is Audience.TEAM


def test_bounds_of_whole_pods_count_all_containers():
    two = job("run", "{cpu: 3}").replace(
        "containers: [", "containers: [{name: side, image: x, resources: {requests: {cpu: 2}}}, "
    )
    assert Judged(ranged('{type: Pod, max: {cpu: "4"}}'), two).message("WKL665") == (
        "Job team-a/run: a pod of pod set main requests 5 cpu, more than 4, the maximum per pod of LimitRange team-a/bounds"
    )
    assert Judged(ranged('{type: Pod, max: {cpu: "5"}}'), two).of("WKL665") == []


def test_bounds_that_are_kept_or_of_something_else_are_none():
    for limits in (
        '{type: Container, max: {cpu: "8"}, min: {cpu: "8"}}',
        '{type: PersistentVolumeClaim, max: {cpu: "1"}}',
        "{type: Container, max: {cpu: many, 7: 1}, min: []}",
        '{type: Container, max: {memory: "1Gi"}, min: {memory: "1Gi"}}',
        "null",
    ):
        assert Judged(ranged(limits), job("run", "{cpu: 8}")).of("WKL665") == []
    other = ranged('{type: Container, max: {cpu: "1"}}').replace("team-a", "team-b")
    assert Judged(other, job("run", "{cpu: 8}")).of("WKL665") == []
