"""How the page looks: light or dark as the reader's system is, no fonts and no pictures from elsewhere."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{--ink:#1c2733;--soft:#5b6b7b;--line:#e3e8ee;--paper:#fff;--card:#f6f8fa;--waits:#c9d1da;--bad:#c0392b;--focus:#1f5fa8;--good:#1a7f4b;--head:#0072b2}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa7b4;--line:#2b3540;--paper:#12181f;--card:#1a222b;--waits:#3d4a57;--bad:#ff7b6b;--focus:#8ec7ff;--good:#5fd39a;--head:#56b4e9}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1040px;padding:28px 24px 60px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:17px;margin:34px 0 2px}
p{margin:2px 0 10px;color:var(--soft)}
.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:10px;margin:20px 0 6px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.card b{display:block;font-size:22px;line-height:1.3;font-variant-numeric:tabular-nums}
.card span{color:var(--soft);font-size:13px}
.notes{border-left:3px solid #e69f00;padding:2px 0 2px 12px;margin:14px 0}
.notes p{margin:2px 0}
svg{display:block;width:100%;height:auto}
.grid{stroke:var(--line);stroke-width:1}
.tick,.job{fill:var(--soft);font-size:11px;font-family:inherit}
.job{font-size:10px}
.runs{fill-opacity:.92}
.waits{fill:var(--waits)}
.holds{fill:none;stroke-width:1;stroke-dasharray:2 2}
.row{fill:var(--ink);font-size:13px;font-family:inherit}
.zero{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.cut{stroke:var(--bad);stroke-width:2}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:4px 0 8px;font-size:13px;color:var(--soft)}
.legend i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px;vertical-align:-1px}
.wide{overflow-x:auto}
.wide svg{min-width:640px}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:5px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child{text-align:left;padding-left:0}
.words th,.words td{text-align:left;white-space:normal;vertical-align:top}
th{font-weight:600;color:var(--soft)}
tbody th{font-weight:400;color:inherit}
summary{cursor:pointer;padding:6px 0;margin-top:12px}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
footer{margin-top:40px;color:var(--soft);font-size:13px}
@media (max-width:640px){.cards{grid-template-columns:repeat(2,1fr)}}
@media print{body{max-width:none}.wide{overflow:visible}.wide svg{min-width:0}h2{break-after:avoid}svg,tr,.card{break-inside:avoid}}
"""
