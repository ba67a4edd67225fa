"""ValidatingAdmissionPolicies: what must not reach a managed namespace is refused at once, with a sentence for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from kohort.compiler.job_kinds import WRAPPABLE, by_group, group_of, plural, split_kind
from kohort.compiler.make import MANAGED, make
from kohort.compiler.scope import Scope
from kohort.compiler.settings import accelerators, frameworks, has_appwrapper, own_scheduler
from kohort.diagnostics import Severity
from kohort.model.policy import Admission, Policy, PolicyRule
from kohort.objects.kube import KubeObject
from kohort.spans import Origin

_API: Final = "admissionregistration.k8s.io/v1"
QUEUE_NAME: Final = "kueue.x-k8s.io/queue-name"
_OWNED: Final = (
    "(has(object.metadata.ownerReferences) && "
    "object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller))"
)
_QUEUED: Final = (
    f"(has(object.metadata.labels) && '{QUEUE_NAME}' in object.metadata.labels && "
    f"object.metadata.labels['{QUEUE_NAME}'] != '')"
)


def policies(scope: Scope) -> Iterator[KubeObject]:
    """The policies that apply to this cluster, each followed by its binding."""
    yield from _queue_name(scope)
    if has_appwrapper(scope):
        yield from _wrapped_kinds(scope)
    if own_scheduler(scope) and accelerators(scope):
        yield from _scheduler(scope)
    for policy in scope.repo.policies.values():
        if policy.admission is not None:
            yield from _of_organisation(policy, policy.admission, scope)


def _of_organisation(policy: Policy, admission: Admission, scope: Scope) -> Iterator[KubeObject]:
    """A policy of the organisation on single objects: who edits the cluster directly meets the same refusal."""
    groups: dict[str, list[str]] = {}
    for kind in sorted(policy.kinds):
        group = group_of(kind, scope.decl.appwrapper.wrapped_kinds)
        if group is not None:
            groups.setdefault(group, []).append(plural(kind))
    if not groups:
        return
    rules = [
        {**_rule(group, names), "operations": list(admission.operations)} for group, names in groups.items()
    ]
    rest: dict[str, Any] = {}
    if policy.variables:
        rest["variables"] = [{"name": name, "expression": text} for name, text in policy.variables]
    # A binding denies or warns as a whole, so rules that only warn stand in an admission policy of their own.
    denying = [rule for rule in policy.rules if rule.severity is Severity.ERROR]
    warning = [rule for rule in policy.rules if rule.severity is not Severity.ERROR]
    for kept, name, action in (
        (denying, f"kohort-policy-{policy.name}", "Deny"),
        (warning, f"kohort-warning-{policy.name}", "Warn"),
    ):
        if kept:
            validations = {"validations": [_validation(policy, rule) for rule in kept]}
            yield from _policy(name, rules, rest | validations, policy.origin, actions=[action])


def _validation(policy: Policy, rule: PolicyRule) -> dict[str, Any]:
    """A rule as the server asks it. `when` is a part of the expression: match conditions see no variables."""
    asked = f"!({policy.when}\n) || ({rule.expression}\n)" if policy.when else rule.expression
    return {
        "expression": asked,
        **({"message": rule.message} if rule.message else {}),
        **({"messageExpression": rule.message_expression} if rule.message_expression else {}),
    }


def _queue_name(scope: Scope) -> Iterator[KubeObject]:
    groups = by_group(f for f in frameworks(scope) if f != "pod")
    rules = [_rule(group, resources) for group, resources in groups.items()]
    if rules:
        message = f"name a queue: set the label {QUEUE_NAME} to a LocalQueue of this namespace"
        validation = {"expression": f"{_QUEUED} || {_OWNED}", "message": message}
        yield from _policy("kohort-require-queue-name", rules, {"validations": [validation]}, _origin(scope))


def _wrapped_kinds(scope: Scope) -> Iterator[KubeObject]:
    allowed = sorted({split_kind(text) for text in (*WRAPPABLE, *scope.decl.appwrapper.wrapped_kinds)})
    kinds: dict[str, list[str]] = {}
    for group, kind in allowed:
        kinds.setdefault(group, []).append(kind)
    expression = f"object.spec.components.all(c, {' || '.join(_of_group(*entry) for entry in kinds.items())})"
    shown = ", ".join(f"{group}/{kind}".removeprefix("/") for group, kind in allowed)
    validation = {"expression": expression, "message": f"an AppWrapper may wrap only {shown}"}
    rules = [_rule("workload.codeflare.dev", ["appwrappers"])]
    origin = scope.decl.at(*scope.decl.appwrapper.path)
    yield from _policy("kohort-permit-wrapped-kinds", rules, {"validations": [validation]}, origin)


def _of_group(group: str, kinds: Sequence[str]) -> str:
    """Whether component `c` is of one of these kinds of a group; standard CEL, so that any engine can test it."""
    version = "c.template.apiVersion"
    of_group = f"{version}.startsWith('{group}/')" if group else f"!{version}.contains('/')"
    return f"({of_group} && c.template.kind in {_cel_list(kinds)})"


def _scheduler(scope: Scope) -> Iterator[KubeObject]:
    scheduling = scope.decl.scheduling
    devices = _cel_list(accelerators(scope))
    asks = f"has(c.resources) && has(c.resources.limits) && c.resources.limits.exists(r, r in {devices})"
    rest = {
        "variables": [
            {
                "name": "accelerated",
                "expression": f"object.spec.containers.exists(c, {asks}) || "
                f"(has(object.spec.initContainers) && object.spec.initContainers.exists(c, {asks}))",
            }
        ],
        "validations": [
            {
                "expression": "!variables.accelerated || "
                f"(has(object.spec.schedulerName) && object.spec.schedulerName == '{scheduling.scheduler}')",
                "message": f"pods with accelerators must name the scheduler {scheduling.scheduler}: two schedulers "
                "on the same nodes would give one device away twice",
            }
        ],
    }
    origin = scope.decl.at(*scheduling.path)
    yield from _policy("kohort-require-scheduler", [_rule("", ["pods"])], rest, origin)


def _origin(scope: Scope) -> Origin:
    return scope.decl.at(*scope.decl.kueue.path)


def _rule(group: str, resources: Sequence[str]) -> dict[str, Any]:
    return {
        "apiGroups": [group],
        "apiVersions": ["*"],
        "operations": ["CREATE"],
        "resources": list(resources),
        "scope": "Namespaced",
    }


def _policy(
    name: str,
    rules: list[dict[str, Any]],
    rest: dict[str, Any],
    origin: Origin,
    actions: Sequence[str] = ("Deny",),
) -> Iterator[KubeObject]:
    """Policy and binding, with the server's defaults written out."""
    constraints = {
        "matchPolicy": "Equivalent",
        "namespaceSelector": {"matchLabels": {MANAGED: "true"}},
        "objectSelector": {},
        "resourceRules": rules,
    }
    spec = {"failurePolicy": "Fail", "matchConstraints": constraints, **rest}
    yield make(_API, "ValidatingAdmissionPolicy", name, origin, {"spec": spec})
    binding = {"policyName": name, "validationActions": list(actions)}
    yield make(_API, "ValidatingAdmissionPolicyBinding", name, origin, {"spec": binding})


def _cel_list(names: Sequence[str]) -> str:
    return "[" + ", ".join("'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'" for name in names) + "]"
