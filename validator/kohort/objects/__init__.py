"""Kubernetes objects with provenance, whatever they came from: plain YAML or the compiler."""
