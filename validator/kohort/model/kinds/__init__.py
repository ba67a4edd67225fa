"""The kinds of the source language, one strict model per kind."""

from __future__ import annotations

from typing import Any

from kohort.model.kinds.base import API_GROUP, API_VERSION, Envelope, Strict
from kohort.model.kinds.check import AdmissionCheckDocument
from kohort.model.kinds.cluster import ClusterDocument
from kohort.model.kinds.cohort import CohortDocument
from kohort.model.kinds.exception import ExceptionDocument
from kohort.model.kinds.flavor import FlavorDocument
from kohort.model.kinds.inventory import InventoryDocument
from kohort.model.kinds.maintenance import MaintenanceDocument
from kohort.model.kinds.organisation import OrganisationDocument
from kohort.model.kinds.priority import PriorityDocument
from kohort.model.kinds.queueclass import QueueClassDocument
from kohort.model.kinds.size import SizeDocument
from kohort.model.kinds.team import TeamDocument
from kohort.model.kinds.template import WorkloadTemplateDocument
from kohort.model.kinds.topology import TopologyDocument
from kohort.model.kinds.workload import WorkloadDocument

KINDS: dict[str, type[Envelope[Any]]] = {
    "Organisation": OrganisationDocument,
    "Cluster": ClusterDocument,
    "Inventory": InventoryDocument,
    "Maintenance": MaintenanceDocument,
    "Flavor": FlavorDocument,
    "Topology": TopologyDocument,
    "Cohort": CohortDocument,
    "QueueClass": QueueClassDocument,
    "Size": SizeDocument,
    "Priority": PriorityDocument,
    "AdmissionCheck": AdmissionCheckDocument,
    "Team": TeamDocument,
    "WorkloadTemplate": WorkloadTemplateDocument,
    "Workload": WorkloadDocument,
    "Exception": ExceptionDocument,
}

__all__ = ["API_GROUP", "API_VERSION", "KINDS", "Envelope", "Strict"]
