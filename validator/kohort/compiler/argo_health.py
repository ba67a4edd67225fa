"""Health checks in Lua for kinds that Argo CD does not know; without them waves never wait (lab.md 7.3).

The ConfigMap argocd-cm belongs to Argo CD's installation. This file holds only our keys of it and is applied
server-side, so the other keys stay whoever's they are; it is never pruned.
"""

from __future__ import annotations

from typing import Final

from kohort.compiler.make import make
from kohort.compiler.scope import Scope
from kohort.compiler.waves import OPTIONS
from kohort.objects.kube import KubeObject

_KUEUE: Final = "kueue.x-k8s.io"

# Kueue says Active=False with these reasons where a person stopped the queue on purpose.
_ACTIVE: Final = """\
local health = {status = "Progressing", message = "waiting for condition Active"}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.type == "Active" then
      health.message = condition.message or condition.reason or ""
      if condition.status == "True" then
        health.status = "Healthy"
      elseif condition.reason == "Stopped" or condition.reason == "ClusterQueueIsInactive" then
        health.status = "Suspended"
      elseif condition.status == "False" then
        health.status = "Degraded"
      end
    end
  end
end
return health
"""

# Cohorts have no conditions up to Kueue 0.19.
_COHORT: Final = """\
local health = {status = "Healthy"}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.type == "Active" and condition.status == "False" then
      health.status = "Degraded"
      health.message = condition.message or condition.reason or ""
    end
  end
end
return health
"""

_WORKLOAD: Final = """\
local health = {status = "Suspended", message = "waiting in its queue"}
local seen = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.status == "True" then
      seen[condition.type] = condition
    end
  end
end
if seen.Finished ~= nil then
  health.status = "Healthy"
  health.message = seen.Finished.message or ""
  if seen.Finished.reason == "Failed" then
    health.status = "Degraded"
  end
elseif seen.Admitted ~= nil then
  health.status = "Healthy"
  health.message = seen.Admitted.message or ""
elseif seen.QuotaReserved ~= nil then
  health.status = "Progressing"
  health.message = seen.QuotaReserved.message or ""
end
return health
"""

_APPWRAPPER: Final = """\
local phase = ""
if obj.status ~= nil and obj.status.phase ~= nil then
  phase = obj.status.phase
end
if phase == "Running" or phase == "Succeeded" then
  return {status = "Healthy", message = phase}
elseif phase == "Failed" then
  return {status = "Degraded", message = phase}
elseif phase == "Suspended" then
  return {status = "Suspended", message = "waiting in its queue"}
end
return {status = "Progressing", message = phase}
"""

SCRIPTS: Final = {
    f"{_KUEUE}_AdmissionCheck": _ACTIVE,
    f"{_KUEUE}_ClusterQueue": _ACTIVE,
    f"{_KUEUE}_Cohort": _COHORT,
    f"{_KUEUE}_LocalQueue": _ACTIVE,
    f"{_KUEUE}_Workload": _WORKLOAD,
    "workload.codeflare.dev_AppWrapper": _APPWRAPPER,
}


def health_checks(scope: Scope) -> KubeObject:
    """Our keys of argocd-cm."""
    argo = scope.decl.argo
    return make(
        "v1",
        "ConfigMap",
        "argocd-cm",
        scope.decl.at(*argo.path),
        {"data": {f"resource.customizations.health.{kind}": SCRIPTS[kind] for kind in sorted(SCRIPTS)}},
        namespace=argo.namespace,
        labels={"app.kubernetes.io/name": "argocd-cm", "app.kubernetes.io/part-of": "argocd"},
        annotations={OPTIONS: "ServerSideApply=true,Prune=false,Delete=false"},
    )
