"""Ask the real Kueue manager whether it starts with a configuration file.

The manager reads and validates its configuration before it looks for its
kubeconfig. Given one that does not exist, it ends at once, either with a
complaint about the configuration or with one about the kubeconfig.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kohort.lab.failure import LabError

# What the manager says when it gives up because of its configuration, all before the kubeconfig.
_COMPLAINTS = (
    "Unable to load the configuration",
    "conflicting feature gates detected",
    "Unable to validate the configuration",
    "Unable to parse TLS options from configuration",
    "Unable to configure webhook server",
)
_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Start:
    """What the manager did with a configuration file.

    Attributes:
        starts: it accepted the file and went on to its kubeconfig.
        step: what it says it could not do; empty when it starts.
        error: its error text; empty when it starts.
    """

    starts: bool
    step: str = ""
    error: str = ""


def try_configuration(program: Path, text: str) -> Start:
    """Start the manager with the given text as its configuration file.

    Args:
        program: the built `kueue`.
        text: the whole file.

    Raises:
        LabError: it ended in a way that this module does not know.
    """
    with tempfile.TemporaryDirectory(prefix="kohort-lab-config-") as name:
        folder = Path(name)
        file = folder / "controller_manager_config.yaml"
        file.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 - our own programs and arguments
                [program, f"--config={file}", f"--kubeconfig={folder / 'none'}"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=_SECONDS,
                env={**os.environ, "TMPDIR": name},
            )
        except subprocess.TimeoutExpired as error:
            raise LabError(f"the manager still ran after {_SECONDS:.0f} s") from error
    return _read(done.stdout, str(file))


def _read(output: str, file: str) -> Start:
    """Find the reason in the manager's log, one JSON object per line."""
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        entry = json.loads(line)
        if entry.get("level") == "error":
            step, error = entry.get("msg", ""), entry.get("error", "")
            if step in _COMPLAINTS:
                return Start(starts=False, step=step, error=error.replace(file, "FILE"))
            return Start(starts=True)
    if "panic:" in output:
        panic = output[output.index("panic:") :].splitlines()[0]
        return Start(starts=False, step="panic", error=panic.removeprefix("panic:").strip())
    raise LabError(f"the manager ended without saying why: {output[-500:]}")
