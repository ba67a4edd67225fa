"""`kohort comment`: one comment on a pull request, kept up to date."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.forges import number_of, repository_of_run, token
from kohort.diagnostics.visible import visible
from kohort.forge import github, gitlab
from kohort.forge.http import ForgeError
from kohort.forge.sticky import Thread, stick

_EPILOG = """\b
Examples:
  kohort comment plan.md --number 7 --repository example/quota        GITHUB_TOKEN holds the token
  kohort comment plan.md --forge gitlab --repository 42 --number 7    GITLAB_TOKEN holds the token
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--forge", type=click.Choice(["github", "gitlab"]), default="github", show_default=True)
@click.option(
    "--repository",
    default="",
    metavar="NAME",
    help="owner/name, or GitLab's project (default: of this CI run).",
)
@click.option("--number", type=click.IntRange(1), help="Pull or merge request (default: of this CI run).")
@click.option(
    "--name", default="plan", show_default=True, help="Which comment it is, where there are several."
)
@click.option(
    "--author", default="", help="Who wrote the comment that may be changed (default: whose token it is)."
)
@click.option("--api", default="", metavar="URL", help="The forge's API, for a server of one's own.")
def command(
    file: Path, forge: str, repository: str, number: int | None, name: str, author: str, api: str
) -> int:
    """Put FILE (Markdown, from `kohort plan --format markdown=FILE`) into one comment that is kept up to date.

    An empty file makes no comment. This command talks to the forge; no other does but `kohort approvals`.
    """
    body = file.read_text("utf-8", "replace")
    try:
        thread: Thread
        if forge == "gitlab":
            request = gitlab.MergeRequest(
                gitlab.api(token("GITLAB_TOKEN"), api or os.environ.get("CI_API_V4_URL") or gitlab.URL),
                repository or repository_of_run("CI_PROJECT_ID"),
                number or number_of("CI_MERGE_REQUEST_IID"),
            )
            thread, writer = request, author or request.me()
        else:
            secret = token("GITHUB_TOKEN")
            access = github.api(secret, api or os.environ.get("GITHUB_API_URL") or github.URL)
            thread = github.PullRequest(
                access,
                repository or repository_of_run("GITHUB_REPOSITORY"),
                number or number_of("KOHORT_PULL_REQUEST"),
            )
            writer = author or github.writer(access, secret)
        if not writer:
            raise click.UsageError("the forge does not say whose token it is: name --author")
        stuck = stick(thread, body, name=name, author=writer)
    except ForgeError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"comment: {stuck.done}", err=True)
    if stuck.by:
        click.echo(
            f"kohort: the comment is by {visible(stuck.by)}, not by {visible(writer)}: name --author {visible(stuck.by)}, "
            "or every run makes another one",
            err=True,
        )
    return Exit.CLEAN
