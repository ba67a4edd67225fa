"""Derived quota by hand-reckoned numbers, its arithmetic, and what cannot be derived."""

from __future__ import annotations

from fractions import Fraction

import pytest
from model_support import CLUSTER, places, repo_of, team

from kohort.model.amounts import round_down
from kohort.model.derive import DerivedLine, covered_resources, derive, main_resource


def line_of(line: str, text: str = CLUSTER):
    text += team(f"namespaces: [blue]\nclass: batch\ncohort: all\nquota: {{lab: [{line}]}}")
    repo = repo_of(text)
    assert repo.findings == ()
    return repo, repo.clusters["lab"], repo.teams["blue"].queues[0].quota["lab"][0]


def derived(line: str, text: str = CLUSTER) -> DerivedLine:
    result = derive(*line_of(line, text))
    assert isinstance(result, DerivedLine), result
    return result


def values(amounts):
    return {resource: str(amount.value) for resource, amount in amounts.items()}


def test_gpus_bring_their_part_of_the_node():
    got = derived("{flavor: gpu, gpus: 12}")
    # 12 of 32 GPUs: cpu 96 × 4 × 12/32, memory 960Gi × 4 × 12/32, 3 network cards per 8 GPUs round down
    assert values(got.guarantee) == {
        "cpu": "144",
        "memory": "1440Gi",
        "ephemeral-storage": "1536Gi",
        "example.com/gpu": "12",
        "example.com/nic": "4",
        "pods": "150",
    }
    assert (got.main, got.flavor) == ("example.com/gpu", "gpu")
    assert got.borrow is None
    assert got.lend is None


def test_the_arithmetic_is_in_words():
    got = derived("{flavor: gpu, gpus: 12}").guarantee
    assert got["cpu"].arithmetic == "12 GPUs × (100 − 4 cpu) ÷ 8 GPUs per node = 144"
    assert (
        got["example.com/nic"].arithmetic
        == "12 GPUs × 3 example.com/nic ÷ 8 GPUs per node = 4 (rounded down)"
    )
    assert got["example.com/gpu"].arithmetic == "12 example.com/gpu as written"


def test_every_amount_points_at_the_number_that_decides_it():
    got = derived("{flavor: gpu, gpus: 8, resources: {cpu: 50}, borrow: 4}")
    at = ("spec", "quota", "lab", 0)
    assert got.guarantee["memory"].origin.path == (*at, "gpus")
    assert got.guarantee["cpu"].origin.path == (*at, "resources", "cpu")
    assert got.borrow is not None
    assert got.borrow["memory"].origin.path == (*at, "borrow")
    assert got.guarantee["memory"].origin.file == "teams/blue/team.yaml"


def test_memory_rounds_down_to_mi_and_cpu_to_cores():
    got = derived("{flavor: gpu, gpus: 1}", CLUSTER.replace("memory: 1000Gi", "memory: 1001Gi"))
    # 961 Gi / 8 = 120.125 Gi = 123008 Mi; 96 / 8 = 12
    assert values(got.guarantee)["memory"] == "123008Mi"
    got = derived(
        "{flavor: gpu, gpus: 1}",
        CLUSTER.replace("cpu: 100,", "cpu: 101,").replace("memory: 1000Gi", "memory: 100000001Ki"),
    )
    assert values(got.guarantee)["cpu"] == "12"  # 97 / 8 = 12.125
    assert values(got.guarantee)["memory"].endswith("Mi")


def test_an_override_replaces_one_amount_and_scales_its_limits():
    got = derived("{flavor: gpu, gpus: 8, resources: {cpu: 50, memory: 2Ti}, borrow: 4, lend: 2}")
    assert values(got.guarantee)["cpu"] == "50"
    assert values(got.guarantee)["memory"] == "2Ti"
    assert values(got.guarantee)["pods"] == "100"
    assert got.borrow is not None
    assert got.lend is not None
    assert values(got.borrow)["cpu"] == "25"
    assert values(got.borrow)["memory"] == "1Ti"
    assert values(got.borrow)["example.com/gpu"] == "4"
    assert values(got.lend)["cpu"] == "12"  # 50 × 2 / 8 = 12.5
    assert got.lend["cpu"].arithmetic == "2 × 50 ÷ 8 = 12 (rounded down)"


