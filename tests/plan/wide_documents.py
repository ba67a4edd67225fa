"""Declarations of the wide world as texts."""

from __future__ import annotations

import textwrap

_API = "apiVersion: kohort.dev/v1alpha1\n"


def document(kind: str, name: str, spec: str = "") -> str:
    body = textwrap.indent(textwrap.dedent(spec).strip("\n"), "  ")
    return f"{_API}kind: {kind}\nmetadata: {{name: {name}, title: {name} for people}}\nspec:{chr(10) + body if body else ' {}'}\n"
