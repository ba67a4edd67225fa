"""Changes that would admit a job, each found by trying it on the state and undone at once."""
