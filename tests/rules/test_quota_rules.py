"""Quota traps: the exact numbers and names, and the cases that look alike and are none."""

from __future__ import annotations

import pytest
from judged import Judged, check, cohort, flavor, job, local, namespace, queue

from kohort.diagnostics import Severity

ANY = "preemption: {reclaimWithinCohort: Any}"
MULTI = "kueue.x-k8s.io/multikueue"


def node(name, **resources):
    listed = ", ".join(f"{key}: '{value}'" for key, value in resources.items())
    return f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{gpu: {name}}}}}\nstatus: {{allocatable: {{{listed}}}}}\n"


def two(name, cpu, gpu, cohort=""):
    """A queue with two resources of flavor h100."""
    text = queue(name, "h100 X", cohort=cohort)
    entries = f"{{name: cpu, nominalQuota: {cpu}}}, {{name: gpu, nominalQuota: {gpu}}}"
    return text.replace("coveredResources: [cpu]", "coveredResources: [cpu, gpu]").replace(
        "{name: cpu, nominalQuota: X}", entries
    )


def test_dead_entries_say_why():
    judged = Judged(
        flavor("h100"),
        queue("alone", "h100 0"),
        queue("limited", 'h100 0, borrowingLimit: "0"', cohort="org", more=ANY),
        queue("owner", "h100 8", cohort="org", more=ANY),
        queue("poor", "h100 0", cohort="empty"),
    )
    assert [f.message for f in judged.of("QTA505")] == [
        "ClusterQueue alone: flavor h100 can never be used: nominalQuota 0 and no cohort to borrow from",
        "ClusterQueue limited: flavor h100 can never be used: nominalQuota 0 and borrowingLimit 0",
        "ClusterQueue poor: flavor h100 can never be used: nominalQuota 0 and cohort empty has nothing of it to lend",
    ]
    assert judged.place(judged.of("QTA505")[0]) == ("1.yaml", 9)
    assert "to stop the queue, spec.stopPolicy: Hold keeps the numbers" in judged.of("QTA505")[0].help


def test_lending_zero_of_the_owner_makes_the_borrower_dead():
    judged = Judged(
        flavor("h100"),
        queue("a", "h100 0", cohort="org"),
        queue("b", 'h100 8, lendingLimit: "0"', cohort="org"),
    )
    assert [f.subject for f in judged.of("QTA505")] == ["ClusterQueue a"]


def test_zeros_that_kueue_forces_are_none():
    assert Judged(flavor("h100"), two("a", 8, 0)).of("QTA505") == []
    owned = Judged(flavor("h100", "{nodeLabels: {gpu: n}}"), two("a", 8, 0), two("b", 8, 4))
    assert owned.message("QTA505").startswith("ClusterQueue a: gpu of flavor h100 can never be used")
    lacking = Judged(
        flavor("h100", "{nodeLabels: {gpu: n}}"), node("n", cpu=8), two("a", 8, 0), two("b", 8, 4)
    )
    assert lacking.of("QTA505") == []
    having = Judged(
        flavor("h100", "{nodeLabels: {gpu: n}}"), node("n", cpu=8, gpu=4), two("a", 8, 0), two("b", 8, 4)
    )
    assert len(having.of("QTA505")) == 1


def test_borrowing_limit_without_a_lender():
    limited = queue("a", 'h100 8, borrowingLimit: "4"', cohort="org", more=ANY)
    judged = Judged(flavor("h100"), limited, queue("b", 'h100 8, lendingLimit: "0"', cohort="org", more=ANY))
    assert judged.message("QTA506") == (
        "ClusterQueue a: borrowingLimit of cpu on flavor h100 can never be used: nobody in cohort org lends any"
    )
    assert judged.place(judged.only("QTA506")) == ("1.yaml", 11)
    lender = queue("b", 'h100 8, lendingLimit: "1"', cohort="org", more=ANY)
    assert Judged(flavor("h100"), limited, lender).of("QTA506") == []


