"""Names that point at other objects: missing targets, cycles, duplicates, unused and confusable names, old versions."""
