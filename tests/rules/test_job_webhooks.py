"""What Kueue's job webhooks refuse about labels and annotations, on every kind of job."""

from __future__ import annotations

import pytest
from judged import Judged

from kohort.diagnostics import Consequence

Q = "kueue.x-k8s.io/queue-name: main"
K = "kueue.x-k8s.io/"
POD = "spec: {restartPolicy: Never, containers: [{name: main, image: example.com/x:1}]}"


def listed(values):
    return "{" + ", ".join(f'{K}{key}: "{value}"' for key, value in values.items()) + "}"


def a_job(spec="", template=None, kind="batch/v1 Job", **notes):
    version, _, name = kind.partition(" ")
    annotations = listed({key.replace("_", "-"): value for key, value in notes.items()})
    return (
        f"apiVersion: {version}\nkind: {name}\n"
        f"metadata: {{name: run, namespace: a, labels: {{{Q}}}, annotations: {annotations}}}\n"
        f"spec: {{{spec}template: {{metadata: {{annotations: {listed(template or {})}}}, {POD}}}}}\n"
    )


def replicas(kind, master, worker, workers=3):
    role = "{{replicas: {}, template: {{metadata: {{annotations: {}}}, {}}}}}"
    return (
        f"apiVersion: kubeflow.org/v1\nkind: {kind}\nmetadata: {{name: run, namespace: a, labels: {{{Q}}}}}\n"
        f"spec: {{pytorchReplicaSpecs: {{Master: {role.format(2 if workers == 2 else 1, listed(master), POD)}, "
        f"Worker: {role.format(workers, listed(worker), POD)}}}}}\n"
    )


def told(code, text, **more):
    return [f.message for f in Judged(text, **more).of(code)]


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("batch/v1", "Job"),
        ("jobset.x-k8s.io/v1alpha2", "JobSet"),
        ("ray.io/v1", "RayJob"),
        ("kubeflow.org/v1", "PyTorchJob"),
        ("trainer.kubeflow.org/v1alpha1", "TrainJob"),
        ("v1", "Pod"),
    ],
)
def test_labels_of_every_kind_of_job(version, kind):
    text = (
        f"apiVersion: {version}\nkind: {kind}\n"
        f"metadata: {{name: run, namespace: a, labels: {{{K}queue-name: Main, {K}max-exec-time-seconds: '0'}}}}\n"
    )
    judged = Judged(text)
    queue, seconds = judged.of("WKL660")
    if "queue-name" not in queue.message:
        queue, seconds = seconds, queue
    assert queue.message.startswith(f'{kind} a/run: label {K}queue-name "Main" is refused: ')
    assert seconds.message == (
        f'{kind} a/run: label {K}max-exec-time-seconds "0" is refused: it should be greater than 0'
    )
    assert {f.consequence for f in (queue, seconds)} == {Consequence.REFUSED}
    assert judged.place(queue) == ("0.yaml", 3)
    assert judged.of("REF403") == []


def test_serving_kinds_judge_the_queue_name_alone_and_other_groups_nothing():
    labels = f"{{{K}queue-name: Main, {K}max-exec-time-seconds: x}}"
    text = "apiVersion: {}\nkind: {}\nmetadata: {{name: run, namespace: a, labels: {}}}\n"
    (message,) = told("WKL660", text.format("apps/v1", "Deployment", labels))
    assert "queue-name" in message
    assert told("WKL660", text.format("example.com/v1", "Job", labels)) == []


@pytest.mark.parametrize(
    ("fewest", "reason"),
    [
        ("0", "it must lie between 0 and the 4 pods of the Job, both excluded"),
        ("4", "it must lie between 0 and the 4 pods of the Job, both excluded"),
        ("two", "it is no whole number"),
    ],
)
def test_fewest_pods_of_a_job(fewest, reason):
    message = f'Job a/run: annotation {K}job-min-parallelism "{fewest}" is refused: {reason}'
    assert told("WKL661", a_job("parallelism: 4, ", job_min_parallelism=fewest)) == [message]


def test_fewer_completions_than_parallelism_are_what_counts():
    assert told("WKL661", a_job("parallelism: 4, completions: 2, ", job_min_parallelism="2")) != []
    assert told("WKL661", a_job("parallelism: 4, ", job_min_parallelism="3")) == []


