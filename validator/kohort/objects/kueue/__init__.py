"""Typed, tolerant views of Kueue's kinds: what is well formed is typed, what is not is left out and judged elsewhere."""

from kohort.objects.kueue.cohort import Cohort, read_cohort
from kohort.objects.kueue.flavor import Flavor, Taint, read_flavor
from kohort.objects.kueue.local_queue import LocalQueue, read_local_queue
from kohort.objects.kueue.queue import ClusterQueue, Preemption, read_cluster_queue
from kohort.objects.kueue.quota import FlavorQuota, ResourceGroup, ResourceQuota

__all__ = [
    "ClusterQueue",
    "Cohort",
    "Flavor",
    "FlavorQuota",
    "LocalQueue",
    "Preemption",
    "ResourceGroup",
    "ResourceQuota",
    "Taint",
    "read_cluster_queue",
    "read_cohort",
    "read_flavor",
    "read_local_queue",
]
