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


def test_groups_of_pod_sets():
    same = {"podset-group-name": "g", "podset-required-topology": "rack"}
    other = {"podset-group-name": "g", "podset-preferred-topology": "rack"}
    start = 'PyTorchJob a/run: group "g"'
    assert told("WKL662", replicas("PyTorchJob", same, same)) == []
    assert told("WKL662", replicas("PyTorchJob", same, {})) == [
        f"{start} has 1 pod set; it must have exactly 2"
    ]
    assert told("WKL662", replicas("PyTorchJob", same, same, 2)) == [
        f"{start} has pod sets of 2 and 2 pods; one of them must have a single pod"
    ]
    assert told("WKL662", replicas("PyTorchJob", same, other)) == [
        f"{start}: pod sets master and worker ask for different topology"
    ]


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
        ({"managed": "yes"}, {}, f'label {K}managed can only be "true", not "yes"'),
        ({"pod-group-name": "g", "managed": "true"}, {"pod-group-total-count": "2"}, ""),
    ],
)
def test_groups_of_pods(labels, notes, message):
    text = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: run, namespace: a, "
        f"labels: {listed({'queue-name': 'main', **labels})}, annotations: {listed(notes)}}}\n{POD}\n"
    )
    assert told("WKL664", text) == ([f"Pod a/run: {message}"] if message else [])


def test_jobs_without_the_label_are_not_judged():
    text = a_job("parallelism: 4, ", {"podset-slice-size": "1"}, job_min_parallelism="9")
    assert [f.code for f in Judged(text.replace(Q, "app: x")).findings if f.code.startswith("WKL66")] == []


@pytest.mark.parametrize("value", ["null", "7", "[]", "{}", "{a: [1]}"])
def test_any_shape_is_no_exception(value):
    for kind in ("batch/v1 Job", "v1 Pod", "jobset.x-k8s.io/v1alpha2 JobSet", "ray.io/v1 RayJob"):
        version, _, name = kind.partition(" ")
        head = f"apiVersion: {version}\nkind: {name}\n"
        Judged(
            f"{head}metadata: {{name: a, namespace: a, labels: {{{Q}}}, annotations: {value}}}\nspec: {value}\n"
        )
        Judged(f"{head}metadata: {{name: a, labels: {value}}}\nspec: {{template: {value}}}\n")
