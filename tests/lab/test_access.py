"""Who may do what: every action of the table for everyone who is declared, asked for and then tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from access_table import ADMIN, MEMBER, QUOTA_ADMIN, STAFF, VIEWER, Action, on_the_cluster, within_team
from shipped import KUEUE, ROOT, Object, Standing

from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.lab.client import Answer, Client
from kohort.model.repo import Repo, Subjects
from kohort.source.tree import WorkDir

pytestmark = [pytest.mark.lab, pytest.mark.slow]
_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_BODY = {"create": "POST", "delete": "DELETE", "get": "GET", "list": "GET", "patch": "PATCH", "update": "PUT"}


@dataclass(frozen=True)
class Person:
    """Somebody who speaks to the server, and in which circles: of which namespaces, and of the cluster."""

    user: str
    groups: tuple[str, ...] = ()
    circles: dict[str, frozenset[str]] = field(default_factory=dict)  # namespace → circles
    quota: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.user} {list(self.groups)}"


@pytest.fixture(scope="module")
def repo() -> Repo:
    return load_repository(WorkDir(ROOT), Settings()).repo


def people(repo: Repo, cluster: str, namespaces: dict[str, str]) -> list[Person]:
    """Everyone whom the declarations name, once for each user and group, and three whom they do not."""
    circles: dict[tuple[str, str], dict[str, set[str]]] = {}
    quota: dict[tuple[str, str], set[str]] = {}

    def named(subjects: Subjects) -> Iterator[tuple[str, str]]:
        yield from (("user", name) for name in subjects.users)
        yield from (("group", name) for name in subjects.groups)

    for namespace, team_name in namespaces.items():
        team = repo.teams[team_name]
        for circle, subjects in ((MEMBER, team.members), (ADMIN, team.admins), (VIEWER, team.viewers)):
            for who in named(subjects):
                circles.setdefault(who, {}).setdefault(namespace, set()).add(circle)
                quota.setdefault(who, set()).add(STAFF)
    organisation, declared = repo.organisation, repo.clusters[cluster]
    assert organisation is not None
    for circle, declarations in (
        (QUOTA_ADMIN, (organisation.admins, declared.admins)),
        (STAFF, (organisation.viewers, declared.viewers)),
    ):
        for subjects in declarations:
            for who in named(subjects):
                quota.setdefault(who, set()).add(circle)
    found = []
    for kind, name in sorted({*circles, *quota}):
        own = {place: frozenset(some) for place, some in circles.get((kind, name), {}).items()}
        standing = frozenset(quota.get((kind, name), ()))
        user, groups = (name, ()) if kind == "user" else (f"somebody-of-{name}", (name,))
        found.append(Person(user, groups, own, standing))
    for namespace in namespaces:
        account = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
        pipeline = {namespace: frozenset({MEMBER})}
        found.append(Person(f"system:serviceaccount:{namespace}:kohort-pipeline", account, pipeline))
        found.append(Person(f"system:serviceaccount:{namespace}:default", account))
    return [*found, Person("stranger"), Person("intern", ("no-such-group",))]


def namespaces(organisation: Standing) -> dict[str, str]:
    """Namespace → team, as they stand on the cluster."""
    found = {}
    for each in organisation.plane.client.must("GET", "/api/v1/namespaces")["items"]:
        team = each["metadata"].get("labels", {}).get("kohort.dev/team")
        if team:
            found[each["metadata"]["name"]] = team
    return found


def questions(
    organisation: Standing, repo: Repo, *, all_teams: bool
) -> Iterator[tuple[Person, Action, str, bool]]:
    """Who, what, where (empty: the cluster), and whether it is allowed.

    Own namespaces get the whole table; a foreign one gets what its own people may do. The table of the cluster is
    asked in full for one of each standing, and for its first rows for everyone else. Without `all_teams`, three
    namespaces and their people stand for the rest.
    """
    places = namespaces(organisation)
    if not all_teams:
        places = {name: places[name] for name in sorted(places)[:3]}
    own, cluster, seen = within_team(organisation.cluster), on_the_cluster(), set[object]()
    for person in people(repo, organisation.cluster, places):
        like = (person.quota, frozenset(frozenset(some) for some in person.circles.values()))
        for action, circles in list(cluster.items())[: _FEW if like in seen else None]:
            yield person, action, "", bool(circles & person.quota)
        seen.add(like)
        foreign = next((name for name in sorted(places) if name not in person.circles), None)
        for place in (*person.circles, *([foreign] if foreign else [])):
            for action, circles in own.items():
                if place == foreign and not circles:
                    continue
                everywhere = cluster.get(action, frozenset()) if action.group else frozenset()
                if action.resource == "localqueues/pendingworkloads":
                    everywhere = frozenset({STAFF, QUOTA_ADMIN})
                allowed = circles & person.circles.get(place, frozenset()) or everywhere & person.quota
                yield person, action, place, bool(allowed)


_FEW = 14  # reading and writing of two kinds


def test_the_table_is_what_the_server_answers(organisation: Standing, repo: Repo) -> None:
    wrong, asked, yes = [], 0, 0
    for person, action, place, allowed in questions(organisation, repo, all_teams=True):
        resource, _, subresource = action.resource.partition("/")
        attributes = {
            "verb": action.verb,
            "group": action.group,
            "resource": resource,
            "subresource": subresource,
            "namespace": place,
        }
        groups = [*person.groups, "system:authenticated"]
        spec = {"user": person.user, "groups": groups, "resourceAttributes": attributes}
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        status = organisation.plane.client.must("POST", _REVIEWS, review)["status"]
        asked, yes = asked + 1, yes + allowed
        if bool(status["allowed"]) is not allowed:
            wrong.append(
                f"{person} may {'' if status['allowed'] else 'not '}{action} in {place or 'the cluster'}"
            )
    assert wrong == []
    assert 0.1 < yes / asked < 0.6, f"{yes} of {asked}"


def forbidden(answer: Answer) -> bool:
    """The authorizer's refusal; an admission controller's has other words."""
    return answer.code == 403 and " cannot " in str(answer.body.get("message", ""))


def attempt(
    client: Client, person: Person | None, action: Action, place: str, versions: dict[str, str]
) -> Answer:
    """Really make the request; nothing is stored, and the object named does not exist."""
    resource, _, subresource = action.resource.partition("/")
    root = f"/apis/{action.group}/{versions.get(action.group, 'v1')}" if action.group else "/api/v1"
    middle = f"/namespaces/{place}" if place and resource != "namespaces" else ""
    path = f"{root}{middle}/{resource}"
    name = place if resource == "namespaces" and place else "kohort-trial"
    if action.verb not in ("create", "list") or subresource:
        path += f"/{name}{f'/{subresource}' if subresource else ''}"
    body: Any = None
    content = "application/json"
    if action.verb in ("create", "update"):
        body = {"metadata": {"name": name, **({"namespace": place} if middle else {})}}
    elif action.verb == "patch":
        body, content = {"metadata": {"labels": {"a": "b"}}}, "application/merge-patch+json"
    dry = {} if action.verb in ("get", "list") else {"dryRun": "All"}
    who: dict[str, Any] = {}
    if person is not None:
        who = {"impersonate": person.user, "groups": [*person.groups, "system:authenticated"]}
    return client.request(_BODY[action.verb], path, body, dry, content_type=content, **who)


def preferred(organisation: Standing) -> dict[str, str]:
    groups = organisation.plane.client.must("GET", "/apis")["groups"]
    return {each["name"]: each["preferredVersion"]["version"] for each in groups}


def test_it_is_so_when_each_of_them_tries(organisation: Standing, repo: Repo) -> None:
    versions, wrong, tried = preferred(organisation), [], 0
    for person, action, place, allowed in questions(organisation, repo, all_teams=False):
        # To stream, to impersonate or to bind is no request of its own; connecting needs a kubelet.
        if action.verb not in _BODY or action.resource in ("pods/exec", "pods/portforward", "pods/attach"):
            continue
        if action.resource == "namespaces" and action.verb == "create" and place:
            continue
        tried += 1
        answer = attempt(organisation.plane.client, person, action, place, versions)
        if forbidden(answer) is allowed:
            wrong.append(f"{person} {action} in {place or 'the cluster'}: {answer.code} {answer.body}")
    assert wrong == []
    assert tried > 500


def test_a_pipeline_acts_with_its_own_token(organisation: Standing) -> None:
    plane, place = organisation.plane, min(namespaces(organisation))
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    path = f"/api/v1/namespaces/{place}/serviceaccounts/kohort-pipeline/token"
    token = plane.client.must("POST", path, request)["status"]["token"]
    client = Client(plane.port("apiserver"), plane.authority.own.certificate, token, plane.network)
    try:
        versions = preferred(organisation)
        wrong = [
            str(action)
            for action, circles in within_team(organisation.cluster).items()
            if action.verb in _BODY and "/" not in action.resource
            if forbidden(attempt(client, None, action, place, versions)) is (MEMBER in circles)
        ]
        assert wrong == []
        elsewhere = sorted(namespaces(organisation))[1]
        assert forbidden(attempt(client, None, Action("list", "pods"), elsewhere, versions))
    finally:
        client.close()


def test_what_waits_is_shown_to_those_who_may_see_it(organisation: Standing) -> None:
    """Kueue's visibility API asks the API server who may read; who may is in the table above."""
    place, group = {"pokprod": ("blue", ()), "vela": ("climate", ("climate-devs",))}[organisation.cluster]
    queues = organisation.plane.client.must("GET", f"{KUEUE}/namespaces/{place}/localqueues")["items"]
    assert queues
    for each in queues:
        path = f"/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/{place}/localqueues/{each['metadata']['name']}/pendingworkloads"
        own = organisation.plane.client.request(
            "GET", path, impersonate="alice", groups=[*group, "system:authenticated"]
        )
        assert (own.code, own.body["items"]) == (200, []), own.body
        stranger = organisation.plane.client.request(
            "GET", path, impersonate="stranger", groups=["system:authenticated"]
        )
        assert forbidden(stranger), stranger.body


