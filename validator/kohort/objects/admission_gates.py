"""The annotation admission-gated-by: names of gates with commas between them, on Workloads and on the jobs that make them.

Source: Kueue 0.19.1 `pkg/util/webhook/validation_admissiongatedby.go`, which the webhooks of Workloads and of jobs both call,
and `pkg/util/csv` (blanks around a name do not count, nothing but blanks is no name). The names are those of a Job's managedBy.
"""

from __future__ import annotations

import re
from typing import Final

from kohort.objects.names import dns_subdomain, visible
from kohort.objects.versions import holds

GATED_BY: Final = "kueue.x-k8s.io/admission-gated-by"
_LONGEST: Final = 63
_PATH: Final = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")


def gates_of(text: str) -> list[str]:
    """The names, in order; an empty one where nothing stands between two commas."""
    return [gate.strip() for gate in text.split(",")] if text.strip() else []


def gate_fault(text: str, kueue: str) -> str:
    """Why Kueue of this version refuses the annotation: the first gate that is wrong; empty where none is."""
    if not holds("admission gates are well formed", kueue):
        return ""
    gates = gates_of(text)
    for index, gate in enumerate(gates):
        domain, slash, path = gate.partition("/")
        if not gate:
            return "a name between two commas is empty"
        if gate in gates[:index]:
            return f"{visible(gate[:80])} stands twice"
        if not slash or not domain or not path:
            return f"{visible(gate[:80])} is not like example.com/budget"
        bad = dns_subdomain(domain)
        if bad:
            return f"{visible(domain[:80])} is no domain: {bad}"
        if not _PATH.fullmatch(path):
            return f"{visible(path[:80])} has characters that no path of an address has"
        if len(gate.encode()) > _LONGEST:
            return f"{visible(gate[:80])} has {len(gate.encode())} bytes, more than {_LONGEST}"
    return ""