def test_none_is_zero_of_everything():
    got = derived("{flavor: gpu, gpus: 8, borrow: none, lend: 0}")
    assert got.borrow is not None
    assert got.lend is not None
    assert set(values(got.borrow).values()) == {"0"}
    assert set(values(got.lend).values()) == {"0"}


def test_a_guarantee_of_nothing_may_still_borrow_a_number():
    got = derived("{flavor: gpu, gpus: 0, borrow: 8}")
    assert set(values(got.guarantee).values()) == {"0"}
    assert got.borrow is not None
    assert values(got.borrow) == values(derived("{flavor: gpu, gpus: 8}").guarantee)


def test_nodes_bring_everything_on_them():
    got = derived("{flavor: cpu, nodes: 2}")
    assert values(got.guarantee) == {"cpu": "128", "memory": "512Gi"}
    assert got.main == "cpu"
    assert got.guarantee["cpu"].arithmetic == "2 nodes × 64 cpu = 128"
    assert values(derived("{flavor: gpu, nodes: 1}").guarantee)["example.com/gpu"] == "8"


def test_a_size_is_the_number_it_stands_for():
    got = derived("{flavor: gpu, size: m}")
    assert values(got.guarantee) == values(derived("{flavor: gpu, gpus: 4}").guarantee)
    assert got.guarantee["cpu"].arithmetic == "size m = 4 GPUs × (100 − 4 cpu) ÷ 8 GPUs per node = 48"
    assert got.guarantee["example.com/gpu"].arithmetic == "size m = 4 example.com/gpu"


def test_partitions_weigh_by_their_share():
    got = derived("{flavor: part, devices: {example.com/big: 7, example.com/small: 0}}")
    # 7 × 3/7 = 3 GPUs of 8 per node: 88 × 3/8 cores, 700 × 3/8 = 262.5 Gi
    assert values(got.guarantee) == {
        "cpu": "33",
        "memory": "268800Mi",
        "example.com/big": "7",
        "example.com/small": "0",
    }
    assert got.guarantee["cpu"].arithmetic == "7 × 3/7 GPUs × (96 − 8 cpu) ÷ 8 GPUs per node = 33"
    both = derived("{flavor: part, devices: {example.com/big: 8, example.com/small: 32}}")
    assert values(both.guarantee)["cpu"] == "88"  # one whole node
    assert (
        both.guarantee["cpu"].arithmetic == "(8 × 3/7 + 32 × 1/7 GPUs) × (96 − 8 cpu) ÷ 8 GPUs per node = 88"
    )


def test_a_partition_that_is_not_named_is_zero_but_covered():
    got = derived("{flavor: part, devices: {example.com/small: 8}}")
    assert values(got.guarantee)["example.com/big"] == "0"
    assert got.main == "example.com/small"


def test_a_limit_on_partitions_keeps_their_proportion():
    got = derived("{flavor: part, devices: {example.com/big: 4, example.com/small: 8}, borrow: 6, lend: 12}")
    assert got.borrow is not None
    assert got.lend is not None
    assert values(got.borrow)["example.com/big"] == "2"
    assert values(got.borrow)["example.com/small"] == "4"
    assert values(got.lend) == values(got.guarantee)
    one = derived("{flavor: part, devices: {example.com/big: 4}, borrow: 2}")
    assert one.borrow is not None
    assert values(one.borrow)["example.com/big"] == "2"
    assert values(one.borrow)["example.com/small"] == "0"


TWO_POOLS = CLUSTER.replace(
    "  - name: cpu\n",
    "  - name: gpu-b\n    flavor: gpu\n    nodes: 1\n    accelerator: example.com/gpu\n"
    "    perNode: {cpu: 40, memory: 400Gi, example.com/gpu: 4}\n  - name: cpu\n",
)


def test_pools_of_one_flavor_count_together():
    got = derived("{flavor: gpu, gpus: 9}", TWO_POOLS)
    # 36 GPUs, 4 × 96 + 40 = 424 cores: 9/36 of them
    assert values(got.guarantee)["cpu"] == "106"
    assert got.guarantee["cpu"].arithmetic == "9 GPUs × 424 cpu ÷ 36 GPUs of pools gpu, gpu-b = 106"
    assert values(got.guarantee)["pods"] == "100"  # only one of the pools has pods: 400 × 9/36


def test_a_shape_that_comes_on_demand_has_proportions_without_nodes():
    got = derived("{flavor: gpu, gpus: 4}", CLUSTER.replace("nodes: 4", "nodes: 0"))
    assert values(got.guarantee)["cpu"] == "48"


