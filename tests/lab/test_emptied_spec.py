"""Why no compiled Cohort has an empty spec, and what PLN005 says: an apply that takes the last field away is refused."""

import pytest

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError

pytestmark = pytest.mark.lab
API = "kueue.x-k8s.io/v1beta2"


@pytest.mark.parametrize(
    ("kind", "plural", "one", "kept"),
    [
        ("Cohort", "cohorts", {"parentName": "above"}, {"fairSharing": {"weight": "1"}}),
        (
            "ResourceFlavor",
            "resourceflavors",
            {"nodeTaints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]},
            {"nodeLabels": {"pool": "x"}},
        ),
    ],
)
def test_a_server_side_apply_that_empties_a_spec_is_refused(
    plane: ControlPlane, kind: str, plural: str, one: dict, kept: dict
) -> None:
    path = f"/apis/{API}/{plural}/emptied"

    def made(spec: dict) -> dict:
        return {"apiVersion": API, "kind": kind, "metadata": {"name": "emptied"}, "spec": spec}

    plane.apply([made(one)])
    with pytest.raises(
        LabError, match=r'422 .*spec: Invalid value: "null": spec in body must be of type object'
    ):
        plane.apply([made({})])
    plane.apply([made(kept)])
    found = plane.client.must("GET", path)
    assert found["spec"] == kept
    replaced = plane.client.must("PUT", path, {**found, "spec": {}})
    assert not replaced["spec"]
    plane.client.must("DELETE", path)
