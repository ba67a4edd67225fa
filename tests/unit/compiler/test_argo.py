import pytest

ARGO = (
    "  slack:",
    "  argo: {repoURL: 'https://git.example.com/x.git', server: 'https://lab:6443', namespace: cd, selfHeal: false}\n  slack:",
)


@pytest.fixture
def result(compile_repo):
    return compile_repo(change=ARGO)


def test_without_a_repository_there_is_nothing_for_argo(base):
    assert all(not path.startswith("clusters/lab/argocd/") for path in base.files)


def test_files(result):
    assert [p for p in result.files if "/argocd/" in p] == [
        "clusters/lab/argocd/applications.yaml",
        "clusters/lab/argocd/argocd-cm.yaml",
        "clusters/lab/argocd/projects.yaml",
    ]


def test_a_team_is_fenced_in(result):
    spec = result.get("AppProject", "kohort-lab-team-blue", "cd").data["spec"]
    assert spec["destinations"] == [
        {"server": "https://lab:6443", "namespace": "blue"},
        {"server": "https://lab:6443", "namespace": "blue-dev"},
    ]
    assert spec["sourceRepos"] == ["https://git.example.com/x.git"]
    assert spec["clusterResourceWhitelist"] == []
    kinds = [(k["group"], k["kind"]) for k in spec["namespaceResourceWhitelist"]]
    assert kinds == [("batch", "Job"), ("workload.codeflare.dev", "AppWrapper")]


def test_the_platform_may_apply_exactly_what_is_compiled(result):
    spec = result.get("AppProject", "kohort-lab-platform", "cd").data["spec"]
    allowed = {(k["group"], k["kind"]) for k in spec["clusterResourceWhitelist"]}
    found = {
        (o.group, o.kind)
        for path, some in result.files.items()
        if path.startswith("clusters/lab/manifests/")
        for o in some
    }
    namespaced = {"ConfigMap", "RoleBinding", "ServiceAccount", "LocalQueue"}
    assert allowed == {k for k in found if k[1] not in namespaced}
    listed = {(k["group"], k["kind"]) for k in spec["namespaceResourceWhitelist"]}
    assert {k for k in found if k[1] in namespaced} <= listed
    assert all("*" not in pair for pair in allowed | listed)


def test_work_outlives_its_application_and_keeps_what_kueue_wrote(result):
    spec = result.get("ApplicationSet", "kohort-lab-work", "cd").data["spec"]
    assert spec["syncPolicy"] == {"preserveResourcesOnDeletion": True}
    assert spec["generators"][0]["git"]["directories"] == [{"path": "clusters/lab/manifests/workloads/*"}]
    template = spec["template"]["spec"]
    assert template["project"] == "kohort-lab-team-{{.path.basename}}"
    assert template["ignoreDifferences"] == [
        {
            "group": "workload.codeflare.dev",
            "kind": "AppWrapper",
            "jqPathExpressions": [".spec.components[].podSetInfos"],
            "jsonPointers": ["/spec/suspend"],
        }
    ]
    assert template["syncPolicy"]["syncOptions"] == ["ServerSideApply=true", "RespectIgnoreDifferences=true"]
    assert template["syncPolicy"]["automated"] == {"prune": True, "selfHeal": False}


def test_a_retry_takes_what_git_says_then(result, compile_repo):
    """Without `refresh` Argo CD tries a broken commit for five minutes before it looks at the fix; 3.1 knows no such field."""
    backoff = {"duration": "10s", "factor": 2, "maxDuration": "3m"}
    for name in ("kohort-lab", "kohort-lab-platform"):
        policy = result.get("Application", name, "cd").data["spec"]["syncPolicy"]
        assert policy["retry"] == {"limit": 5, "backoff": backoff, "refresh": True}
    work = result.get("ApplicationSet", "kohort-lab-work", "cd").data["spec"]["template"]["spec"]
    assert work["syncPolicy"]["retry"]["refresh"] is True
    for version, known in (
        ("3.2.0", True),
        ("v3.10.1", True),
        ("4.0", True),
        ("3.1.9", False),
        ("2.14.0", False),
    ):
        declared = f'appwrapper: 1.2.2, argocd: "{version}"}}\n  argo: {{repoURL: "https://git.example.com/x", namespace: cd}}'
        made = compile_repo(change=("appwrapper: 1.2.2}", declared))
        policy = made.get("Application", "kohort-lab", "cd").data["spec"]["syncPolicy"]
        assert ("refresh" in policy["retry"]) is known, version


def test_the_platform_application_leaves_work_to_the_teams_and_ignores_nothing(result):
    spec = result.get("Application", "kohort-lab-platform", "cd").data["spec"]
    assert spec["source"]["path"] == "clusters/lab/manifests"
    assert spec["source"]["directory"] == {"recurse": True, "exclude": "workloads/**"}
    assert spec["syncPolicy"]["syncOptions"] == ["ServerSideApply=true"]
    assert "ignoreDifferences" not in spec
    root = result.get("Application", "kohort-lab", "cd").data["spec"]
    assert root["source"]["path"] == "clusters/lab/argocd"
    assert root["destination"] == {"server": "https://kubernetes.default.svc", "namespace": "cd"}


def test_a_hand_written_appwrapper_is_protected_too(compile_repo):
    wrapper = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "x", "namespace": "blue"},
        "spec": {"components": []},
    }
    result = compile_repo(change=ARGO, raw=[wrapper])
    spec = result.get("Application", "kohort-lab-platform", "cd").data["spec"]
    assert spec["ignoreDifferences"][0]["kind"] == "AppWrapper"
    assert "RespectIgnoreDifferences=true" in spec["syncPolicy"]["syncOptions"]


def test_health_is_a_patch_of_argocds_own_map(result):
    config = result.get("ConfigMap", "argocd-cm", "cd")
    assert (
        config.annotations()["argocd.argoproj.io/sync-options"]
        == "ServerSideApply=true,Prune=false,Delete=false"
    )
    assert config.labels()["app.kubernetes.io/part-of"] == "argocd"
    prefix = "resource.customizations.health."
    kinds = ["AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "Workload"]
    assert sorted(config.data["data"]) == [
        *(f"{prefix}kueue.x-k8s.io_{kind}" for kind in kinds),
        f"{prefix}workload.codeflare.dev_AppWrapper",
    ]
