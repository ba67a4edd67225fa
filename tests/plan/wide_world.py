"""An organisation in which every field of every kind of declaration stands somewhere: what plans are fuzzed with.

Three clusters (pokprod, vela, tiny), cohorts three levels deep, partitioned GPUs, flavors on demand, teams with one queue
and with several, grants with an end, names from before, policies, exceptions and work. A test holds it to the schemas.
"""

from __future__ import annotations

import textwrap

_API = "apiVersion: kohort.dev/v1alpha1\n"


def _doc(kind: str, name: str, spec: str = "") -> str:
    body = textwrap.indent(textwrap.dedent(spec).strip("\n"), "  ")
    return f"{_API}kind: {kind}\nmetadata: {{name: {name}, title: {name} for people}}\nspec:{chr(10) + body if body else ' {}'}\n"


_CLUSTERS = {
    "clusters/pokprod/cluster.yaml": _doc(
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
    "clusters/vela/cluster.yaml": _doc(
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
    "clusters/vela/inventory.yaml": _doc(
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
            _doc(
                "Maintenance",
                "firmware",
                "{cluster: vela, node: cpu-2, reason: firmware, state: active, starts: 2026-03-30, until: 2026-04-02}",
            ),
            _doc("Maintenance", "cables", "{cluster: vela, nodes: [cpu-0], reason: cables, state: planned}"),
        ]
    ),
    "clusters/pokprod/maintenance/power.yaml": _doc(
        "Maintenance", "power", "{cluster: pokprod, rack: rack-1, reason: power, state: done}"
    ),
    "clusters/tiny/cluster.yaml": _doc(
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

_QUEUES = {
    "queues/cohorts.yaml": "---\n".join(
        [
            _doc("Cohort", "org"),
            _doc(
                "Cohort",
                "research",
                """
                parent: org
                weight: 3
                clusters:
                  pokprod:
                    pool: [{flavor: a100, gpus: 2, borrow: 4, lend: 2, until: 2027-01-01}]
                    borrow: {h100: 12}
                    lend: {h100: 10}
                  vela:
                    pool:
                    - {flavor: mig, devices: {nvidia.com/mig-1g.10gb: 4}}
                    - {flavor: cpu, nodes: 1}
                """,
            ),
            _doc(
                "Cohort",
                "speech",
                """
                parent: research
                weight: "2"
                clusters: {tiny: {pool: [{flavor: h100, size: s, resources: {memory: 300Gi}}]}}
                """,
            ),
            _doc("Cohort", "products", "parent: org"),
        ]
    ),
    "queues/flavors.yaml": "---\n".join(
        [
            _doc(
                "Flavor",
                "h100",
                """
                tolerations:
                - {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoExecute, tolerationSeconds: 300}
                - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
                """,
            ),
            _doc("Flavor", "a100", "topology: racks\npreviously: ampere"),
            _doc("Flavor", "cpu", "resources: [cpu, memory, pods]"),
            _doc("Flavor", "mig"),
            _doc(
                "Flavor",
                "spot",
                """
                elastic: true
                checks: [spot-nodes]
                nodeLabels: {cloud.example.com/spot: "true"}
                taints: [{key: spot, value: "true", effect: NoSchedule}]
                """,
            ),
        ]
    ),
    "queues/topologies.yaml": _doc(
        "Topology", "racks", "levels: [topology.example.com/rack, kubernetes.io/hostname]"
    ),
    "queues/classes.yaml": "---\n".join(
        [
            _doc(
                "QueueClass",
                "batch",
                """
                strategy: BestEffortFIFO
                preemption:
                  reclaimWithinCohort: Any
                  withinClusterQueue: LowerPriority
                  borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 50}
                fungibility:
                  whenCanBorrow: TryNextFlavor
                  whenCanPreempt: TryNextFlavor
                  preference: PreemptionOverBorrowing
                """,
            ),
            _doc("QueueClass", "calm", "strategy: BestEffortFIFO"),
            _doc("QueueClass", "production", "strategy: StrictFIFO\nisolated: true"),
        ]
    ),
    "queues/priorities.yaml": "---\n".join(
        [
            _doc("Priority", "low", "value: 10\ndescription: may wait\ndefault: true"),
            _doc(
                "Priority",
                "high",
                "value: 100\ndescription: has a deadline\npods: true\npodPreemption: Never",
            ),
        ]
    ),
    "queues/sizes.yaml": "---\n".join(
        [
            _doc("Size", "s", "gpus: 2"),
            _doc("Size", "part", "devices: {nvidia.com/mig-3g.40gb: 2}"),
            _doc("Size", "node", "nodes: 1"),
        ]
    ),
    "queues/checks.yaml": "---\n".join(
        [
            _doc(
                "AdmissionCheck",
                "spot-nodes",
                """
                clusters: [vela, pokprod]
                provisioning:
                  class: check-capacity.autoscaling.x-k8s.io
                  parameters: {maxRunDurationSeconds: "86400"}
                  managedResources: [nvidia.com/gpu]
                  retry: {limit: 2, baseSeconds: 60, maxSeconds: 1800}
                  podSetMergePolicy: IdenticalPodTemplates
                """,
            ),
            _doc("AdmissionCheck", "budget", "controller: example.com/budget\nclusters: [vela]"),
            _doc("AdmissionCheck", "elsewhere", "multiKueue: {clusters: [tiny]}\nclusters: [vela]"),
        ]
    ),
}

_TEAMS = {
    "teams/blue/team.yaml": _doc(
        "Team",
        "blue",
        """
        previously: azure
        namespaces: [blue, blue-lab]
        podSecurity: baseline
        access:
          admins: {groups: [blue-leads], users: [bea]}
          members: {groups: [blue-devs], users: [alice]}
          viewers: {groups: [auditors], users: [vic]}
        queues:
        - name: train
          previously: fit
          class: batch
          cohort: research
          weight: "2"
          default: true
          namespaces: [blue]
          quota:
            pokprod:
            - {flavor: h100, gpus: 8, borrow: 8, lend: 4, until: 2027-01-01}
            - {flavor: a100, gpus: 2}
            tiny: [{flavor: h100, size: s}]
        - name: lab
          class: calm
          cohort: products
          stop: Hold
          quota:
            vela:
            - {flavor: cpu, nodes: 1}
            - {flavor: mig, devices: {nvidia.com/mig-1g.10gb: 4}, resources: {cpu: 8, memory: 16Gi}}
        """,
    ),
    "teams/red/team.yaml": _doc(
        "Team",
        "red",
        """
        namespaces: [red]
        access: {admins: {users: [rita]}, members: {groups: [red-devs]}}
        class: batch
        cohort: speech
        weight: "3"
        stop: None
        default: true
        quota:
          pokprod: [{flavor: h100, gpus: 6}]
          vela: [{flavor: mig, size: part, borrow: any, lend: none, until: 2027-02-01}, {flavor: a100, gpus: 1}]
          tiny: [{flavor: h100, gpus: 2}]
        """,
    ),
    "teams/green/team.yaml": _doc(
        "Team",
        "green",
        """
        namespaces: [green]
        access: {members: {groups: [green-devs]}}
        class: calm
        cohort: products
        quota:
          pokprod: [{flavor: h100, gpus: 4, borrow: 4, lend: 2}]
          vela: [{flavor: mig, devices: {nvidia.com/mig-3g.40gb: 2}}, {flavor: cpu, size: node}, {flavor: a100, gpus: 1}]
        """,
    ),
    "teams/gold/team.yaml": _doc(
        "Team",
        "gold",
        """
        namespaces: [gold]
        access: {members: {groups: [gold-devs]}}
        class: production
        quota:
          pokprod: [{flavor: h100, gpus: 4}]
          vela: [{flavor: cpu, nodes: 0, resources: {cpu: 4}}, {flavor: spot, gpus: 4}]
        """,
    ),
    "teams/blue/work.yaml": _doc(
        "Workload",
        "fit",
        "{template: job, cluster: pokprod, queue: train, namespace: blue, priority: high, run: 2, values: {pods: 2}}",
    ),
    "teams/red/work.yaml": _doc("Workload", "tune", "{team: red, template: job, cluster: tiny, queue: red}"),
}

_RULES = {
    "kohort.yaml": _doc(
        "Organisation",
        "example",
        """
        requiredVersion: ">=0.1"
        severities: {CAP941: info}
        baseline: ci/baseline.json
        access:
          admins: {groups: [platform-admins], users: [ada]}
          viewers: {groups: [finance], users: [fred]}
        claims:
        - {teams: "*", namespaces: ["*"], cohorts: ["*"]}
        authority:
          pinned: {groups: [platform-admins], users: [ada]}
          minimumAdmins: 1
          largestRemoval: {members: 3, queues: 1, guarantee: 8}
          selfService: {shrinking: true, withoutAccelerators: true, percent: 10, upTo: {a100: 1}}
        """,
    ),
    "ci/baseline.json": '{"version": 1, "findings": []}\n',
    "ci/exceptions/spare.yaml": _doc(
        "Exception",
        "spare",
        """
        codes: [CAP941]
        files: ["clusters/vela/*"]
        subjects: ["ClusterQueue *"]
        owner: platform-team
        reason: replaced in May
        expires: 2027-06-30
        """,
    ),
    "ci/policies/people.yaml": _doc(
        "Policy",
        "people",
        """
        description: Somebody is always reachable.
        about: team
        judge: state
        variables: [{name: people, expression: team.members.users.size() + team.members.groups.size()}]
        when: team.queues.size() > 0
        rules:
        - expression: variables.people > 0
          message: a team has members
          messageExpression: "'team %s has %d members'.format([team.name, variables.people])"
          help: name one
          severity: warning
          audience: team
          field: spec.access
        """,
    )
    + "---\n"
    + _doc(
        "Policy",
        "short-names",
        """
        about: object
        kinds: [Job]
        admission: {operations: [CREATE]}
        rules: [{expression: object.metadata.name.size() < 60, message: a name is short}]
        """,
    )
    + "---\n"
    + _doc(
        "PolicyTest",
        "people",
        """
        policy: people
        cases:
        - name: nobody
          given: {team: {name: blue, queues: [1], members: {users: [], groups: []}}}
          expect: fail
          message: has 0 members
        """,
    ),
    "workloads/templates/job.yaml": _doc(
        "WorkloadTemplate",
        "job",
        """
        description: A job of some pods.
        parameters:
        - {name: pods, type: integer, description: Number of pods., default: 1, minimum: 1, maximum: 8}
        - {name: image, type: string, description: Image., default: a, pattern: "[a-z]+", enum: [a, b], required: false}
        body:
          apiVersion: batch/v1
          kind: Job
          spec:
            parallelism: ${pods}
            completions: ${pods}
            template:
              spec:
                restartPolicy: Never
                containers:
                - name: main
                  image: registry.example.com/${image}@sha256:0000000000000000000000000000000000000000000000000000000000000000
                  resources: {requests: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}
        """,
    ),
}

WIDE = {**_CLUSTERS, **_QUEUES, **_TEAMS, **_RULES}
