"""Who may do what: people, namespaces, queues that open and close."""

from scenario import Scenario

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
CLUSTER = "clusters/pokprod/cluster.yaml"

SCENARIOS = [
    Scenario(
        "bob joins blue",
        {BLUE: [("users: [alice]", "users: [alice, bob]")]},
        "nothing",
        classes={
            "RoleBinding blue/kohort-members": "nothing",
            "ClusterRoleBinding kohort-quota-viewers": "nothing",
        },
        people=("+ User bob, members of team blue",),
        access=(
            "+ User bob may submit in namespace blue, queue blue-train, on pokprod",
            "+ User bob may see in namespace blue, on pokprod",
        ),
    ),
    Scenario(
        "alice leaves and the leads too",
        {BLUE: [("    admins: {groups: [blue-leads]}\n", ""), (", users: [alice]", "")]},
        "nothing",
        classes={"RoleBinding blue/kohort-admins": "nothing"},
        people=("- Group blue-leads, admins of team blue", "- User alice, members of team blue"),
        access=(
            "- Group blue-leads may no longer administer in namespace blue, on pokprod",
            "- User alice may no longer submit in namespace blue, queue blue-train, on pokprod",
        ),
    ),
    Scenario(
        "a new administrator of everything",
        {"kohort.yaml": [("[platform-admins]", "[platform-admins, night-shift]")]},
        "nothing",
        classes={"ClusterRoleBinding kohort-quota-admins": "nothing"},
        people=("+ Group night-shift, admins of the organisation",),
        access=(
            "+ Group night-shift may administer, on the whole cluster pokprod",
            "+ Group night-shift may administer, on the whole cluster vela",
        ),
    ),
    Scenario(
        "another administrator of one cluster",
        {CLUSTER: [("[pokprod-admins]", "[pokprod-ops]")]},
        "nothing",
        people=(
            "- Group pokprod-admins, admins of cluster pokprod",
            "+ Group pokprod-ops, admins of cluster pokprod",
        ),
        access=(
            "+ Group pokprod-ops may administer, on the whole cluster pokprod",
            "- Group pokprod-admins may no longer administer, on the whole cluster pokprod",
        ),
    ),
    Scenario(
        "red gets a second namespace",
        {RED: [("[red]", "[red, red-test]")]},
        "requeues-pending",
        classes={
            "Namespace red-test": "nothing",
            "LocalQueue red-test/red": "new-work",
            "ClusterQueue red": "requeues-pending",
        },
        access=("+ Group red-devs may submit in namespace red-test, queue red, on pokprod",),
    ),
    Scenario(
        "green keeps its queue out of the test namespace",
        {GREEN: [("- name: main\n", "- name: main\n    namespaces: [green]\n")]},
        "requeues-pending",
        classes={
            "LocalQueue green-test/main": "requeues-pending",
            "ClusterQueue green": "requeues-pending",
        },
        access=("- Group green-devs may no longer submit in namespace green-test, queue green, on pokprod",),
    ),
    Scenario(
        "auditors become members",
        {
            GREEN: [
                (
                    "members: {groups: [green-devs]}, viewers: {groups: [auditors]}",
                    "members: {groups: [green-devs, auditors]}",
                )
            ]
        },
        "nothing",
        people=("+ Group auditors, members of team green", "- Group auditors, viewers of team green"),
        access=("+ Group auditors may submit in namespaces green, green-test, queue green, on pokprod",),
    ),
    Scenario(
        "privileged pods",
        {GOLD: [("namespaces: [gold]", "namespaces: [gold]\n  podSecurity: privileged")]},
        "new-work",
        classes={"Namespace gold": "new-work"},
    ),
    Scenario(
        "a team without quota changes hands",
        {
            "teams/idle/team.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Team\nmetadata: {name: idle}\nspec: {namespaces: [idle], access: {members: {users: [dave]}}}\n"
        },
        "nothing",
        before={
            "teams/idle/team.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Team\nmetadata: {name: idle}\nspec: {namespaces: [idle], access: {members: {users: [carol]}}}\n"
        },
        people=("- User carol, members of team idle", "+ User dave, members of team idle"),
    ),
]
