"""What holds of every assignment, on random queues, usage and requests."""

from __future__ import annotations

from flavor_worlds import ask, group, job, queue, world
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.semantics.assignment import Mode
from kohort.semantics.flavors import Nobody, assign

BOTH = ("cpu", "memory")
AMOUNT = st.integers(0, 12)
LIMIT = st.one_of(st.none(), st.integers(0, 12))


@st.composite
def situations(draw):
    """Flavors per queue (all queues have the same), usage, rules of choice, and the pod sets of a work."""
    flavors = [f"f{n}" for n in range(draw(st.integers(1, 3)))]
    queues = {
        f"q{n}": {f: {r: (draw(AMOUNT), draw(LIMIT), draw(LIMIT)) for r in BOTH} for f in flavors}
        for n in range(draw(st.integers(1, 3)))
    }
    used = draw(
        st.lists(
            st.tuples(
                st.sampled_from(sorted(queues)), st.sampled_from(flavors), st.sampled_from(BOTH), AMOUNT
            ),
            max_size=6,
        )
    )
    words = st.sampled_from(["MayStopSearch", "TryNextFlavor"])
    rules = {"whenCanBorrow": draw(words), "whenCanPreempt": draw(words)}
    preference = draw(st.sampled_from(["", "BorrowingOverPreemption", "PreemptionOverBorrowing"]))
    if preference:
        rules["preference"] = preference
    pods = draw(st.lists(st.tuples(st.integers(0, 3), AMOUNT, AMOUNT), min_size=1, max_size=3))
    return flavors, queues, used, rules, pods


def built(situation, rename=str):
    flavors, queues, used, rules, pods = situation
    state = world(
        *(
            queue(
                rename(name),
                group(*((rename(f), quotas[f]) for f in flavors), covers=BOTH),
                cohort="c",
                fungibility=rules,
            )
            for name, quotas in queues.items()
        )
    )
    for name, f, resource, units in used:
        scale = 1000 if resource == "cpu" else 1
        state.queues[rename(name)].add({(rename(f), resource): units * scale})
    work = job(
        *(ask(count, f"p{at}", cpu=cpu, memory=memory) for at, (count, cpu, memory) in enumerate(pods))
    )
    return state, state.queues[rename("q0")], work


@given(situations())
@settings(max_examples=80)
def test_what_fits_is_there_and_what_is_assigned_adds_up(situation):
    state, target, work = built(situation)
    answer = assign(work, target, state, Nobody())
    if answer.mode is Mode.FIT and all(
        c.mode is Mode.FIT for p in answer.podsets for c in p.flavors.values()
    ):
        assert target.fits(answer.usage)
    total = {}
    for podset in answer.podsets:
        for resource, choice in podset.flavors.items():
            pair = (choice.flavor, resource)
            total[pair] = total.get(pair, 0) + podset.requests[resource]
    assert {pair: units for pair, units in total.items() if units} == answer.usage
    assert answer.mode is Mode.FIT or any(p.reasons for p in answer.podsets)


@given(situations())
def test_one_flavor_for_the_group_of_resources(situation):
    state, target, work = built(situation)
    for podset in assign(work, target, state, Nobody()).podsets:
        assert len({choice.flavor for choice in podset.flavors.values()}) <= 1


@given(situations())
@settings(max_examples=60)
def test_names_of_flavors_and_queues_do_not_matter(situation):
    def rename(name):
        return f"{'zyxw'[int(name[1:])]}-{name[0]}"

    plain, renamed = (
        assign(work, target, state, Nobody(), explain=True)
        for state, target, work in (built(situation), built(situation, rename))
    )
    assert (plain.mode, plain.borrow) == (renamed.mode, renamed.borrow)
    assert {(rename(f), r): units for (f, r), units in plain.usage.items()} == renamed.usage
    assert [(rename(t.flavor), t.mode, t.borrow, t.stop) for t in plain.tried] == [
        (t.flavor, t.mode, t.borrow, t.stop) for t in renamed.tried
    ]


@given(situations())
def test_an_answer_from_memory_is_the_answer_made_anew(situation):
    state, target, work = built(situation)
    first = assign(work, target, state, Nobody())
    assert assign(work, target, state, Nobody()) is first
    target.plans.clear()
    again = assign(job(*work.podsets, key="red/other"), target, state, Nobody(), explain=True)
    assert again == first  # `tried` is not compared


@given(situations())
def test_assigning_changes_nothing(situation):
    state, target, work = built(situation)
    cells = [cell for each in state.queues.values() for cell in each.cells.values()]
    before = [cell.used for cell in cells]
    assign(work, target, state, Nobody())
    assert [cell.used for cell in cells] == before
    assert (work.tried, work.usage) == ({}, {})


@given(situations())
@settings(max_examples=50)
def test_less_is_never_harder_with_one_flavor(situation):
    flavors, queues, used, rules, _ = situation
    only = flavors[:1]
    state, target, _ = built((only, queues, [u for u in used if u[1] in only], rules, [(1, 0, 0)]))
    modes = [assign(job(ask(memory=n)), target, state, Nobody()).mode for n in range(40)]
    assert modes == sorted(modes, reverse=True)
