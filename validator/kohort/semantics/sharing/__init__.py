"""Shares: by how much a queue or cohort uses more than its own, and who comes first because of it."""
