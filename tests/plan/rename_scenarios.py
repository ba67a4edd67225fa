"""Renames, moved files, and what cannot be read."""

from plan_world import FILES
from scenario import Scenario

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
FLAVORS, CLUSTER = "queues/flavors.yaml", "clusters/pokprod/cluster.yaml"
CRIMSON = """\
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: crimson}
spec:
%s  namespaces: [red]
  access: {members: {groups: [red-devs]}}
  class: batch
  cohort: research
  quota:
    pokprod: [{flavor: h100, gpus: 6}]
"""
HOPPER = {
    FLAVORS: [("name: h100\nspec: {}", "name: hopper\nspec: {}")],
    CLUSTER: [
        ("    flavor: h100\n", "    flavor: hopper\n"),
        ("cohort: org, flavor: h100", "cohort: org, flavor: hopper"),
    ],
    BLUE: [("flavor: h100", "flavor: hopper")],
    RED: [("flavor: h100", "flavor: hopper")],
    GREEN: [("flavor: h100", "flavor: hopper")],
    GOLD: [("flavor: h100", "flavor: hopper")],
}

SCENARIOS = [
    Scenario(
        "red is renamed and keeps its objects",
        {RED: None, "teams/crimson/team.yaml": CRIMSON % "  previously: red\n"},
        "nothing",
        classes={"ClusterQueue red": "nothing", "LocalQueue red/red": "nothing", "Namespace red": "nothing"},
    ),
    Scenario(
        "a queue is renamed and keeps its objects",
        {BLUE: [("- name: train\n", "- name: fit\n    previously: train\n")]},
        "nothing",
    ),
    Scenario(
        "a queue is renamed without a word",
        {BLUE: [("- name: train\n", "- name: fit\n")]},
        "steps",
        classes={
            "ClusterQueue blue-train": "steps",
            "ClusterQueue blue-fit": "requeues-pending",
            "LocalQueue blue/default": "recreate",
        },
        findings=("PLN001",),
        steps=("renaming ClusterQueue blue-train to blue-fit",),
        access=("+ Group blue-devs may submit in namespace blue, queue blue-fit, on pokprod",),
    ),
    Scenario(
        "H100 is renamed and keeps its objects",
        {**HOPPER, FLAVORS: [("name: h100\nspec: {}", "name: hopper\nspec: {previously: h100}")]},
        "nothing",
    ),
    Scenario(
        "H100 is renamed without a word",
        HOPPER,
        "steps",
        """
        team blue h100 guarantee 8 → none
        team blue hopper guarantee none → 8
        flavor h100 guarantee 22 → none
        flavor hopper guarantee none → 22
        """,
        some=True,
        classes={"ResourceFlavor h100": "nothing", "ClusterQueue red": "steps"},
        steps=("renaming ResourceFlavor h100 to hopper",),
    ),
    Scenario(
        "a file moves",
        {GOLD: None, "teams/gold/all.yaml": FILES[GOLD]},
        "nothing",
    ),
    Scenario("a comment", {RED: [("spec:\n", "# forty-two\nspec:\n")]}, "nothing"),
    Scenario(
        "red cannot be read any more",
        {RED: "kind: Team\nspec: {\n", GOLD: [("gpus: 4", "gpus: 5")]},
        "steps",
        """
        team gold h100 guarantee 4 → 5
        team red h100 guarantee 6 → none
        """,
        some=True,
        new=("YAM001",),
        steps=("removing ClusterQueue red",),
        people=("- Group red-devs, members of team red",),
    ),
    Scenario(
        "red can be read again",
        {GOLD: [("gpus: 4", "gpus: 5")]},
        "requeues-pending",
        """
        team gold h100 guarantee 4 → 5
        team red h100 guarantee none → 6
        """,
        some=True,
        before={RED: "kind: Team\nspec: {\n"},
        people=("+ Group red-devs, members of team red",),
    ),
]
