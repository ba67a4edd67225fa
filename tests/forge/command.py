"""Run the command as a shell would: exit code and both streams together, in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from unittest import mock

from click.testing import CliRunner

from kohort.cli.main import main


@dataclass
class Done:
    exit_code: int
    output: str


def kohort(arguments, env):
    runner = CliRunner()
    code = 0
    with runner.isolation(env=env) as streams, mock.patch.object(sys, "argv", ["kohort", *arguments]):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        output = streams[2].getvalue().decode()
    return Done(code, output)
