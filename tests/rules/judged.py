"""Judge a few lines of YAML and look at the findings of one family; shared by the tests of rules."""

from __future__ import annotations

from kohort.engine.outcome import Settings, silent
from kohort.engine.plain import check_plain
from kohort.engine.reading import TreeSet, read_all
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.rules.references.unchecked import unchecked
from kohort.source.tree import MemoryTree

V2 = "kueue.x-k8s.io/v1beta2"


def flavor(name, spec=""):
    return f"apiVersion: {V2}\nkind: ResourceFlavor\nmetadata: {{name: {name}}}\n{spec and f'spec: {spec}'}\n"


def queue(name, *entries, cohort="", more="", resource="cpu", selector="{}"):
    """A ClusterQueue; each entry is `flavor quota [limits]`, such as `h100 8, borrowingLimit: "4"`."""
    lines = [f"apiVersion: {V2}", "kind: ClusterQueue", f"metadata: {{name: {name}}}", "spec:"]
    if selector:
        lines.append(f"  namespaceSelector: {selector}")
    if cohort:
        lines.append(f"  cohortName: {cohort}")
    lines += [f"  {line}" for line in more.splitlines()]
    if entries:
        lines += ["  resourceGroups:", f"  - coveredResources: [{resource}]", "    flavors:"]
        for entry in entries:
            name, _, quota = entry.partition(" ")
            lines.append(f"    - {{name: {name}, resources: [{{name: {resource}, nominalQuota: {quota}}}]}}")
    return "\n".join(lines) + "\n"


def local(name, to, namespace="team-a"):
    return f"apiVersion: {V2}\nkind: LocalQueue\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{clusterQueue: {to}}}\n"


def namespace(name, **labels):
    listed = ", ".join(f"{key}: {value!r}" for key, value in labels.items())
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{listed}}}}}\n"


def cohort(name, spec="{}"):
    return f"apiVersion: {V2}\nkind: Cohort\nmetadata: {{name: {name}}}\nspec: {spec}\n"


def check(name, controller="example.com/gate", parameters=""):
    return (
        f"apiVersion: {V2}\nkind: AdmissionCheck\nmetadata: {{name: {name}}}\n"
        f"spec: {{controllerName: {controller}{parameters and f', parameters: {parameters}'}}}\n"
    )


def job(name, requests, *, spec="", queue="q", namespace="team-a", pods=1, labels=""):
    return (
        f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}, namespace: {namespace}, "
        f"labels: {{kueue.x-k8s.io/queue-name: {queue}{labels}}}}}\n"
        f"spec: {{parallelism: {pods}, template: {{spec: {{restartPolicy: Never{spec}, "
        f"containers: [{{name: main, image: example.com/job, resources: {{requests: {requests}}}}}]}}}}}}\n"
    )


class Judged:
    """The findings on documents, each in one file of its own: `0.yaml`, `1.yaml` and so on."""

    def __init__(self, *documents, kueue="0.19.1"):
        files = {f"{index}.yaml": text.encode() for index, text in enumerate(documents)}
        self.outcome = check_plain([MemoryTree(files)], Settings(kueue=kueue))
        self.findings = self.outcome.report.findings
        self.objects = take_in(read_all(TreeSet([MemoryTree(files)]), silent)).objects

    def codes(self, *families):
        return sorted(f.code for f in self.findings if not families or f.code[:3] in families)

    def of(self, code):
        return [f for f in self.findings if f.code == code]

    def only(self, code):
        found = self.of(code)
        assert len(found) == 1, [f"{f.code} {f.message}" for f in self.findings]
        return found[0]

    def message(self, code):
        return self.only(code).message

    def place(self, finding_or_label):
        origin = getattr(finding_or_label, "origin", None) or finding_or_label.primary.origin
        return origin.file, self.outcome.places.span(origin).line

    def gaps(self):
        return [f"{gap.what}: {gap.why}" for gap in unchecked(Cluster(self.objects))]