def wrapper(place: str, wrapped: Object) -> Object:
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "trial", "namespace": place},
        "spec": {"components": [{"template": wrapped}]},
    }


POD = {"containers": [{"name": "c", "image": "x"}], "restartPolicy": "Never"}
JOB: Object = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "j"},
    "spec": {"template": {"spec": POD}},
}
BARE: Object = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": POD}


def test_whether_an_appwrapper_lends_its_rights_is_as_declared(organisation: Standing) -> None:
    """pokprod trusts AppWrapper (the tutorial's setting); vela asks whether the user may create what is wrapped."""
    place, group = {"pokprod": ("blue", ()), "vela": ("climate", ("climate-devs",))}[organisation.cluster]
    path = f"/apis/workload.codeflare.dev/v1beta2/namespaces/{place}/appwrappers"

    def offered(wrapped: Object) -> Answer:
        return organisation.plane.client.request(
            "POST", path, wrapper(place, wrapped), {"dryRun": "All"}, impersonate="alice",
            groups=[*group, "system:authenticated"],
        )  # fmt: skip

    assert offered(JOB).ok
    answer = offered(BARE)
    if organisation.cluster == "pokprod":
        assert answer.ok
    else:
        assert answer.code == 403
        assert "User alice is not authorized to create pods in climate" in answer.body["message"]
