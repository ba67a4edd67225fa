"""`ci/conformance replay`: a line for each disagreement, the counts last, and codes that scripts can rely on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests/conformance/traces/directed"
LAST = re.compile(r"traces (\d+), steps (\d+), agreed (\d+), disagreed (\d+)")


def replay(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "ci/conformance.py", "replay", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_agreement_ends_with_the_counts():
    done = replay(TRACES / "preempting.yaml", "--seconds")
    lines = done.stdout.splitlines()
    found = LAST.fullmatch(lines[-1])
    assert found is not None, done.stderr
    traces, steps, agreed, disagreed = map(int, found.groups())
    assert traces == 10
    assert steps == agreed + disagreed > 30
    assert done.returncode == (1 if disagreed else 0)
    assert re.fullmatch(r"seconds \d+\.\d", lines[-2])
    assert any(line.startswith("feature fill-back: steps ") for line in lines)


def test_a_disagreement_is_told_with_place_and_values(tmp_path):
    text = (TRACES / "preempting.yaml").read_text("utf-8")
    text = text[text.index("name: preempt-newest-first") :].split("\n---")[0]
    broken = tmp_path / "deep" / "broken.yaml"
    broken.parent.mkdir()
    assert "victim: w3" in text
    broken.write_text(text.replace("victim: w3", "victim: w1"), "utf-8")
    done = replay(tmp_path)
    said = [line for line in done.stdout.splitlines() if line.startswith("DISAGREE ")]
    assert (
        'DISAGREE preempt-newest-first step 3 (submit w4): evictions w1: recorded "InClusterQueue for w4", ours nothing'
        in said
    )
    assert (
        'DISAGREE preempt-newest-first step 3 (submit w4): evictions w3: recorded nothing, ours "InClusterQueue for w4"'
        in said
    )
    assert done.stdout.splitlines()[-1].startswith("traces 1, steps ")
    assert done.stdout.splitlines()[-1].endswith("disagreed 1")
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("steps: [{do: jump}]", "do is 'jump'"),
        ("{", "expected"),
        ("just text", "a trace is a mapping"),
        ("", "no trace was found"),
    ],
)
def test_what_cannot_be_read_is_named_without_a_traceback(tmp_path, content, words):
    file = tmp_path / "trace.yaml"
    file.write_text(content, "utf-8")
    done = replay(file)
    assert done.returncode == 2
    assert words in done.stderr
    assert str(file) in done.stderr or not content
    assert "Traceback" not in done.stderr


def test_a_missing_path_is_named():
    done = replay("nowhere")
    assert (done.returncode, done.stderr) == (2, "no such file or folder: nowhere\n")
