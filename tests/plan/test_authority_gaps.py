"""Ways around those who must agree: each asks for somebody, or is refused."""

from __future__ import annotations

import json
import textwrap
from datetime import date

import pytest
from plan_world import FILES

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

RED, ORG = "teams/red/team.yaml", "kohort.yaml"
CLUSTER, POLICY, WAIVER = "clusters/pokprod/cluster.yaml", "ci/policies/p.yaml", "ci/exceptions/e.yaml"
API = "apiVersion: kohort.dev/v1alpha1\n"


def edited(*edits, files=FILES):
    found = dict(files)
    for file, old, new in edits:
        assert old in found[file], (file, old)
        found[file] = found[file].replace(old, new, 1)
    return found


def tree(files):
    return MemoryTree({name: text.encode() for name, text in files.items()})


def plan(before, after, at=None, **actor):
    return plan_repositories(tree(before), tree(after), Settings(at=at, **actor)).plan


def asked(plan):
    return [(each.who, each.why) for each in plan.approvals]


def said(plan):
    return [(f.code, f.message) for f in (*plan.findings, *plan.new) if f.code.startswith(("AUT", "POL"))]


def with_authority(text, files=FILES):
    return edited((ORG, "  access:\n", f"  authority: {text}\n  access:\n"), files=files)


def policy(expression, about="team", judge="state", name="p"):
    return API + textwrap.dedent(f"""\
        kind: Policy
        metadata: {{name: {name}}}
        spec:
          about: {about}
          judge: {judge}
          rules:
          - expression: {json.dumps(expression)}
            message: no
        """).replace("message: no", "message: not so")


def waiver(codes, expires="2027-01-01"):
    return (
        API
        + f"kind: Exception\nmetadata: {{name: meant}}\nspec: {{codes: [{codes}], owner: carol, reason: moved, expires: {expires}}}\n"
    )


LESS_RED = (RED, "gpus: 6", "gpus: 2")
MORE_RED = (RED, "gpus: 6", "gpus: 9")


def test_taking_kohort_yaml_away_takes_pinned_admins_away():
    pinned = with_authority("{pinned: {groups: [platform-admins], users: [root]}, minimumAdmins: 1}")
    before = edited(
        (ORG, "{groups: [platform-admins]}\n", "{groups: [platform-admins], users: [root]}\n"), files=pinned
    )
    after = {name: text for name, text in before.items() if name != ORG}
    done = plan(before, after)
    assert [code for code, _ in said(done)] == ["AUT101", "AUT101", "AUT102"]
    assert (
        said(done)[0][1]
        == "Group platform-admins is pinned as an admin of the organisation, and the change removes it"
    )
    assert all(f.primary.origin.file == ORG for f in done.findings if f.code.startswith("AUT"))


def test_who_is_pinned_and_was_no_admin_is_removed_by_no_change():
    before = with_authority("{pinned: {groups: [others], users: [root]}}")
    assert said(plan(before, before)) == []
    assert said(plan(before, edited(MORE_RED, files=before))) == []


def test_amounts_beside_the_gpus_that_a_team_types_itself_ask_the_admins():
    done = plan(FILES, edited((RED, "gpus: 6", "gpus: 6, resources: {memory: 900Gi, cpu: 60}")))
    assert asked(done) == [
        (
            "admins",
            "team red states memory of h100 on pokprod itself: its guarantee would grow from 768Gi to 900Gi memory",
        )
    ]
    assert done.approvals[0].people == ("Group platform-admins", "Group pokprod-admins")


def test_typed_amounts_that_fall_ask_the_team_and_nobody_where_they_stay():
    before = edited((RED, "gpus: 6", "gpus: 6, resources: {memory: 900Gi}"))
    who = "team red, which names no admins: its guarantee falls by 100Gi memory (h100 on pokprod: 900Gi to 800Gi)"
    assert asked(plan(before, edited((RED, "900Gi", "800Gi"), files=before))) == [("admins", who)]
    assert asked(plan(before, edited((RED, "900Gi", "921600Mi"), files=before))) == []


def test_a_new_team_asks_the_admins_even_without_a_guarantee():
    new = (
        FILES[RED]
        .replace("name: red", "name: pink")
        .replace("[red]", "[pink, pink-test]")
        .replace("gpus: 6", "gpus: 0")
    )
    done = plan(FILES, {**FILES, "teams/pink/team.yaml": new})
    assert ("admins", "team pink is new, with 2 namespaces: pink, pink-test") in asked(done)


def test_a_namespace_that_a_team_takes_asks_the_admins():
    done = plan(FILES, edited((RED, "namespaces: [red]", "namespaces: [red, kube-system]")))
    assert ("admins", "team red takes 1 namespace: kube-system") in asked(done)
    assert asked(plan(edited((RED, "[red]", "[red, red-test]")), FILES)) == []