@pytest.mark.parametrize(
    ("spec", "value", "reason"),
    [
        ("parallelism: 2, completions: 2, ", "true", "the Job needs completionMode Indexed"),
        (
            "completionMode: Indexed, parallelism: 2, completions: 3, ",
            "true",
            "completions is 3, but parallelism 2",
        ),
        ("", "yes", "it is neither true nor false"),
        ("completionMode: Indexed, parallelism: 2, completions: 2, ", "true", ""),
        ("parallelism: 2, ", "false", ""),
    ],
)
def test_completions_that_follow_parallelism(spec, value, reason):
    found = told("WKL661", a_job(spec, job_completions_equal_parallelism=value))
    start = f'Job a/run: annotation {K}job-completions-equal-parallelism "{value}" is refused: '
    assert found == ([start + reason] if reason else [])


@pytest.mark.parametrize(
    ("notes", "reason"),
    [
        (
            {"podset-required-topology": "rack", "podset-unconstrained-topology": "true"},
            (
                f"at most one topology annotation is allowed, not {K}podset-required-topology and "
                f"{K}podset-unconstrained-topology"
            ),
        ),
        ({"podset-required-topology": "a b"}, f'{K}podset-required-topology "a b" is no label of nodes: '),
        (
            {"podset-unconstrained-topology": "yes"},
            f'{K}podset-unconstrained-topology "yes" is neither true nor false',
        ),
        (
            {"podset-slice-required-topology": "rack"},
            f"{K}podset-slice-required-topology needs {K}podset-slice-size",
        ),
        ({"podset-slice-size": "1"}, f"{K}podset-slice-size needs {K}podset-slice-required-topology"),
        (
            {"podset-slice-required-topology": "rack", "podset-slice-size": "5"},
            f"{K}podset-slice-size is 5, above the 4 pods of the pod set",
        ),
        (
            {"podset-slice-required-topology": "rack", "podset-slice-size": "0"},
            f"{K}podset-slice-size is 0, below 1",
        ),
        (
            {"podset-group-name": "g"},
            f"{K}podset-group-name needs {K}podset-required-topology or {K}podset-preferred-topology",
        ),
        (
            {"podset-group-name": "7", "podset-required-topology": "rack"},
            f'{K}podset-group-name "7" may not be a number',
        ),
        ({"podset-required-topology": "rack"}, ""),
        ({"podset-slice-required-topology": "rack", "podset-slice-size": "4"}, ""),
    ],
)
def test_topology_of_a_pod_set(notes, reason):
    found = told("WKL662", a_job("parallelism: 4, ", notes))
    if not reason:
        assert found == []
        return
    (message,) = found
    assert message.startswith(f"Job a/run: pod set main: {reason}")


@pytest.mark.parametrize(
    ("layers", "reason"),
    [
        ("[]", "must be a JSON list of 1 to 3 levels"),
        ("{", "must be a JSON list of 1 to 3 levels"),
        ("[{'topology': 'rack', 'size': 4}, {'topology': 'rack', 'size': 2}]", " names one level twice"),
        (
            "[{'topology': 'rack', 'size': 4}, {'topology': 'host', 'size': 3}]",
            ": size 3 does not divide 4 of the level above",
        ),
        ("[{'topology': 'rack', 'size': 8}]", ": size 8 is above the 4 pods of the pod set"),
        ("[{'topology': 'rack', 'size': true}]", ": every level needs `size` from 1"),
        ("[{'topology': 'rack', 'size': 4}, {'topology': 'host', 'size': 2}]", ""),
    ],
)
def test_layers_of_slices(layers, reason):
    text = a_job("parallelism: 4, ", {"podset-slice-required-topology-constraints": "LAYERS"})
    text = text.replace('"LAYERS"', "'" + layers.replace("'", '"') + "'")
    found = told("WKL662", text)
    assert len(found) == bool(reason)
    assert all(reason in message for message in found)
    assert told("WKL662", text, kueue="0.18.0") == []


def mpi(*sets, **more):
    """An MPIJob: of the operators with two kinds of pods the one whose webhook looks at groups."""
    text = replicas("PyTorchJob", *sets, **more).replace("kubeflow.org/v1", "kubeflow.org/v2beta1")
    return text.replace("PyTorchJob", "MPIJob").replace("pytorch", "mpi").replace("Master:", "Launcher:")


def test_groups_of_pod_sets():
    same = {"podset-group-name": "g", "podset-required-topology": "rack"}
    other = {"podset-group-name": "g", "podset-preferred-topology": "rack"}
    start = 'MPIJob a/run: group "g"'
    assert told("WKL662", mpi(same, same)) == []
    assert told("WKL662", mpi(same, {})) == [f"{start} has 1 pod set; it must have exactly 2"]
    assert told("WKL662", mpi(same, same, workers=2)) == [
        f"{start} has pod sets of 2 and 2 pods; one of them must have a single pod"
    ]
    assert told("WKL662", mpi(same, other)) == [
        f"{start}: pod sets launcher and worker ask for different topology"
    ]
    for sets in ((same, {}), (same, other)):
        assert told("WKL662", replicas("PyTorchJob", *sets)) == []


