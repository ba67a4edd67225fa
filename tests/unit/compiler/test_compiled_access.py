"""Who may do what; case 77 of the public reports, and the holes of MLBatch's role."""

KUEUE = "kueue.x-k8s.io"
CLUSTER_SCOPED = {
    "admissionchecks", "clusterqueues", "cohorts", "multikueueclusters", "multikueueconfigs", "nodes",
    "priorityclasses", "provisioningrequestconfigs", "resourceflavors", "topologies", "workloadpriorityclasses",
}  # fmt: skip
WRITES = {"create", "delete", "patch", "update", "*"}


def rules(result, role):
    return result.get("ClusterRole", role).data["rules"]


def verbs(result, role, group, resource):
    return {
        v
        for r in rules(result, role)
        if group in r["apiGroups"] and resource in r["resources"]
        for v in r["verbs"]
    }


def test_team_roles_hold_nothing_that_a_namespaced_binding_cannot_grant(base):
    for role in ("kohort-team-member", "kohort-team-admin", "kohort-team-viewer"):
        for rule in rules(base, role):
            assert not CLUSTER_SCOPED & set(rule["resources"]), role
            assert "*" not in rule["resources"] + rule["verbs"] + rule["apiGroups"]


def test_members_see_queues_and_workloads_and_write_neither(base):
    for role in ("kohort-team-member", "kohort-team-admin"):
        for resource in ("localqueues", "workloads"):
            assert verbs(base, role, KUEUE, resource) == {"get", "list", "watch"}
        assert "get" in verbs(base, role, "visibility.kueue.x-k8s.io", "localqueues/pendingworkloads")


def test_nobody_of_a_team_creates_what_bypasses_the_queue(base):
    for role in ("kohort-team-member", "kohort-team-admin", "kohort-team-viewer"):
        assert "create" not in verbs(base, role, "", "pods")
        for resource in ("deployments", "statefulsets"):
            assert not {"create", "patch", "update"} & verbs(base, role, "apps", resource)
    assert "create" in verbs(base, "kohort-team-member", "batch", "jobs")
    assert "create" in verbs(base, "kohort-team-member", "workload.codeflare.dev", "appwrappers")


def test_without_the_framework_jobs_may_only_be_cleaned_up(compile_repo):
    settings = ("  slack:", "  kueue: {frameworks: [workload.codeflare.dev/appwrapper]}\n  slack:")
    assert verbs(compile_repo(change=settings), "kohort-team-member", "batch", "jobs") == {
        "delete", "get", "list", "watch"
    }  # fmt: skip


def test_viewers_write_nothing_and_read_no_secrets(base):
    for role in ("kohort-team-viewer", "kohort-quota-viewer"):
        assert not WRITES & {v for r in rules(base, role) for v in r["verbs"]}
        assert "secrets" not in {x for r in rules(base, role) for x in r["resources"]}
    for resource in ("clusterqueues/pendingworkloads", "localqueues/pendingworkloads"):
        assert "get" in verbs(base, "kohort-quota-viewer", "visibility.kueue.x-k8s.io", resource)


def test_quota_admins_cover_the_kinds_that_are_forgotten(base):
    for resource in ("cohorts", "topologies", "workloadpriorityclasses", "admissionchecks", "clusterqueues"):
        assert WRITES - {"*"} <= verbs(base, "kohort-quota-admin", KUEUE, resource)


def test_teams_are_bound_in_their_namespaces_with_groups_and_users(base):
    for namespace in ("blue", "blue-dev"):
        binding = base.get("RoleBinding", "kohort-members", namespace)
        assert binding.data["roleRef"]["name"] == "kohort-team-member"
        assert [(s["kind"], s["name"], s["apiGroup"]) for s in binding.data["subjects"]] == [
            ("Group", "blue-devs", "rbac.authorization.k8s.io"),
            ("User", "alice", "rbac.authorization.k8s.io"),
        ]
        assert (
            base.get("RoleBinding", "kohort-admins", namespace).data["roleRef"]["name"] == "kohort-team-admin"
        )
        pipeline = base.get("RoleBinding", "kohort-pipeline", namespace).data
        assert pipeline["subjects"] == [
            {"kind": "ServiceAccount", "name": "kohort-pipeline", "namespace": namespace}
        ]
    assert base.names("RoleBinding").count("kohort-viewers") == 0


def test_cluster_wide_go_reading_of_quota_and_declared_admins_only(base):
    assert sorted(base.names("ClusterRoleBinding")) == ["kohort-quota-admins", "kohort-quota-viewers"]
    admins = base.get("ClusterRoleBinding", "kohort-quota-admins").data
    assert [s["name"] for s in admins["subjects"]] == ["admins"]
    viewers = base.get("ClusterRoleBinding", "kohort-quota-viewers").data
    assert viewers["roleRef"]["name"] == "kohort-quota-viewer"
    assert [s["name"] for s in viewers["subjects"]] == ["blue-devs", "blue-leads", "alice", "auditor"]


def test_the_appwrapper_controller_gets_the_kinds_it_may_wrap(compile_repo, base):
    assert "kohort-appwrapper-wrapped-kinds" not in base.names("ClusterRole")
    settings = (
        "  appwrapper: {wrappedKinds: [Secret, trainer.kubeflow.org/TrainJob], namespace: aw}\n  slack:"
    )
    result = compile_repo(change=("  slack:", settings))
    name = "kohort-appwrapper-wrapped-kinds"
    assert [(r["apiGroups"], r["resources"]) for r in rules(result, name)] == [
        ([""], ["secrets"]),
        (["trainer.kubeflow.org"], ["trainjobs"]),
    ]
    binding = result.get("ClusterRoleBinding", name).data
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": "appwrapper-controller-manager", "namespace": "aw"}
    ]


def test_namespaces_carry_pod_security_and_the_label_that_kueue_selects(base, compile_repo):
    labels = base.get("Namespace", "blue-dev").labels()
    assert labels["kohort.dev/managed"] == "true"
    assert labels["kohort.dev/team"] == "blue"
    assert labels["pod-security.kubernetes.io/enforce"] == "baseline"
    strict = compile_repo(change=("  queues:", "  podSecurity: restricted\n  queues:"))
    assert strict.get("Namespace", "blue").labels()["pod-security.kubernetes.io/enforce"] == "restricted"
    assert base.get("ServiceAccount", "kohort-pipeline", "blue").data["automountServiceAccountToken"] is False


def test_nothing_of_core_quota_is_emitted(base):
    assert base.names("ResourceQuota") + base.names("LimitRange") == []
