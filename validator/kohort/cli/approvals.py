"""`kohort approvals`: who must still agree to a planned change."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from kohort.cli.exits import Exit
from kohort.cli.forges import number_of, repository_of_run, token
from kohort.diagnostics.visible import visible
from kohort.forge import github
from kohort.forge.agreed import Wanted, agreements, of_commit
from kohort.forge.http import ForgeError
from kohort.source.bounded import read_bounded

_EPILOG = """\b
Examples:
  kohort approvals plan.json                                          what the plan asks for
  kohort approvals plan.json --approved-by bob --in red-leads=bob     given these approvals
  kohort approvals plan.json --github --number 7                      ask GitHub who approved this commit
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--approved-by", "approved", multiple=True, metavar="USER", help="Somebody who approved (repeatable)."
)
@click.option("--in", "memberships", multiple=True, metavar="GROUP=USER", help="A membership (repeatable).")
@click.option("--github", "from_github", is_flag=True, help="Ask GitHub for the reviews and the teams.")
@click.option("--repository", default="", metavar="OWNER/NAME", help="Default: of this CI run.")
@click.option("--number", type=click.IntRange(1), help="Pull request (default: of this CI run).")
@click.option(
    "--commit", default="", help="Commit that approvals must have seen (default: the pull request's head)."
)
@click.option("--api", default="", metavar="URL", help="GitHub's API, for a server of one's own.")
def command(
    file: Path,
    approved: tuple[str, ...],
    memberships: tuple[str, ...],
    from_github: bool,
    repository: str,
    number: int | None,
    commit: str,
    api: str,
) -> int:
    """Say whose agreement a plan (JSON) asks for and who gave it; exit 1 while any is missing.

    Who counts as an admin stands in the plan, which read it from the base. An approval of another commit does not count,
    nor does the author's own agreement where somebody else pushed the commit.
    """
    try:
        if from_github:
            request = github.PullRequest(
                github.api(token("GITHUB_TOKEN"), api or os.environ.get("GITHUB_API_URL") or github.URL),
                repository or repository_of_run("GITHUB_REPOSITORY"),
                number or number_of("KOHORT_PULL_REQUEST"),
            )
            standing, plan = request.standing(), _plan(file)
            seen = commit or standing.commit
            of_commit(plan, seen)
            found = agreements(
                plan,
                request.approvers(seen),
                request.in_team,
                same=github.same_user,
                doubt=lambda: request.doubt(standing, seen),
            )
        else:
            pairs = {tuple(each.partition("=")[::2]) for each in memberships}
            found = agreements(_plan(file), approved, lambda group, user: (group, user) in pairs)
    except ForgeError as error:
        raise click.ClickException(str(error)) from error
    for each in found:
        click.echo(_line(each))
    if not found:
        click.echo("nobody else need agree: self-service")
    return Exit.FINDINGS if any(not each.by for each in found) else Exit.CLEAN


def _plan(file: Path) -> Any:
    try:
        return json.loads(read_bounded(file))
    except OSError as error:
        raise ForgeError(f"cannot read {file}: {error.strerror or error}") from None
    except RecursionError:
        raise ForgeError(f"{file} is no plan: it is nested too deep") from None
    except ValueError as error:
        raise ForgeError(f"{file} is no JSON: {error}") from None


def _line(wanted: Wanted) -> str:
    people = ", ".join(wanted.people) or "nobody is named"
    state = (
        f"agreed by {wanted.by}" if wanted.by else "; ".join(filter(None, (f"open: {people}", wanted.note)))
    )
    return visible(f"{wanted.who}: {wanted.why} ({state})")
