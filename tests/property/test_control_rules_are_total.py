"""Rules on configurations, AppWrappers and access answer whatever stands in an object, and never raise."""

from __future__ import annotations

import copy

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.engine.judge import judge_cluster
from kohort.objects.appwrapper import parse_path
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.judge import judge, judge_text
from kohort.objects.kube import KubeObject, Typed
from kohort.rules.appwrapper.paths import PathError, walk

SEEDS = list(
    yaml.safe_load_all(
        """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
waitForPodsReady: {timeout: 5m, requeuingStrategy: {timestamp: Creation, backoffLimitCount: 1}}
integrations: {frameworks: [pod], externalFrameworks: [Foo.v1.example.com]}
fairSharing: {preemptionStrategies: [LessThanInitialShare]}
admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {cpu: 1}}
managedJobsNamespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [b]}]}
multiKueue: {gcInterval: 1m, origin: here, externalFrameworks: [{name: A.b.c}], clusterProfile: {accessProviders: [{name: a, execConfig: {command: c, env: [{name: A}]}}]}}
resources: {excludeResourcePrefixes: [a], transformations: [{input: a.b, outputs: {x: 1}}], deviceClassMappings: [{name: a, deviceClassNames: [b], sources: [{counter: {name: c, driver: d, deviceSelector: {cel: {expression: "true"}}}}]}]}
metrics: {customLabels: [{name: a, sourceKind: Workload, trackedValues: [b]}]}
tls: {minVersion: VersionTLS12, cipherSuites: [A], curvePreferences: [23]}
visibilityServer: {bindAddress: "::1", bindPort: 1}
objectRetentionPolicies: {workloads: {afterFinished: 1h}}
featureGates: {TASBalancedPlacement: true}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: appwrapper-operator-config, namespace: a}
data: {config.yaml: "appwrapper: {faultTolerance: {warmupGracePeriod: 60, retryLimit: x}, queueName: a}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kueue-manager-config, namespace: a}
data: {controller_manager_config.yaml: "apiVersion: config.kueue.x-k8s.io/v1beta2"}
---
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata: {name: train, namespace: a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {workload.codeflare.dev.appwrapper/retryLimit: "3", workload.codeflare.dev.appwrapper/retryPausePeriodDuration: 1h}}
spec:
  components:
  - podSets: [{path: template.spec.template, replicas: 2}]
    template: {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 2, template: {spec: {priorityClassName: p, containers: [{name: m, resources: {limits: {example.com/gpu: 8}}}]}}}}
  - template: {apiVersion: ray.io/v1, kind: RayCluster, metadata: {namespace: b}, spec: {headGroupSpec: {template: {spec: {containers: []}}}, workerGroupSpecs: [{replicas: 1, template: {spec: {}}}]}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: member}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}
rules: [{apiGroups: [""], resources: [pods, nodes], verbs: [create]}, {apiGroups: [kueue.x-k8s.io], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: members, namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
subjects: [{kind: Group, name: people, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: x}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: a}
spec: {clusterQueue: a}
"""
    )
)
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(
        ["", "a", "\x1b[31m", "-5m", "9" * 400, "1d", "template[", "template..", "system:x", "а"]
    ),
    st.just([]),
    st.just({}),
    st.just([[]]),
    st.just({"a": [None, {"b": 1}]}),
)


def places(value, path=()):
    """Every path inside a value, the root excluded."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def put(value, path, new):
    """Replace what stands at a path, unless an earlier change has taken the way there."""
    for step in path[:-1]:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return
    try:
        value[path[-1]] = new
    except (KeyError, IndexError, TypeError):
        return


def obj(data, index):
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    name, namespace = (v if isinstance(v := metadata.get(k), str) else "" for k in ("name", "namespace"))
    version, kind = data.get("apiVersion"), data.get("kind")
    return KubeObject(
        version if isinstance(version, str) else "v1",
        kind if isinstance(kind, str) else "ConfigMap",
        name,
        namespace,
        data,
        Typed("x.yaml", index),
    )


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_value_anywhere_makes_a_rule_raise(data):
    documents = copy.deepcopy(SEEDS)
    for _ in range(data.draw(st.integers(1, 6))):
        document = data.draw(st.sampled_from(documents))
        place = data.draw(st.sampled_from(sorted(places(document), key=str)))
        put(document, place, copy.deepcopy(data.draw(STRANGE)))
    findings = judge_cluster(Cluster([obj(d, i) for i, d in enumerate(documents)]))
    assert all(finding.message and finding.primary.origin.file == "x.yaml" for finding in findings)


def test_the_seeds_do_reach_the_rules():
    codes = {
        f.code[:3] for f in judge_cluster(Cluster([obj(copy.deepcopy(d), i) for i, d in enumerate(SEEDS)]))
    }
    assert {"CFG", "AWR", "ACC"} <= codes


@given(st.recursive(STRANGE, lambda inner: st.dictionaries(st.text(max_size=5), inner, max_size=3)))
@settings(max_examples=100, deadline=None)
def test_any_value_is_judged_as_a_configuration(value):
    for fault in judge(value, "0.19.1"):
        assert fault.message


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_is_judged_as_a_configuration_file(text):
    assert isinstance(judge_text(text, "0.19.1"), list)


@given(st.text("template.[]0a-", max_size=20))
def test_paths_agree_with_the_reader_of_pod_sets(text):
    """Where the webhook walks a path to its end, the pod sets are read at the same place."""
    tree = {"a": [{"a": {"0": 1}}, 2], "0": {"a": []}, "template": {"a": 1}}
    try:
        steps, _ = walk(tree, f"template{text}")
    except PathError:
        return
    assert steps == parse_path(f"template{text}") or "-" in text or "+" in text


@pytest.mark.parametrize("kueue", ["0.15.2", "0.16.1", "0.17.1", "0.18.0", "0.19.1", "1.0.0", "x"])
def test_every_version_is_judged(kueue):
    assert isinstance(judge(copy.deepcopy(SEEDS[0]), kueue), list)
