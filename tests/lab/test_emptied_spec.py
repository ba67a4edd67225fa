"""Why no compiled Cohort has an empty spec: what Argo CD would apply after its last field went is refused."""

import pytest

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError

pytestmark = pytest.mark.lab


def cohort(**spec):
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Cohort",
        "metadata": {"name": "emptied"},
        "spec": spec,
    }


def test_a_server_side_apply_that_empties_a_spec_is_refused(plane: ControlPlane) -> None:
    plane.apply([cohort(parentName="above")])
    with pytest.raises(
        LabError, match=r'422 .*spec: Invalid value: "null": spec in body must be of type object'
    ):
        plane.apply([cohort()])
    plane.apply([cohort(fairSharing={"weight": "1"})])
    found = plane.client.must("GET", "/apis/kueue.x-k8s.io/v1beta2/cohorts/emptied")
    assert found["spec"] == {"fairSharing": {"weight": "1"}}
    plane.client.must("DELETE", "/apis/kueue.x-k8s.io/v1beta2/cohorts/emptied")
