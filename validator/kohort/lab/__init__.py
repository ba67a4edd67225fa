"""A real control plane from ordinary processes, to ask what a server really does.

Nothing here is needed to check, plan or compile; the lab is how claims about
Kubernetes, Kueue, AppWrapper and Argo CD are confirmed.

    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.organisation import load

    cluster = load(Path("."), "pokprod")                    # compiled: settings, manifests, nodes
    with ControlPlane(["appwrapper", "kwok", "second-scheduler"], settings=cluster.settings) as cp:
        cp.create(surroundings(cluster))                    # namespaces of the controllers
        cp.nodes.add(cluster.nodes)                         # or nodes.read_nodes(Path("nodes.yaml"))
        cp.apply(cluster.manifests)                         # server-side, in wave order; returns warnings
        cp.client.must("POST", path, body, impersonate="alice", groups=("blue-devs",))
        cp.nodes.cordon(n), .not_ready(n), .ready(n), .label(n, key, value), .lose_device(n, resource), .delete(n)
        cp.restart("kueue"); cp.process("apiserver").kill(); cp.seconds; cp.kubeconfig(outside=True)

Components: etcd, apiserver, controllers, scheduler, second-scheduler, kwok, redis, argo-repo, argo-controller,
argo-sets, jobset, trainer, kueue, appwrapper; groups: argocd, operators (jobset and trainer), all (the others). What a
component needs is added.

    with ControlPlane(["argocd", "kueue"], settings=cluster.settings) as cp:
        git = cp.argo.repository({})                        # a Git repository on this disk
        commit = git.commit(cluster.files_for(git.url))     # compiled files, their applications led to it
        cp.argo.add("quota", git.url, "clusters/pokprod/manifests")
        cp.argo.wait("quota", revision=commit)              # Synced and Healthy, or LabError with Argo CD's words

Work: `work.wrapped(name, namespace, work.pods(count, requests, seconds=…, exit_code=…))` is an AppWrapper whose pods
end by themselves. `watching.Watch(cp.client)` tells what becomes of it, `account` makes lines of that.

Programs run in a network namespace of their own where the system allows it (`KOHORT_LAB_NETWORK`: auto, private,
loopback); then several labs run side by side, and `cp.outside(use)` is a door to a port. On plain loopback labs with
AppWrapper take turns. Everything ends with its process id, also when the process that started it is killed.
"""
