"""How the page of a plan looks: light or dark as the reader's system is, narrow, printed; no fonts from elsewhere."""

from __future__ import annotations

from typing import Final

from kohort.planner.render.tree_html import STYLE as TREES

STYLE: Final = (
    """
:root{--ink:#1c2733;--soft:#55636f;--line:#dde3ea;--paper:#fff;--card:#f6f8fa;--was:#8a95a1;--now:#1f5fa8;--focus:#1f5fa8;--error:#a82415;--warning:#7a5200;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#a7b3bf;--line:#2b3540;--paper:#12181f;--card:#1a222b;--was:#7d8894;--now:#6fb1f2;--focus:#8ec7ff;--error:#ff9a8d;--warning:#f0c674}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1.6rem 1.4rem 4rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .2rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
h3{font-size:1rem;margin:1.2rem 0 0;overflow-wrap:anywhere}
p{margin:.15rem 0 .6rem;color:var(--soft);overflow-wrap:anywhere}
ul,ol{padding-left:1.3rem;margin:.2rem 0}
li{margin:.2rem 0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.94em;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);font-weight:400;vertical-align:baseline}
thead th{color:var(--soft);font-weight:600}
td.n,thead th.n{text-align:right;white-space:nowrap}
td.d{font-weight:600}
tbody th[scope=row]{min-width:11rem}
tbody th[scope=rowgroup]{font-weight:600;padding-top:.9rem}
.behind{color:var(--soft);font-size:.92em}
summary{cursor:pointer;padding:.25rem 0;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:2px}
details details{margin-left:1.1rem}
pre{background:var(--card);border:1px solid var(--line);border-radius:4px;padding:.6rem;overflow-x:auto;font:.86em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.place{color:var(--soft);font-size:.9em;font-weight:400}
li>ul{color:var(--soft);font-size:.94em}
.error{color:var(--error)}.warning{color:var(--warning)}
.answer{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--now);border-radius:4px;padding:.6rem .9rem .7rem;margin:1.2rem 0 0}
.answer h2{margin:.7rem 0 .2rem}.answer>h2:first-child{margin-top:0}
.answer dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}
dt{grid-column:1;color:var(--soft)}dd{grid-column:2;margin:0;overflow-wrap:anywhere;min-width:0}
.played{--good:#1a7f4b;--bad:#c0392b}
@media (prefers-color-scheme:dark){.played{--good:#5fd39a;--bad:#ff7b6b}}
.played svg{display:block;width:100%;min-width:640px;height:auto}
.played .row{fill:var(--ink);font-size:13px}
.played .zero{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.played caption{text-align:left;color:var(--soft)}
@media (max-width:640px){.answer dl{grid-template-columns:1fr;gap:0}dd{grid-column:1;margin-bottom:.3rem}}
@media print{body{max-width:none;padding:0}.wide,pre{overflow:visible}pre{white-space:pre-wrap}h2,h3{break-after:avoid}tr,.row,li{break-inside:avoid}}
"""
    + TREES
)
