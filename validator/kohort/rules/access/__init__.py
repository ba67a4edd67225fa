"""Rules on roles and bindings: who gets what, and what a grant really gives."""
