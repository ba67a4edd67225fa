"""Hand-written manifests are passed through (case 75: an annotation that is there is kept)."""

WAVE, OPTIONS = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/sync-options"


def flavor(**metadata):
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ResourceFlavor",
        "metadata": {"name": "hand", **metadata},
        "spec": {},
    }


def test_wave_options_and_source_are_added(compile_repo):
    obj = compile_repo(raw=[flavor()]).get("ResourceFlavor", "hand")
    assert obj.annotations() == {
        "kohort.dev/source": "clusters/lab/raw/hand.yaml",
        WAVE: "-30",
        OPTIONS: "SkipDryRunOnMissingResource=true,Prune=false,Delete=false",
    }
    assert obj.labels() == {}
    assert not obj.compiled


def test_what_the_user_wrote_wins(compile_repo):
    notes = {WAVE: "7", OPTIONS: "Prune=true", "own": "x"}
    obj = compile_repo(raw=[flavor(annotations=notes)]).get("ResourceFlavor", "hand")
    assert obj.annotations() == {**notes, "kohort.dev/source": "clusters/lab/raw/hand.yaml"}


def test_the_input_is_not_changed(compile_repo):
    raw = flavor(annotations={"own": "x"})
    compile_repo(raw=[raw])
    assert raw == flavor(annotations={"own": "x"})


def test_annotations_of_a_wrong_shape_are_left_for_the_rules(compile_repo):
    obj = compile_repo(raw=[flavor(annotations=["x"])]).get("ResourceFlavor", "hand")
    assert obj.data["metadata"]["annotations"] == ["x"]


def test_a_name_that_is_compiled_already_is_a_finding(compile_repo):
    raw = flavor()
    raw["metadata"]["name"] = "big"
    result = compile_repo(raw=[raw])
    assert result.codes == ["CMP101"]
    assert result.bundle.findings[0].primary.origin.file == "clusters/lab/raw/hand.yaml"
    assert result.bundle.findings[0].related[0].origin.file == "queues/all.yaml"


def test_work_comes_last_and_unknown_kinds_in_the_middle(compile_repo):
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "blue"},
        "spec": {},
    }
    thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "t"}}
    result = compile_repo(raw=[job, thing])
    assert result.get("Job", "j", "blue").annotations()[WAVE] == "10"
    assert result.get("Thing", "t").annotations()[WAVE] == "0"
