"""Rules about declared node pools: against what was observed, and against what the hardware can be."""
