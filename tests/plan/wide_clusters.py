"""The clusters of the wide world: their hardware, health, configuration and people, with what is observed of them."""

from __future__ import annotations

from wide_documents import document

CLUSTERS = {
    "clusters/pokprod/cluster.yaml": document(
        "Cluster",
        "pokprod",
        """
        versions: {kubernetes: 1.36.2, kueue: 0.19.1, appwrapper: 1.2.2, schedulerPlugins: 0.34.7, argocd: 3.2.0}
        rackLabel: topology.example.com/rack
        nodePools:
        - name: h100
          flavor: h100
          nodes: 4
          accelerator: nvidia.com/gpu
          labels: {pool: h100}
          taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
          perNode: {cpu: 84, memory: 1040Gi, nvidia.com/gpu: 8, pods: 208}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
        - name: a100
          flavor: a100
          nodes: 2
          accelerator: nvidia.com/gpu
          labels: {pool: a100}
          perNode: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
          racks: {rack-1: [a100-0, a100-1]}
        slack:
        - {cohort: org, flavor: h100, amount: 4, writer: git}
        overcommit:
        - {flavor: a100, resource: cpu, percent: 150, reason: idle at night}
        health:
          presets: [kubernetes]
          labels: [{key: example.com/gpu-health, bad: [failed], warn: [degraded], monitored: false}]
          conditions: [{type: GpuXid, bad: ["True"]}]
          taints: [{key: example.com/broken, effects: [NoExecute]}]
        scheduling: {scheduler: scheduler-plugins-scheduler, packing: true, gangs: true, permitWaitSeconds: 300}
        argo:
          repoURL: https://git.example.com/clusters.git
          revision: main
          namespace: argocd
          server: https://kubernetes.default.svc
          selfHeal: true
          prune: true
        kueue:
          namespace: kueue-system
          fairSharing: [LessThanOrEqualToFinalShare, LessThanInitialShare]
          frameworks: [batch/job, workload.codeflare.dev/appwrapper]
          waitForPodsReadySeconds: 1800
          manageJobsWithoutQueueName: true
        appwrapper:
          namespace: appwrapper-system
          wrappedKinds: [jobset.x-k8s.io/JobSet]
          userRbacCheck: true
          grace: {admissionGracePeriod: 60}
          retryLimit: 3
        namespaces:
          atMost: {persistentvolumeclaims: 20}
          containerDefaults: {cpu: 100m}
          teams: {blue: {atMost: {requests.storage: 50Ti}, containerDefaults: {memory: 256Mi}}}
        access:
          admins: {groups: [pokprod-admins], users: [olga]}
          viewers: {groups: [finance], users: [vera]}
        """,
    ),
    "clusters/vela/cluster.yaml": document(
        "Cluster",
        "vela",
        """
        versions: {kubernetes: 1.36.2, kueue: 0.19.1}
        rackLabel: topology.example.com/rack
        nodePools:
        - name: cpu
          flavor: cpu
          nodes: 5
          labels: {pool: cpu}
          perNode: {cpu: 36, memory: 144Gi, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
        - name: mig
          flavor: mig
          gpu: NVIDIA-A100-SXM4-80GB
          nodes: 2
          gpusPerNode: 8
          labels: {pool: mig}
          perNode: {cpu: 64, memory: 544Gi, nvidia.com/mig-3g.40gb: 8, nvidia.com/mig-1g.10gb: 32, pods: 108}
          reserve: {cpu: 8, memory: 32Gi, pods: 8}
          share: {nvidia.com/mig-3g.40gb: 3/7, nvidia.com/mig-1g.10gb: 1/7}
        - name: a100
          flavor: a100
          nodes: 1
          accelerator: nvidia.com/gpu
          labels: {pool: a100}
          perNode: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
        - name: spot
          flavor: spot
          nodes: 2
          accelerator: nvidia.com/gpu
          labels: {pool: spot}
          taints: [{key: spot, value: "true", effect: NoSchedule}]
          perNode: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
        slack:
        - {cohort: org, flavor: a100, amount: remainder}
        kueue: {frameworks: [batch/job]}
        """,
    ),
    "clusters/vela/inventory.yaml": document(
        "Inventory",
        "vela",
        """
        observed: 2026-03-30
        nodes:
        - {prefix: cpu-, count: 5, first: 0, pool: cpu}
        - {prefix: spot-, count: 2, pool: spot}
        - {names: [mig-0, mig-1], pool: mig, ready: true, cordoned: false}
        - name: a100-0
          pool: a100
          rack: rack-1
          labels: {example.com/gpu-health: passed}
          taints: [{key: example.com/slow, value: "true", effect: PreferNoSchedule}]
          conditions: {GpuXid: false}
          capacity: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
          allocatable: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
        """,
    ),
    "clusters/vela/maintenance/cpu.yaml": "---\n".join(
        [
            document(
                "Maintenance",
                "firmware",
                "{cluster: vela, node: cpu-2, reason: firmware, state: active, starts: 2026-03-30, until: 2026-04-02}",
            ),
            document(
                "Maintenance", "cables", "{cluster: vela, nodes: [cpu-0], reason: cables, state: planned}"
            ),
        ]
    ),
    "clusters/pokprod/maintenance/power.yaml": document(
        "Maintenance", "power", "{cluster: pokprod, rack: rack-1, reason: power, state: done}"
    ),
    "clusters/tiny/cluster.yaml": document(
        "Cluster",
        "tiny",
        """
        versions: {kubernetes: 1.36.2, kueue: 0.19.1}
        nodePools:
        - name: h100
          flavor: h100
          nodes: 1
          accelerator: nvidia.com/gpu
          labels: {pool: h100}
          perNode: {cpu: 84, memory: 1040Gi, nvidia.com/gpu: 8, pods: 208}
        kueue: {frameworks: [batch/job]}
        """,
    ),
}
