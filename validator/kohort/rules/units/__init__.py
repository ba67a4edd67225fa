"""Quantities that are valid and wrong: thousandths of bytes, mixed units, forms that the server rewrites."""
