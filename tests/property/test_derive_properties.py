"""Laws of derived quota: parts never exceed the whole, more never gives less, limits keep proportion."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from kohort.model.derive import DerivedLine, derive
from kohort.model.offer import make_offer
from kohort.model.repo import ClusterDecl, FlavorDecl, NodePool, QuotaLine, Repo
from kohort.objects.health import HealthVocabulary
from kohort.objects.quantity import Quantity
from kohort.spans import Origin

GPU = "example.com/gpu"
HERE = Origin("t.yaml")


def amounts(gpus: int | None):
    return st.fixed_dictionaries(
        {
            "cpu": st.integers(1, 512).map(str),
            "memory": st.integers(1, 2**42).map(lambda n: f"{n}Ki"),
            "pods": st.integers(1, 500).map(str),
            "example.com/nic": st.integers(0, 9).map(str),
            **({} if gpus is None else {GPU: st.integers(1, gpus).map(str)}),
        }
    )


def pool(name: str, accelerator: str, shape, nodes: int, share) -> NodePool:
    return NodePool(
        name=name,
        flavor="f",
        nodes=nodes,
        accelerator=accelerator,
        labels={},
        taints=(),
        per_node={k: Quantity.parse(v) for k, v in shape.items()},
        reserve={},
        share=share,
        gpu="",
        gpus_per_node=0,
        racks={},
        path=("spec", "nodePools", 0),
    )


GPU_POOLS = st.lists(
    st.builds(lambda shape, nodes: (shape, nodes), amounts(16), st.integers(1, 40)), min_size=1, max_size=3
).map(lambda rows: tuple(pool(f"p{i}", GPU, shape, nodes, {}) for i, (shape, nodes) in enumerate(rows)))


def world(pools: tuple[NodePool, ...]) -> tuple[Repo, ClusterDecl]:
    cluster = ClusterDecl(name="c", origin=HERE, versions={}, pools=pools, health=HealthVocabulary())
    flavor = FlavorDecl(
        name="f",
        origin=HERE,
        node_labels={},
        taints=(),
        tolerations=(),
        topology="",
        resources=(),
        checks=(),
        elastic=False,
    )
    return Repo(organisation=None, clusters={"c": cluster}, flavors={"f": flavor}), cluster


def gpus(count: int, **more) -> QuotaLine:
    fields = {
        "devices": {},
        "size": "",
        "resources": {},
        "borrow": "any",
        "lend": "any",
        "path": (),
        "origin": HERE,
    }
    return QuotaLine(**{"flavor": "f", "unit": "gpus", "count": count, **fields, **more})


def line(repo: Repo, cluster: ClusterDecl, wanted: QuotaLine) -> DerivedLine:
    result = derive(repo, cluster, wanted)
    assert isinstance(result, DerivedLine)
    return result


@given(GPU_POOLS, st.data())
def test_parts_that_fit_in_gpus_fit_in_everything(pools, data):
    repo, cluster = world(pools)
    offer = make_offer(cluster, "f", None)
    left, sums = int(offer.units), dict.fromkeys(offer.covered, 0)
    while left:
        count = data.draw(st.integers(1, left))
        left -= count
        for resource, amount in line(repo, cluster, gpus(count)).guarantee.items():
            sums[resource] += amount.value.nano
    assert all(total <= offer.total[resource] for resource, total in sums.items())
    assert sums[GPU] == offer.total[GPU]


@given(GPU_POOLS, st.integers(0, 300), st.integers(0, 300))
def test_more_gpus_never_bring_less(pools, few, many):
    repo, cluster = world(pools)
    low, high = sorted((few, many))
    less, more = line(repo, cluster, gpus(low)).guarantee, line(repo, cluster, gpus(high)).guarantee
    assert all(less[r].value <= more[r].value for r in less)


@given(GPU_POOLS, st.integers(0, 300))
def test_what_rounding_takes_is_less_than_one_step(pools, count):
    repo, cluster = world(pools)
    offer = make_offer(cluster, "f", None)
    for resource, amount in line(repo, cluster, gpus(count)).guarantee.items():
        exact = Fraction(count) * offer.total[resource] / 10**9 / offer.units
        step = 2**20 if resource == "memory" else 1
        got = Fraction(amount.value.nano, 10**9)
        assert got % step == 0
        assert 0 <= exact - got < step


@given(GPU_POOLS, st.integers(1, 64), st.integers(0, 64))
def test_a_limit_is_what_a_guarantee_of_the_number_would_be(pools, count, limit):
    repo, cluster = world(pools)
    got = line(repo, cluster, gpus(count, borrow=limit, lend=limit))
    same = line(repo, cluster, gpus(limit)).guarantee
    assert got.borrow is not None
    assert {r: a.value for r, a in got.borrow.items()} == {r: a.value for r, a in same.items()}
    assert got.lend is not None
    assert {r: a.value for r, a in got.lend.items()} == {r: a.value for r, a in same.items()}


@given(GPU_POOLS, st.integers(0, 100), st.sampled_from(["cpu", "memory", "pods"]), st.integers(0, 10**6))
def test_an_override_changes_its_resource_only(pools, count, resource, amount):
    repo, cluster = world(pools)
    plain = line(repo, cluster, gpus(count)).guarantee
    own = line(repo, cluster, gpus(count, resources={resource: Quantity.parse(str(amount))})).guarantee
    assert own[resource].value == Quantity.parse(str(amount))
    assert {r: a for r, a in own.items() if r != resource} == {
        r: a for r, a in plain.items() if r != resource
    }


@given(
    amounts(None),
    st.integers(1, 8),
    st.lists(st.integers(1, 7), min_size=2, max_size=2),
    st.integers(1, 30),
    st.integers(1, 30),
    st.data(),
)
def test_partitions_that_fit_bring_what_fits(shape, nodes, sevenths, big, small, data):
    share = {"example.com/big": Fraction(sevenths[0], 7), "example.com/small": Fraction(sevenths[1], 7)}
    shape = {**shape, "example.com/big": str(big), "example.com/small": str(small)}
    repo, cluster = world((pool("p", "", shape, nodes, share),))
    offer = make_offer(cluster, "f", None)
    first = {
        "example.com/big": data.draw(st.integers(0, big * nodes)),
        "example.com/small": data.draw(st.integers(0, small * nodes)),
    }
    rest = {
        "example.com/big": big * nodes - first["example.com/big"],
        "example.com/small": small * nodes - first["example.com/small"],
    }
    sums = dict.fromkeys(offer.covered, 0)
    for devices in (first, rest):
        for resource, amount in line(
            repo, cluster, gpus(0, unit="devices", devices=devices)
        ).guarantee.items():
            sums[resource] += amount.value.nano
    assert all(total <= offer.total[resource] for resource, total in sums.items())
    assert sums["example.com/big"] == offer.total["example.com/big"]
