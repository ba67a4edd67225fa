"""Plans with long, wide and right-to-left names, endless and empty quotas, partitions and deep trees, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from chromium import needs_axe, needs_browser
from reading import is_quiet, overflow, violations, walk

from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.rendering_plan import render_plan

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]

ENDLESS = "9223372036854775807"
NAMES = [
    "קבוצה-כחולה",
    "東京研究所-学習基盤-大規模言語モデル",
    "zażółć-gęślą",
    "w" * 63,
    "x",
    "zero",
    "endless",
    "huge",
]
BEFORE, AFTER = (8, 8, 8, 8, 8, 0, 8, 1_000_000), (6, 7, 8, 9, 10, 4, ENDLESS, 2_000_000)
DEEP = ["company", "division-" + "m" * 40, "department", "group", "squad"]


def _cohort(name: str, parent: str) -> dict:
    spec = {"parentName": parent} if parent else {}
    return {"kind": "Cohort", "metadata": {"name": name}, "spec": spec}


def _queue(name: str, resource: str, flavors: dict) -> dict:
    group = {
        "coveredResources": [resource],
        "flavors": [
            {"name": flavor, "resources": [{"name": resource, "nominalQuota": str(quota)}]}
            for flavor, quota in flavors.items()
        ],
    }
    spec = {"cohortName": DEEP[-1], "namespaceSelector": {}, "resourceGroups": [group]}
    return {"kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def _manifests(quotas: tuple, more: int) -> str:
    flavors = [f"a100-80gb-{n}" for n in range(7)]
    made = [_cohort(name, DEEP[n - 1] if n else "") for n, name in enumerate(DEEP)]
    made += [
        _queue(name, "nvidia.com/gpu", {"h100": quota, **dict.fromkeys(flavors, 4 + more)})
        for name, quota in zip(NAMES, quotas, strict=True)
    ]
    made.append(_queue("mig", "nvidia.com/mig-3g.40gb", {"mig": 2 + more}))
    return yaml.safe_dump_all([{"apiVersion": "kueue.x-k8s.io/v1beta2", **each} for each in made])


@pytest.fixture(scope="module")
def odd(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("odd")
    for name, quotas, more in (("old", BEFORE, 0), ("new", AFTER, 1)):
        (folder / f"{name}.yaml").write_text(_manifests(quotas, more), "utf-8")
    planned = plan_paths(str(folder / "old.yaml"), str(folder / "new.yaml"), Settings()).planned
    files = {}
    for name in ("html", "svg"):
        files[name] = folder / f"plan.{name}"
        files[name].write_text(render_plan(planned, name), "utf-8")
    return files


@pytest.mark.parametrize("width", [400, 1000])
def test_nothing_is_wider_than_the_screen(browser, odd, width):
    page = browser.open(odd["html"], width=width)
    assert overflow(page, width) == []
    is_quiet(page)


def test_the_first_screen_is_the_answer(browser, odd):
    page = browser.open(odd["html"])
    box = page.run("document.querySelector('.answer').getBoundingClientRect().bottom")
    assert box < 900
    words = page.run("[...document.querySelectorAll('.answer dd')].map(e => e.innerText)")
    # of h100 six gain, one of them without bound; of seven other flavors all eight gain 1
    assert (
        words[0]
        == "8 queues: guarantee up to unlimited (h100, a100-80gb-0, a100-80gb-1 and 5 more), most endless"
    )


def test_later_trees_are_folded_and_open_by_the_keyboard(browser, odd):
    page = browser.open(odd["html"])
    stops = walk(page)
    trees = [name for name in stops if name.startswith("a100-80gb-")]
    assert (
        "a100-80gb-6, in GPUs 8 of 13 queues and cohorts change, and with them the sums of 5 cohorts."
        in trees
    )
    first = "document.querySelector('details:has(.rows)')"
    assert page.run(f"{first}.open") is False
    page.run(f"{first}.querySelector('summary').focus()")
    page.press("Enter")
    assert page.run(f"{first}.querySelector('.row').checkVisibility()") is True


@needs_axe
def test_the_accessibility_rules_hold(browser, odd):
    assert violations(browser.open(odd["html"])) == {}


def test_texts_of_the_picture_stay_in_their_columns(browser, odd):
    page = browser.open(odd["svg"], width=1200)
    script = """[...document.querySelectorAll('svg g > text')].map(e => {
      const box = e.getBBox(); return [e.textContent, Math.round(box.x), Math.round(box.x + box.width)]; })"""
    texts = page.run(script)
    assert len(texts) > 100
    for text, left, right in texts:
        assert right <= (326 if left < 330 and not text.startswith("…") else 1040), (text, left, right)
    right = page.run(
        "Math.max(...[...document.querySelectorAll('svg > text')].map(e => e.getBBox().x + e.getBBox().width))"
    )
    assert right <= 1040
