"""From a scenario and a cluster to a run that can start: submitters, sizes, settings, edits; names that are not there."""
