"""Validation of a decoded Configuration: for each fault the manager prints it and ends.

Source: Kueue 0.15.2, 0.17.1 and 0.19.1 `pkg/config/validation.go`, in the order of its functions, with the defaults of
`apis/config`. Expressions (CEL) of device selectors are not compiled.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any, Final

from kohort.objects.configuration.devices import check_device_classes
from kohort.objects.configuration.document import Document, items, mapping, text
from kohort.objects.configuration.fault import Fault
from kohort.objects.configuration.integrations import check_integrations, check_multikueue
from kohort.objects.configuration.labels import check_custom_labels
from kohort.objects.configuration.tls import check_tls
from kohort.objects.durations import DurationError, format_duration, parse_duration
from kohort.objects.names import dns_subdomain, rfc1035_label
from kohort.objects.selectors import matches, validate_selector
from kohort.spans import Path

NEGATIVE: Final = "must be greater than or equal to 0"
_STRATEGIES: Final = (
    ("LessThanOrEqualToFinalShare",),
    ("LessThanInitialShare",),
    ("LessThanOrEqualToFinalShare", "LessThanInitialShare"),
)
_ZONE: Final = re.compile("%")
_PORTS: Final = range(1, 65536)


def validate(document: Document) -> list[Fault]:
    """Every fault of a document that decoded, none where the manager starts."""
    return [
        *_wait_for_pods_ready(document),
        *check_integrations(document),
        *check_multikueue(document),
        *_fair_sharing(document),
        *_admission_fair_sharing(document),
        *_certificates(document),
        *_transformations(document),
        *check_device_classes(document),
        *_selector(document),
        *_retention(document),
        *(check_tls(document) if document.since(0, 16) else ()),
        *(_visibility(document) if document.since(0, 17) else ()),
        *(check_custom_labels(document) if document.since(0, 17) else ()),
        *_quota_check(document),
    ]


def _wait_for_pods_ready(document: Document) -> Iterator[Fault]:
    block = document.wait_for_pods_ready
    if block is None:
        return
    path: Path = ("waitForPodsReady",)
    timeout = document.timeout(block)
    if timeout == 0:
        yield Fault((*path, "timeout"), "value", "Required value: must be specified")
    if timeout < 0:
        yield Fault((*path, "timeout"), "value", _negative(timeout))
    yield from _not_negative(document, "waitForPodsReady", "recoveryTimeout")
    strategy = mapping(block.get("requeuingStrategy"))
    path = (*path, "requeuingStrategy")
    if strategy.get("timestamp") not in {None, "Creation", "Eviction"}:
        yield Fault(
            (*path, "timestamp"), "value", _unsupported(strategy["timestamp"], "Creation", "Eviction")
        )
    for field in ("backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"):
        value = strategy.get(field)
        if isinstance(value, (int, float)) and value < 0:
            yield Fault((*path, field), "value", f"Invalid value: {value}: {NEGATIVE}")


def _fair_sharing(document: Document) -> Iterator[Fault]:
    chosen, path = document.strategies, ("fairSharing", "preemptionStrategies")
    if chosen == ():
        yield Fault(
            path, "value", "Required value: must be specified", ("leave fairSharing out to turn it off",)
        )
    elif chosen is not None and chosen not in _STRATEGIES:
        known = (",".join(words) for words in _STRATEGIES)
        helps = ("the order counts: LessThanOrEqualToFinalShare stands first",)
        shown = ",".join(chosen)
        yield Fault(path, "value", _unsupported(shown, *known), helps if len(chosen) > 1 else ())


def _admission_fair_sharing(document: Document) -> Iterator[Fault]:
    path = ("admissionFairSharing",)
    yield from _not_negative(document, *path, "usageHalfLifeTime")
    interval = _duration(document.at(*path, "usageSamplingInterval"))
    if interval is not None and interval < 0:
        message = f'Invalid value: "{format_duration(interval)}": must be greater than 0'
        yield Fault((*path, "usageSamplingInterval"), "value", message)
    for name, weight in mapping(document.at(*path, "resourceWeights")).items():
        if isinstance(weight, (int, float)) and weight < 0:
            yield Fault((*path, "resourceWeights", name), "value", f"Invalid value: {weight}: {NEGATIVE}")


def _certificates(document: Document) -> Iterator[Fault]:
    block = mapping(document.at("internalCertManagement"))
    if block.get("enable") is False:
        return
    for field, check in (("webhookServiceName", rfc1035_label), ("webhookSecretName", dns_subdomain)):
        name = block.get(field)
        wrong = check(name) if isinstance(name, str) else None
        if wrong:
            yield Fault(("internalCertManagement", field), "value", f'Invalid value: "{name}": {wrong}')


def _transformations(document: Document) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, entry in enumerate(items(document.at("resources", "transformations"))):
        path: Path = ("resources", "transformations", index)
        strategy, given = text(mapping(entry).get("strategy")), text(mapping(entry).get("input"))
        if strategy not in {"", "Retain", "Replace"}:
            yield Fault((*path, "strategy"), "value", _unsupported(strategy, "Retain", "Replace"))
        if given in seen:
            yield Fault((*path, "input"), "value", f'Duplicate value: "{given}"')
        seen.add(given)


def _selector(document: Document) -> Iterator[Fault]:
    path = ("managedJobsNamespaceSelector",)
    problems = validate_selector(document.selector)
    for steps, message in problems:
        typed = document.data.get(path[0]) is not None
        yield Fault((*path, *steps) if typed else ("namespace",), "value", message)
    if problems:
        return
    for name in dict.fromkeys(["kube-system", *([document.namespace] if document.namespace else [])]):
        if matches(document.selector, {"kubernetes.io/metadata.name": name}):
            helps = (
                f"exclude it: {{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, {document.namespace}]}}",
            )
            yield Fault(path, "value", f'should not match the "{name}" namespace', helps)


def _retention(document: Document) -> Iterator[Fault]:
    for field in ("afterFinished", "afterDeactivatedByKueue"):
        yield from _not_negative(document, "objectRetentionPolicies", "workloads", field)


def _visibility(document: Document) -> Iterator[Fault]:
    address, port = (
        document.at("visibilityServer", "bindAddress"),
        document.at("visibilityServer", "bindPort"),
    )
    if isinstance(address, str) and not _is_ip(address):
        message = f'Invalid value: "{address[:60]}": must be a valid IP address'
        yield Fault(("visibilityServer", "bindAddress"), "value", message)
    if isinstance(port, (int, float)) and port not in _PORTS:
        message = f"Invalid value: {port}: must be a valid port number (1-65535)"
        yield Fault(("visibilityServer", "bindPort"), "value", message)


def _quota_check(document: Document) -> Iterator[Fault]:
    strategy, path = document.at("resources", "quotaCheckStrategy"), ("resources", "quotaCheckStrategy")
    if strategy is None or not document.gate("QuotaCheckStrategy"):
        return
    if strategy == "IgnoreUndeclared" and items(document.at("resources", "excludeResourcePrefixes")):
        message = f'Invalid value: "{strategy}": excludeResourcePrefixes is not allowed when quotaCheckStrategy is IgnoreUndeclared'
        yield Fault(path, "value", message)
    if strategy not in {"IgnoreUndeclared", "BlockUndeclared"}:
        yield Fault(path, "value", _unsupported(strategy, "IgnoreUndeclared", "BlockUndeclared"))


def _not_negative(document: Document, *path: str) -> Iterator[Fault]:
    value = _duration(document.at(*path))
    if value is not None and value < 0:
        yield Fault(path, "value", _negative(value))


def _negative(nanoseconds: int) -> str:
    return f'Invalid value: "{format_duration(nanoseconds)}": {NEGATIVE}'


def _unsupported(value: Any, *known: str) -> str:
    words = ", ".join(f'"{word}"' for word in known)
    return f'Unsupported value: "{str(value)[:80]}": supported values: {words}'


def _duration(value: Any) -> int | None:
    try:
        return parse_duration(value) if isinstance(value, str) else None
    except DurationError:
        return None


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return not _ZONE.search(value)  # Go reads no zones