def test_pods_of_a_deployment_are_refused_later():
    text = a_job("replicas: 1, ", {"podset-slice-size": "1"}, kind="apps/v1 Deployment")
    assert Judged(text).only("WKL662").consequence is Consequence.STUCK


def test_kinds_that_cannot_be_elastic():
    jobset = f"apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {{name: run, namespace: a, labels: {{{Q}}}, annotations: {{{K}elastic-job: 'true'}}}}\n"
    assert told("WKL663", jobset) == [
        "JobSet a/run: a JobSet cannot be an elastic job; only Job, RayCluster, RayJob, RayService can"
    ]
    assert told("WKL663", jobset.replace("'true'", "'false'")) == []
    assert told("WKL663", jobset, kueue="0.17.1") == []
    assert (
        told("WKL663", jobset.replace("JobSet", "Job").replace("jobset.x-k8s.io/v1alpha2", "batch/v1")) == []
    )


@pytest.mark.parametrize(
    ("labels", "notes", "message"),
    [
        (
            {"pod-group-name": "g"},
            {},
            f"label {K}pod-group-name needs the annotation {K}pod-group-total-count",
        ),
        (
            {},
            {"pod-group-total-count": "2"},
            f"annotation {K}pod-group-total-count needs the label {K}pod-group-name",
        ),
        (
            {"pod-group-name": "g"},
            {"pod-group-total-count": "0"},
            f'annotation {K}pod-group-total-count "0" is no number of pods from 1',
        ),
        ({"managed": "yes"}, {}, ""),  # the webhook writes it anew
        ({"pod-group-name": "G"}, {"pod-group-name": "g", "pod-group-total-count": "2"}, ""),
        (
            {},
            {"pod-group-name": "g"},
            f"annotation {K}pod-group-name needs the annotation {K}pod-group-total-count",
        ),
        (
            {"pod-group-name": "g", "prebuilt-workload-name": "w"},
            {"pod-group-total-count": "2"},
            f'{K}prebuilt-workload-name "w" is not the name of its group "g"',
        ),
        ({"pod-group-name": "g", "managed": "true"}, {"pod-group-total-count": "2"}, ""),
    ],
)
def test_groups_of_pods(labels, notes, message):
    text = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: run, namespace: a, "
        f"labels: {listed({'queue-name': 'main', **labels})}, annotations: {listed(notes)}}}\n{POD}\n"
    )
    assert told("WKL664", text) == ([f"Pod a/run: {message}"] if message else [])


def test_an_annotation_names_no_group_before_0_18():
    text = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: run, namespace: a, labels: {listed({'queue-name': 'main'})}, "
        f"annotations: {listed({'pod-group-name': 'g', 'pod-group-total-count': '2'})}}}\n{POD}\n"
    )
    assert told("WKL664", text) == []
    assert told("WKL664", text, kueue="0.17.1") == [
        f"Pod a/run: annotation {K}pod-group-total-count needs the label {K}pod-group-name"
    ]


def test_jobs_without_a_queue_are_judged_and_pods_are_not():
    text = a_job("parallelism: 4, ", {"podset-slice-size": "1"}, job_min_parallelism="9").replace(Q, "app: x")
    assert [f.code for f in Judged(text).findings if f.code.startswith("WKL66")] == ["WKL661", "WKL662"]
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: run, namespace: a, labels: {listed({'pod-group-name': 'g'})}}}\n{POD}\n"
    assert [f.code for f in Judged(pod).findings if f.code.startswith("WKL66")] == []


GATES = pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("example.com/a", ""),
        ("example.com/a, example.com/b", ""),
        (" ", ""),
        ("a", "a is not like example.com/budget"),
        ("/a", "/a is not like example.com/budget"),
        ("example.com/", "example.com/ is not like example.com/budget"),
        ("example.com/a,,example.com/b", "a name between two commas is empty"),
        ("example.com/a,example.com/a", "example.com/a stands twice"),
        ("Example.com/a", "Example.com is no domain: 'E' at position 1 is not allowed"),
        ("example.com/a b", "a b has characters that no path of an address has"),
        (f"e.x/{'a' * 59}", ""),
        (f"e.x/{'a' * 60}", f"e.x/{'a' * 60} has 64 bytes, more than 63"),
    ],
)


