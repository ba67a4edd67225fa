"""Kohort: share GPU clusters fairly, by pull request."""

__version__ = "0.1.0"
