"""What a cluster's objects promise to whom, and what of it differs."""
