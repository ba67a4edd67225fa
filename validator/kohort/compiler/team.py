"""The objects of one team on one cluster: its namespaces with what belongs to them, and its queues.

Where another compilation of the cluster is at hand, a team that has not changed is not made again. Its objects follow from
its declaration, the namespaces that are left to it, and what all teams share; the same of all three gives the same objects.
"""

from __future__ import annotations

from kohort.compiler.bindings import team_bindings
from kohort.compiler.bundle import MadeTeam
from kohort.compiler.namespace_limits import namespace_limits
from kohort.compiler.namespaces import namespaces, service_accounts
from kohort.compiler.queues import team_queues
from kohort.compiler.scope import Scope
from kohort.model.repo import Team
from kohort.objects.kube import KubeObject


def team_objects(scope: Scope, team: Team) -> tuple[KubeObject, ...]:
    """The team's objects in order of its file. What cannot be made is a finding of the scope."""
    found = len(scope.findings)
    own = scope.namespaces_of(team)
    made = scope.made_beside(team, own)
    if made is None:
        objects = (
            *namespaces(scope, team),
            *service_accounts(scope, team),
            *namespace_limits(scope, team),
            *team_bindings(scope, team),
            *team_queues(scope, team),
        )
        keys = ((queue.name, ("Team", team.name, queue.name)) for queue in team.queues)
        made = MadeTeam(
            team, own, objects, {name: scope.quota[key] for name, key in keys if key in scope.quota}
        )
    for queue, lines in made.lines.items():
        scope.quota["Team", team.name, queue] = lines
    if len(scope.findings) == found:
        scope.made[team.name] = made
    return made.objects