def test_cohort_quota_that_only_another_branch_can_use_is_usable():
    groups = "resourceGroups: [{coveredResources: [cpu], flavors: [{name: h100, resources: [{name: cpu, nominalQuota: 8}]}]}]"
    tree = [cohort("org"), cohort("a", f"{{parentName: org, {groups}}}"), cohort("b", "{parentName: org}")]
    member = queue("q", "h100 0", cohort="b", more=ANY)
    assert Judged(flavor("h100"), *tree, member).of("QTA507") == []
    foreign = queue("q", "h200 8", cohort="b", more=ANY)
    judged = Judged(flavor("h100"), flavor("h200"), *tree, foreign)
    assert judged.message("QTA507") == (
        'Cohort a: no ClusterQueue of its tree lists flavor h100 (did you mean "h200"?): 8 cpu lie idle'
    )


def test_unlisted_flavor_only_for_resources_that_the_queue_covers():
    judged = Judged(
        flavor("h100"),
        flavor("cpu"),
        queue("a", "h100 8", cohort="org", resource="gpu", more=ANY),
        queue("b", "cpu 8", cohort="org", more=ANY),
    )
    assert judged.of("QTA508") == []
    kept = Judged(
        flavor("h100"),
        flavor("a100"),
        queue("a", "h100 8", cohort="org"),
        queue("b", 'a100 8, lendingLimit: "0"', cohort="org"),
    )
    assert [f.message.split(";")[0] for f in kept.of("QTA508")] == [
        "cohort org has flavor h100 that b cannot use"
    ]


def test_queues_with_the_same_gap_share_a_finding():
    judged = Judged(
        flavor("h100"),
        flavor("a100"),
        *(queue(n, "h100 8", cohort="org", more=ANY) for n in "ab"),
        queue("c", "a100 8", cohort="org", more=ANY),
    )
    assert sorted(f.message.split(";")[0] for f in judged.of("QTA508")) == [
        "cohort org has flavor a100 that a, b cannot use",
        "cohort org has flavor h100 that c cannot use",
    ]


def test_never_reclaims_needs_a_lender_and_a_borrower():
    lender = queue("a", 'h100 8, lendingLimit: "3"', cohort="org")
    borrower = queue("b", "h100 8", cohort="org", more=ANY)
    judged = Judged(flavor("h100"), lender, borrower)
    assert judged.message("QTA509") == (
        "ClusterQueue a lends up to 3 cpu of h100 to cohort org and never reclaims: reclaimWithinCohort defaults to Never"
    )
    assert judged.only("QTA509").primary.text == "ClusterQueue b may keep it until its jobs finish"
    stated = Judged(
        flavor("h100"),
        queue("a", "h100 8", cohort="org", more="preemption: {reclaimWithinCohort: Never}"),
        borrower,
    )
    assert stated.message("QTA509").endswith("reclaimWithinCohort is Never")
    assert stated.place(stated.only("QTA509")) == ("1.yaml", 7)
    keeps = queue("a", 'h100 8, lendingLimit: "0"', cohort="org")
    assert Judged(flavor("h100"), keeps, borrower).of("QTA509") == []
    frugal = queue("b", 'h100 8, borrowingLimit: "0"', cohort="org", more=ANY)
    assert Judged(flavor("h100"), lender, frugal).of("QTA509") == []


def test_a_queue_that_nobody_submits_to_needs_no_reclaim():
    judged = Judged(
        flavor("h100"),
        queue("a", "h100 8", cohort="org"),
        queue("b", "h100 8", cohort="org", more=ANY),
        local("q", "b"),
    )
    assert judged.of("QTA509") == []


def test_strict_queue_names_the_largest_job():
    strict = queue("a", "h100 2", cohort="org", more=f"queueingStrategy: StrictFIFO\n{ANY}")
    owner = queue("b", "h100 8", cohort="org", more=ANY)
    judged = Judged(
        flavor("h100"),
        strict,
        owner,
        local("q", "a"),
        job("small", "{cpu: 2}"),
        job("big", "{cpu: 3}", pods=2),
        job("mid", "{cpu: 4}"),
    )
    assert judged.message("QTA510") == (
        "ClusterQueue a is StrictFIFO, and Job team-a/big asks 6 cpu, more than its own 2: while it waits to borrow, it "
        "blocks everything behind it"
    )
    assert judged.place(judged.only("QTA510")) == ("1.yaml", 7)
    assert [judged.place(label) for label in judged.only("QTA510").related] == [("5.yaml", 4)]
    beyond = Judged(flavor("h100"), strict, owner, local("q", "a"), job("huge", "{cpu: 11}"))
    assert beyond.of("QTA510") == []  # it can never run: that is the finding


