"""Schema violations of an object, found once and shared by the rules of this family."""

from __future__ import annotations

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.schema import SchemaNode, Violation, check, check_metadata, is_namespaced, table_for
from kohort.objects.versions import writes_back
from kohort.spans import Path, show_path

KINDS = (
    "AdmissionCheck",
    "AppWrapper",
    "ClusterQueue",
    "Cohort",
    "LocalQueue",
    "MultiKueueCluster",
    "MultiKueueConfig",
    "ProvisioningRequestConfig",
    "ResourceFlavor",
    "Topology",
    "Workload",
    "WorkloadPriorityClass",
)
_GROUPS = {"kueue.x-k8s.io", "workload.codeflare.dev"}


def is_ours(obj: KubeObject) -> bool:
    """Whether the object is of a group whose schemas Kohort knows (a `Workload` may be somebody else's)."""
    return obj.group in _GROUPS


def violations(obj: KubeObject, cluster: Cluster) -> list[Violation]:
    """All violations of metadata and schema, in the server's order; none for kinds or versions without a table."""
    found: list[Violation] | None = obj.memo.get("violations")
    if found is None:
        found = []
        table = table_for(obj.api_version, obj.kind, cluster.kueue) if is_ours(obj) else None
        if table is not None:
            namespaced = is_namespaced(obj.api_version, obj.kind) is True
            metadata = check_metadata(obj.data, namespaced=namespaced)
            # kubectl fills a missing namespace in; a rule of its own says so
            found = [v for v in metadata if v.path != ("metadata", "namespace") or v.reason != "required"]
            found += check(obj.data, table)
            if obj.kind == "Workload" and writes_back(cluster.kueue):
                found = [v for v in found if v.reason != "required" or not _comes_back(table, v.path)]
            if _from_a_server(obj):  # `kubectl get -o yaml`: applied again without these fields
                found = [v for v in found if v.path != ("metadata", "resourceVersion")]
        obj.memo["violations"] = found
    return found


def _comes_back(table: SchemaNode, path: Path) -> bool:
    """Whether a missing field is a text or a number of a pod template, which Go writes as empty or 0."""
    if "template" not in path:  # Kueue's own types leave such fields out
        return False
    node: SchemaNode | None = table
    for step in path:
        if node is None:
            return False
        node = node.items if isinstance(step, int) else node.fields.get(step, node.entries)
    return node is not None and node.type in {"string", "integer"}


def _from_a_server(obj: KubeObject) -> bool:
    return all(obj.get("metadata", field) for field in ("uid", "resourceVersion", "creationTimestamp"))


def clean(obj: KubeObject, cluster: Cluster) -> bool:
    """Whether the schema accepts the object: the server asks CEL and webhooks only then."""
    return not violations(obj, cluster)


def sentence(obj: KubeObject, violation: Violation) -> str:
    """`ClusterQueue train: spec.stopPolicy must be …`: true on its own."""
    return f"{obj.ref}: {show_path(violation.path)}: {violation.message}"
