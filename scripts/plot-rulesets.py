"""Draws what each ruleset changes as an SVG, from the `rulesets` table of a run.

Usage: plot-rulesets.py RULESETS.csv OUT.svg

Needs nothing but Python. A bar is the change of side A's score in percentage points, the thin line its 95%
interval.
"""

import csv
import html
import sys

ROW, LEFT, WIDTH, TOP = 20, 190, 760, 56
FAVOURS, HURTS, INK, FAINT = "#2b7a78", "#c0504d", "#222222", "#bbbbbb"


def main(source: str, target: str) -> None:
    with open(source, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["side"] == "A" and row["effect"]]
    rows.sort(key=lambda row: float(row["effect"]), reverse=True)
    matchup = rows[0]["matchup"]
    widest = max(abs(float(row[key])) for row in rows for key in ("effect_low", "effect_high"))
    middle = LEFT + (WIDTH - LEFT - 20) / 2
    scale = ((WIDTH - LEFT) / 2 - 60) / widest

    def x(value: str) -> float:
        return middle + scale * float(value)

    height = TOP + ROW * len(rows) + 20
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="22" font-size="16">{html.escape(matchup)}: what each ruleset changes</text>',
        f'<text x="12" y="42" fill="#666666">change of side A\'s score in percentage points, '
        "with 95% intervals</text>",
        f'<line x1="{middle}" y1="{TOP}" x2="{middle}" y2="{height - 14}" stroke="{FAINT}"/>',
    ]
    for at, row in enumerate(rows):
        y = TOP + ROW * at
        effect = float(row["effect"])
        start, end = sorted((middle, x(row["effect"])))
        colour = FAVOURS if effect > 0 else HURTS
        out.append(
            f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">{html.escape(row["ruleset"])}</text>'
            f'<rect x="{start:.1f}" y="{y + 4}" width="{end - start:.1f}" height="{ROW - 8}" fill="{colour}"/>'
            f'<line x1="{x(row["effect_low"]):.1f}" y1="{y + ROW / 2}" x2="{x(row["effect_high"]):.1f}" '
            f'y2="{y + ROW / 2}" stroke="{INK}"/>'
        )
        anchor, shift = ("start", 8) if effect > 0 else ("end", -8)
        edge = x(row["effect_high"] if effect > 0 else row["effect_low"])
        out.append(
            f'<text x="{edge + shift:.1f}" y="{y + 14}" text-anchor="{anchor}" font-size="11" '
            f'fill="#666666">{100 * effect:+.1f}</text>'
        )
    out.append("</svg>")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
