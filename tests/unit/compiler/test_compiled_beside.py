"""A cluster compiled beside another state of it: the same objects, places and findings as without, and unchanged teams at once."""

import pytest

from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.model.load import load

RED = "teams/red/team.yaml"
EDITS = {
    "quota of a team": (RED, "gpus: 4", "gpus: 5"),
    "a team takes a namespace": (RED, "[red]", "[red, blue-dev]"),
    "an earlier team takes a namespace": ("teams/amber/team.yaml", "[amber]", "[amber, blue]"),
    "a team leaves the cluster": (
        RED,
        "lab: [{flavor: big, gpus: 4}]",
        "elsewhere: [{flavor: big, gpus: 4}]",
    ),
    "a class": ("queues/all.yaml", "withinClusterQueue: LowerPriority", "withinClusterQueue: Never"),
    "a flavor": (
        "queues/all.yaml",
        "kind: Flavor\nmetadata: {name: cpu}\nspec: {}",
        "kind: Flavor\nmetadata: {name: cpu}\nspec: {previously: old}",
    ),
    "a class that is gone": ("queues/all.yaml", "{name: batch}", "{name: other}"),
    "what a node gives": ("clusters/lab/cluster.yaml", "cpu: 64", "cpu: 32"),
    "the cluster's Kueue": ("clusters/lab/cluster.yaml", "kueue: 0.19.1", "kueue: 0.14.0"),
    "the organisation": ("kohort.yaml", "{users: [auditor]}", "{users: [inspector]}"),
    "a cohort": ("queues/all.yaml", "{parent: root}", "{}"),
}


def team(name, gpus):
    return f"""# file: teams/{name}/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {{name: {name}}}
spec:
  namespaces: [{name}]
  access: {{admins: {{groups: [{name}-leads]}}, members: {{groups: [{name}-devs]}}}}
  queues:
  - name: train
    class: batch
    cohort: root
    quota:
      lab: [{{flavor: big, gpus: {gpus}}}]
"""


@pytest.fixture
def two_sides(base_text, documents_of):
    """The organisation before and after an edit; what was read of unchanged files is the same, as in a plan."""

    def made(file, old, new):
        text = base_text + team("amber", 2) + team("red", 4)
        known = {}
        before = load(documents_of(text), {}, (), known)
        start = text.index(f"# file: {file}\n")
        place = text.index(old, start)
        kept = {at: taken for at, taken in known.items() if at[0] != file}
        after = load(documents_of(text[:place] + new + text[place + len(old) :]), {}, (), kept)
        return by_cluster(before)["lab"], by_cluster(after)["lab"]

    return made


@pytest.mark.parametrize("edit", EDITS)
def test_the_same_as_compiled_alone(two_sides, edit):
    for before, after in (two_sides(*EDITS[edit]), two_sides(*EDITS[edit])[::-1]):
        beside, _ = build_cluster(before, "lab")
        alone, found_alone = build_cluster(after, "lab")
        together, found = build_cluster(after, "lab", beside)
        assert together.files == alone.files
        assert together.cluster.objects == alone.cluster.objects
        assert found == found_alone
        assert together.made_of.teams.keys() == alone.made_of.teams.keys()


def manifests(built, name):
    return built.files[f"clusters/lab/manifests/teams/{name}.yaml"]


def test_teams_that_have_not_changed_are_not_made_again(two_sides):
    before, after = two_sides(*EDITS["quota of a team"])
    beside, _ = build_cluster(before, "lab")
    together, _ = build_cluster(after, "lab", beside)
    for name in ("amber", "blue"):
        assert all(map(lambda a, b: a is b, manifests(together, name), manifests(beside, name)))
    assert not any(map(lambda a, b: a is b, manifests(together, "red"), manifests(beside, "red")))


@pytest.mark.parametrize("edit", ["a class", "what a node gives", "the organisation"])
def test_another_ground_makes_every_team_anew(two_sides, edit):
    before, after = two_sides(*EDITS[edit])
    beside, _ = build_cluster(before, "lab")
    together, _ = build_cluster(after, "lab", beside)
    made = {id(obj) for name in ("amber", "blue", "red") for obj in manifests(beside, name)}
    assert not any(id(obj) in made for name in ("amber", "blue", "red") for obj in manifests(together, name))


def test_what_is_wrong_with_a_team_is_said_on_both_sides(two_sides):
    _, gone = two_sides(*EDITS["a class that is gone"])
    beside, found = build_cluster(gone, "lab")
    assert [f.message.partition(":")[0] for f in found] == [
        "queue train of team amber",
        "queue train of team blue",
        "queue train of team red",
    ]
    assert build_cluster(gone, "lab", beside)[1] == found
    assert beside.made_of.teams == {}
