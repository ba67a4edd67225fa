"""Rules on AppWrappers beyond recorded refusals: places, arithmetic, and what stays silent."""

from __future__ import annotations

import pytest
from judged import Judged, local

from kohort.diagnostics import Consequence, Severity

PREFIX = "workload.codeflare.dev.appwrapper/"
POD = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%scontainers: [{name: m, image: i%s}]}}"
PLAIN = POD % ("", "")
GPUS = POD % ("", ", resources: {limits: {a.com/gpu: 8}}")


def wrapper(*templates, name="train", labels="kueue.x-k8s.io/queue-name: main", **annotations):
    listed = ", ".join(f"{PREFIX}{key}: {value!r}" for key, value in annotations.items())
    components = "".join(f"  - template: {template}\n" for template in templates or (PLAIN,))
    return (
        f"apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nmetadata:\n  name: {name}\n  namespace: a\n"
        f"  labels: {{{labels}}}\n  annotations: {{{listed}}}\nspec:\n  components:\n{components}"
    )


def test_a_plain_one_is_silent():
    assert Judged(wrapper()).codes("AWR") == []


@pytest.mark.parametrize(
    ("key", "value", "code", "words"),
    [
        ("retryPausePeriodDuration", "1d", "AWR812", "a day is 24h; AppWrapper takes its default 1m30s"),
        ("retryPausePeriodDuration", "-1s", "AWR812", "-1s is negative; AppWrapper takes 0s"),
        ("warmupGracePeriodDuration", "25h", "AWR812", "25h is above the ceiling; AppWrapper takes 24h0m0s"),
        (
            "successTTLDuration",
            "200h",
            "AWR812",
            "200h is not between 0 and 168h0m0s; AppWrapper takes 168h0m0s",
        ),
        ("retryLimit", "-1", "AWR813", "retryLimit -1 is negative: the first failure ends the job"),
        (
            "retryLimit",
            "many",
            "AWR813",
            'retryLimit "many" is no whole number; AppWrapper takes its default 3',
        ),
        ("terminalExitCodes", "1, 2,x", "AWR814", 'terminalExitCodes: AppWrapper drops " 2", "x"'),
        ("retryableExitCodes", "300", "AWR814", 'retryableExitCodes: no container ends with "300"'),
        ("retryLimt", "1", "AWR811", "ignores it: did you mean retryLimit?"),
        ("tas-sub-group-count", "1", "AWR811", "ignores it"),
    ],
)
def test_annotations(key, value, code, words):
    judged = Judged(wrapper(**{key: value}))
    found = judged.only(code)
    assert words in found.message
    assert judged.place(found) == ("0.yaml", 7)
    assert judged.codes("AWR") == [code]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("retryPausePeriodDuration", "24h"),
        ("retryPausePeriodDuration", "0s"),
        ("successTTLDuration", "1h30m"),
        ("retryLimit", "0"),
        ("terminalExitCodes", "1,2,137"),
    ],
)
def test_right_annotations_are_silent(key, value):
    assert Judged(wrapper(**{key: value})).codes("AWR") == []


def test_blanks_between_exit_codes_have_a_fix():
    fix = Judged(wrapper(terminalExitCodes="1, 2")).only("AWR814").fix
    assert [edit.text for edit in fix.edits] == ['"1,2"']


def test_the_cost_of_retries_with_its_arithmetic():
    judged = Judged(
        wrapper(GPUS, retryLimit="1", warmupGracePeriodDuration="10m", failureGracePeriodDuration="1m")
    )
    found = judged.only("AWR815")
    assert found.severity is Severity.INFO
    assert found.message == "AppWrapper a/train: retries may hold 8 a.com/gpu for 0.8 h: 6 device-hours"
    assert [(t.sign, t.amount, t.text) for t in found.terms] == [
        ("+", "10m0s", "warm-up"),
        ("+", "1m0s", "failure grace"),
        ("+", "10m0s", "forceful deletion"),
        ("+", "1m30s", "pause"),
        ("=", "22m30s", "lost at most in one failing attempt"),
        ("×", "2", "attempts (1 retry)"),
        ("×", "8", "devices"),
        ("=", "6", "device-hours"),
    ]