def test_a_namespace_that_the_base_lets_the_team_claim_asks_nobody():
    before = edited((ORG, "  access:\n", "  claims: [{teams: red, namespaces: ['red*']}]\n  access:\n"))
    assert asked(plan(before, edited((RED, "[red]", "[red, red-test]"), files=before))) == []
    own = (ORG, "namespaces: ['red*']", "namespaces: ['*']")
    done = plan(before, edited((RED, "[red]", "[red, blue-test]"), own, files=before))
    assert ("admins", "team red takes 1 namespace: blue-test") in asked(done)


def test_a_team_under_a_new_name_is_not_new():
    after = {name: text for name, text in FILES.items() if name != RED}
    after["teams/crimson/team.yaml"] = (
        FILES[RED]
        .replace("name: red", "name: crimson")
        .replace("  namespaces", "  previously: red\n  namespaces")
    )
    assert not [why for _, why in asked(plan(FILES, after)) if "is new" in why or "takes" in why]


RAIL = with_authority("{largestRemoval: {guarantee: 3}}")


def test_an_exception_in_the_change_lets_a_large_removal_through_and_asks_for_an_admin():
    done = plan(RAIL, {**edited(LESS_RED, files=RAIL), WAIVER: waiver("AUT103")})
    assert said(done) == []
    assert ("admins", "it accepts AUT103 until 2027-01-01: moved") in asked(done)
    assert not [f for f in done.new if f.code.startswith("SUP")]


def test_an_exception_of_an_earlier_change_lets_nothing_through():
    before = {**RAIL, WAIVER: waiver("AUT103")}
    assert [code for code, _ in said(plan(before, edited(LESS_RED, files=before)))] == ["AUT103"]


def test_an_exception_that_is_over_lets_nothing_through():
    after = {**edited(LESS_RED, files=RAIL), WAIVER: waiver("removes-too-much-at-once", "2026-01-01")}
    assert [code for code, _ in said(plan(RAIL, after, at=date(2026, 11, 30)))] == ["AUT103"]


def test_check_does_not_call_an_exception_of_a_guard_rail_unused():
    files = {**RAIL, WAIVER: waiver("AUT103")}
    report = check_repository(tree(files), Settings())[0].report
    assert not [f for f in report.findings if f.code.startswith("SUP")]
    files[WAIVER] = waiver("QTA501")
    report = check_repository(tree(files), Settings())[0].report
    assert [f.message for f in report.findings if f.code.startswith("SUP")] == [
        'exception "meant" hides no finding'
    ]


CAP = {**FILES, POLICY: policy("team.quota.all(q, q.flavor != 'h100' || q.guarantee <= 8)")}


def test_a_comment_in_the_changed_file_does_not_silence_a_policy_and_an_exception_does():
    broken = edited(
        MORE_RED,
        (RED, "metadata:", "# kohort: allow policy-violated because it is fine\nmetadata:"),
        files=CAP,
    )
    assert said(plan(CAP, broken)) == [("POL201", "team red: not so")]
    assert said(plan(CAP, {**edited(MORE_RED, files=CAP), WAIVER: waiver("POL201")})) == []


def test_severities_of_the_base_hold_and_those_of_the_change_do_not():
    off = (ORG, "  access:\n", "  severities: {POL201: 'off'}\n  access:\n")
    assert said(plan(CAP, edited(MORE_RED, off, files=CAP))) == [("POL201", "team red: not so")]
    base = edited(off, files=CAP)
    assert said(plan(base, edited(MORE_RED, files=base))) == []


def test_a_policy_that_the_change_deletes_or_softens_still_judges_it():
    for file in (None, policy("true")):
        after = edited(MORE_RED, files=CAP)
        if file is None:
            del after[POLICY]
        else:
            after[POLICY] = file
        assert said(plan(CAP, after)) == [("POL201", "team red: not so")]


def test_a_policy_of_the_base_that_gives_no_answer_is_told_though_it_gave_none_before():
    base = {**FILES, POLICY: policy("team.motto == 'fast'")}
    done = plan(base, edited(MORE_RED, files=base))
    assert [code for code, _ in said(done)] == ["POL104"]
    assert "there is no key 'motto'" in said(done)[0][1]


def test_a_policy_that_adds_up_sees_clusters_that_do_not_differ():
    """60 of all teams: 24 on pokprod, and 36 on vela, which red does not reach."""
    total = "repository.teams.map(t, t.quota.map(q, int(q.guarantee)).sum()).sum()"
    base = {**FILES, POLICY: policy(f"{total} <= 60", "repository")}
    assert said(plan(base, edited(LESS_RED, files=base))) == []
    done = plan(base, edited(MORE_RED, files=base))
    assert done.alike == 1
    assert said(done) == [("POL201", "the repository: not so")]