def test_weight_zero_depends_on_fair_sharing():
    zero = queue("a", "h100 8", cohort="org", more=f"{ANY}\nfairSharing: {{weight: 0}}")
    config = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
    assert Judged(flavor("h100"), zero).only("QTA511").severity is Severity.WARNING
    assert Judged(flavor("h100"), zero, config).of("QTA511") == []
    on = config + "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n"
    assert len(Judged(flavor("h100"), zero, on).of("QTA511")) == 1


def test_stopped_queue_says_what_stays():
    judged = Judged(flavor("h100"), queue("a", "h100 8", cohort="org", more="stopPolicy: HoldAndDrain"))
    assert judged.message("QTA513") == (
        "ClusterQueue a is stopped (HoldAndDrain): nothing is admitted, admitted work is evicted; cohort org may still "
        "borrow its quota"
    )


@pytest.mark.parametrize(
    ("checks", "reason"),
    [
        ("[{name: m1}, {name: m2}]", "MultipleMultiKueueAdmissionChecks"),
        ("[{name: m1, onFlavors: [h100]}]", "MultiKueueAdmissionCheckAppliedPerFlavor"),
        ("[{name: m1}, {name: prov}]", "MultiKueueWithProvisioningRequest"),
        ("[{name: m1}, {name: gate}]", None),
        ("[{name: prov, onFlavors: [h100]}]", None),
    ],
)
def test_combinations_of_multikueue_checks(checks, reason):
    judged = Judged(
        flavor("h100"),
        check("m1", MULTI, "{apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: all}"),
        check("m2", MULTI, "{apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: all}"),
        check("prov", "kueue.x-k8s.io/provisioning-request"),
        check("gate"),
        queue("a", "h100 8", more=f"admissionChecksStrategy: {{admissionChecks: {checks}}}"),
    )
    found = judged.of("QTA514")
    assert [f.help[0] for f in found] == ([f"Kueue shows Active=False, reason {reason}"] if reason else [])


def test_isolated_in_a_cohort():
    isolated = 'h100 8, borrowingLimit: "0", lendingLimit: "0"'
    judged = Judged(
        flavor("h100"),
        flavor("a100"),
        queue("a", isolated, isolated.replace("h100 8", "a100 0"), cohort="org"),
    )
    assert judged.message("QTA515") == (
        "ClusterQueue a neither borrows (borrowingLimit 0) nor lends (lendingLimit 0): cohort org has no effect on it"
    )
    half = Judged(flavor("h100"), queue("a", 'h100 8, borrowingLimit: "0"', cohort="org"))
    assert half.of("QTA515") == []


@pytest.mark.parametrize(
    ("version", "found"), [("0.15.2", 1), ("0.16.0", 1), ("0.16.1", 1), ("0.16.2", 0), ("0.17.1", 0)]
)
def test_swapped_preference(version, found):
    more = "flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing}"
    judged = Judged(flavor("h100"), queue("a", "h100 8", more=more), kueue=version)
    assert [f.message for f in judged.of("QTA516")] == [
        f"ClusterQueue a: in Kueue {version} preference PreemptionOverBorrowing acts as BorrowingOverPreemption"
    ] * found


def test_cancelled_taint_counts_only_repelling_effects():
    spec = "{nodeTaints: [{key: a, effect: PreferNoSchedule}, {key: b, value: x, effect: NoExecute}], tolerations: [{operator: Exists}]}"
    judged = Judged(flavor("spot", spec))
    assert judged.message("QTA517") == (
        "ResourceFlavor spot: taint b=x:NoExecute is cancelled by the flavor's own toleration: it keeps nobody away"
    )
    other = "{nodeTaints: [{key: b, value: x, effect: NoExecute}], tolerations: [{key: b, operator: Equal, value: y}]}"
    assert Judged(flavor("spot", other)).of("QTA517") == []


