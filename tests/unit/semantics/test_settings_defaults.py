"""What holds where the manager's Configuration says nothing: times are those that Kueue's documentation states."""

from kohort.semantics.settings import AdmissionSharing, PodsReady

SECOND = 1000
MINUTE = 60 * SECOND


def test_waiting_for_pods():
    ready = PodsReady()
    assert (ready.timeout, ready.recovery) == (5 * MINUTE, 0)
    assert (ready.backoff_base, ready.backoff_max, ready.backoff_limit) == (MINUTE, 60 * MINUTE, None)
    assert ready.by_eviction
    assert not ready.block_admission


def test_fair_order_of_admission():
    sharing = AdmissionSharing()
    assert (sharing.half_life, sharing.sampling, dict(sharing.weights)) == (0, 5 * MINUTE, {})
