"""Bounds and defaults of namespaces as they are typed: what is no name, no number, and whose they are."""

import pytest
from model_support import CLUSTER, found, repo_of, team

from kohort.objects.quantity import Quantity

GPUS = team("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: gpu, gpus: 1}]}")


def cluster(limits: str) -> str:
    return CLUSTER.replace("  nodePools:", f"  namespaces: {limits}\n  nodePools:") + GPUS


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("{atMost: {servces: 5}}", "spec.namespaces.atMost.servces: names nothing that a namespace counts; did you mean `services`?"),
        ("{atMost: {services: 500m}}", "spec.namespaces.atMost.services: counts objects, so it takes a whole number"),
        ("{atMost: {count/jobs.batch: 0.5}}", "spec.namespaces.atMost[count/jobs.batch]: counts objects, so it takes a whole number"),
        ("{atMost: {example.com/gpu: 5}}", "spec.namespaces.atMost[example.com/gpu]: counts only as `requests.example.com/gpu`"),
        ("{containerDefaults: {example.com/gpu: 1}}", "spec.namespaces.containerDefaults[example.com/gpu]: names no resource with a default; there are: cpu, memory, ephemeral-storage"),
    ],
)  # fmt: skip
def test_entries_that_a_namespace_cannot_have(limits, message):
    ((code, place, text),) = found(cluster(limits))
    assert (code, place.rpartition(":")[0]) == ("SRC105", "clusters/lab/cluster.yaml:7")
    assert text == f"Cluster lab: {message}"


def test_storage_and_objects_are_bounded_as_they_are_typed():
    limits = "{atMost: {gold.storageclass.storage.k8s.io/requests.storage: 1.5Ti, gold.storageclass.storage.k8s.io/persistentvolumeclaims: 3, requests.example.com/licence: 2}}"
    text = cluster(limits)
    assert found(text) == []
    assert repo_of(text).clusters["lab"].namespaces.at_most == {
        "gold.storageclass.storage.k8s.io/requests.storage": Quantity.parse("1.5Ti"),
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": Quantity.parse("3"),
        "requests.example.com/licence": Quantity.parse("2"),
    }


def test_what_no_flavor_covers_may_be_bounded_and_what_one_covers_may_not():
    bound = "{atMost: {requests.ephemeral-storage: 1Ti}}"
    assert found(cluster(bound)) == [
        (
            "SRC133",
            "clusters/lab/cluster.yaml:7:25",
            "Cluster lab: requests.ephemeral-storage may not be bounded per namespace, since Kueue counts ephemeral-storage",
        )
    ]
    assert found(cluster(bound).replace(", ephemeral-storage: 1Ti}", "}")) == []


def test_a_team_that_is_not_there_suggests_one_that_is():
    assert found(cluster("{teams: {bleu: {atMost: {services: 1}}}}")) == [
        (
            "SRC131",
            "clusters/lab/cluster.yaml:7:24",
            "Cluster lab: there is no Team bleu; did you mean `blue`?",
        )
    ]


def test_a_team_entry_is_judged_like_the_common_one():
    assert found(cluster("{teams: {blue: {atMost: {limits.memory: 1Gi}}}}")) == [
        (
            "SRC133",
            "clusters/lab/cluster.yaml:7:40",
            "Cluster lab: limits.memory may not be bounded per namespace, since Kueue counts memory",
        )
    ]
