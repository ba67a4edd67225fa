"""Texts for `kohort explain`."""

from __future__ import annotations

import textwrap
from pathlib import Path

from kohort.capacity import assess
from kohort.capacity.words import amount, number
from kohort.compiler.build import build
from kohort.compiler.names import cluster_queue_name
from kohort.diagnostics.suggest import did_you_mean
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.engine.usage import UsageProblem
from kohort.model.explain import explain_field, explain_team
from kohort.model.repo import Repo, Team
from kohort.objects.names import visible
from kohort.rules.catalogue import catalogue
from kohort.source.tree import WorkDir


def explain_code(code: str) -> str | None:
    """The documentation of one code, None where there is no such code."""
    doc = catalogue().get(code)
    if doc is None:
        return None
    parts = [
        f"{doc.code} {doc.name}",
        f"{doc.severity.value}, {doc.consequence.value}; for {doc.audience}s; judged on {doc.on}",
        "",
        textwrap.fill(doc.summary, 100),
    ]
    if doc.why:
        parts += ["", "Why", textwrap.indent(textwrap.fill(" ".join(doc.why.split()), 96), "  ")]
    for title, example in (("Bad", doc.bad), ("Good", doc.good)):
        if example:
            parts += ["", title, textwrap.indent(example, "    ")]
    if doc.source:
        parts += ["", f"Source: {doc.source}"]
    return "\n".join(parts)


def explain_field_text(what: str) -> str | None:
    """The documentation of `Kind.field`."""
    return explain_field(what)


def explain_team_text(root: Path, team: str) -> str:
    """Every derived number of a team with its arithmetic, and the largest job that each of its queues can run.

    Raises UsageProblem where there is no repository or no such team.
    """
    if not is_repository(root):
        raise UsageProblem("teams are explained in a repository: this folder has no kohort.yaml")
    repo = load_repository(WorkDir(root), Settings()).repo
    text = explain_team(repo, team)
    if text is None:
        if ("Team", team) in repo.broken:
            raise UsageProblem(f"team {team} cannot be read: `kohort check` says why")
        near = did_you_mean(team, repo.teams)
        hint = f"; did you mean `{near[0]}`?" if near else f"; there are: {', '.join(repo.teams) or 'none'}"
        raise UsageProblem(f"there is no team {visible(team)}{hint}")
    return "\n".join([text, *_largest_jobs(repo, repo.teams[team])])


def _largest_jobs(repo: Repo, team: Team) -> list[str]:
    """What could run at once as one job, by quota and healthy nodes; whether its pods fit them is not said here."""
    built = build(repo).clusters
    rows = []
    for queue in team.queues:
        for cluster in queue.quota:
            name = cluster_queue_name(team, queue)
            known = assess(built[cluster].cluster).largest_jobs if cluster in built else ()
            for job in known:
                if job.queue == name:
                    sizes = (
                        f"guaranteed {amount(job.guaranteed, job.resource)}",
                        f"by reclaim {number(job.reclaim, job.resource)}",
                        f"by borrowing {number(job.borrowing, job.resource)}",
                    )
                    rows.append(f"  {queue.name} on {cluster}, flavor {job.flavor}: {', '.join(sizes)}")
    return ["", "largest job, by quota and healthy nodes", *rows] if rows else []
