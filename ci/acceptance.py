"""Write the table of `docs/acceptance.md` from what the acceptance tests noted: one file of JSON lines for each run.

python ci/acceptance.py RUN…
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "acceptance.md"
START, END = "<!-- table -->", "<!-- end of table -->"
# Row → what the tutorial or AppWrapper's own tests claim.
CLAIMS = {
    "A1": "alice submits 7 short jobs of 8 GPUs: 3 run, the rest queues and drains in about 2 minutes (jobs of 30 s; here 8 s)",
    "A2": "blue uses 24 GPUs with a guarantee of 8: it borrows 16",
    "A3": "of 4 normal jobs 3 run and 1 waits",
    "A4": "an important job submitted while all is full: exactly one job of lower priority of its own team is suspended",
    "A5a": "bob submits one job of 16 GPUs: it starts after one eviction",
    "A5b": "bob submits two jobs of 8 GPUs (the repository's text): each evicts one of blue's",
    "A6": "the lowest priority is evicted first, then the newest; never the important one",
    "A6, no priority named": "not in the tutorial: a job without a priority label",
    "A7": "a job of 16 GPUs loses a node to the label EVICT: Resetting, Resuming, Running on other nodes, 30 to 45 s",
    "A8": "pods keep away from nodes labelled ERR, TESTING, EVICT",
    "A9": "slack that is not lent any more (lendingLimit 0): set by an operator of AppWrapper before 1.1, here by hand",
    "A10": "a cordon counts as an unhealthy node, running jobs stay",
    "A16": "packing keeps whole nodes free (the figure of 99 % on 1200 GPUs is not reproducible here)",
    "A17": "alice may work in blue and not in red, and cannot create Pods or Jobs",
    "A18": "a pod of 1 GPU goes to the node with 1 GPU left, not to an empty one",
    "A19": "a gang is not bound before all of it fits",
    "A19, in an AppWrapper": "an AppWrapper carries its PodGroup",
    "A21": "a failing job with retryLimit 2: 2 resets, then Failed",
    "A21, terminal exit code": "a terminal exit code fails without a reset",
    "A22": "a component deleted by hand: Failed at once",
    "A23": "50 AppWrappers of 2 pods all run within 1 minute",
}  # fmt: skip


def main(paths: list[Path]) -> int:
    """Put the rows of all runs between the two marks of the page."""
    runs = [
        {each["row"]: each for each in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        for path in paths
    ]
    lines = [
        f"| Row | Claim | What happened | {' | '.join(f'Run {n + 1}' for n in range(len(runs)))} |",
        f"|---|---|---|{'---:|' * len(runs)}",
    ]
    for row, claim in CLAIMS.items():
        seen = [run.get(row) for run in runs]
        said = next((each["happened"] for each in seen if each), "not run")
        said = re.sub(r" after [0-9.]+ s| \([0-9]+ s of it submitting\)", "", said)
        seconds = " | ".join(f"{each['seconds']:.1f}" if each else "–" for each in seen)
        lines.append(f"| {row} | {claim} | {said} | {seconds} |")
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    after = rest.split(END)[1]
    table = "\n".join([START, *lines, END])
    PAGE.write_text(before + table + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main([Path(each) for each in sys.argv[1:]]))