def test_the_cost_of_retries_above_the_ceiling_is_a_warning():
    judged = Judged(wrapper(GPUS, retryLimit="1", deletionOnFailureGracePeriodDuration="24h"))
    assert judged.only("AWR815").severity is Severity.INFO
    many = Judged(wrapper(GPUS, retryLimit="1000")).only("AWR815")
    assert many.severity is Severity.WARNING
    assert "2,335.7 device-hours" in many.message


def test_no_cost_without_devices_or_settings():
    assert Judged(wrapper(GPUS)).codes("AWR") == []
    assert Judged(wrapper(retryLimit="100000")).codes("AWR") == []


@pytest.mark.parametrize(
    ("length", "consequence"), [(59, None), (60, Consequence.UNSAFE), (62, Consequence.STUCK)]
)
def test_names_leave_room_for_pod_sets(length, consequence):
    found = Judged(wrapper(name="a" * length)).of("AWR816")
    assert [f.consequence for f in found] == ([consequence] if consequence else [])
    assert all(f"has {length} characters" in f.message for f in found)


def test_dots_in_a_name_cannot_name_pod_sets():
    assert "pod sets are named after it" in Judged(wrapper(name="run.1")).message("AWR816")


def test_no_queue_and_what_makes_up_for_it():
    bare = wrapper(labels="")
    judged = Judged(bare)
    assert judged.message("AWR817") == "AppWrapper a/train has no label kueue.x-k8s.io/queue-name"
    assert judged.place(judged.only("AWR817")) == ("0.yaml", 6)
    assert Judged(bare, local("default", "q", "a")).codes("AWR") == []
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: appwrapper-operator-config, namespace: s}\ndata: {c: 'appwrapper: {defaultQueueName: main}'}\n"
    assert Judged(bare, config).codes("AWR") == []
    assert "LocalQueues in a: fast" in Judged(bare, local("fast", "q", "a")).only("AWR817").help[0]


def test_the_second_priority_class_is_the_finding():
    judged = Judged(
        wrapper(POD % ("priorityClassName: high, ", ""), PLAIN, POD % ("priorityClassName: low, ", ""))
    )
    found = judged.only("AWR818")
    assert judged.place(found) == ("0.yaml", 12)
    assert judged.place(found.related[0]) == ("0.yaml", 10)


SECRET = "{apiVersion: v1, kind: Secret, metadata: {name: s}}"
ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: wrapped}
rules: [{apiGroups: [""], resources: [secrets], verbs: [create, get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: wrapped}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: wrapped}
subjects: [{kind: ServiceAccount, name: appwrapper-controller-manager, namespace: appwrapper-system}]
"""


def test_kinds_that_the_controller_may_not_create():
    judged = Judged(wrapper(PLAIN, SECRET))
    assert (
        judged.message("AWR819")
        == "AppWrapper a/train: AppWrapper's controller has no right to create core/Secret"
    )
    assert judged.place(judged.only("AWR819")) == ("0.yaml", 11)
    assert Judged(wrapper(PLAIN, SECRET), ROLE).codes("AWR") == []
    assert Judged(wrapper(PLAIN, SECRET), ROLE.replace("[create, get]", "[get]")).codes("AWR") == ["AWR819"]


def test_pods_that_nobody_counts():
    daemons = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {template: {spec: {containers: []}}}}"
    judged = Judged(wrapper(PLAIN, daemons), ROLE.replace('[""]', "[apps]").replace("secrets", "daemonsets"))
    found = judged.only("AWR820")
    assert found.help == ("declare podSets: [{path: template.spec.template, replicas: N}]",)
    assert judged.codes("AWR") == ["AWR820"]


def test_one_defect_in_a_pod_spec_is_one_finding():
    job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {contaners: [], containers: []}}}}"
    text = wrapper(job).replace(
        "  - template:", "  - podSets: [{path: template.spec.template}]\n    template:"
    )
    judged = Judged(text)
    found = judged.only("AWR804")
    assert found.field == "spec.components[0].template.spec.template.spec.contaners"
    assert found.help == ("did you mean containers?",)
    assert judged.codes("AWR", "KUE") == ["AWR804"]
