"""Names from strangers in a plan: nothing in them acts in a terminal, a comment, a page or a runner's log."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from planned import of_scenario

from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.planner.plan import Approval, Disruption, Runbook, Step, WorkAffected
from kohort.planner.render.html import render as html
from kohort.planner.render.json_v1 import render as as_json
from kohort.planner.render.markdown import LIMIT
from kohort.planner.render.markdown import render as markdown
from kohort.planner.render.svg import render as svg
from kohort.planner.render.terminal import render as terminal
from kohort.planner.render.view import Sides
from kohort.planner.trees.grow import trees

NAMES = [
    "<script>alert(1)</script>",
    "</summary></details><h1>approved",
    "**bold** [x](javascript:alert(1)) ![i](http://evil/x.png)",
    "| cell | cell |",
    "@platform-admins please merge #1",
    "```\n## heading",
    "\x1b[2J\x1b[31mred\x1b[0m",
    "\u202eevil\u202c",
    "\x9b31mred\x9d0;owned\x9c",
    "next\u2028line\u2029mark\u200fs\u061c \u2066isolated\u2069 \u3164",
    "::error file=a::owned",
    "##[error]owned",
    "a\r\nb\nc",
    "`$(rm -rf /)`; rm -rf / #",
    "&lt;b&gt; &amp; \"quotes\" 'single'",
    "x" * 5000,
]

ACTS = re.compile(  # controls, C1 too; what reorders or ends a line; what is drawn as nothing
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u3164\U000e0041]"
)


def manifests(name: str, quota: int) -> str:
    metadata = json.dumps({"name": name, "labels": {"kohort.dev/team": name}})
    flavor = json.dumps(name)
    queue = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": json.loads(metadata),
        "spec": {
            "cohortName": name,
            "namespaceSelector": {},
            "resourceGroups": [
                {
                    "coveredResources": [name],
                    "flavors": [
                        {
                            "name": json.loads(flavor),
                            "resources": [{"name": name, "nominalQuota": str(quota)}],
                        }
                    ],
                }
            ],
        },
    }
    local = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "LocalQueue",
        "metadata": {"name": name, "namespace": name},
        "spec": {"clusterQueue": name if quota == 1 else "other"},
    }
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": name, "namespace": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
        "subjects": [{"kind": "User", "name": f"{name}{quota}"}],
    }
    widget = {"apiVersion": f"{name}/v1", "kind": name, "metadata": {"name": name}, "spec": {name: quota}}
    return "\n---\n".join(json.dumps(one) for one in (queue, local, binding, widget))


def hostile_clusters():
    """The clusters of the files that the fixture wrote."""
    return plan_paths("old.yaml", "new.yaml", Settings()).planned.clusters


@pytest.fixture(params=range(len(NAMES)))
def hostile(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = NAMES[request.param]
    for file, quota in (("old.yaml", 1), ("new.yaml", 2)):
        Path(file).write_text(manifests(name, quota), "utf-8")
    done = plan_paths("old.yaml", "new.yaml", Settings()).planned
    steps = Runbook(name, name, name, (Step(name, (name,), name),))
    plan = replace(
        done.plan,
        base=name,
        head=name,
        approvals=(Approval(name, name),),
        self_service=(name,),
        runbooks=(*done.plan.runbooks, steps),
    )
    assert plan.effects
    assert plan.objects
    assert plan.access
    return plan, Sides(done.base, done.head)


def many(plan):
    """The same of eight holders, objects, people and workloads, so that they are told together."""

    def eight(things, named):
        return tuple(named(one, f"{n}") for one in things for n in range(8))

    work = WorkAffected(
        "", plan.base, plan.base, plan.base, running=True, disruption=Disruption.EVICTS, why=plan.base
    )
    return replace(
        plan,
        effects=eight(plan.effects, lambda e, n: replace(e, key=e.key._replace(name=e.key.name + n))),
        objects=eight(plan.objects, lambda o, n: replace(o, ref=o.ref._replace(name=o.ref.name + n))),
        access=eight(plan.access, lambda a, n: replace(a, subject=a.subject + n)),
        work=(
            *eight([work], lambda w, n: replace(w, name=w.name + n)),
            *eight([replace(work, running=False)], lambda w, n: replace(w, name=w.name + n)),
        ),
        approvals=tuple(Approval(f"team {plan.base}", plan.base) for _ in range(2)),
    )


@pytest.mark.parametrize("every", [False, True])
def test_nothing_acts_where_many_are_told_together(hostile, every):
    plan, sides = many(hostile[0]), hostile[1]
    shown = terminal(plan, sides, every=every)
    assert not ACTS.search(shown)
    assert not re.search(r"^\s*::\w", shown, re.MULTILINE)
    assert "##[" not in shown
    assert ("`--all` tells each" in shown) is not every
    comment = markdown(plan, sides, every=every)
    assert not ACTS.search(comment)
    assert set(re.findall(r"</?([a-zA-Z0-9]+)", re.sub(r"(?ms)^ *(`{3,})text\n.*?^ *\1$", "", comment))) <= {
        "details",
        "summary",
        "b",
    }
    assert all(row.count("|") == 6 for row in re.findall(r"^\|.*$", comment, re.MULTILINE))
    page = _Page()
    text = html(plan, sides)
    page.feed(text)
    assert page.open == []
    assert "script" not in page.tags
    assert not {name for name in page.attributes if name.startswith("on")}
    assert "<summary>All " in text


def test_the_terminal_gets_no_control_character_and_no_command(hostile):
    text = terminal(*hostile, full=True) + terminal(*hostile)
    assert not ACTS.search(text)
    assert not re.search(r"^\s*::\w", text, re.MULTILINE)
    assert "##[" not in text


def test_a_comment_holds_no_markup_of_a_stranger(hostile):
    for text in (markdown(*hostile), markdown(*hostile, full=True)):
        outside = re.sub(r"(?ms)^ *(`{3,})text\n.*?^ *\1$", "", text)  # code blocks show text as it is
        assert "<script" not in outside
        assert set(re.findall(r"</?([a-zA-Z0-9]+)", outside)) <= {"details", "summary", "b"}
        assert outside.count("<details") == outside.count("</details>")
        assert outside.count("<summary>") == outside.count("</summary>") == outside.count("<details")
        assert "](" not in outside
        assert "@platform" not in outside
        assert not re.search(r"^#+ (?!Kohort plan)", outside, re.MULTILINE)
        for row in re.findall(r"^\|.*$", outside, re.MULTILINE):
            assert row.count("|") == 6, row
        assert not ACTS.search(text)
        assert not re.search(r"^\s*::\w", text, re.MULTILINE)
        assert "##[" not in text


def test_json_is_json_and_acts_nowhere(hostile):
    text = as_json(*hostile, version="0")
    json.loads(text)
    assert not ACTS.search(text)
    assert not re.search(r"^\s*::\w", text, re.MULTILINE)
    assert "##[" not in text


class _Page(HTMLParser):
    """Tags and attributes of a page, and whether every tag is closed."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.open = set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_holds_no_markup_of_a_stranger_and_no_script(hostile):
    plan, sides = hostile
    grown = trees(plan, *hostile_clusters())
    assert grown
    for text in (html(plan, sides, grown), svg(plan, sides, grown), html(plan, sides), svg(plan, sides)):
        page = _Page()
        page.feed(text)
        assert page.open == []
        assert not page.tags & {"script", "img", "a", "iframe", "object", "link", "form", "style"} - {"style"}
        assert not {name for name in page.attributes if name.startswith("on")} | page.attributes & {
            "href",
            "src",
        }
        assert not ACTS.search(text)
        assert "http://" not in re.sub(r"http://(www\.w3\.org/2000/svg|evil/x\.png|evi…|evil/…)", "", text)
        assert "Cohort tree" in html(plan, sides, grown)
    ET.fromstring(svg(plan, sides, grown))


