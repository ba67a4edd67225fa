"""What each tool that reads our output needs of it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from diagnostics_samples import Memory, finding, sample

from kohort.diagnostics import (
    CodeDoc,
    Consequence,
    Edit,
    Fix,
    Hidden,
    HiddenBy,
    Label,
    Report,
    Severity,
    Term,
    Unchecked,
    line_origin,
)
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.diagnostics.render.markdown import LIMIT
from kohort.spans import Origin, Span


def sarif(report: Report, places: Memory | None = None, **options) -> dict:
    return json.loads(FORMATS["sarif"](report, places or Memory({}), RenderOptions(**options)))["runs"][0]


# --- SARIF -----------------------------------------------------------------------------------------------


def test_sarif_has_results_even_when_there_are_none():
    run = sarif(Report(()))
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_results_point_at_their_rule_and_range():
    run = sarif(*sample())
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["CAP901", "CAP910", "QTY102", "VER301", "YAM101"]
    result = next(one for one in run["results"] if one["ruleId"] == "CAP901")
    assert rules[result["ruleIndex"]]["id"] == "CAP901"
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "teams/nlp.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 8, "startColumn": 15, "endLine": 8, "endColumn": 17},
    }
    assert [
        (one["physicalLocation"]["artifactLocation"]["uri"], one["message"]["text"])
        for one in result["relatedLocations"]
    ] == [("clusters/vela/nodes.yaml", "120 H100 are allocatable here"), ("teams/nlp.yaml", "for this queue")]
    assert "136  promised" in result["message"]["text"]
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_levels_are_those_of_the_severities():
    levels = {one["ruleId"]: one["level"] for one in sarif(*sample())["results"]}
    assert levels == {
        "CAP901": "error",
        "CAP910": "warning",
        "QTY102": "note",
        "VER301": "error",
        "YAM101": "error",
    }


def test_sarif_rules_carry_the_documentation_that_is_given_and_its_severity():
    doc = CodeDoc(
        "CAP901", "n", Severity.WARNING, Consequence.STUCK, "Too much.", "It waits.", "a: 2", "a: 1"
    )
    rules = {rule["id"]: rule for rule in sarif(*sample(), docs={"CAP901": doc})["tool"]["driver"]["rules"]}
    assert rules["CAP901"]["shortDescription"]["text"] == "Too much."
    assert rules["CAP901"]["help"]["text"] == "It waits.\n\nBad:\na: 2\n\nGood:\na: 1"
    assert rules["CAP901"]["defaultConfiguration"] == {"level": "warning"}
    assert rules["CAP910"]["help"]["text"] == "Run: kohort explain CAP910"


def test_sarif_suppressions_say_who_accepted_and_why():
    one = finding(code="AAA100")
    hidden = tuple(
        Hidden(one, by, "because", "platform" if by is HiddenBy.EXCEPTION else "") for by in HiddenBy
    )
    run = sarif(Report((finding(),), hidden=hidden))
    assert [result.get("suppressions") for result in run["results"]] == [
        None,
        [{"kind": "inSource", "status": "accepted", "justification": "because"}],
        [{"kind": "external", "status": "accepted", "justification": "because (owner: platform)"}],
        [{"kind": "external", "status": "accepted", "justification": "because"}],
    ]
    assert len({result["partialFingerprints"]["kohort/v1"] for result in run["results"]}) == 4


def test_sarif_fixes_are_the_edits_that_replace_text():
    results = {one["ruleId"]: one for one in sarif(*sample())["results"]}
    change = results["QTY102"]["fixes"][0]["artifactChanges"]
    assert change == [
        {
            "artifactLocation": {"uri": "raw/queue.yaml", "uriBaseId": "%SRCROOT%"},
            "replacements": [
                {
                    "deletedRegion": {"startLine": 6, "startColumn": 44, "endLine": 6, "endColumn": 48},
                    "insertedContent": {"text": "97656250Ki"},
                }
            ],
        }
    ]


@pytest.mark.parametrize("action", ["insert", "delete", "move"])
def test_sarif_leaves_out_a_fix_that_it_could_tell_only_in_part(action):
    place = Origin("a.yaml", 0, ("a",))
    places = Memory({"a.yaml": "a: 1"}, {place: Span(1, 4, 1, 5)})
    fix = Fix("do", (Edit("replace", place, "2"), Edit(action, place)))
    assert "fixes" not in sarif(Report((finding(origin=place, fix=fix),)), places)["results"][0]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ü.yaml", "a%20b/%C3%BC.yaml"),
        ("./a.yaml", "a.yaml"),
        ("a%20b#c?.yaml", "a%2520b%23c%3F.yaml"),
        ("c:d.yaml", "c%3Ad.yaml"),
        ("../up.yaml", "../up.yaml"),
        ("/abs/a b.yaml", "file:///abs/a%20b.yaml"),
        ("caf\udce9.yaml", "caf%E9.yaml"),
        ("x\ud800.yaml", "x%ED%A0%80.yaml"),
    ],
)
def test_sarif_uris(file, uri):
    result = sarif(Report((finding(origin=Origin(file)),)))["results"][0]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == uri
    assert ("uriBaseId" in location) == (not file.startswith("/"))


def test_sarif_tells_what_was_not_checked():
    notes = sarif(*sample())["invocations"][0]["toolExecutionNotifications"]
    assert [(one["level"], one["message"]["text"]) for one in notes] == [
        ("note", "not checked: LocalQueue a/default: no Namespace was given")
    ]


# --- GitLab ----------------------------------------------------------------------------------------------


def gitlab(report: Report, places: Memory | None = None) -> list[dict]:
    return json.loads(FORMATS["gitlab"](report, places or Memory({}), RenderOptions()))


@pytest.mark.parametrize(
    ("severity", "consequence", "word"),
    [
        (Severity.ERROR, Consequence.REFUSED, "blocker"),
        (Severity.ERROR, Consequence.INVALID, "blocker"),
        (Severity.ERROR, Consequence.STUCK, "critical"),
        (Severity.ERROR, Consequence.POLICY, "critical"),
        (Severity.WARNING, Consequence.UNSAFE, "major"),
        (Severity.WARNING, Consequence.DISRUPTIVE, "major"),
        (Severity.WARNING, Consequence.REFUSED, "minor"),
        (Severity.INFO, Consequence.REFUSED, "info"),
    ],
)
def test_gitlab_severity(severity, consequence, word):
    issues = gitlab(Report((finding(severity=severity, consequence=consequence),)))
    assert [issue["severity"] for issue in issues] == [word]


def test_gitlab_fingerprints_survive_moved_lines_and_tell_equal_findings_apart():
    def run(shift: int) -> list[str]:
        places = Memory({"a.yaml": "\n" * 20})
        found = []
        for index in range(2):
            origin = Origin("a.yaml", 0, ("spec", index))
            places.spans[origin] = Span(index + shift, 1, index + shift, 2)
            found.append(finding(origin=origin))
        return [issue["fingerprint"] for issue in gitlab(Report(tuple(found)), places)]

    assert run(1) == run(7)
    assert len(set(run(1))) == 2
    changed = gitlab(Report((finding("it is very wrong", Origin("a.yaml")),)))[0]["fingerprint"]
    assert changed not in run(1)


def test_gitlab_issues_always_have_a_path_and_a_line():
    issues = gitlab(Report((finding(origin=Origin("")), finding(origin=Origin("./b.yaml")))))
    assert [issue["location"] for issue in issues] == [
        {"path": ".", "lines": {"begin": 1}},
        {"path": "b.yaml", "lines": {"begin": 1}},
    ]


# --- GitHub ----------------------------------------------------------------------------------------------


def test_github_commands_carry_place_and_title():
    text = FORMATS["github"](*sample(), RenderOptions(show_help=False))
    assert text.splitlines()[4] == (
        "::error file=teams/nlp.yaml,line=8,col=15,endLine=8,endColumn=17,title=CAP901 promise-beyond-hardware"
        '::cohort "research" promises 136 H100, cluster "vela" has 120'
        "%0Aobject: ClusterQueue nlp-train, spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
        "%0Asum: +  64  team nlp, queue train (teams/nlp.yaml:8:15)"
        "%0A  +  48  team vision%0A  +  24  team speech%0A  = 136  promised"
        "%0A  > 120  healthy H100 (clusters/vela/nodes.yaml:5:14)"
        "%0Aderived: 64 GPUs × 1 per GPU%0Aclusters: pokprod, vela"
    )
    kinds = [line.split(" ")[0] for line in text.splitlines()]
    assert kinds == ["::warning", "::error", "::error", "::notice", "::error", "::notice"]


def test_github_without_findings_prints_nothing():
    assert FORMATS["github"](Report(()), Memory({}), RenderOptions()) == ""


# --- JUnit -----------------------------------------------------------------------------------------------


def junit(report: Report, places: Memory | None = None) -> ET.Element:
    return ET.fromstring(FORMATS["junit"](report, places or Memory({}), RenderOptions()))


def test_junit_has_a_suite_per_file_with_its_counts():
    root = junit(*sample())
    assert [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in root] == [
        ("repository", "1", "0", "0"),
        ("raw/broken.yaml", "1", "0", "1"),
        ("raw/queue.yaml", "2", "1", "0"),
        ("teams/nlp.yaml", "1", "1", "0"),
        ("not checked", "0", "0", "0"),
    ]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "2", "1")
    failure = root.find("testsuite[@name='teams/nlp.yaml']/testcase/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == (
        "CAP901",
        'cohort "research" promises 136 H100, cluster "vela" has 120',
    )
    assert "8 |         h100: 64" in (failure.text or "")


def test_junit_warnings_are_passed_cases_with_output():
    case = junit(Report((finding(severity=Severity.WARNING),))).find("testsuite/testcase")
    assert case is not None
    assert [child.tag for child in case] == ["system-out"]


def test_junit_of_a_clean_run_has_one_passed_case():
    root = junit(Report(()))
    assert [(case.get("name"), list(case)) for case in root.iter("testcase")] == [("no findings", [])]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "0")


# --- Markdown --------------------------------------------------------------------------------------------


def markdown(report: Report, places: Memory | None = None) -> str:
    return FORMATS["markdown"](report, places or Memory({}), RenderOptions())


def test_markdown_of_a_clean_run_is_short():
    assert markdown(Report((), files=3, objects=9)) == "### Kohort: no findings in 3 files, 9 objects\n\n"


@pytest.mark.parametrize("count", [3, 200, 2_000, 20_000])
def test_markdown_fits_into_a_comment_and_counts_all(count):
    found = tuple(
        finding(f"number {n} of {'many ' * 20}", Origin(f"teams/{n:05}.yaml"), code=f"CAP{900 + n % 3}")
        for n in range(count)
    )
    text = markdown(Report(found, tuple(Unchecked(f"{n} " + "x" * 400, "why" * 200) for n in range(50))))
    assert len(text) <= LIMIT
    assert f"### Kohort: {count} errors in" in text
    for n in range(3):
        assert f"| error | CAP{900 + n} | promise-beyond-hardware | {(count + 2 - n) // 3} |" in text
    told = text.count("<details") + text.count("\n- <b>error")
    left = f"… and {count - told} more findings" if told < count else "</details>"
    assert left in text
    assert told >= min(count, 200)
    assert text.count("```") % 2 == 0
    assert "- not checked: 38 more\n" in text


def test_markdown_tells_a_finding_that_is_too_long_in_one_line_and_the_others_in_full():
    long = finding("short message", Origin("a.yaml"), help=("x" * 70_000,))
    text = markdown(Report((long, finding("another", Origin("b.yaml")))))
    assert "- <b>error</b> CAP901 a.yaml: short message\n" in text
    assert "<summary><b>error</b> CAP901 another</summary>" in text
    assert len(text) < LIMIT


def test_markdown_cuts_a_huge_message():
    text = markdown(Report((finding("<" * 1_000_000),)))
    assert len(text) < LIMIT
    assert "CAP901" in text


def test_markdown_unfolds_few_errors_only():
    few = tuple(finding(f"number {n}") for n in range(3))
    assert markdown(Report(few)).count("<details open>") == 3
    assert markdown(Report((*few, finding("one more")))).count("<details open>") == 0
    assert "<details>" in markdown(Report((finding(severity=Severity.WARNING),)))


# --- full and concise ------------------------------------------------------------------------------------


def test_full_names_the_first_related_places_and_counts_the_others():
    related = tuple(Label(Origin(f"{n}.yaml"), f"number {n}") for n in range(9))
    text = FORMATS["full"](Report((finding(related=related),)), Memory({}), RenderOptions())
    assert "::: 4.yaml (number 4)" in text
    assert "5.yaml" not in text
    assert "= note: and 4 more places" in text


def test_a_help_text_is_one_line():
    text = FORMATS["full"](Report((finding(help=("write\n::error::b",)),)), Memory({}), RenderOptions())
    assert "  = help: write\\x0a::error::b\n" in text


def test_a_term_that_only_says_something_is_no_row_of_the_sum():
    text = FORMATS["full"](*sample(), RenderOptions())
    assert "\n  = derived: 64 GPUs × 1 per GPU\n" in text


def test_a_place_that_is_a_line_is_shown_with_its_text():
    places = Memory({"a.yaml": "a: 1\nb: [  \n"})
    text = FORMATS["full"](Report((finding(origin=line_origin("a.yaml", 2, 4)),)), places, RenderOptions())
    assert " --> a.yaml:2:4\n  |\n2 | b: [\n  |    ^\n" in text


def test_a_place_beyond_the_file_is_still_an_address():
    text = FORMATS["full"](
        Report((finding(origin=line_origin("a.yaml", 7)),)), Memory({"a.yaml": "x"}), RenderOptions()
    )
    assert " --> a.yaml:7:1\n" in text


def test_concise_names_no_place_where_there_is_none():
    report = Report(
        (finding(origin=Origin("")), replace(finding(origin=Origin("a.yaml")), clusters=("vela",)))
    )
    assert FORMATS["concise"](report, Memory({}), RenderOptions()) == (
        "error[CAP901] it is wrong\na.yaml: error[CAP901] it is wrong (vela)\n"
    )


def test_a_plus_behind_a_result_begins_another_sum_in_the_same_columns():
    terms = (
        Term("+", "124", "quota"),
        Term("=", "124", "promised"),
        Term("+", "16", "on nodes"),
        Term("-", "8", "lost"),
        Term("=", "8", "healthy"),
        Term(">", "116", "too much"),
    )
    text = FORMATS["full"](Report((finding(terms=terms),)), Memory({}), RenderOptions(show_help=False))
    assert text.splitlines()[2:] == [
        "  = sum: + 124  quota",
        "         = 124  promised",
        "  = sum: +  16  on nodes",
        "         -   8  lost",
        "         =   8  healthy",
        "         > 116  too much",
    ]


def test_a_term_names_its_place_unless_the_excerpt_showed_it():
    shown, other = Origin("a.yaml"), Origin("b.yaml")
    terms = (Term("+", "1", "here", shown), Term("+", "1", "there", other))
    report = Report((finding(origin=shown, terms=terms),))
    full = FORMATS["full"](report, Memory({}), RenderOptions())
    assert "  = sum: + 1  here\n         + 1  there (b.yaml)\n" in full
    assert "%0Asum: +  1  here (a.yaml)".replace("  1", " 1") in FORMATS["github"](
        report, Memory({}), RenderOptions()
    )


@pytest.mark.parametrize(
    ("summands", "told", "more"),
    [(20, 20, ""), (21, 19, "… and 2 more rows"), (5000, 19, "… and 4981 more rows")],
)
def test_a_sum_of_very_many_tells_the_first_and_the_result(summands, told, more):
    terms = (*(Term("+", "1", f"node {n}") for n in range(summands)), Term("=", str(summands), "in all"))
    text = FORMATS["full"](Report((finding(terms=terms),)), Memory({}), RenderOptions())
    assert len([line for line in text.splitlines() if "  node " in line]) == told
    assert f"node {told - 1}\n" in text
    assert more in text
    assert f"= {summands}  in all" in text