@GATES
@pytest.mark.parametrize("kind", ["batch/v1 Job", "apps/v1 Deployment"])
def test_gates_of_an_admission(kind, text, reason):
    said = told("WKL669", a_job(kind=kind, admission_gated_by=text))
    if not reason:
        assert said == []
        return
    name = kind.split()[1]
    (message,) = said
    assert message.startswith(
        f'{name} a/run: annotation {K}admission-gated-by "{text[:80]}" is refused: {reason}'
    )
    assert told("WKL669", a_job(kind=kind, admission_gated_by=text), kueue="0.18.1") == []


@GATES
def test_gates_of_a_workload_are_judged_as_those_of_its_job(text, reason):
    note = f"annotations: {listed({'admission-gated-by': text})}"
    workload = (
        f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {{name: run, namespace: a, {note}}}\nspec:\n"
        "  podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}}]\n"
    )
    start = f'Workload a/run: annotation {K}admission-gated-by "{text[:80]}" is refused: '
    said = told("KUE258", workload)
    assert [message.startswith(f"{start}{reason}") for message in said] == ([True] if reason else [])
    assert told("KUE258", workload, kueue="0.18.1") == []


def test_prebuilt_workloads():
    label = a_job().replace(Q, f"{Q}, {K}prebuilt-workload-name: Ready")
    start = f'Job a/run: {K}prebuilt-workload-name "Ready" is refused: '
    assert told("WKL668", label)[0].startswith(f"{start}'R' at position 1 is not allowed")
    note = a_job(prebuilt_workload_name="ready").replace(Q, f"{Q}, {K}prebuilt-workload-name: Ready")
    assert told("WKL668", note) == []  # the annotation goes before the label
    assert len(told("WKL668", note, kueue="0.17.1")) == 1
    jax = a_job(kind="kubeflow.org/v1 JAXJob", prebuilt_workload_name="ready")
    assert told("WKL668", jax) == [
        f'JAXJob a/run: {K}prebuilt-workload-name "ready" is refused: a JAXJob cannot have a prebuilt workload'
    ]
    serving = a_job(kind="apps/v1 Deployment", prebuilt_workload_name="Ready")
    assert told("WKL668", serving) == []


def test_elastic_jobs_are_whole_and_ask_for_no_level():
    text = a_job(
        "parallelism: 4, ", {"podset-required-topology": "rack"}, job_min_parallelism="2", elastic_job="true"
    )
    assert told("WKL661", text) == [
        f'Job a/run: annotation {K}job-min-parallelism "2" is refused: an elastic Job is not admitted in part'
    ]
    assert told("WKL662", text) == [
        f"Job a/run: pod set main: {K}podset-required-topology is not supported with elastic Jobs"
    ]
    assert told("WKL661", text, kueue="0.17.1") == told("WKL662", text, kueue="0.17.1") == []


@pytest.mark.parametrize(
    ("text", "fits"), [("4294967297", True), ("4294967300", False), ("2147483648", True), ("3", True)]
)
def test_the_fewest_pods_are_compared_in_32_bits(text, fits):
    assert (told("WKL661", a_job("parallelism: 4, ", job_min_parallelism=text)) == []) is fits


@pytest.mark.parametrize("value", ["null", "7", "[]", "{}", "{a: [1]}"])
def test_any_shape_is_no_exception(value):
    for kind in ("batch/v1 Job", "v1 Pod", "jobset.x-k8s.io/v1alpha2 JobSet", "ray.io/v1 RayJob"):
        version, _, name = kind.partition(" ")
        head = f"apiVersion: {version}\nkind: {name}\n"
        Judged(
            f"{head}metadata: {{name: a, namespace: a, labels: {{{Q}}}, annotations: {value}}}\nspec: {value}\n"
        )
        Judged(f"{head}metadata: {{name: a, labels: {value}}}\nspec: {{template: {value}}}\n")


@pytest.mark.parametrize(("size", "fits"), [(3, True), (4, False)])
def test_slices_of_a_group_are_measured_against_one_of_its_replicas(size, fits):
    """Three groups of a leader and three workers are three workloads of four pods, each with its own slices."""
    notes = listed({"podset-slice-required-topology": "host", "podset-slice-size": size})
    text = (
        f"apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: run, namespace: a, labels: {{{Q}}}}}\n"
        f"spec: {{replicas: 3, leaderWorkerTemplate: {{size: 4, leaderTemplate: {{{POD}}}, "
        f"workerTemplate: {{metadata: {{annotations: {notes}}}, {POD}}}}}}}\n"
    )
    assert (told("WKL662", text) == []) is fits
