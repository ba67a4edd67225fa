"""Rules on declarations: people, ownership, and source that nothing uses."""
