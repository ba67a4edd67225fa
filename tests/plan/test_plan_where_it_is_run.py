"""`kohort plan` in clones, checkouts and folders that hold less, or other bytes, than one thinks: nothing is made up."""

from __future__ import annotations

import pytest
from command_line import RED, commit, edit, git, kohort, run, words, write

GOLD = "teams/gold/team.yaml"


@pytest.fixture
def changed(repo):
    """A commit on main that changes a team."""
    edit(repo)
    commit(repo)
    return repo


BOTH = ("plan", "-q", "--base", "HEAD~1", "--head", "HEAD")


@pytest.mark.parametrize(("flags", "code"), [((), 2), (("--detailed-exitcode",), 1)])
def test_a_clone_without_contents_is_no_plan_without_changes(changed, tmp_path, flags, code):
    git(changed, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{changed}", str(clone))
    done = kohort(clone, *BOTH, *flags)
    assert (done.returncode, done.stdout) == (code, "")
    assert "kohort: git lacks contents of HEAD~1 (" in done.stderr
    assert "this is a partial clone, bring the rest: git fetch --refetch --no-filter\n" in done.stderr


def test_a_damaged_repository_is_no_plan_in_which_everything_goes(changed):
    sha = git(changed, "rev-parse", "HEAD:teams/red")
    (changed / ".git/objects" / sha[:2] / sha[2:]).unlink()
    done = kohort(changed, *BOTH)
    assert (done.returncode, done.stdout) == (2, "")
    assert "kohort: git cannot list the files of HEAD (" in done.stderr
    assert done.stderr.endswith("the repository is damaged: `git fsck` says where\n")


@pytest.mark.parametrize("folder", ["teams", "teams/red"])
def test_a_folder_without_the_organisation_on_either_side_is_nothing_to_compare(changed, folder):
    done = kohort(changed / folder, *BOTH)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"has a kohort.yaml in {folder}: go to the folder that holds it" in done.stderr


def test_what_a_sparse_checkout_leaves_out_is_not_gone(changed):
    git(changed, "sparse-checkout", "set", "--no-cone", "/kohort.yaml", "/queues", "/clusters", "/teams/red")
    done = kohort(changed, "plan", "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "kohort: a sparse checkout leaves teams/blue/team.yaml and 2 more files out of the working tree: "
        "plan commits (--head HEAD), or git sparse-checkout disable\n"
    )
    assert kohort(changed, *BOTH).returncode == 0
    git(changed, "sparse-checkout", "disable")
    (changed / "notes.md").write_text("words\n")
    commit(changed)
    git(changed, "sparse-checkout", "set", "--no-cone", "/*", "!/notes.md")
    assert "nothing changes" in kohort(changed, "plan", "-q").stdout


def test_line_ends_that_a_checkout_makes_are_nobodys_change(repo, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", str(repo), str(clone))
    assert b"\r\n" in (clone / "kohort.yaml").read_bytes()
    done = kohort(clone, "plan", "-q", "--actor", "mallory")
    assert "nothing changes" in done.stdout
    assert "who must agree" not in done.stdout
    text = (clone / RED).read_bytes()
    (clone / RED).write_bytes(text.replace(b"gpus: 6", b"gpus: 2"))
    done = kohort(clone, "plan", "-q", "--actor", "mallory")
    assert "team red, which names no admins: its own files change (teams/red/team.yaml)" in done.stdout
    assert "6 → 2 GPUs" in words(done.stdout)
    assert "teams/gold" not in done.stdout


def test_a_tag_that_is_called_main_is_not_the_branch(repo):
    git(repo, "tag", "main")
    edit(repo)
    commit(repo)
    assert "nothing changes" in kohort(repo, "plan", "-q").stdout
    done = kohort(repo, "plan", "-q", "--base", "main")
    assert done.returncode == 2
    assert "main is a name of more than one thing here; write refs/heads/main for the branch" in done.stderr


def test_the_way_back_of_a_link_shows_the_file_that_is_merged(repo):
    """Red's file becomes a link over a folder that is a link itself: the plan reads what a checkout holds there."""
    text = (repo / RED).read_text()
    write(repo, {"teams/red/.a/b/x.txt": "", "teams/red/.a/real.yaml": text.replace("gpus: 6", "gpus: 3")})
    write(repo, {"teams/red/real.yaml.txt": text})
    (repo / RED).unlink()
    (repo / "teams/red/.deep").symlink_to(".a/b")
    (repo / RED).symlink_to(".deep/../real.yaml")
    commit(repo)
    done = kohort(repo, *BOTH)
    assert "6 → 3 GPUs" in words(done.stdout)
    assert "nothing changes" in kohort(repo, "plan", "-q", "--base", "HEAD").stdout


def test_a_full_disk_is_an_error_and_no_change(changed):
    for flags, code in (((), 2), (("--detailed-exitcode",), 1)):
        command = " ".join(("kohort", *BOTH, *flags))
        done = run(changed, "sh", "-c", f"{command} > /dev/full")
        assert (done.returncode, done.stderr) == (
            code,
            "kohort: cannot write the output: No space left on device\n",
        )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\n::error::owned", r"a\n::error::owned"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\u202eevil", r"\u202eevil"),
        ("##[error]x", r"#\x23[error]x"),
    ],
)
@pytest.mark.parametrize("flag", ["--base", "--head", "--with"])
def test_a_name_that_is_refused_acts_nowhere(repo, name, shown, flag):
    for more in ((), ("--detailed-exitcode",)):
        done = kohort(repo, "plan", "-q", flag, name, *more)
        assert done.returncode == (1 if more else 2)
        assert done.stderr.startswith(f"kohort: {shown.replace(chr(92) + 'n', chr(92) + 'x0a')} is no commit")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("more", [(), ("--detailed-exitcode",)])
def test_an_option_that_is_refused_acts_nowhere(repo, more):
    done = kohort(repo, "plan", "-q", "--format", "a\n::error::owned\x1b[31m", *more)
    assert done.returncode == (1 if more else 2)
    assert "\x1b" not in done.stderr
    assert not [line for line in done.stderr.splitlines() if line.lstrip().startswith("::")]


@pytest.mark.parametrize("command", ["plan", "check"])
def test_a_format_into_a_file_without_a_name_is_not_standard_output(repo, command):
    done = kohort(repo, command, "--format", "json=")
    assert (done.returncode, done.stdout) == (2, "")
    assert "json= names no file (a variable that was not set?)" in done.stderr