def test_a_policy_on_changes_sees_what_no_compiled_object_has():
    base = {**FILES, POLICY: policy("delta.viewers.groups.added.size() == 0", "cluster", "change")}
    text = "access: {admins: {groups: [pokprod-admins]}, viewers: {groups: [auditors]}}"
    after = edited((CLUSTER, "access: {admins: {groups: [pokprod-admins]}}", text), files=base)
    assert said(plan(base, after)) == [("POL201", "cluster pokprod: not so")]
    base[POLICY] = policy("!has(delta.overcommit)", "cluster", "change")
    text = "overcommit: [{flavor: h100, resource: memory, percent: 120, reason: pages}]\n  slack:"
    assert said(plan(base, edited((CLUSTER, "slack:", text), files=base))) == [
        ("POL201", "cluster pokprod: not so")
    ]


@pytest.mark.parametrize("broken", ["kind: [", "", "kind: Team\n", "\x00"])
def test_a_base_that_cannot_be_read_asks_nobody_by_name(broken):
    done = plan({**FILES, ORG: broken}, FILES)
    assert done.approvals is None


def test_a_guarantee_on_hardware_that_comes_with_the_change_asks_the_admins():
    pool = """\
  - name: l40
    flavor: l40
    nodes: 1
    accelerator: nvidia.com/gpu
    labels: {pool: l40}
    perNode: {cpu: 36, memory: 144Gi, nvidia.com/gpu: 4, pods: 108}
  kueue: {frameworks: [batch/job]}
"""
    after = edited(
        ("clusters/vela/cluster.yaml", "  kueue: {frameworks: [batch/job]}\n", pool),
        (
            "queues/flavors.yaml",
            "name: mig\n",
            f"name: l40\nspec: {{}}\n---\n{API}kind: Flavor\nmetadata:\n  name: mig\n",
        ),
        (RED, "    pokprod:", "    vela: [{flavor: l40, gpus: 2}]\n    pokprod:"),
    )
    done = plan(FILES, after)
    assert done.head_errors == ()
    assert ("admins", "team red would be guaranteed 2 GPUs more of l40 on vela") in asked(done)


def test_too_few_admins_are_told_of_a_change_that_takes_one_and_of_no_other():
    before = with_authority(
        "{minimumAdmins: 3}", files=edited((ORG, "[platform-admins]", "[platform-admins, more]"))
    )
    assert said(plan(before, edited(MORE_RED, files=before))) == []
    assert said(plan(before, edited((ORG, "more]", "others]"), files=before))) == []
    assert said(plan(before, edited((ORG, ", more]", "]"), files=before))) == [
        ("AUT102", "the organisation would have 1 admin (groups and users), fewer than 3")
    ]


@pytest.mark.parametrize(
    ("before", "after", "asks"),
    [
        ("120", "150", "a100 cpu on pokprod may be promised up to 150 % of healthy capacity: idle at night"),
        ("120", "unbounded", "a100 cpu on pokprod may be promised without bound: idle at night"),
        ("120", "110", ""),
        ("unbounded", "500", ""),
    ],
)
def test_a_higher_overcommitment_asks_the_admins_and_a_lower_one_does_not(before, after, asks):
    line = "  overcommit: [{{flavor: a100, resource: cpu, percent: {}, reason: idle at night}}]\n  slack:\n"
    base = edited((CLUSTER, "  slack:\n", line.format(before)))
    done = plan(base, edited((CLUSTER, "  slack:\n", line.format(after))))
    assert done.head_errors == ()
    assert [one.why for one in done.approvals if one.rule == "overcommit"] == ([asks] if asks else [])


def test_what_one_team_gains_makes_up_for_nothing_that_another_loses():
    before = with_authority("{largestRemoval: {guarantee: 3}}")
    more = ("teams/blue/team.yaml", "h100, gpus: 8", "h100, gpus: 12")
    assert said(plan(before, edited(LESS_RED, more, files=before))) == [
        ("AUT103", "4 GPUs of guarantees go in one change, more than 3: red 4 h100")
    ]


def test_an_unreadable_declaration_of_the_organisation_takes_no_admin_away():
    before = with_authority("{pinned: {groups: [platform-admins]}, minimumAdmins: 1}")
    done = plan(before, edited((ORG, "spec:", "spec: ["), files=before))
    assert done.head_errors != ()
    assert (said(done), done.approvals) == ([], None)


@pytest.mark.parametrize(("amount", "asks"), [(8, False), (7, True), (9, False)])
def test_slack_may_fall_to_the_largest_node_and_no_further(amount, asks):
    before = edited((CLUSTER, "amount: 4", "amount: 10"))
    done = plan(before, edited((CLUSTER, "amount: 4", f"amount: {amount}")))
    why = f"slack of h100 on pokprod falls from 10 to {amount} GPUs, less than its largest node (8)"
    assert [one.why for one in done.approvals if one.rule == "slack-falls"] == ([why] if asks else [])
