from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from kohort.source.reader import read_file
from kohort.source.tree import MemoryTree, WorkDir


def put(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("a: 1\n")


def problems(tree: WorkDir) -> list[str]:
    return [f"{p.primary.origin.file}: {p.code} {p.message}" for p in tree.problems]


def test_walks_in_order_and_leaves_hidden_folders_out(tmp_path: Path) -> None:
    put(
        tmp_path,
        "b.yaml",
        "a/z.yml",
        "a/n.json",
        "a/readme.md",
        ".git/x.yaml",
        ".venv/y.yaml",
        "node_modules/p/q.json",
        ".hidden.yaml",
    )
    tree = WorkDir(tmp_path)
    assert tree.files() == ["a/n.json", "a/z.yml", "b.yaml"]
    assert tree.read("a/z.yml") == b"a: 1\n"
    assert tree.problems == ()


def test_named_paths_keep_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "q/a.yaml", "q/b.yaml", "other/c.yaml", "nodes.txt")
    monkeypatch.chdir(tmp_path)
    assert WorkDir(Path(), ["q", "nodes.txt", "./q/a.yaml"]).files() == ["nodes.txt", "q/a.yaml", "q/b.yaml"]
    assert WorkDir(Path(), [tmp_path / "other"]).files() == [f"{tmp_path}/other/c.yaml"]


def test_link_loops_end(tmp_path: Path) -> None:
    put(tmp_path, "q/a.yaml")
    (tmp_path / "q" / "again").symlink_to(tmp_path)
    (tmp_path / "self.yaml").symlink_to("self.yaml")
    (tmp_path / "teams").symlink_to("teams")
    (tmp_path / "q" / "there").symlink_to("back")
    (tmp_path / "q" / "back").symlink_to("there")
    (tmp_path / "gone.yaml").symlink_to("nowhere.yaml")
    tree = WorkDir(tmp_path)
    assert tree.files() == ["q/a.yaml"]
    assert problems(tree) == [
        "gone.yaml: YAM026 gone.yaml links to nothing",
        "q/again: YAM025 q/again links to a folder that is read already",
        "q/back: YAM025 q/back links to itself",
        "q/there: YAM025 q/there links to itself",
        "self.yaml: YAM025 self.yaml links to itself",
        "teams: YAM025 teams links to itself",
    ]


def test_links_out_of_what_was_named_are_told_and_not_read(tmp_path: Path) -> None:
    put(tmp_path, "out/x.yaml", "out/more/z.yaml", "in/y.yaml", "inner/x.yaml")
    (tmp_path / "in" / "x.yaml").symlink_to(tmp_path / "out" / "x.yaml")
    (tmp_path / "in" / "all").symlink_to("/")
    (tmp_path / "in" / "near").symlink_to("../inner")  # its path begins like the folder's
    (tmp_path / "in" / "up").symlink_to("..")
    (tmp_path / "in" / "notes.txt").symlink_to("../out/x.yaml")  # would not be read anyway
    tree = WorkDir(tmp_path, ["in"])
    assert tree.files() == ["in/y.yaml"]
    assert problems(tree) == [
        f"in/{name}: YAM027 in/{name} links out of what was named and is not read"
        for name in ("all", "near", "up", "x.yaml")
    ]
    assert {f.severity.value for f in tree.problems} == {"warning"}


def test_what_is_named_beside_is_inside_and_read_once(tmp_path: Path) -> None:
    put(tmp_path, "out/x.yaml", "in/y.yaml", "single.txt")
    (tmp_path / "in" / "x.yaml").symlink_to("../out/x.yaml")
    (tmp_path / "in" / "a.yaml").symlink_to("y.yaml")
    (tmp_path / "in" / "one.yaml").symlink_to("../single.txt")
    tree = WorkDir(tmp_path, ["in", "out", "single.txt"])
    assert tree.files() == ["in/y.yaml", "out/x.yaml", "single.txt"]
    assert tree.problems == ()


def test_hidden_targets_of_links_are_read_by_the_first_link_as_a_mounted_config_map_has_them(
    tmp_path: Path,
) -> None:
    put(tmp_path, "in/..2026/q.yaml", "in/..2026/deep/r.yaml")
    (tmp_path / "in" / "..data").symlink_to("..2026")
    (tmp_path / "in" / "q.yaml").symlink_to("..data/q.yaml")
    (tmp_path / "in" / "p.yaml").symlink_to("..data/q.yaml")
    (tmp_path / "in" / "all").symlink_to("..2026/deep")
    (tmp_path / "in" / "..2026" / "deep" / "back").symlink_to("../../..2026")
    tree = WorkDir(tmp_path, ["in"])
    assert tree.files() == ["in/all/r.yaml", "in/p.yaml"]
    assert tree.read("in/p.yaml") == b"a: 1\n"
    assert tree.problems == ()  # `back` leads to what nothing had read as a folder


def test_a_link_that_is_named_is_followed_wherever_it_leads(tmp_path: Path) -> None:
    put(tmp_path, "out/x.yaml", "out/deep/y.yaml", "far/z.yaml")
    (tmp_path / "here").symlink_to("out")
    (tmp_path / "x").symlink_to("out/x.yaml")
    (tmp_path / "out" / "same.yaml").symlink_to("deep/y.yaml")
    (tmp_path / "out" / "far").symlink_to("../far")
    tree = WorkDir(tmp_path, ["here"])
    assert tree.files() == ["here/deep/y.yaml", "here/x.yaml"]
    assert problems(tree) == ["here/far: YAM027 here/far links out of what was named and is not read"]
    assert WorkDir(tmp_path, ["x"]).files() == ["x"]
    for paths in (["x", "here", "out"], ["out", "x", "here"]):
        tree = WorkDir(tmp_path, paths)
        assert tree.files() == ["out/deep/y.yaml", "out/x.yaml"]
        assert problems(tree) == ["out/far: YAM027 out/far links out of what was named and is not read"]


