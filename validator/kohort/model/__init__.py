"""Placeholder docstring, replaced by the layer's own."""
