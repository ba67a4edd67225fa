"""What compiling must not depend on: order of files and documents, comments, earlier output, the state of the disk."""

from __future__ import annotations

import errno
import importlib.util
import os
import random
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest
import yaml

from kohort.cli.exits import Exit
from kohort.cli.main import cli
from kohort.compiler.emit import render_files
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository, is_source
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]
FILES = {
    path.relative_to(ROOT).as_posix(): path.read_bytes()
    for top in ("kohort.yaml", "clusters", "queues", "teams", "workloads", "ci/exceptions")
    for path in ([ROOT / top] if (ROOT / top).is_file() else sorted((ROOT / top).rglob("*.yaml")))
    if is_source(path.relative_to(ROOT).as_posix())
}
SEEDS = range(3)


class Shuffled(MemoryTree):
    """The same files, listed and held in another order."""

    def __init__(self, files, seed):
        names = list(files)
        random.Random(seed).shuffle(names)
        super().__init__({name: files[name] for name in names})

    def files(self):
        return list(self)


def compiled(tree):
    """Bytes by path, and what is said: order included, lines not."""
    outcome, bundle = check_repository(tree, Settings())
    findings = [
        (f.code, f.severity, f.message, f.primary.origin.file, f.primary.origin.path, f.help, f.clusters)
        for f in outcome.report.findings
    ]
    return render_files(bundle), findings, outcome.report.summary


@pytest.fixture(scope="module")
def shipped():
    files, findings, summary = compiled(MemoryTree(FILES))
    assert len(files) > 20
    return files, findings, summary


