"""Why a job will or will not run: the answer as data, computed by really trying, on the state of a cluster."""
