"""Forges: one comment on a pull request that is kept up to date, and who has agreed. The only code that uses a network."""
