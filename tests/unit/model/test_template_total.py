"""Whatever a template and its values are, the answer is an object or findings, never an exception."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from template_texts import FACTS, parameter, place, template

from kohort.compiler.emit import document
from kohort.model.template import Rendered, render
from kohort.model.template_check import prepare
from kohort.model.template_context import FACTS as ALL_FACTS
from kohort.model.template_context import Context

NAMES = st.sampled_from(
    ["a", "b", "c", "q", "name", "accelerator", "rdma", "cpuPerAccelerator", "gangs", "none"]
)
TEXTS = st.one_of(
    NAMES,
    st.builds("x${{{}}}y".format, NAMES),
    st.builds("${{{}}}".format, NAMES),
    st.sampled_from(["${", "$${a}", "${}", "", "\x00\u2028"]),
)
SCALARS = st.one_of(TEXTS, st.integers(-3, 10**20), st.floats(), st.booleans(), st.none())


def deeper(inner):
    operands = st.one_of(NAMES, st.integers(-2, 2**40), st.floats(-10, 10), inner)
    return st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(TEXTS, inner, max_size=3),
        st.builds(lambda n: {"param": n}, NAMES),
        st.builds(lambda n, e: {"param": n, "else": e}, NAMES, inner),
        st.builds(lambda w, t: {"when": w, "then": t}, operands, inner),
        st.builds(
            lambda w, t, e: {"when": w, "then": t, "else": e}, st.lists(operands, max_size=2), inner, inner
        ),
        st.builds(lambda w, o: {w: o}, st.sampled_from(["sum", "product"]), st.lists(operands, max_size=3)),
        st.dictionaries(st.sampled_from(["param", "when", "then", "else", "sum"]), inner, max_size=3),
    )


BODIES = st.recursive(SCALARS, deeper, max_leaves=12)
PARAMETERS = (
    parameter("a", "integer", default=2),
    parameter("b", "quantity", index=1),
    parameter("c", "string", index=2),
    parameter("q", "boolean", index=3),
)
USED = {"used": [{"param": name} for name in "abcq"]}
VALUES = st.dictionaries(st.sampled_from(["a", "b", "c", "q", "z"]), SCALARS, max_size=4)


@settings(max_examples=400, deadline=None)
@given(BODIES, VALUES)
def test_rendering_is_total(body, values):
    one = template({"x": body, **USED}, *PARAMETERS)
    context = Context(
        {n: f for n, f in FACTS.items() if n != "accelerator"}, {"accelerator": "there is none"}
    )
    result = render(one, values, context, place())
    if isinstance(result, Rendered):
        assert not isinstance(prepare(one), tuple)
        document(result.body)
        assert set(result.entries) >= {("apiVersion",), ("kind",)}
    else:
        assert result
        assert all(finding.code in {"SRC141", "SRC142"} for finding in result)


def test_every_fact_is_in_the_page_about_templates():
    page = (Path(__file__).parents[3] / "workloads" / "templates" / "README.md").read_text()
    assert [fact for fact in ALL_FACTS if f"`{fact}`" not in page] == []
