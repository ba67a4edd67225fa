"""A wrapped kind that AppWrapper's controller may not create by its own role.

Why:
    The AppWrapper is admitted and its quota reserved, then creating the object is forbidden and the AppWrapper fails.
    An admin has to give the controller a role for the kind first.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}
      - template: {apiVersion: v1, kind: Secret, metadata: {name: token}}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}
      - template: {apiVersion: v1, kind: Service, metadata: {name: train}, spec: {ports: [{port: 80}]}}

Source:
    AppWrapper 1.2.2, ClusterRole of its controller, asked by SubjectAccessReview
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import visible
from kohort.rules.access.granted import may_create
from kohort.rules.appwrapper.webhook import GROUP, denials, is_appwrapper
from kohort.rules.base import Rule

RULE = Rule("AWR819", "kind-not-permitted", Consequence.STUCK, audience=Audience.TEAM)
# (group, kind) that the controller's own ClusterRole lets it create
OWN: Final = frozenset(
    {
        ("", "Pod"),
        ("", "Service"),
        ("apps", "Deployment"),
        ("apps", "StatefulSet"),
        ("batch", "Job"),
        ("jobset.x-k8s.io", "JobSet"),
        ("kubeflow.org", "PyTorchJob"),
        ("ray.io", "RayCluster"),
        ("ray.io", "RayJob"),
        ("scheduling.x-k8s.io", "PodGroup"),
    }
)
_CONTROLLER: Final = "appwrapper-controller-manager"


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per component; nothing where a given role lets the controller create the kind."""
    if not is_appwrapper(obj) or denials(obj, cluster):
        return  # refused as a whole, nothing of it is created
    for index, component in mappings(obj.get("spec", "components")):
        template = component.get("template")
        if not isinstance(template, Mapping):
            continue
        kind, version = template.get("kind"), template.get("apiVersion")
        if not isinstance(kind, str) or not isinstance(version, str) or not kind:
            continue
        group = version.rpartition("/")[0]
        if (group, kind) in OWN or (group, kind) == (GROUP, "AppWrapper"):
            continue
        if may_create(cluster, _CONTROLLER, group, kind):
            continue
        shown = visible(f"{group or 'core'}/{kind}"[:120])
        yield RULE.at(
            obj,
            ("spec", "components", index, "template", "kind"),
            f"{obj.ref}: AppWrapper's controller has no right to create {shown}",
            cluster=cluster,
            help=(
                (
                    "create it outside of the AppWrapper, or ask an admin for a ClusterRole for the ServiceAccount "
                    f"{_CONTROLLER} (in a Kohort repository: appwrapper.wrappedKinds of the cluster)"
                ),
            ),
        )