def test_loops_below_what_was_named_end(tmp_path: Path) -> None:
    put(tmp_path, "d/a.yaml", "d/e/b.yaml")
    (tmp_path / "d" / "e" / "up").symlink_to("..")
    (tmp_path / "d" / "e" / "here").symlink_to(".")
    (tmp_path / "d" / "one.yaml").symlink_to("two.yaml")
    (tmp_path / "d" / "two.yaml").symlink_to("one.yaml")
    tree = WorkDir(tmp_path, ["d"])
    assert tree.files() == ["d/a.yaml", "d/e/b.yaml"]
    assert problems(tree) == [
        "d/e/here: YAM025 d/e/here links to a folder that is read already",
        "d/e/up: YAM025 d/e/up links to a folder that is read already",
        "d/one.yaml: YAM025 d/one.yaml links to itself",
        "d/two.yaml: YAM025 d/two.yaml links to itself",
    ]


def test_links_out_of_a_repository_are_told_and_not_read(tmp_path: Path) -> None:
    put(tmp_path, "out/x.yaml", "out/deep/z.yaml", "in/q/y.yaml", "inner/x.yaml")
    (tmp_path / "in" / "x.yaml").symlink_to("../out/x.yaml")
    (tmp_path / "in" / "all").symlink_to("/")
    (tmp_path / "in" / "near").symlink_to("../inner")  # its path begins like the repository's
    (tmp_path / "in" / "notes.txt").symlink_to("../out/x.yaml")  # would not be read anyway
    (tmp_path / "in" / "same.yaml").symlink_to("q/y.yaml")
    (tmp_path / "in" / "round.yaml").symlink_to("../in/q/y.yaml")
    (tmp_path / "in" / "hop").symlink_to(".hidden")
    (tmp_path / "in" / ".hidden").mkdir()
    (tmp_path / "in" / ".hidden" / "x.yaml").symlink_to(tmp_path / "out" / "deep" / "z.yaml")
    (tmp_path / "link").symlink_to("in")  # the repository itself may be reached by a link
    for root in ("in", "link"):
        tree = WorkDir(tmp_path / root)
        assert tree.files() == ["q/y.yaml", "round.yaml", "same.yaml"]
        assert problems(tree) == [
            "all: YAM023 all links out of the repository and is not read",
            "hop/x.yaml: YAM023 hop/x.yaml links out of the repository and is not read",
            "near: YAM023 near links out of the repository and is not read",
            "x.yaml: YAM023 x.yaml links out of the repository and is not read",
        ]


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "q.yaml")
    started = time.perf_counter()
    tree = WorkDir(tmp_path)
    assert tree.files() == []
    assert problems(tree) == ["q.yaml: YAM024 q.yaml is a pipe, not a file"]
    with pytest.raises(OSError, match="not a regular file"):
        tree.read("q.yaml")
    assert time.perf_counter() - started < 20


def test_devices_are_named(tmp_path: Path) -> None:
    assert problems(WorkDir(tmp_path, [Path("/dev/zero")])) == [
        "/dev/zero: YAM024 /dev/zero is a device, not a file"
    ]


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.yaml").open("wb") as file:
        file.truncate(100 << 20)
    tree = WorkDir(tmp_path)
    assert tree.files() == []
    assert problems(tree) == [
        "huge.yaml: YAM022 huge.yaml is too large to be read (100 MiB; at most 64 MiB a file and 32 MiB a document)"
    ]


def test_missing_paths(tmp_path: Path) -> None:
    assert problems(WorkDir(tmp_path, ["nope"])) == ["nope: YAM026 nope does not exist"]
    with pytest.raises(OSError, match="No such file"):
        WorkDir(tmp_path).read("nope.yaml")


def test_unreadable_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.yaml", "locked/b.yaml", "c.yaml")
    real_access, real_scandir = os.access, os.scandir

    def access(path: Path, mode: int) -> bool:
        return Path(path).name != "a.yaml" and real_access(path, mode)

    def scandir(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return real_scandir(path)

    # Root, as which tests may run, may read everything: the answers of the system are given here.
    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(os, "scandir", scandir)
    tree = WorkDir(tmp_path)
    assert tree.files() == ["c.yaml"]
    assert problems(tree) == [
        "a.yaml: YAM023 a.yaml cannot be read (permission denied)",
        "locked: YAM023 locked cannot be read (permission denied)",
    ]


def test_deep_folders_end(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(70):
        folder = folder / "d"
    put(folder, "x.yaml")
    tree = WorkDir(tmp_path)
    assert tree.files() == []
    assert [p.code for p in tree.problems] == ["YAM023"]


def test_memory_tree_and_standard_input() -> None:
    tree = MemoryTree({"b": "x: 1\n", "-": b"z: 2\n"})
    assert tree.files() == ["-", "b"]
    assert read_file("-", tree.read("-")).documents[0].value == {"z": 2}
    with pytest.raises(OSError, match="No such file"):
        tree.read("c")
