from kohort.compiler import render_files
from kohort.compiler.where import compiled_from, place_in
from kohort.spans import Origin

FILE = "clusters/lab/manifests/teams/blue.yaml"
GPUS = Origin("teams/blue/team.yaml", 0, ("spec", "queues", 0, "quota", "lab", 0, "gpus"))


def line_of(result, text, after="kind: ClusterQueue"):
    lines = render_files(result.bundle)[FILE].decode().split("\n")
    start = lines.index(after)
    return next(i for i in range(start, len(lines)) if lines[i].strip() == text) + 1


def test_a_typed_number_becomes_these_fields(base):
    places = compiled_from(base.bundle, GPUS)
    assert {p.file for p in places} == {FILE}
    assert {p.obj.ref for p in places} == {"ClusterQueue blue-train"}
    assert {p.path[-3:-1]: p.value for p in places} == {
        ("resources", 0): "80",
        ("resources", 1): "8",
        ("resources", 2): "1000Gi",
        ("resources", 3): "80",
    }
    assert places[0].arithmetic == "8 GPUs × (100 − 20 cpu) ÷ 8 GPUs per node = 80"


def test_a_place_that_decides_nothing_itself_answers_for_what_is_around_it(base):
    places = compiled_from(base.bundle, Origin("teams/blue/team.yaml", 0, ("spec", "queues", 0, "name")))
    assert "ClusterQueue blue-train" in {p.obj.ref for p in places}
    assert compiled_from(base.bundle, Origin("teams/none.yaml")) == ()


def test_a_compiled_number_names_its_source(base):
    place = place_in(base.bundle, FILE, line_of(base, 'nominalQuota: "80"'))
    assert place.obj.ref == "ClusterQueue blue-train"
    assert place.path == ("spec", "resourceGroups", 0, "flavors", 0, "resources", 0, "nominalQuota")
    assert (place.value, place.origin) == ("80", GPUS)
    assert place.arithmetic.endswith("= 80")


def test_first_lines_of_list_entries_and_keys_of_blocks(base):
    place = place_in(base.bundle, FILE, line_of(base, "- name: cpu"))
    assert place.path[-2:] == (0, "name")
    block = place_in(base.bundle, FILE, line_of(base, "preemption:"))
    assert (block.path, block.value) == (("spec", "preemption"), None)
    assert block.origin.file == "queues/all.yaml"


def test_every_line_of_every_file_is_a_field_a_separator_or_the_header(base):
    for path, data in render_files(base.bundle).items():
        for number, line in enumerate(data.decode().splitlines(), 1):
            place = place_in(base.bundle, path, number)
            if line == "---" or number == 1:
                continue
            assert place is not None, (path, number, line)
            assert place.path, (path, number, line)


def test_a_file_that_is_not_compiled_has_no_places(base):
    assert place_in(base.bundle, "teams/blue/team.yaml", 1) is None
