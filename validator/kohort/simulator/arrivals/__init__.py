"""Who comes when: the laws of arrivals, the distributions of sizes and run times, and their random numbers."""
