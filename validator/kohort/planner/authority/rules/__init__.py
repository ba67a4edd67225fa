"""What asks for agreement: one rule per file, each a function from a change to `Need`s."""
