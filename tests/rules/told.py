"""Findings as lines of text that hold everything that is said; shared by the tests with reviewed files."""

from __future__ import annotations


def place(outcome, origin) -> str:
    span = outcome.places.span(origin)
    if span is None:  # a baseline has no source to point at
        return origin.file
    return f"{origin.file}:{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def told(outcome, kueue: str) -> list[str]:
    """One block of lines per finding, without the version that was asked for."""
    lines = []
    for f in outcome.report.findings:
        about = " ".join(filter(None, (f.subject, f.field, ",".join(f.clusters))))
        lines.append(
            f"{f.severity} {f.code} {f.consequence} {f.audience} {place(outcome, f.primary.origin)} [{about}]"
        )
        lines.append(f"    {f.message}")
        lines += [f"    here: {f.primary.text}"] if f.primary.text else []
        lines += [f"    there: {place(outcome, label.origin)} {label.text}" for label in f.related]
        lines += [f"    {term.sign} {term.amount} | {term.text}" for term in f.terms]
        lines += [f"    help: {text}" for text in f.help]
        if f.fix is not None:
            lines.append(f"    fix: {f.fix.title}, {'safe' if f.fix.safe else 'to be reviewed'}")
            lines += [
                f"      {e.action} at {place(outcome, e.origin)}: {e.text!r}{e.order or ''}"
                for e in f.fix.edits
            ]
    lines += [f"unchecked: {gap.what}: {gap.why}" for gap in outcome.report.unchecked]
    return [line.replace(f"Kueue {kueue}", "Kueue VERSION") for line in lines]
