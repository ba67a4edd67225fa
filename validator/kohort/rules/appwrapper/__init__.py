"""Rules on AppWrappers: what their webhooks refuse, and what is accepted and means something else."""
