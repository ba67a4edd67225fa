"""A plan as people and programs read it. Every foreign text goes through `visible` or its format's own escaping."""