def test_covered_resources_have_a_fixed_order_or_that_of_the_flavor():
    repo, cluster, _ = line_of("{flavor: gpu, gpus: 1}")
    assert covered_resources(repo, cluster, "gpu") == (
        "cpu",
        "memory",
        "ephemeral-storage",
        "example.com/gpu",
        "example.com/nic",
        "pods",
    )
    assert covered_resources(repo, cluster, "part") == (
        "cpu",
        "memory",
        "example.com/big",
        "example.com/small",
    )
    assert main_resource(repo, cluster, "cpu") == "cpu"
    chosen = CLUSTER.replace(
        "metadata: {name: gpu}\nspec: {}", "metadata: {name: gpu}\nspec: {resources: [example.com/gpu, cpu]}"
    )
    assert list(derived("{flavor: gpu, gpus: 8}", chosen).guarantee) == ["example.com/gpu", "cpu"]


@pytest.mark.parametrize(
    ("line", "code", "place", "message"),
    [
        (
            "{flavor: gup, gpus: 8}",
            "SRC121",
            "teams/blue/team.yaml:8:26",
            "there is no flavor `gup`; did you mean `gpu`?",
        ),
        (
            "{flavor: cpu, gpus: 8}",
            "SRC123",
            "teams/blue/team.yaml:8:37",
            "GPUs of flavor cpu cannot be counted on cluster lab: its nodes have none",
        ),
        (
            "{flavor: part, gpus: 8}",
            "SRC123",
            "teams/blue/team.yaml:8:38",
            "GPUs of flavor part cannot be counted on cluster lab: its nodes have none",
        ),
        (
            "{flavor: part, devices: {example.com/bigg: 8}}",
            "SRC123",
            "teams/blue/team.yaml:8:42",
            "nodes of flavor part on cluster lab have no example.com/bigg; did you mean `example.com/big`?",
        ),
        ("{flavor: gpu, size: xl}", "SRC124", "teams/blue/team.yaml:8:37", "there is no size `xl`"),
        (
            "{flavor: cpu, nodes: 1, resources: {pods: 5}}",
            "SRC125",
            "teams/blue/team.yaml:8:53",
            "flavor cpu does not cover pods on cluster lab",
        ),
        (
            "{flavor: gpu, devices: {example.com/nic: 1}}",
            "SRC126",
            "teams/blue/team.yaml:8:41",
            "no node pool of flavor gpu on cluster lab states the share of example.com/nic",
        ),
    ],
)
def test_what_cannot_be_derived_is_one_finding(line, code, place, message):
    result = derive(*line_of(line))
    assert isinstance(result, tuple)
    text = CLUSTER + team(f"namespaces: [blue]\nclass: batch\ncohort: all\nquota: {{lab: [{line}]}}")
    assert places(text, result) == [(code, place, message)]


def test_a_flavor_without_nodes_on_this_cluster():
    text = CLUSTER.replace("flavor: cpu", "flavor: part")
    result = derive(*line_of("{flavor: cpu, nodes: 1}", text))
    assert isinstance(result, tuple)
    assert [(f.code, f.message) for f in result] == [("SRC122", "cluster lab has no node pool of flavor cpu")]


def test_a_flavor_that_could_not_be_read_is_not_missing():
    text = CLUSTER.replace("metadata: {name: gpu}\nspec: {}", "metadata: {name: gpu}\nspec: {elastic: 1}")
    repo = repo_of(text + team("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: gpu, gpus: 8}]}"))
    assert [f.code for f in repo.findings] == ["SRC102"]
    assert derive(repo, repo.clusters["lab"], repo.teams["blue"].queues[0].quota["lab"][0]) == ()


@pytest.mark.parametrize(
    ("amount", "resource", "text"),
    [
        (Fraction(27, 2), "cpu", "13"),
        (Fraction(3 * 2**20 + 1), "memory", "3Mi"),
        (Fraction(2**20 - 1), "memory", "0"),
        (Fraction(5 * 2**30 + 2**29), "hugepages-1Gi", "5Gi"),
        (Fraction(5 * 2**30 + 2**29), "hugepages-2Mi", "5632Mi"),
        (Fraction(1999, 1000), "example.com/gpu", "1"),
    ],
)
def test_rounding_is_down_to_what_people_write(amount, resource, text):
    assert str(round_down(amount, resource)) == text