def test_a_page_reads_without_a_script_and_by_the_keyboard():
    done = of_scenario("red leaves")
    text = html(done.plan, Sides(done.base, done.head))
    assert text.startswith('<!doctype html>\n<html lang="en">')
    assert "default-src 'none'" in text
    assert text.count("<h1>") == 1
    assert '<th scope="row">guarantee</th><td class="n">6</td><td class="n">–</td>' in text
    assert text.count("<details") == text.count("</details>") > 5
    assert "kubectl delete clusterqueue red" in text


def test_commands_quote_names_for_the_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "a'; rm -rf / #"
    for file, quota in (("old.yaml", 1), ("new.yaml", 2)):
        Path(file).write_text(manifests(name, quota), "utf-8")
    plan = plan_paths("old.yaml", "new.yaml", Settings()).planned.plan
    commands = [c for book in plan.runbooks for step in book.steps for c in step.commands]
    assert commands
    import shlex

    for command in commands:
        assert name in shlex.split(command)
        assert shlex.split(command)[0] == "kubectl"


def test_a_huge_plan_is_cut_to_what_a_comment_holds_and_says_so():
    done = of_scenario("H100 is renamed without a word")
    objects = tuple(done.plan.objects) * 400
    effects = tuple(
        replace(one, key=one.key._replace(name=f"{one.key.name}-{number}"))
        for number in range(60)
        for one in done.plan.effects
    )
    plan = replace(done.plan, objects=objects, effects=effects, access=tuple(done.plan.access) * 5000)
    text = markdown(plan, Sides(done.base, done.head))
    assert len(text) <= LIMIT
    assert len(text) > LIMIT * 3 // 4
    assert text.count("<details") == text.count("</details>")
    assert re.search(r"… and [0-9]+ more objects\n", text)
    assert re.search(r"\*\*Too long for a comment\*\*: .*[0-9]+ objects are left out below", text)
    assert "Steps for renaming ResourceFlavor h100 to hopper" in text


def test_a_comment_without_a_change_is_one_line():
    done = of_scenario("a comment")
    assert markdown(done.plan, Sides(done.base, done.head)) == "### Kohort plan: nothing changes\n"
