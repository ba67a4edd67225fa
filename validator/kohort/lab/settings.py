"""How the components of a lab are configured; what the lab itself has to decide is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    """Configuration of the components.

    Attributes:
        kueue: top-level fields of Kueue's Configuration that replace the lab's own.
        appwrapper: fields of the section `appwrapper` of AppWrapper's configuration.
        scheduler: the KubeSchedulerConfiguration of the second scheduler; gangs only when empty.
        argo: data of the ConfigMap `argocd-cm`, for example health scripts.
    """

    kueue: Mapping[str, Any] = field(default_factory=dict)
    appwrapper: Mapping[str, Any] = field(default_factory=dict)
    scheduler: Mapping[str, Any] = field(default_factory=dict)
    argo: Mapping[str, str] = field(default_factory=dict)

    def replaced(self, kueue: Mapping[str, Any] | None, appwrapper: Mapping[str, Any] | None) -> Settings:
        """Return these settings with more fields of Kueue and AppWrapper."""
        return replace(
            self,
            kueue={**self.kueue, **(kueue or {})},
            appwrapper={**self.appwrapper, **(appwrapper or {})},
        )
