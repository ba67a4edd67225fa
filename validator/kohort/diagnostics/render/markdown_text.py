"""Foreign text inside Markdown: written so that no mention, link, tag, cell or emphasis can begin in it."""

from __future__ import annotations

import re

from kohort.diagnostics.visible import visible

_LONGEST = 300
# Entities where Markdown or HTML would act. Digits, dots and quotes stay readable in mails that show the source.
_SPECIAL = re.compile(r"""[^0-9A-Za-z ,.:;'"/=()\u00a1-\U0010ffff-]""")
_LINK = re.compile(r"(?<=:)/(?=/)|(?<=www)\.", re.IGNORECASE)
_LIST = re.compile(r"^[-=]|(?<=^\d)[.)]")
_CALL = re.compile("(&#64;|&#35;|!)")
_BACKTICKS = re.compile("`+")


def inline(text: str) -> str:
    """Text for a line, a table cell or a summary, cut to 300 characters.

    A zero-width space keeps @ and # from calling people and issues: entities alone do not.
    """
    shown = visible(text)
    if len(shown) > _LONGEST:
        shown = shown[:_LONGEST] + "…"
    for pattern in (_SPECIAL, _LINK, _LIST):
        shown = _entities(pattern, shown)
    return _CALL.sub("\\1\u200b", shown)


def fenced(text: str) -> str:
    """Lines as a code block that nothing in them can close."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def _entities(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda m: f"&#{ord(m[0])};", text)