def test_conflicting_labels_count_the_combinations():
    groups = (
        "resourceGroups:\n"
        "- coveredResources: [cpu]\n  flavors: [{name: x86, resources: [{name: cpu, nominalQuota: 8}]}, {name: arm, resources: [{name: cpu, nominalQuota: 8}]}]\n"
        "- coveredResources: [gpu]\n  flavors: [{name: h100, resources: [{name: gpu, nominalQuota: 8}]}]"
    )
    flavors = [flavor("x86", "{nodeLabels: {arch: amd64}}"), flavor("arm", "{nodeLabels: {arch: arm64}}")]
    judged = Judged(
        *flavors, flavor("h100", "{nodeLabels: {arch: amd64, gpu: h100}}"), queue("a", more=groups)
    )
    assert judged.message("QTA518") == (
        "ClusterQueue a: a pod with cpu and gpu can get flavors arm and h100, whose labels contradict: arch=arm64 and arch=amd64"
    )
    none = Judged(*flavors, flavor("h100", "{nodeLabels: {gpu: h100}}"), queue("a", more=groups))
    assert none.of("QTA518") == []


def test_two_makes_of_devices_in_one_queue_do_not_contradict():
    """No pod asks for both; only what every pod asks for brings its flavor into every pod."""
    groups = (
        "resourceGroups:\n"
        "- {coveredResources: [example.com/gpu], flavors: [{name: one, resources: [{name: example.com/gpu, nominalQuota: 1}]}]}\n"
        "- {coveredResources: [example.org/npu], flavors: [{name: two, resources: [{name: example.org/npu, nominalQuota: 1}]}]}\n"
    )
    flavors = [flavor("one", "{nodeLabels: {model: a}}"), flavor("two", "{nodeLabels: {model: b}}")]
    assert Judged(*flavors, queue("a", more=groups)).of("QTA518") == []
    for resource in ("memory", "pods", "ephemeral-storage"):
        common = Judged(*flavors, queue("a", more=groups.replace("example.org/npu", resource)))
        assert f"with example.com/gpu and {resource} can get flavors one and two" in common.message("QTA518")


def test_selectors_and_namespaces():
    team = queue(
        "a", "h100 8", selector="{matchExpressions: [{key: team, operator: In, values: [blue, red]}]}"
    )
    judged = Judged(flavor("h100"), namespace("team-a", team="green"), team, local("q", "a"))
    assert judged.message("QTA502") == (
        'LocalQueue team-a/q: namespace "team-a" is not selected by ClusterQueue a (needs team In (blue, red), the namespace '
        "has team=green)"
    )
    assert Judged(flavor("h100"), namespace("team-a", team="red"), team, local("q", "a")).codes("QTA") == []
    named = queue("a", "h100 8", selector="{matchLabels: {kubernetes.io/metadata.name: team-a}}")
    assert Judged(flavor("h100"), namespace("team-a"), named, local("q", "a")).codes("QTA") == []
    nobody = Judged(flavor("h100"), namespace("x"), namespace("y"), team)
    assert (
        nobody.message("QTA503") == "ClusterQueue a: namespaceSelector matches none of the 2 given namespaces"
    )


def test_selectors_that_reach_other_teams():
    spaces = [namespace("team-a", tier="r"), namespace("team-b", tier="r"), namespace("spare", tier="r")]
    wide = queue("a", "h100 8", selector="{matchLabels: {tier: r}}")
    other = queue("b", "h100 8", selector="{matchLabels: {kubernetes.io/metadata.name: team-b}}")
    judged = Judged(flavor("h100"), *spaces, wide, other, local("q", "a"), local("q", "b", "team-b"))
    assert (
        judged.message("QTA504")
        == "ClusterQueue a: namespaceSelector also matches namespaces of other queues: team-b"
    )
    everyone = Judged(
        flavor("h100"),
        *spaces,
        queue("a", "h100 8"),
        queue("b", "h100 8"),
        local("q", "a"),
        local("q", "b", "team-b"),
    )
    assert everyone.message("QTA504") == (
        "ClusterQueues a, b select every namespace, also those of other queues: team-b"
    )
