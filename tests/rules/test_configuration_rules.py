"""Rules on controllers' configurations: places in plain objects and in ConfigMaps, and what stays silent."""

from __future__ import annotations

import pytest
from judged import Judged, local, namespace

from kohort.diagnostics import Consequence, Severity

CONFIG = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
READY = "waitForPodsReady: {timeout: 30m}\n"


def wrapped(text, name="kueue-manager-config", key="controller_manager_config.yaml"):
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: sys}}\ndata:\n  {key}: |\n{body}"


def operator(text):
    return wrapped(text, "appwrapper-operator-config", "config.yaml")


def test_a_plain_object_is_judged_at_the_field():
    judged = Judged(f"{CONFIG}{READY}metrics:\n  address: :8443\n")
    found = judged.only("CFG302")
    assert found.message == "Configuration: metrics.address: unknown field"
    assert (judged.place(found), found.field) == (("0.yaml", 5), "metrics.address")
    assert found.consequence is Consequence.REFUSED
    assert judged.codes() == ["CFG302"]


def test_a_file_in_a_config_map_is_judged_at_its_key():
    judged = Judged(wrapped(f"{CONFIG}fairSharing: {{}}\n"))
    found = judged.only("CFG304")
    assert found.message == (
        "ConfigMap sys/kueue-manager-config, controller_manager_config.yaml: fairSharing.preemptionStrategies: "
        "Required value: must be specified"
    )
    assert judged.place(found) == ("0.yaml", 5)
    assert judged.codes() == ["CFG304"]


def test_another_config_map_is_found_by_the_group_in_its_text():
    judged = Judged(wrapped(f"{CONFIG}namespace: 7\n", name="values", key="kueue.yaml"))
    assert judged.message("CFG303").endswith("namespace: must be text, not the number 7")


@pytest.mark.parametrize(
    "other",
    [
        wrapped("apiVersion: config.jobset.x-k8s.io/v1alpha1\nkind: Configuration\nfoo: 1\n", name="jobset"),
        wrapped("see config.kueue.x-k8s.io for the rest\n", name="notes", key="readme.md"),
        "apiVersion: config.other.io/v1\nkind: Configuration\nmetadata: {name: x}\nfoo: 1\n",
    ],
)
def test_configurations_of_others_are_left_alone(other):
    assert Judged(other).codes("CFG") == []


def test_two_keys_with_one_name_inside_a_config_map():
    judged = Judged(wrapped(f"{CONFIG}namespace: a\nnamespace: b\n"))
    assert "namespace" in judged.message("CFG301")


@pytest.mark.parametrize(
    ("text", "code", "help_"),
    [
        (
            "fairSharing: {enable: true, preemptionStrategies: [LessThanInitialShare]}",
            "CFG302",
            "v1beta2 has no enable",
        ),
        ("integrations: {frameworks: [batch/jobs]}", "CFG304", "did you mean batch/job?"),
        ("intergrations: {}", "CFG302", "did you mean integrations?"),
        ("featureGates: {TASBalancedPlacment: true}", "CFG305", "did you mean TASBalancedPlacement?"),
        ("featureGates: {QueueVisibility: true}", "CFG305", ""),
        ("manageJobsWithoutQueueName: 'true'", "CFG303", ""),
    ],
)
def test_what_may_have_been_meant(text, code, help_):
    found = Judged(f"{CONFIG}{READY}{text}\n").only(code)
    assert (found.help[0] if found.help else "").startswith(help_)
    assert found.severity is Severity.ERROR


def test_a_field_of_a_newer_kueue_names_the_version():
    judged = Judged(f"{CONFIG}tls: {{minVersion: VersionTLS12}}\n", kueue="0.15.2")
    assert judged.only("CFG302").help == ("this field came with Kueue 0.16; the cluster runs 0.15.2",)


def test_a_backported_gate_is_not_refused():
    text = f"{CONFIG}featureGates: {{QuotaCheckStrategy: true}}\n"
    assert Judged(text, kueue="0.17.1").codes("CFG") == ["CFG305"]
    assert Judged(text, kueue="0.17.8").codes("CFG") == []


def test_waiting_by_default_is_noted_since_0_19_only():
    assert Judged(CONFIG, kueue="0.18.0").codes() == []
    found = Judged(CONFIG).only("CFG308")
    assert found.severity is Severity.INFO
    assert "30m" in found.message
    assert Judged(f"{CONFIG}featureGates: {{DisableWaitForPodsReady: true}}\n").codes() == []
    assert Judged(f"{CONFIG}{READY}").codes() == []


