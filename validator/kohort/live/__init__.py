"""A live cluster as `kubectl get` shows it: objects become queues, running and pending work, and what contradicts itself."""
