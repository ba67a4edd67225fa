"""The model agrees with every recorded run as far as docs/agreement.md says, and the page says what is so."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def agreement():
    sys.path.insert(0, str(ROOT / "ci"))
    try:
        spec = importlib.util.spec_from_file_location("agreement_page", ROOT / "ci/agreement.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(ROOT / "ci"))


@pytest.mark.slow
def test_the_page_and_readme_are_what_replaying_gives(agreement):
    page, readme = agreement.written(), agreement.README.read_text("utf-8")
    assert agreement.PAGE.read_text("utf-8") == page
    assert readme == agreement.shown(page, readme)
    assert "| all |" in readme.partition("<!-- agreement -->")[2]


def test_traces_are_many_and_named_once(agreement):
    traces = list(agreement.read([agreement.TRACES]))
    names = [trace.name for trace in traces]
    assert len(names) == len(set(names))
    folders = {Path(trace.file).relative_to(agreement.TRACES).parts[0] for trace in traces}
    assert folders <= {"directed", "random", "nondeterministic"}
    assert sum("random" not in trace.features for trace in traces) >= 60
    assert sum("random" in trace.features for trace in traces) >= 500


def test_only_the_folder_for_it_holds_runs_that_differ(agreement):
    for trace in agreement.read([agreement.TRACES]):
        marked = bool(trace.runs) or any(step.nondeterministic for step in trace.steps)
        assert marked == ("nondeterministic" in Path(trace.file).parts), trace.name
