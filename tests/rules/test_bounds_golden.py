"""At the bounds: one below and one above each limit, several offenders at once, lists longer than are shown.

Examples in the documentation show one clear case each; what stands here is what a `<` in place of a `<=` would change.
After a wanted change: KOHORT_UPDATE_GOLDENS=1 pytest tests/rules/test_bounds_golden.py, and read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from judged import V2, check, cohort, flavor, job, local, namespace, queue
from told import told

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.source.tree import MemoryTree

GOLDEN = Path(__file__).parents[1] / "golden" / "bounds"
GPU = "example.com/gpu"
CONFIG = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"


def node(name, labels="", taints="", more="", spec="", units='"8"'):
    return (
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{{labels}}}}}\n"
        f"spec: {{{taints and f'taints: [{taints}]'}{spec}}}\n"
        f"status: {{allocatable: {{{GPU}: {units}, cpu: 64, memory: 256Gi, pods: 110}}{more}}}\n"
    )


def gpus(name, *entries, cohort="", more=""):
    return queue(name, *entries, cohort=cohort, more=more, resource=GPU)


def configmap(text, name="appwrapper-operator-config", key="config.yaml"):
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: sys}}\ndata:\n  {key}: |\n{body}"


def operator(**values):
    listed = ", ".join(f"{key}: {value}" for key, value in values.items())
    return configmap(f"appwrapper: {{faultTolerance: {{{listed}}}}}")


def wrapper(*templates, name="run", **annotations):
    said = ", ".join(f"workload.codeflare.dev.appwrapper/{k}: {v!r}" for k, v in annotations.items())
    parts = "".join(f"  - template: {template}\n" for template in templates)
    return (
        f"apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nmetadata:\n  name: {name}\n  namespace: a\n"
        f"  labels: {{kueue.x-k8s.io/queue-name: main}}\n  annotations: {{{said}}}\nspec:\n  components:\n{parts}"
    )


def pod(name="p", limits=f"{GPU}: 8", spec=""):
    return (
        f"{{apiVersion: v1, kind: Pod, metadata: {{name: {name}}}, spec: {{{spec}restartPolicy: Never, "
        f"containers: [{{name: m, image: i, resources: {{limits: {{{limits}}}}}}}]}}}}"
    )


S = 10**9
M, H = 60 * S, 3600 * S
RULES = "{reclaimWithinCohort: Any}"
STRICT = f"queueingStrategy: StrictFIFO\npreemption: {RULES}"
PAIR = (flavor("h100"), local("q", "train"))
LONG = "n" * 330
BOTH = (
    f"apiVersion: {V2}\nkind: ClusterQueue\nmetadata: {{name: both}}\nspec:\n  namespaceSelector: {{}}\n  resourceGroups:\n"
    f"  - coveredResources: [cpu, {GPU}, memory]\n    flavors: [{{name: h100, resources: [{{name: cpu, nominalQuota: 120}}, "
    f"{{name: {GPU}, nominalQuota: 12}}, {{name: memory, nominalQuota: 512Gi}}]}}]\n"
)
TAINTED = "{key: gpu, value: a, effect: NoSchedule}", "{key: gpu, value: b, effect: NoExecute}"
CASES: dict[str, tuple[str, ...]] = {
    # amounts
    "few bytes below, at and above one mebibyte": (
        flavor("h100"),
        *(queue(n, f"h100 {v}", resource="memory") for n, v in (("a", 1048575), ("b", 1048576), ("c", 1048577), ("d", 1), ("e", 0))),
    ),
    "amounts that are cut after forty characters": (
        flavor("h100"),
        queue("a", f"h100 {'9' * 39!r}"),
        queue("b", f"h100 {'9' * 40!r}"),
        queue("c", f"h100 {'9' * 41!r}"),
        cohort("d", f"{{resourceGroups: [{{coveredResources: [cpu], flavors: [{{name: h100, resources: [{{name: cpu, nominalQuota: {'9' * 41!r}}}]}}]}}]}}"),
    ),
    "mixed units": (
        flavor("h100"),
        *(queue(n, f"h100 {v}", resource="memory") for n, v in (("a", "1000T"), ("b", "1100T"), ("c", "999G"), ("d", "1023M"), ("e", "1Ti"), ("f", "500k"))),
    ),
    # strict queues
    "strict queue: a job as large as its own quota": (*PAIR, queue("train", 'h100 "4"', cohort="org", more=STRICT), queue("other", 'h100 "8"', cohort="org"), job("run", "{cpu: 4}")),
    "strict queue: a job larger by a millicore": (*PAIR, queue("train", 'h100 "4"', cohort="org", more=STRICT), queue("other", 'h100 "8"', cohort="org"), job("run", "{cpu: 4001m}")),
    "strict queue: a job as large as all that it can reach": (*PAIR, queue("train", 'h100 "4"', cohort="org", more=STRICT), queue("other", 'h100 "8"', cohort="org"), job("run", "{cpu: 12}")),
    "strict queue: beyond what it can reach": (*PAIR, queue("train", 'h100 "4"', cohort="org", more=STRICT), queue("other", 'h100 "8"', cohort="org"), job("run", "{cpu: 12001m}")),
    "strict queue: the worst of several jobs, on the larger of two flavors": (
        flavor("h100"), flavor("a100"), local("q", "train"),
        queue("train", 'h100 "4"', 'a100 "6"', cohort="org", more=STRICT), queue("other", 'h100 "80"', 'a100 "80"', cohort="org"),
        job("small", "{cpu: 7}"), job("large", "{cpu: 9}"), job("middle", "{cpu: 8}"), job("fits", "{cpu: 6}"),
    ),
    "strict queue: no quota of its own": (*PAIR, queue("train", 'h100 "0"', cohort="org", more=STRICT), queue("other", 'h100 "8"', cohort="org"), job("run", "{cpu: 1}")),
    # lending without reclaiming
    "never reclaims: lends nothing, one millicore, all of several": (
        flavor("h100"), *(flavor(f"f{i}") for i in range(5)),
        *(local(n, n) for n in ("none", "little", "much", "taker")),
        queue("none", 'h100 "4", lendingLimit: "0"', cohort="org"),
        queue("little", "h100 4, lendingLimit: 1m", cohort="org"),
        queue("much", *(f'f{i} "4"' for i in range(5)), cohort="org"),
        queue("taker", 'h100 "1"', *(f'f{i} "1"' for i in range(5)), cohort="org", more=f"preemption: {RULES}"),
    ),
    # selectors
    "selector absent: one and three local queues": (
        flavor("h100"), queue("a", 'h100 "1"', selector=""), queue("b", 'h100 "1"', selector=""),
        local("one", "a"), *(local(f"l{i}", "b", f"ns-{i}") for i in range(3)),
    ),
    # checks of MultiKueue
    "two, three and limited MultiKueue checks, beside provisioning": (
        flavor("h100"),
        *(check(f"mk{i}", "kueue.x-k8s.io/multikueue") for i in range(3)),
        check("prov", "kueue.x-k8s.io/provisioning-request"),
        queue("a", 'h100 "1"', more="admissionChecksStrategy: {admissionChecks: [{name: prov}, {name: mk0}, {name: mk1}]}"),
        queue("b", 'h100 "1"', more="admissionChecksStrategy: {admissionChecks: [{name: mk2}, {name: mk1}, {name: mk0}]}"),
        queue("c", 'h100 "1"', more="admissionChecksStrategy: {admissionChecks: [{name: mk0, onFlavors: [h100]}]}"),
        queue("d", 'h100 "1"', more="admissionChecksStrategy: {admissionChecks: [{name: mk0, onFlavors: []}]}"),
    ),
    # references
    "missing local queue: near here, elsewhere, nowhere": (
        flavor("h100"), queue("a", 'h100 "1"'), local("training", "a"), local("elsewhere", "a", "team-b"), local("elsewhere", "a", "team-c"),
        local("zzz", "a"), job("near", "{cpu: 1}", queue="trainin"), job("far", "{cpu: 1}", queue="elsewhere"), job("none", "{cpu: 1}", queue="qqqqqq"),
        job("empty", "{cpu: 1}", queue="qqqqqq", namespace="team-d"),
    ),
    "written twice: differences in maps, lists, lengths and kinds": (
        *(queue(n, 'h100 "1"') for n in "abcde"), flavor("h100"),
        queue("a", 'h100 "1"'), queue("b", 'h100 "2"'), queue("c", 'h100 "1"', 'g100 "1"'), queue("d", "h100 1"), queue("e", 'h100 "1"', more="stopPolicy: Hold"),
    ),
    # flavors
    "eight flavors that do not match, and nine": (
        *(flavor(f"f{i}", f"{{nodeLabels: {{gpu: g{i}}}}}") for i in range(9)),
        queue("eight", *(f'f{i} "8"' for i in range(8))), queue("nine", *(f'f{i} "8"' for i in range(9))),
        local("eight", "eight"), local("nine", "nine"),
        job("a", "{cpu: 1}", queue="eight", spec=", nodeSelector: {gpu: none}"), job("b", "{cpu: 1}", queue="nine", spec=", nodeSelector: {gpu: none}"),
    ),
    "what the pod selects and the flavor has": (
        flavor("h100", "{nodeLabels: {gpu: h100, zone: z1}}"), queue("train", 'h100 "8"'), local("q", "train"),
        job("a", "{cpu: 1}", spec=", nodeSelector: {other: x, gpu: h100, zone: z2}"), job("b", "{cpu: 1}", spec=", nodeSelector: {other: x, gpu: h100}"),
        job("c", "{cpu: 1}", spec=", nodeSelector: {zone: z1, gpu: a100}"),
    ),
    "pod sets: exactly the quota together, and one more": (
        flavor("h100"), gpus("a", "h100 16"), local("main", "a", "a"), wrapper(pod("a"), pod("b"), name="fits"),
        wrapper(pod("a", f"{GPU}: 9"), pod("b"), name="exceeds"), wrapper(pod("a"), pod("b", "cpu: 1"), pod("z", f"{GPU}: 9"), name="third"),
    ),
    "uncovered resources of any length": (
        flavor("h100"), queue("train", 'h100 "8"'), local("q", "train"),
        job("a", f"{{cpu: 1, example.com/{LONG[:305]}: 1}}"), job("b", f"{{cpu: 1, example.com/{LONG[:306]}: 1}}"), job("c", f"{{cpu: 1, example.com/{LONG}: 1}}"),
    ),
    "limits that are no quantities, and requests above, at and below a limit": (
        flavor("h100"), queue("train", 'h100 "8"'), local("q", "train"),
        *(job(f"j{i}", f"{{cpu: {request}}}, limits: {{cpu: {limit}}}") for i, (request, limit) in enumerate(
            (("2", "1"), ("1", "1"), ("1", "2"), ("[1]", "1"), ("1", "[0]"), ("x", "1"), ("1", "x"), ("true", "0"), ("1", "null"), ("1001m", "1")))),
    ),
    "uncovered resources of zero, less and more": (
        flavor("h100"), queue("train", 'h100 "8"'), local("q", "train"), *(job(f"j{i}", f"{{memory: {v}}}") for i, v in enumerate(("0", "1", "-1"))),
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: team-a}\nspec: {limits: [{type: Container, defaultRequest: {example.com/x: 1}}]}\n",
    ),
    "queue names on templates": tuple(
        f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j{n}, namespace: a}}\nspec: {{template: {{metadata: {{labels: {{kueue.x-k8s.io/queue-name: {LONG[:n]}}}}}, "
        "spec: {restartPolicy: Never, containers: [{name: m, image: i, resources: {requests: {cpu: 1}}}]}}}\n"
        for n in (1, 79, 80, 81)
    ),
    "isolated queues: with quota, without, with both": (
        flavor("h100"), flavor("a100"), queue("with", 'h100 "1", borrowingLimit: "0", lendingLimit: "0"', cohort="org"),
        queue("without", 'h100 "0", borrowingLimit: "0"', cohort="org"),
        queue("both", 'h100 "0", borrowingLimit: "0"', 'a100 "1", borrowingLimit: "0", lendingLimit: "0"', cohort="org"),
        queue("lends", 'h100 "1", borrowingLimit: "0", lendingLimit: 1m', cohort="org"), queue("borrows", 'h100 "1", borrowingLimit: 1m, lendingLimit: "0"', cohort="org"),
    ),
    "a flavor that five queues of a cohort do not list": (
        *(flavor(f) for f in ("h100", "a100")), queue("has", 'h100 "1"', 'a100 "1"', cohort="org"), *(queue(f"q{i}", 'h100 "1"', cohort="org") for i in range(6)),
        queue("alone", 'h100 "1"', cohort="five"), queue("has-too", 'a100 "1"', cohort="five"), *(queue(f"r{i}", 'h100 "1"', cohort="five") for i in range(4)),
    ),
    "stored as another amount, with names of forty digits": (flavor("h100"), *(queue(f"q{n}", f"h100 '{10**n}'") for n in (18, 19, 39, 40, 41))),
    "one byte and two, with every suffix": (
        flavor("h100"), *(queue(f"q{i}", f"h100 {v}", resource="memory") for i, v in enumerate(("1", "2", "1k", "1Ki", "1e3", "1000000000n", "1M", "1500m", "2e0"))),
        job("j", "{memory: 1, ephemeral-storage: 2}"),
    ),
    # AppWrappers
    "device-hours at and above the ceiling, two kinds of devices": (
        wrapper(pod("a", f"{GPU}: 8"), name="typed", retryLimit="1"),
        wrapper(pod("a", f"{GPU}: 2, example.com/aaa: 3"), name="two", retryLimit="0"),
        wrapper(pod("a", f"{GPU}: 3, example.com/aaa: 3"), name="tie", retryLimit="0"),
        wrapper(pod("a", f"{GPU}: 0"), name="none", retryLimit="0"),
        *(
            wrapper(pod("a", f"{GPU}: {n}"), name=f"hour{n}", retryLimit="0", deletionOnFailureGracePeriodDuration="42m30s")
            for n in (1000, 1001)
        ),
        *(wrapper(pod("a", f"{GPU}: {n}"), name=f"n{n}") for n in (71, 72, 73, 75, 80, 85, 100, 137, 857, 858, 1000)),
    ),
    "priorities that differ, with long names": (
        wrapper(pod("a", spec=f"priorityClassName: {LONG[:79]}, "), pod("b", spec=f"priorityClassName: {LONG[:80]}, "), name="a"),
        wrapper(pod("a", spec=f"priorityClassName: {LONG[:81]}, "), pod("b", spec=f"priorityClassName: {LONG[:82]}, "), name="b"),
        wrapper(pod("a", spec="priorityClassName: x, "), pod("b"), pod("c", spec="priorityClassName: x, "), name="same"),
    ),
    # configurations
    "the operator's defaults against each ceiling": (
        *(
            operator(**values)
            for values in (
                {"gracePeriodCeiling": 10 * M}, {"gracePeriodCeiling": 10 * M - 1}, {"gracePeriodCeiling": 5 * M, "deletionGracePeriod": 1},
                {"gracePeriodCeiling": 5 * M - 1, "deletionGracePeriod": 1}, {"gracePeriodCeiling": 90 * S, "deletionGracePeriod": 1, "warmupGracePeriod": M},
                {"gracePeriodCeiling": 90 * S - 1, "deletionGracePeriod": 1, "warmupGracePeriod": M},
                {"gracePeriodCeiling": M - 1, "deletionGracePeriod": 1, "warmupGracePeriod": 1, "resetPause": 1, "admissionGracePeriod": 1},
            )
        ),
    ),
    "the operator's single bounds": (
        operator(gracePeriodCeiling=24 * H, deletionGracePeriod=24 * H),
        operator(deletionGracePeriod=24 * H + 1),
        operator(warmupGracePeriod=M),
        operator(warmupGracePeriod=M - 1),
        operator(admissionGracePeriod=5 * M),
        operator(admissionGracePeriod=5 * M + 1),
        operator(successTTLCeiling=0),
        operator(successTTLCeiling=1),
        operator(successTTLCeiling="null"),
        operator(failureGracePeriod="true"),
        operator(resetPause="1m30s"),
        operator(retryLimit="three"),
    ),
    "unknown keys of the operator": (
        configmap(
            "appwrapper: {slackQueueName: s, schedulrName: x, faultTolerance: {resetPaus: 1}, autopilot: {monitorNode: true}, "
            "enableKueueIntegrations: true, kueueJobReconciller: {waitForPodsReady: {enable: true}}, other: {x: {y: 1}}}\n"
            f"webhookEnabled: true\n{LONG}: 1\n"
        ),
    ),
    "Kueue waits shorter than the warm-up": (*(f"{CONFIG}waitForPodsReady: {{timeout: {t}}}\n" for t in ("299s", "5m", "1s")), operator()),
    "Kueue waits shorter than a warm-up of its own": (f"{CONFIG}waitForPodsReady: {{timeout: 10m}}\n", operator(warmupGracePeriod=10 * M), operator(warmupGracePeriod=10 * M + 1)),
    "a kind of Kueue's configuration beside others of that name": (
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Config\n", "apiVersion: example.com/v1\nkind: Config\nmetadata: {name: x}\n",
        configmap("kind: Configuration\n", "kueue-manager-config", "controller_manager_config.yaml"),
        "apiVersion: example.com/v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config}\ndata: {controller_manager_config.yaml: 'apiVersion: config.kueue.x-k8s.io/v9'}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: 7, b: 'apiVersion: config.kueue.x-k8s.io/v9'}\n",
    ),
    # capacity
    "flavors without nodes: many queues, near labels": (
        flavor("a", "{nodeLabels: {gpu: h100}}"), flavor("b", "{nodeLabels: {gppu: a100}}"), flavor("c", "{nodeLabels: {gpu: a100, zone: z2}}"), flavor("d", "{nodeLabels: {pool: x}}"),
        *(gpus(f"q{i}", "a 1", "b 1", "c 1", "d 0") for i in range(7)), gpus("one", "a 1"),
        node("n1", "gpu: a100, zone: z1, gpupu: x"), node("n2", "gpu: a100, zone: z2x"), node("n3", "gpu: h10, zone: z2"),
    ),
    "taints: one node and several, several promises": (
        flavor("one", "{nodeLabels: {pool: one}}"), flavor("many", "{nodeLabels: {pool: many}}"),
        gpus("a", "one 8"), *(gpus(f"m{i}", "many 4") for i in range(5)),
        node("n1", "pool: one", TAINTED[0]), *(node(f"m{i}", "pool: many", ", ".join(TAINTED)) for i in range(3)),
    ),
    "quota of exactly what is there, one more, and behind a slack": (
        *(flavor(f"f{i}", f"{{nodeLabels: {{pool: p{i}}}}}") for i in range(4)),
        gpus("equal", "f0 16"), gpus("more", "f1 17"), gpus("zero", "f2 0"), gpus("rest", "f3 15"),
        *(node(f"n{i}{j}", f"pool: p{i}") for i in range(4) for j in range(2)),
    ),
    "pods as large as a node, larger, and larger in two resources": (
        flavor("h100"), queue("train", "h100 64", resource="cpu"), gpus("gpus", "h100 16"), local("q", "gpus"), local("c", "train"), node("n1"), node("n2", units='"4"'),
        job("fits", f"{{{GPU}: 8}}"), job("large", f"{{{GPU}: 9}}"), job("cpus", "{cpu: 64}", queue="c"), job("more", "{cpu: 65}", queue="c"),
    ),
    "pods larger than every node in one of several resources": (
        flavor("h100"),
        BOTH,
        local("q", "both"), node("n1"), node("n2", units='"4"'),
        job("gpus", f"{{cpu: 1, {GPU}: 9, memory: 1Gi}}"), job("cpus", f"{{cpu: 65, {GPU}: 8, memory: 1Gi}}"), job("mem", f"{{cpu: 1, {GPU}: 4, memory: 257Gi}}"),
        job("pair", f"{{cpu: 64, {GPU}: 8, memory: 256Gi}}"), job("gang", f"{{cpu: 1, {GPU}: 4, memory: 1Gi}}", pods=3), job("wide", f"{{cpu: 1, {GPU}: 4, memory: 1Gi}}", pods=4),
    ),
    "virtual resources of several queues": (
        flavor("h100"), queue("a", "h100 4", resource="example.com/licence"), queue("b", "h100 4", resource="example.com/licence"), queue("c", "h100 4", resource="example.com/gpuu"), node("n1"),
    ),
    "zeros where some nodes have the resource": (
        flavor("h100", "{nodeLabels: {pool: a}}"), flavor("cpu", "{nodeLabels: {pool: b}}"), gpus("a", "h100 8", "cpu 0"), gpus("b", "h100 0", "cpu 0", cohort="org"),
        node("n1", "pool: a"), node("n2", "pool: a, other: x"), "apiVersion: v1\nkind: Node\nmetadata: {name: n3, labels: {pool: b}}\nstatus: {allocatable: {cpu: 64}}\n",
    ),
    "several nodes out of service": (
        flavor("h100"), gpus("train", "h100 40"), gpus("slack", "h100 8", cohort="org"),
        *(node(f"n{i}") for i in range(3)), *(node(f"out{i}", spec="unschedulable: true") for i in range(6)),
    ),
    "a slack of two resources and three flavors that lends what is lost": (
        *(flavor(f"f{i}", f"{{nodeLabels: {{pool: p{i}}}}}") for i in range(3)), *(gpus(f"t{i}", f"f{i} 8", cohort="org") for i in range(3)),
        f"apiVersion: {V2}\nkind: ClusterQueue\nmetadata: {{name: slack}}\nspec:\n  namespaceSelector: {{}}\n  cohortName: org\n  resourceGroups:\n  - coveredResources: [{GPU}, cpu]\n    flavors:\n"
        + "".join(f"    - {{name: f{i}, resources: [{{name: {GPU}, nominalQuota: 8}}, {{name: cpu, nominalQuota: 64}}]}}\n" for i in range(3)),
        *(node(f"n{i}{j}", f"pool: p{i}", spec="unschedulable: true" if j < i else "") for i in range(3) for j in range(3)),
    ),
    "jobs larger than ever in reach, by quota of their own, by borrowing, without any": (
        flavor("h100"), flavor("a100"), local("q", "train"), local("nn", "none"), queue("train", 'h100 "4", borrowingLimit: "2"', 'a100 "2"', cohort="org"),
        queue("other", 'h100 "8", lendingLimit: "3"', cohort="org"), queue("none", 'h100 "0"', cohort="org"), node("n1"), node("n2"),
        *(job(f"j{n}", f"{{cpu: {n}}}") for n in (4, 6, 7)), job("all", "{cpu: 8}", queue="nn"), job("more", "{cpu: 2}", queue="nn", pods=5),
    ),
    "unassigned hardware of several nodes": (flavor("h100", "{nodeLabels: {pool: a}}"), gpus("train", "h100 1"), node("n1", "pool: a"), *(node(f"free{i}", "pool: b") for i in range(7))),
    "names that the schema refuses or suggests": (
        f"apiVersion: {V2}\nkind: ClusterQueue\nmetadata: {{name: a}}\nspec: {{namespaceSelector: {{}}, queueingStrategy: strictFIFO, stopPolicy: Zzzzz, flavorFungibility: {{whenCanBorow: Borrow, whenCanPreempt: Preempt, zzz: 1}}}}\n",
        f"apiVersion: {V2}\nkind: Cohort\nmetadata: {{name: b}}\nspec: {{zzzzzzz: 1, parnetName: x}}\n",
        f"apiVersion: {V2}\nkind: Cohort\nmetadata: {{name: c, namespace: d}}\nspec: {{parentName: 7}}\n",
        f"apiVersion: {V2}\nkind: LocalQueue\nmetadata: {{name: d}}\nspec: {{clusterQueue: a}}\n",
        namespace("team-a"),
    ),
}  # fmt: skip


def judged(documents, kueue):
    files = {f"{index:02d}.yaml": text.encode() for index, text in enumerate(documents)}
    return told(check_plain([MemoryTree(files)], Settings(kueue=kueue)), kueue)


def compare(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def file_name(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_at_the_bounds(name):
    compare(file_name(name), "\n".join(judged(CASES[name], "0.19.1")) + "\n")


# The labels by which flavors are told apart changed within patch releases.
VERSIONS = (
    "0.15.2",
    "0.16.9",
    "0.17.0",
    "0.17.5",
    "0.17.6",
    "0.17.99",
    "0.18.0",
    "0.18.1",
    "0.18.2",
    "0.19.0",
    "0.19.1",
)


def test_keys_of_other_flavors_count_before_some_versions():
    documents = (
        flavor("a", "{nodeLabels: {gpu: h100}}"), flavor("b", "{nodeLabels: {gpu: h100, zone: z1}}"), queue("train", 'a "8"', 'b "0"'), local("q", "train"),
        job("run", "{cpu: 1}", spec=", nodeSelector: {gpu: h100, zone: z2}"), job("odd", "{cpu: 1}", spec=", nodeSelector: {gpu: a100}"),
    )  # fmt: skip
    text = "".join(f"== {version}\n" + "\n".join(judged(documents, version)) + "\n" for version in VERSIONS)
    compare("versions-of-judged-keys", text)


def test_no_golden_is_left_over():
    names = {file_name(name) for name in CASES} | {"versions-of-judged-keys"}
    assert {path.stem for path in GOLDEN.glob("*.txt")} == names
