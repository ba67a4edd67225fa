"""`kohort where`: from a typed number to compiled lines and back."""

import pytest

from kohort.compiler.build import build
from kohort.compiler.emit import render_files
from kohort.engine import locating
from kohort.engine.locating import declared_at, where
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.source.tree import WorkDir

TEAM = "teams/blue/team.yaml"
COMPILED = "clusters/lab/manifests/teams/blue.yaml"
RUN = """apiVersion: kohort.dev/v1alpha1
kind: Workload
metadata: {name: fit}
spec:
  template: batch-job
  cluster: lab
  queue: train
  values:
    image: example.com/job:1
    command: |
      run

      # not a comment
    gpusPerPod: 2
"""


def line_of(root, file, text):
    lines = (root / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.fixture
def files(repository):
    (repository / "teams/blue/fit.yaml").write_text(RUN)
    compiled = render_files(build(load_repository(WorkDir(repository), Settings()).repo))
    for name, data in compiled.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_bytes(data)
    return repository


def test_a_line_of_quota_names_every_amount_with_its_line_and_arithmetic(files):
    found = where(files, TEAM, line_of(files, TEAM, "gpus: 16"))
    assert found[0] == f"{TEAM}  spec.queues[0].quota.lab[0] decides 6 fields:"
    compiled = (files / COMPILED).read_text().splitlines()
    values = {}
    for place in found[1:]:
        if " = " in place and place.startswith(f"  {COMPILED}:"):
            address, _, value = place.strip().partition("  ")
            number = int(address.rpartition(":")[2])
            assert compiled[number - 1].strip().startswith("nominalQuota: ")
            assert "ClusterQueue blue-train  spec.resourceGroups[0]" in value
            values[value.rpartition(" = ")[2]] = compiled[number - 1].split(": ")[1].strip('"')
    assert values == {v: v for v in ("160", "1600Gi", "16", "160")}
    assert "      16 GPUs × (100 − 20 cpu) ÷ 8 GPUs per node = 160" in found


def test_a_value_of_a_workload_names_what_it_decides(files):
    found = where(files, "teams/blue/fit.yaml", line_of(files, "teams/blue/fit.yaml", "gpusPerPod"))
    work = "clusters/lab/manifests/workloads/blue/workloads.yaml"
    assert found[0] == "teams/blue/fit.yaml  spec.values.gpusPerPod decides 6 fields:"
    assert {line.split(":")[0].strip() for line in found[1:] if line.startswith("  clusters")} == {work}
    assert sum(line.rstrip().endswith("requests.cpu = 20") for line in found) == 1
    assert sum("2 gpusPerPod × 10 cpuPerAccelerator" in line for line in found) == 2


def test_the_shape_of_a_pool_takes_part_in_derived_quota(files):
    file = "clusters/lab/cluster.yaml"
    found = where(files, file, line_of(files, file, "reserve: {cpu: 20"))
    assert found[0] == f"{file}  spec.nodePools[0].reserve takes part in 4 fields:"
    assert any("(110 − 30 pods)" in line for line in found)


def test_the_shape_takes_no_part_in_what_was_typed_as_it_is(files):
    """Limits are computed from the shape as quota is; the accelerators themselves were typed."""
    team = (files / TEAM).read_text()
    team = team.replace("gpus: 16", "gpus: 16, borrow: 4, resources: {memory: 1Gi}")
    (files / TEAM).write_text(team.replace("default: true", "cohort: all", 1))
    (files / "queues/cohorts.yaml").write_text(
        "apiVersion: kohort.dev/v1alpha1\nkind: Cohort\nmetadata: {name: all}\nspec: {}\n"
    )
    file = "clusters/lab/cluster.yaml"
    found = where(files, file, line_of(files, file, "perNode: {cpu: 100"))
    amounts = [line.split("  ")[3] for line in found if line.startswith("  clusters/")]
    assert found[0] == f"{file}  spec.nodePools[0].perNode takes part in 6 fields:"
    assert sum("borrowingLimit" in amount for amount in amounts) == 3
    assert not [line for line in found if "as written" in line or "1Gi" in line]


def test_a_size_names_the_quota_that_states_it(files):
    (files / "queues/size.yaml").write_text(
        "apiVersion: kohort.dev/v1alpha1\nkind: Size\nmetadata: {name: l}\nspec: {gpus: 16}\n"
    )
    (files / TEAM).write_text((files / TEAM).read_text().replace("gpus: 16", "size: l"))
    found = where(files, "queues/size.yaml", 4)
    assert found[0] == "queues/size.yaml  spec.gpus takes part in 5 fields:"
    assert "      size l = 16 GPUs × (100 − 20 cpu) ÷ 8 GPUs per node = 160" in found
    assert all("nominalQuota" in line for line in found if line.startswith("  clusters/"))
    (files / TEAM).write_text((files / TEAM).read_text().replace("size: l", "gpus: 16"))
    assert where(files, "queues/size.yaml", 4) == [
        "queues/size.yaml  spec.gpus decides nothing that is compiled"
    ]


def test_a_separator_of_compiled_documents_says_nothing(files):
    number = (files / COMPILED).read_text().splitlines().index("---") + 1
    assert where(files, COMPILED, number) is None
    assert where(files, COMPILED, number + 1) is not None


def test_a_compiled_line_names_the_typed_number(files):
    number = line_of(files, COMPILED, 'nominalQuota: "160"')
    column = (files / TEAM).read_text().splitlines()[line_of(files, TEAM, "gpus: 16") - 1].index("16") + 1
    assert where(files, COMPILED, number) == [
        "ClusterQueue blue-train  spec.resourceGroups[0].flavors[0].resources[0].nominalQuota = 160",
        f"  from {TEAM}:{line_of(files, TEAM, 'gpus: 16')}:{column}  spec.queues[0].quota.lab[0].gpus",
        "  as   16 GPUs × (100 − 20 cpu) ÷ 8 GPUs per node = 160",
    ]


def test_compiled_files_that_are_old_or_missing_are_said_to_be(files):
    number = line_of(files, COMPILED, 'nominalQuota: "160"')
    (files / COMPILED).write_text("old\n")
    assert where(files, COMPILED, number)[-1].startswith("  (the file is out of date: this is line ")
    (files / COMPILED).unlink()
    assert where(files, COMPILED, number)[-1].startswith("  (not written yet: this is line ")
    assert where(files, COMPILED, 100_000) is None
    assert where(files, COMPILED, 1) is None


def test_what_decides_no_field_itself_answers_for_what_is_around_it(files):
    found = where(files, TEAM, line_of(files, TEAM, "- name: train"))
    assert found[0].startswith(
        f"{TEAM}  spec.queues[0].name decides no field by itself; spec.queues[0] decides "
    )
    template = "workloads/templates/batch-job.yaml"
    assert where(files, template, line_of(files, template, "title:")) == [
        f"{template}  metadata.title decides nothing that is compiled"
    ]


def test_long_answers_are_cut(files, monkeypatch):
    monkeypatch.setattr(locating, "MOST", 3)
    found = where(files, TEAM, line_of(files, TEAM, "gpus: 16"))
    assert found[-1] == "  and 3 more"
    assert sum(line.startswith("  clusters/") for line in found) == 3


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (TEAM, "# asked for in spring"),
        (TEAM, None),
        ("README.md", None),
        ("../outside.yaml", None),
        ("clusters/lab/manifests/none.yaml", None),
    ],
)
def test_places_without_a_declaration(files, file, text):
    number = line_of(files, file, text) if text else 10_000
    assert where(files, file, number) is None
    assert where(files, file, 0) is None
    assert where(files, file, -3) is None


def test_lines_inside_values(files):
    places = load_repository(WorkDir(files), Settings()).places
    file = "teams/blue/fit.yaml"
    first = line_of(files, file, "command:")
    for line in range(first, first + 4):  # a text of several lines, blank ones and `#` included
        assert declared_at(places, file, line).path == ("spec", "values", "command")
    assert declared_at(places, file, 4).path == ("spec",)
    second = declared_at(places, "queues/all.yaml", line_of(files, "queues/all.yaml", "name: cpu"))
    assert (second.document, second.path) == (1, ("metadata", "name"))
