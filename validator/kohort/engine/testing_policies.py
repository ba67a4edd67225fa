"""`kohort policy`: run the examples of the policies of a repository, and show what policies see."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.diagnostics import Finding, Report
from kohort.diagnostics.json_text import as_json
from kohort.diagnostics.report import arrange
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.policing import NOBODY
from kohort.engine.repository import Loaded, load_repository
from kohort.engine.settle import settle
from kohort.engine.usage import UsageProblem
from kohort.planner.view import view
from kohort.policy.cel import Evaluator
from kohort.policy.examples import Ran, run
from kohort.policy.judge import uncompiled
from kohort.source.tree import WorkDir

_FOLDER = "ci/policies/"


def run_tests(root: Path, settings: Settings, names: Collection[str] = ()) -> tuple[Outcome, tuple[Ran, ...]]:
    """The examples that were run, and findings: on the policies' files, on expressions, on examples.

    `names` chooses policies, all when empty. Raises UsageProblem for one that is not declared.
    """
    loaded = load_repository(WorkDir(root), settings)
    repo = loaded.repo
    for name in names:
        if name not in repo.policies:
            known = ", ".join(repo.policies) or "none"
            raise UsageProblem(f"there is no policy {name}; declared are: {known}")
    ran: list[Ran] = []
    findings = _reading(loaded)
    with Evaluator() as evaluator:
        for policy in repo.policies.values():
            if not names or policy.name in names:
                findings += uncompiled(policy, evaluator)
        for test in repo.policy_tests:
            if not names or test.policy in names:
                ran += run(test, repo.policies, evaluator)
    findings += [each.finding for each in ran if each.finding is not None]
    report = Report(findings=arrange(findings), files=loaded.intake.files)
    return settle(report, loaded.places, loaded.tree, settings, repo), tuple(ran)


def variables(root: Path, settings: Settings) -> str:
    """The variables that policies on what stands share, as JSON text."""
    repo = load_repository(WorkDir(root), settings).repo
    clusters = {name: build_cluster(reached, name)[0].cluster for name, reached in by_cluster(repo).items()}
    seen = view(repo, clusters)
    return as_json({"repository": seen, "actor": dict(NOBODY)})


def _reading(loaded: Loaded) -> list[Finding]:
    """What is wrong with the files of the policies themselves."""
    found = (*loaded.intake.findings, *loaded.repo.findings)
    return [finding for finding in found if finding.primary.origin.file.startswith(_FOLDER)]
