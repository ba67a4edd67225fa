"""Values that YAML reads otherwise than they look."""
