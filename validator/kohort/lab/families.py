"""Which programs the lab builds, from which module, and how they are linked."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

KUBERNETES = "1.36.2"
KUEUE = "0.19.1"


@dataclass(frozen=True, slots=True)
class Family:
    """Programs that are built from one Go module file.

    Attributes:
        name: folder below `modules` that holds `go.mod` and `go.sum`.
        programs: name of each program and its Go package.
        link: value for the linker's `-X` options, each `package.variable=value`.
        optional: built only when it is named, or when a lab with such a component starts.
    """

    name: str
    programs: tuple[tuple[str, str], ...]
    link: tuple[str, ...] = ()
    optional: bool = False

    def text(self, file_name: str) -> str:
        """Return `go.mod` or `go.sum` of the family as text."""
        return (files("kohort.lab") / "modules" / self.name / file_name).read_text(encoding="utf-8")


_VERSION = "k8s.io/component-base/version."

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("etcd", (("etcd", "go.etcd.io/etcd/server/v3"),)),
        # Kueue's manager reads the server's version at start, so it has to be linked in.
        Family(
            "kubernetes",
            tuple(
                (name, f"k8s.io/kubernetes/cmd/{name}")
                for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
            ),
            (f"{_VERSION}gitVersion=v{KUBERNETES}", f"{_VERSION}gitMajor=1", f"{_VERSION}gitMinor=36"),
        ),
        # Where it keeps the certificate of its visibility API is fixed at the root of a container; relative, it is ours.
        Family(
            "kueue",
            (("kueue", "sigs.k8s.io/kueue/cmd/kueue"),),
            ("sigs.k8s.io/kueue/pkg/visibility.certDir=visibility",),
        ),
        Family("appwrapper", (("appwrapper", "github.com/project-codeflare/appwrapper/cmd"),)),
        Family("kubeconform", (("kubeconform", "github.com/yannh/kubeconform/cmd/kubeconform"),)),
        # Its own module: it pins a line of Kubernetes of which not every part is served as a module.
        Family("schedulerplugins", (("scheduler-plugins", "sigs.k8s.io/scheduler-plugins/cmd/scheduler"),)),
        Family("argocd", (("argocd", "github.com/argoproj/argo-cd/v3/cmd"),)),
        Family("kwok", (("kwok", "sigs.k8s.io/kwok/cmd/kwok"),)),
        # What plans are measured against; only the bench builds it.
        Family("dyff", (("dyff", "github.com/homeport/dyff/cmd/dyff"),), optional=True),
        # Operators of jobs, with the libraries of Kubernetes that Kueue has: most of them are then built already.
        Family("jobset", (("jobset", "sigs.k8s.io/jobset"),), optional=True),
        Family(
            "trainer",
            (("trainer", "github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager"),),
            optional=True,
        ),
    )
}
USUAL: tuple[str, ...] = tuple(name for name, family in FAMILIES.items() if not family.optional)
