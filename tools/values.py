"""`python -m tools.values [--all]`: the tables of docs/results.md.

Plan 4 of Shut the Lines takes a minute the first time and is computed with `--all` only; otherwise its row
stays as it is. What is measured by playing for hours stands in docs/measured.toml.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from pasch import find_game
from pasch.players.levels import measured_loss
from pasch.solve.valuer import valuer

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "results.md"
MEASURED = ROOT / "docs" / "measured.toml"
BEGIN, END = "<!-- results: made by `python -m tools.values` -->", "<!-- end of results -->"


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """A table in Markdown; all columns but the first are numbers."""
    ruler = "|".join(["---", *["---:"] * (len(heads) - 1)])
    return [f"| {' | '.join(heads)} |", f"|{ruler}|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def fiese15() -> list[str]:
    kind = find_game("fiese15")
    base, gambler, handicap = (
        valuer(kind.agree(2, options)) for options in ({}, {"gambler": True}, {"handicap": True})
    )
    rows: list[list[str]] = []
    components = kind.agree(2).components
    values: list[Any] = [base, gambler, *[handicap] * 6]
    tiles = [0, 0, *range(1, 7)]
    for number, strip in enumerate(components.strips):
        figures = [f"{value.fresh(number, tile):.4f}" for value, tile in zip(values, tiles, strict=True)]
        rows.append([f"{number}: {' '.join(map(str, strip.targets()))}", *figures])
    means = [
        sum(value.fresh(number, tile) for number in range(len(rows))) / len(rows)
        for value, tile in zip(values, tiles, strict=True)
    ]
    rows.append(["mean", *(f"{mean:.4f}" for mean in means)])
    heads = ["strip (red blue yellow black white green)", "front", "gambler"]
    heads += [f"back, tile {tile}" for tile in range(1, 7)]
    return ["### Fiese 15: expected points of a turn", "", *table(heads, rows)]


def jokers() -> list[str]:
    rows = []
    for name, options in (
        ("joker1", {"first_six": "saves"}),
        ("joker1", {"first_six": "busts"}),
        ("joker2", {"five_penalty": "used"}),
        ("joker2", {"five_penalty": "pushed"}),
    ):
        game = find_game(name).agree(1, options)
        values: Any = valuer(game)
        spread = values.distribution
        what = game.title + "".join(f", {key} {value}" for key, value in options.items())
        nothing = sum(
            float(chance)
            for points, chance in zip(spread.points, spread.chances, strict=True)
            if points <= 0
        )
        turn = values.worth(game.start()).turn
        rows.append([what, f"{turn:.6f}", f"{spread.variance() ** 0.5:.3f}", f"{nothing:.4f}"])
    heads = ["game", "expected points of a turn", "standard deviation", "chance of 0 or less"]
    note = "With `five_dice` `bust` Würfel Joker 2 has the same figures: once the five counts, rolling on is better."
    return ["### Würfel Joker: a turn played for points", "", *table(heads, rows), note, ""]


def lines(costly: bool, old: str) -> list[str]:
    rows = []
    for plan in (1, 2, 3, 4):
        name = f"plan {plan}"
        kept = next((row for row in old.splitlines() if row.startswith(f"| {name} |")), None)
        if plan == 4 and not costly:
            rows.append([cell.strip() for cell in kept.strip("|").split("|")] if kept else [name, "", ""])
            continue
        game = find_game("lines").agree(1, {"plans": [plan]})
        turn = valuer(game).worth(game.start()).turn
        rows.append([name, str(len(game.plans[plan - 1].lines)), f"{turn:.5f}"])  # type: ignore[attr-defined]
    return [
        "### Shut the Lines: expected lines of a round",
        "",
        *table(["plan", "lines there are", "expected"], rows),
    ]


def levels() -> list[str]:
    rows = []
    for name in ("fiese15", "joker1", "joker2", "lines", "crowns", "sixbysix"):
        game = find_game(name).agree(2)
        figures = [measured_loss(game, level) for level in ("easy", "medium", "hard")]
        rows.append([game.title, *("–" if figure is None else f"{figure.value:.1f}" for figure in figures)])
    return [
        "### What the levels give away in a game for two, in points",
        "",
        *table(["game", "easy", "medium", "hard"], rows),
    ]


def measured() -> list[str]:
    """Figures measured by other commands: pairs of a name and figures, each with its standard error."""
    entries = tomllib.loads(MEASURED.read_text("utf-8")).get("result", []) if MEASURED.exists() else []
    if not entries:
        return []
    rows = [[entry["what"], entry["value"], entry.get("error", ""), entry["how"]] for entry in entries]
    return [
        "### Crowns and 6mal6: measured",
        "",
        *table(["what", "result", "standard error", "how"], rows),
    ]


def section(costly: bool, old: str) -> str:
    """The generated part of the page; `old` is what stands there."""
    parts = [*fiese15(), *jokers(), *lines(costly, old), *levels(), *measured()]
    return "\n".join([BEGIN, "", *parts]) + END


def replaced(page: str, costly: bool) -> str:
    """The page with new results."""
    before, _, rest = page.partition(BEGIN)
    old, _, after = rest.partition(END)
    return before + section(costly, old) + after


def main() -> None:
    page = PAGE.read_text("utf-8")
    PAGE.write_text(replaced(page, "--all" in sys.argv[1:]), "utf-8")
    print(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
