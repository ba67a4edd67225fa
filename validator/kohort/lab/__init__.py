"""A real control plane from ordinary processes, to ask what a server really does.

Nothing here is needed to check, plan or compile; the lab is how claims about
Kubernetes and Kueue are confirmed.
"""
