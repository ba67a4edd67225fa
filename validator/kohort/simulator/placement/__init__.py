"""Pods on nodes after admission: packing, gangs, health, losses. Quota is not asked here, nodes are not asked in `semantics`."""
