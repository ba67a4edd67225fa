"""Kueue's manager Configuration and AppWrapper's operator configuration: what makes their controllers not start."""
