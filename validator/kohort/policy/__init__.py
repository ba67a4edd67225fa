"""Organisation policies: CEL over an object, the repository or a change, evaluated where it can be ended."""
