"""From declarations to objects, cluster by cluster. Pure: no files, no clock, same bytes for the same declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kohort.capacity.assess import assess, share_health
from kohort.compiler.argo_applications import applications
from kohort.compiler.argo_health import health_checks
from kohort.compiler.argo_projects import projects
from kohort.compiler.argo_settings import MANIFESTS, WORK
from kohort.compiler.bindings import cluster_bindings
from kohort.compiler.bundle import BuiltCluster, Bundle, ExpectedNodes, MadeOf
from kohort.compiler.checks import admission_checks
from kohort.compiler.cohorts import cohorts
from kohort.compiler.configurations import configurations
from kohort.compiler.flavors import flavors, topologies
from kohort.compiler.policies import policies
from kohort.compiler.previous import as_on_clusters
from kohort.compiler.priorities import priorities
from kohort.compiler.raw import raw_objects
from kohort.compiler.reaching import by_cluster
from kohort.compiler.roles import roles
from kohort.compiler.scope import Scope
from kohort.compiler.slack import slack_queues
from kohort.compiler.surroundings import bare_cluster, whole_cluster
from kohort.compiler.team import team_objects
from kohort.compiler.workloads import stray_workloads, workloads
from kohort.diagnostics import Finding
from kohort.model.repo import ClusterDecl, Repo
from kohort.objects.kube import KubeObject
from kohort.rules.compile_codes import OLD_KUEUE
from kohort.source.collector import no_collection

_OLDEST = (0, 15)  # first Kueue that serves v1beta2

# Files of admins under `manifests/`, in the order in which a collision of names is decided.
_AREAS: tuple[tuple[str, Callable[[Scope], Iterable[KubeObject]]], ...] = (
    ("access", lambda scope: (*roles(scope), *cluster_bindings(scope))),
    ("config", configurations),
    ("policies", policies),
    ("priorities", priorities),
    ("topologies", topologies),
    ("flavors", flavors),
    ("admission-checks", admission_checks),
    ("cohorts", cohorts),
)


def build(repo: Repo) -> Bundle:
    """Everything that the repository declares, as objects per cluster and file.

    An object that cannot be lowered is left out with a finding, and the rest goes on.
    """
    built: dict[str, BuiltCluster] = {}
    findings = list(stray_workloads(repo))
    for name, reached in by_cluster(repo).items():
        built[name], found = build_cluster(reached, name)
        findings += found
    return Bundle(built, tuple(findings))


def build_cluster(
    repo: Repo, name: str, beside: BuiltCluster | None = None
) -> tuple[BuiltCluster, list[Finding]]:
    """One cluster from what reaches it, and what could not be lowered.

    `beside` is another compilation of it: what the same declarations made there is taken from it as it is.
    """
    repo = as_on_clusters(repo)
    scope = Scope(repo, repo.clusters[name], beside.made_of if beside is not None else None)
    with no_collection():
        return _build_cluster(scope), scope.findings


def _build_cluster(scope: Scope) -> BuiltCluster:
    if scope.kueue < _OLDEST:
        _too_old(scope, scope.decl)
    for area, make_objects in _AREAS:
        scope.add(f"{MANIFESTS}/{area}.yaml", make_objects(scope))
    for team in scope.teams:
        scope.add(f"{MANIFESTS}/teams/{team.name}.yaml", team_objects(scope, team))
        scope.add(f"{MANIFESTS}/{WORK}/{team.name}/{WORK}.yaml", workloads(scope, team))
    bare = bare_cluster(scope) if scope.decl.slack else None
    if bare is not None:
        supplies = assess(bare).supplies
        scope.add(f"{MANIFESTS}/slack.yaml", slack_queues(scope, supplies))
    scope.add(f"{MANIFESTS}/raw.yaml", raw_objects(scope))
    manifests = sorted(scope.files)
    objects = [obj for path in manifests for obj in scope.files[path]]
    if scope.decl.argo.repo_url:
        platform = [o for path, some in scope.files.items() if f"/{WORK}/" not in path for o in some]
        scope.add("argocd/projects.yaml", projects(scope, platform))
        scope.add("argocd/applications.yaml", applications(scope, platform))
        scope.add("argocd/argocd-cm.yaml", [health_checks(scope)])
    files = {path: tuple(scope.files[path]) for path in sorted(scope.files) if scope.files[path]}
    whole = whole_cluster(scope, objects)
    whole.delivery = tuple(obj for path in files if path not in manifests for obj in files[path])
    if bare is not None:
        share_health(bare, whole)
    observed = scope.name in scope.repo.inventories
    expected = None if observed else ExpectedNodes(scope.decl, scope.nodes, scope.typed_nodes)
    return BuiltCluster(whole, files, MadeOf(scope.repo, expected, scope.made))


def _too_old(scope: Scope, decl: ClusterDecl) -> None:
    version = decl.versions.get("kueue", "")
    scope.fail(
        OLD_KUEUE,
        f"cluster {scope.name} declares Kueue {version}; objects are written for 0.15 and later",
        decl.at("spec", "versions", "kueue"),
        subject=f"Cluster {scope.name}",
        help_=("upgrade Kueue, or check its manifests with `kohort check --kueue`",),
    )
