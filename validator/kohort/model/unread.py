"""What a file that cannot be read seems to declare: whoever names it is not told that it is missing.

The file has its own error. What else it holds is guessed from the lines that say so in nearly every file; too much of it only
keeps back a second error about what is named in it, and all is told once the file can be read.
"""

from __future__ import annotations

import re
from typing import Final

_KIND: Final = re.compile(r"""^kind:[ \t]*["']?([A-Za-z]{1,63})""", re.MULTILINE)
_NAME: Final = re.compile(r"""\bname:[ \t]*["']?([A-Za-z0-9][-.A-Za-z0-9]{0,252})""")


def seems_declared(text: str) -> frozenset[tuple[str, str]]:
    """(kind, name) of everything that a text may declare."""
    return frozenset((kind, name) for kind in _KIND.findall(text) for name in _NAME.findall(text))
