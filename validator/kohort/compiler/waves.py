"""Sync waves and sync options by kind: what Argo CD applies first, and what it must never remove by itself.

Waves order the objects of one Application only. Order after kueue.md 7.5: topologies, flavors, checks, cohorts from
the root down, cluster queues, local queues, work.
"""

from __future__ import annotations

from typing import Final

WAVE: Final = "argocd.argoproj.io/sync-wave"
OPTIONS: Final = "argocd.argoproj.io/sync-options"

_MISSING: Final = "SkipDryRunOnMissingResource=true"  # the kind's CRD may come with the same sync
_KEPT: Final = "Prune=false,Delete=false"  # removing it from Git must not remove it, or what it holds

COHORT_WAVE: Final = -20
_COHORT_DEPTHS: Final = 9  # waves between the root's and the cluster queues'; deeper cohorts share the last

_WAVES: Final = {
    "Namespace": -50,
    "ServiceAccount": -49,
    "ClusterRole": -48,
    "ClusterRoleBinding": -47,
    "Role": -48,
    "RoleBinding": -47,
    "ConfigMap": -46,
    "ResourceQuota": -46,
    "LimitRange": -46,
    "ValidatingAdmissionPolicy": -45,
    "ValidatingAdmissionPolicyBinding": -44,
    "PriorityClass": -40,
    "WorkloadPriorityClass": -40,
    "Topology": -35,
    "ResourceFlavor": -30,
    "ProvisioningRequestConfig": -27,
    "MultiKueueCluster": -27,
    "MultiKueueConfig": -26,
    "AdmissionCheck": -25,
    "Cohort": COHORT_WAVE,
    "ClusterQueue": -10,
    "LocalQueue": -5,
    "AppProject": -50,
    "ApplicationSet": -40,
    "Application": -40,
}
_WORK_WAVE: Final = 10
_OTHER_WAVE: Final = 0
_WORK: Final = frozenset(
    {
        "AppWrapper",
        "Job",
        "JobSet",
        "PyTorchJob",
        "MPIJob",
        "RayCluster",
        "RayJob",
        "TrainJob",
        "Workload",
        "Pod",
    }
)

_SYNC: Final = {
    "Namespace": _KEPT,
    "ResourceFlavor": f"{_MISSING},{_KEPT}",
    "ClusterQueue": f"{_MISSING},{_KEPT}",
    "LocalQueue": f"{_MISSING},{_KEPT}",
    # A cohort that is gone while members stay becomes a root without limits, so it goes after them.
    "Cohort": f"{_MISSING},PruneLast=true",
}
_OWN_GROUPS: Final = (
    "kueue.x-k8s.io/",
    "workload.codeflare.dev/",
    "jobset.x-k8s.io/",
    "kubeflow.org/",
    "ray.io/",
)


def wave_of(kind: str) -> int:
    """The wave of a kind; cohorts start at their root's."""
    return _WAVES.get(kind, _WORK_WAVE if kind in _WORK else _OTHER_WAVE)


def cohort_wave(depth: int) -> int:
    """The wave of a cohort `depth` steps below its root."""
    return COHORT_WAVE + min(depth, _COHORT_DEPTHS)


def sync_options(api_version: str, kind: str) -> str:
    """The sync options of a kind, empty for none."""
    known = _SYNC.get(kind)
    if known is not None:
        return known
    return _MISSING if api_version.startswith(_OWN_GROUPS) else ""
