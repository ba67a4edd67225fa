"""An organisation in which every field of every kind of declaration stands somewhere: what plans are fuzzed with.

Three clusters (pokprod, vela, tiny), cohorts three levels deep, partitioned GPUs, flavors on demand, teams with one queue
and with several, grants with an end, names from before, policies, exceptions and work. A test holds it to the schemas.
"""

from __future__ import annotations

from wide_clusters import CLUSTERS
from wide_documents import document

_QUEUES = {
    "queues/cohorts.yaml": "---\n".join(
        [
            document("Cohort", "org"),
            document(
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
            document(
                "Cohort",
                "speech",
                """
                parent: research
                weight: "2"
                clusters: {tiny: {pool: [{flavor: h100, size: s, resources: {memory: 300Gi}}]}}
                """,
            ),
            document("Cohort", "products", "parent: org"),
        ]
    ),
    "queues/flavors.yaml": "---\n".join(
        [
            document(
                "Flavor",
                "h100",
                """
                tolerations:
                - {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoExecute, tolerationSeconds: 300}
                - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
                """,
            ),
            document("Flavor", "a100", "topology: racks\npreviously: ampere"),
            document("Flavor", "cpu", "resources: [cpu, memory, pods]"),
            document("Flavor", "mig"),
            document(
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
    "queues/topologies.yaml": document(
        "Topology", "racks", "levels: [topology.example.com/rack, kubernetes.io/hostname]"
    ),
    "queues/classes.yaml": "---\n".join(
        [
            document(
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
            document("QueueClass", "calm", "strategy: BestEffortFIFO"),
            document("QueueClass", "production", "strategy: StrictFIFO\nisolated: true"),
        ]
    ),
    "queues/priorities.yaml": "---\n".join(
        [
            document("Priority", "low", "value: 10\ndescription: may wait\ndefault: true"),
            document(
                "Priority",
                "high",
                "value: 100\ndescription: has a deadline\npods: true\npodPreemption: Never",
            ),
        ]
    ),
    "queues/sizes.yaml": "---\n".join(
        [
            document("Size", "s", "gpus: 2"),
            document("Size", "part", "devices: {nvidia.com/mig-3g.40gb: 2}"),
            document("Size", "node", "nodes: 1"),
        ]
    ),
    "queues/checks.yaml": "---\n".join(
        [
            document(
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
            document("AdmissionCheck", "budget", "controller: example.com/budget\nclusters: [vela]"),
            document("AdmissionCheck", "elsewhere", "multiKueue: {clusters: [tiny]}\nclusters: [vela]"),
        ]
    ),
}

_TEAMS = {
    "teams/blue/team.yaml": document(
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
    "teams/red/team.yaml": document(
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
    "teams/green/team.yaml": document(
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
    "teams/gold/team.yaml": document(
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
    "teams/blue/work.yaml": document(
        "Workload",
        "fit",
        "{template: job, cluster: pokprod, queue: train, namespace: blue, priority: high, run: 2, values: {pods: 2}}",
    ),
    "teams/red/work.yaml": document(
        "Workload", "tune", "{team: red, template: job, cluster: tiny, queue: red}"
    ),
}

_RULES = {
    "kohort.yaml": document(
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
    "ci/exceptions/spare.yaml": document(
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
    "ci/policies/people.yaml": document(
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
    + document(
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
    + document(
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
    "workloads/templates/job.yaml": document(
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

WIDE = {**CLUSTERS, **_QUEUES, **_TEAMS, **_RULES}