def test_a_shadowed_transformation_points_at_both_places():
    judged = Judged(
        f"{CONFIG}{READY}resources:\n  excludeResourcePrefixes: [x, a.com/m]\n  transformations:\n"
        "  - {input: a.com/mig, outputs: {b: 1}}\n  - {input: b.com/mig, outputs: {b: 1}}\n"
    )
    found = judged.only("CFG307")
    assert judged.place(found) == ("0.yaml", 7)
    assert judged.place(found.related[0]) == ("0.yaml", 5)
    assert found.severity is Severity.ERROR


def test_a_selector_that_selects_no_given_namespace():
    config = f"{CONFIG}{READY}managedJobsNamespaceSelector: {{matchLabels: {{managed: 'yes'}}}}\n"
    assert Judged(config).codes() == []
    assert Judged(config, namespace("a", managed="yes"), namespace("b")).codes("CFG") == []
    found = Judged(config, namespace("a", manged="yes")).only("CFG316")
    assert "does not select the only given namespace (a)" in found.message
    assert found.help == ("did you mean the label manged?",)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("appwrapper: {defaultQueueName: main}", []),
        ("", []),
        ("appwrapper: {queueName: main}", ["CFG312"]),
        ("appwrapper: {slackQueueName: slack}", ["CFG312"]),
        ("appwrapper: {kueueJobReconciller: {manageJobsWithoutQueueName: true}}", ["CFG312"]),
        ("appwrapper: {autopilot: {resourceTaints: {a.com/gpu: []}}}", []),
        ("appwrapper: {faultTolerance: {warmupGracePeriod: 10m}}", ["CFG313"]),
        ("appwrapper: {faultTolerance: {warmupGracePeriod: 600000000000}}", []),
        ("appwrapper: {faultTolerance: {warmupGracePeriod: 600}}", ["CFG313"]),
        ("appwrapper: {faultTolerance: {failureGracePeriod: 60}}", ["CFG314"]),
        ("appwrapper: {faultTolerance: {failureGracePeriod: 90000000000000}}", ["CFG313"]),
        ("appwrapper: {faultTolerance: {successTTLCeiling: 0}}", ["CFG313"]),
        ("appwrapper: {userRBACAdmissionCheck: 'no'}", ["CFG313"]),
        ("a: [", ["CFG311"]),
        ("- a", ["CFG311"]),
    ],
)
def test_the_operator_configuration(text, codes):
    assert Judged(operator(text)).codes("CFG") == codes


def test_durations_of_the_operator_say_what_to_write():
    judged = Judged(operator("appwrapper: {faultTolerance: {failureGracePeriod: 2m}}"))
    found = judged.only("CFG313")
    assert found.message == (
        "ConfigMap sys/appwrapper-operator-config, config.yaml: appwrapper.faultTolerance.failureGracePeriod: "
        'must be a whole number of nanoseconds, not the text "2m"'
    )
    assert found.help == ("write 120000000000 for 2m",)
    assert judged.place(found) == ("0.yaml", 5)


def test_two_keys_stop_the_operator():
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: appwrapper-operator-config, namespace: sys}\ndata: {a: '', b: ''}\n"
    assert "holds 2 keys (a, b)" in Judged(text).message("CFG311")
    assert "holds 0 keys (none)" in Judged(text.replace("{a: '', b: ''}", "{}")).message("CFG311")


def test_kueue_must_wait_as_long_as_the_warm_up():
    config = f"{CONFIG}waitForPodsReady:\n  timeout: 4m\n"
    judged = Judged(config, operator("appwrapper: {defaultQueueName: main}"))
    found = judged.only("CFG315")
    assert "timeout 4m0s is shorter than AppWrapper's warm-up 5m0s" in found.message
    assert judged.place(found) == ("0.yaml", 4)
    assert Judged(config.replace("4m", "5m"), operator("appwrapper: {}")).codes("CFG") == []


def test_a_refused_configuration_is_one_finding():
    text = f"{CONFIG}resources: {{excludeResourcePrefixes: [a], transformations: [{{input: a, strategy: Keep}}]}}\n"
    assert Judged(text, local("default", "q"), namespace("team-a")).codes("CFG") == ["CFG304"]


def weighted(kind, weight):
    return f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: {kind}\nmetadata: {{name: all}}\nspec: {{fairSharing: {{weight: {weight}}}}}\n"


def test_a_weight_without_fair_sharing():
    off = wrapped(f"{CONFIG}{READY}")
    judged = Judged(off, weighted("Cohort", '"2"'))
    assert judged.message("CFG309").startswith("Cohort all: weight 2 changes nothing")
    assert judged.place(judged.only("CFG309")) == ("1.yaml", 4)
    on = f"{CONFIG}{READY}fairSharing: {{preemptionStrategies: [LessThanInitialShare]}}\n"
    assert Judged(on, weighted("Cohort", '"2"')).codes("CFG") == []
    assert Judged(off, weighted("Cohort", '"1"')).codes("CFG") == []
    assert Judged(weighted("Cohort", '"2"')).codes("CFG") == []  # nobody said what the manager runs with
