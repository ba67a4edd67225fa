"""What a report shows after comments, exceptions, severities and the baseline had their say."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from kohort.diagnostics import Edit, Finding, Report
from kohort.diagnostics import settle as decisions
from kohort.diagnostics.baseline import Baseline, BaselineError, load
from kohort.diagnostics.exceptions import Waiver
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.reading import TreeSet
from kohort.engine.usage import UsageProblem
from kohort.model.repo import ExceptionDecl, Repo
from kohort.rules.authority_codes import ENDING, EXPIRED
from kohort.rules.authority_codes import RULES as AUTHORITY_CODES
from kohort.rules.catalogue import codes
from kohort.rules.plan_codes import RULES as PLAN_CODES
from kohort.source.positions import Positions
from kohort.source.suppress import suppressions

BASELINE_NAME = "baseline"

# How Python prints a float that was typed as a long whole number, and what was typed.
_FLOAT_WORDS = re.compile(r"\de\+\d")
_LONG_NUMBER = re.compile(r"[-+]?[0-9]{17,100}")


def settle(
    report: Report, places: Positions, tree: TreeSet, settings: Settings, repo: Repo | None = None
) -> Outcome:
    """The final report of a run. Fixes that quote a value get the value's source text here."""
    files = {f.primary.origin.file for f in report.findings} | set(tree.files_with_comments())
    comments = {}
    for file in sorted(files):
        found = suppressions(places.lines(file))
        if found:
            comments[file] = found
    organisation = repo.organisation if repo else None
    result = decisions.settle(
        report.findings,
        places,
        suppressions=comments,
        waivers=[waiver(decl) for decl in (repo.exceptions if repo else ())],
        elsewhere=_elsewhere(repo),
        severities=organisation.severities if organisation else {},
        baseline=_baseline(settings, tree, organisation.baseline if organisation else ""),
        at=settings.at,
        known=codes(),
        read=tree.files(),
    )
    final = replace(
        report,
        findings=tuple(_as_typed(_quote(finding, places), places) for finding in result.kept),
        unchecked=(*report.unchecked, *result.unchecked),
        suppressed=len(result.suppressed),
        hidden=result.suppressed,
    )
    return Outcome(final, places)


def _baseline(settings: Settings, tree: TreeSet, declared: str) -> Baseline:
    """The baseline of the command line, else the one that kohort.yaml names."""
    data, name = settings.baseline, BASELINE_NAME
    if data is None and declared:
        name = declared
        try:
            data = tree.read_any(declared)
        except OSError as error:
            raise UsageProblem(
                f"kohort.yaml names the baseline {declared}: {error.strerror or error}"
            ) from error
    if data is None:
        return Baseline()
    try:
        return load(data.decode("utf-8", "replace"), name)
    except BaselineError as error:
        raise UsageProblem(str(error)) from error


def _elsewhere(repo: Repo | None) -> frozenset[str]:
    """Codes and names of what only a plan finds: whether an exception of these is used is not known here."""
    plans = [*PLAN_CODES, *(each for each in AUTHORITY_CODES if each not in (ENDING, EXPIRED))]
    found = {name for each in plans for name in (each.code, each.name)}
    if repo is not None and any(policy.change for policy in repo.policies.values()):
        found |= {"POL201", "policy-violated"}
    return frozenset(found)


def waiver(decl: ExceptionDecl) -> Waiver:
    """An exception as the settling of reports knows it."""
    return Waiver(
        codes=decl.codes,
        files=decl.files,
        subjects=decl.subjects,
        owner=decl.owner,
        reason=decl.reason,
        expires=date.fromisoformat(decl.expires) if decl.expires else None,
        origin=decl.origin,
        name=decl.name,
    )


def _as_typed(finding: Finding, places: Positions) -> Finding:
    """A number beyond 64 bits as it stands in the file: it was read as the nearest float."""
    if _FLOAT_WORDS.search(finding.message) is None:
        return finding
    text = places.text(finding.primary.origin).strip()
    if not _LONG_NUMBER.fullmatch(text):
        return finding
    return replace(finding, message=finding.message.replace(str(float(text)), text))


def _quote(finding: Finding, places: Positions) -> Finding:
    """Turn `quote` edits into replacements, now that the source text is at hand, and show the text to write."""
    fix = finding.fix
    if fix is None or all(edit.action != "quote" for edit in fix.edits):
        return finding
    edits, texts = [], []
    for edit in fix.edits:
        if edit.action != "quote":
            edits.append(edit)
            continue
        text = places.text(edit.origin).strip()
        if not text or "\n" in text or '"' in text or "\\" in text:
            return replace(finding, fix=None)
        texts.append(f'"{text}"')
        edits.append(Edit("replace", edit.origin, f'"{text}"'))
    advice = f"write {', '.join(texts)} in quotes, so that YAML reads it as text"
    kept = tuple(line for line in finding.help if "in quotes" not in line)
    return replace(finding, fix=replace(fix, edits=tuple(edits)), help=(advice, *kept))
