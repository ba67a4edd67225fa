"""The only orchestrator: reads trees, runs the layers in order and hands back reports and bundles."""