@pytest.fixture(scope="module")
def faulty_files(tmp_path_factory):
    """A generated organisation in which some teams ask for a flavor that does not exist."""
    root = tmp_path_factory.mktemp("generated")
    spec = importlib.util.spec_from_file_location("generate", ROOT / "ci" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(root, 12, 3, 3)
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*.yaml"))}


@pytest.fixture(scope="module")
def faulty(faulty_files):
    files, findings, summary = compiled(MemoryTree(faulty_files))
    assert len(findings) >= 3
    assert files
    return files, findings, summary


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_files_changes_no_byte_and_no_finding(seed, shipped, faulty, faulty_files):
    assert compiled(Shuffled(FILES, seed)) == shipped
    assert compiled(Shuffled(faulty_files, seed)) == faulty


def test_a_second_run_in_one_process_changes_nothing(shipped, faulty, faulty_files):
    assert compiled(MemoryTree(FILES)) == shipped
    assert compiled(MemoryTree(faulty_files)) == faulty


def commented(text: str, rng: random.Random) -> str:
    """Comments and blank lines between lines, and at the end of those that clearly hold no longer text."""
    lines = []
    block = None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if block is not None and line.strip() and indent <= block:
            block = None
        if block is None and rng.random() < 0.4:
            lines.append(
                rng.choice(["", "# a remark: {not: yaml}", "      # deeper – than its surroundings"])
            )
        if block is None and re.search(r"[|>][+-]?\d?$", line):
            block = indent
        elif block is None and line.strip() and not line.startswith(("---", "#")) and "#" not in line:
            line = f"{line}{rng.choice(['', '  # why'])}"  # noqa: PLW2901 - one line, two steps
        lines.append(line)
    return "\n".join(["# first line", *lines, "", "# last line", ""])


def harmless(data: bytes, rng: random.Random) -> bytes:
    """A comment inside of a text of several lines would be a change: try until there is none."""
    values = list(yaml.load_all(data, yaml.CSafeLoader))
    for _ in range(50):
        changed = commented(data.decode(), rng).encode()
        try:
            if list(yaml.load_all(changed, yaml.CSafeLoader)) == values:
                return changed
        except yaml.YAMLError:
            continue
    raise AssertionError("no harmless place for comments was found")


@pytest.mark.parametrize("seed", SEEDS)
def test_comments_and_blank_lines_change_no_byte_and_no_finding(seed, shipped, faulty, faulty_files):
    rng = random.Random(seed)
    for files, expected in ((FILES, shipped), (faulty_files, faulty)):
        changed = {name: harmless(data, rng) for name, data in files.items()}
        assert all(changed[name] != files[name] for name in files)
        assert compiled(MemoryTree(changed)) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_documents_in_a_file_changes_no_byte_and_no_finding(seed, shipped, faulty, faulty_files):
    rng = random.Random(seed)
    for files, expected in ((FILES, shipped), (faulty_files, faulty)):
        changed, moved = {}, 0
        for name, data in files.items():
            parts = [
                part for part in re.split(r"^---.*\n", data.decode(), flags=re.MULTILINE) if part.strip()
            ]
            before = list(parts)
            rng.shuffle(parts)
            moved += parts != before
            changed[name] = "---\n".join(part.rstrip("\n") + "\n" for part in parts).encode()
        assert moved
        written, findings, summary = compiled(MemoryTree(changed))
        assert (written, summary) == (expected[0], expected[2])
        assert sorted(map(repr, findings)) == sorted(map(repr, expected[1]))  # they come in order of lines


def test_files_read_back_as_the_objects_that_were_judged(faulty_files):
    for files in (FILES, faulty_files):
        _, bundle = check_repository(MemoryTree(files), Settings())
        written = render_files(bundle)
        for built in bundle.clusters.values():
            for path, objects in built.files.items():
                read = list(yaml.load_all(written[path], yaml.CSafeLoader))
                assert read == [obj.data for obj in objects], path


# The command on a folder.


@pytest.fixture
def folder(tmp_path):
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return tmp_path


def kohort(capsys, *arguments):
    """Exit code, standard output and standard error of a command in this process."""
    capsys.readouterr()
    code = cli.main([str(a) for a in arguments], standalone_mode=False)
    out, err = capsys.readouterr()
    return code, out, err


def state(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Content, inode and time of change of every file, hidden ones included."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def test_a_second_compile_touches_no_file_and_check_says_up_to_date(folder, capsys, shipped):
    code, _, err = kohort(capsys, "compile", folder)
    assert (code, f"{len(shipped[0])} written, 0 removed" in err) == (Exit.CLEAN, True)
    before = state(folder)
    assert {name: data for name, (data, *_) in before.items() if name not in FILES} == shipped[0]
    code, _, err = kohort(capsys, "compile", folder)
    assert (code, "0 written, 0 removed" in err) == (Exit.CLEAN, True)
    assert state(folder) == before
    assert kohort(capsys, "compile", "--check", folder) == (
        Exit.CLEAN,
        "",
        f"{len(shipped[0])} compiled files are up to date\n",
    )
    assert state(folder) == before


def test_foreign_files_are_named_and_left_alone(folder, capsys):
    kohort(capsys, "compile", folder)
    foreign = folder / "clusters/vela/manifests/teams/by-hand.yaml"
    foreign.write_text("kind: ConfigMap\n")
    link = folder / "clusters/vela/argocd/link.yaml"
    link.symlink_to(folder / "kohort.yaml")
    before = state(folder)
    for arguments in (("compile", folder), ("compile", "--check", folder)):
        code, _, err = kohort(capsys, *arguments)
        assert code == Exit.CLEAN
        assert "left alone, not compiled by Kohort: clusters/vela/manifests/teams/by-hand.yaml\n" in err
        assert "left alone, not compiled by Kohort: clusters/vela/argocd/link.yaml\n" in err
        assert state(folder) == before
        assert link.is_symlink()


def test_what_is_no_longer_produced_is_removed(folder, capsys):
    kohort(capsys, "compile", folder)
    old = folder / "clusters/vela/manifests/teams/robots.yaml"
    gone = folder / "clusters/vela/manifests/teams/dissolved.yaml"
    gone.write_bytes(old.read_bytes())
    code, _, err = kohort(capsys, "compile", "--check", folder)
    assert (code, gone.exists()) == (Exit.FINDINGS, True)
    assert "no longer produced: clusters/vela/manifests/teams/dissolved.yaml\n" in err
    code, _, err = kohort(capsys, "compile", folder)
    assert (code, "0 written, 1 removed" in err) == (Exit.CLEAN, True)
    assert not gone.exists()
    assert old.exists()


def test_a_team_that_left_takes_its_files_and_empty_folder_along(folder, capsys):
    kohort(capsys, "compile", folder)
    work = folder / "clusters/vela/manifests/workloads/climate"
    assert list(work.iterdir())
    (folder / "teams/climate/workloads.yaml").unlink()
    code, _, _ = kohort(capsys, "compile", folder)
    assert code == Exit.CLEAN
    assert not work.exists()
    assert (folder / "clusters/vela/manifests/teams/climate.yaml").exists()


def test_a_changed_and_a_missing_file_show_in_the_diff(folder, capsys):
    kohort(capsys, "compile", folder)
    changed = folder / "clusters/pokprod/manifests/teams/blue.yaml"
    right = changed.read_bytes()
    changed.write_bytes(right.replace(b'nominalQuota: "8"', b'nominalQuota: "9"'))
    assert changed.read_bytes() != right
    code, out, err = kohort(capsys, "compile", "--check", folder)
    assert code == Exit.FINDINGS
    assert out.splitlines()[:2] == [
        "--- committed/clusters/pokprod/manifests/teams/blue.yaml",
        "+++ compiled/clusters/pokprod/manifests/teams/blue.yaml",
    ]
    assert re.search(r"^-\s+nominalQuota: \"9\"$", out, re.MULTILINE)
    assert re.search(r"^\+\s+nominalQuota: \"8\"$", out, re.MULTILINE)
    assert "run `kohort compile` and commit the result" in err
    kohort(capsys, "compile", folder)
    assert changed.read_bytes() == right


def test_errors_write_nothing(folder, capsys):
    team = folder / "teams/blue/team.yaml"
    team.write_text(team.read_text().replace("flavor: ", "flavor: no-such-", 1))
    before = state(folder)
    code, _, err = kohort(capsys, "compile", folder)
    assert code == Exit.FINDINGS
    assert "nothing was written, since errors stand" in err
    assert state(folder) == before


class Disk:
    """Stands in for `os.fdopen`: the disk is full after some files."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.real = os.fdopen

    def __call__(self, handle, *arguments, **options):
        file = self.real(handle, *arguments, **options)
        self.left -= 1
        return file if self.left >= 0 else Full(file)


class Full:
    def __init__(self, file) -> None:
        self.file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.file.close()

    def write(self, data):
        self.file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("after", [0, 1, 7])
def test_a_full_disk_leaves_all_old_output_and_no_unfinished_file(folder, capsys, monkeypatch, after):
    kohort(capsys, "compile", folder)
    for name in ("queues/classes.yaml", "kohort.yaml"):  # every file's header or labels stay; quotas change
        assert (folder / name).exists()
    text = (folder / "kohort.yaml").read_text()
    assert "admins" in text
    (folder / "kohort.yaml").write_text(text.replace("admins", "admins", 1))
    for path in (folder / "clusters").rglob(
        "manifests/*.yaml"
    ):  # as an older version would have written them
        path.write_bytes(path.read_bytes().replace(b"kohort.dev/source", b"kohort.dev/origin"))
    before = state(folder)
    monkeypatch.setattr(os, "fdopen", Disk(after))
    with pytest.raises(Exception, match=r"cannot write .*\.yaml: No space left on device"):
        kohort(capsys, "compile", folder)
    assert state(folder) == before
    monkeypatch.undo()
    code, _, err = kohort(capsys, "compile", folder)
    assert code == Exit.CLEAN
    assert " 0 written" not in err
    assert kohort(capsys, "compile", "--check", folder)[0] == Exit.CLEAN


def test_a_real_limit_of_the_system_leaves_all_old_output(folder, capsys):
    """The system refuses to write more than 4 KiB into a file, as it refuses on a full disk."""
    kohort(capsys, "compile", folder)
    for path in (folder / "clusters").rglob("manifests/**/*.yaml"):
        path.write_bytes(path.read_bytes().replace(b"kohort.dev/source", b"kohort.dev/origin"))
    before = state(folder)
    done = subprocess.run(
        [sys.executable, "-c", "from kohort.cli.main import main; main()", "compile", folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode == Exit.USAGE, done.stderr
    assert re.search(r"^Error: cannot write .*clusters/.*\.yaml: File too large$", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert state(folder) == before
