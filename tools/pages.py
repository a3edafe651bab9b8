"""`make docs`: the pages of docs/games/, made of the rules' texts, the options and the component data."""

from __future__ import annotations

import json
from pathlib import Path

from pasch import all_games
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame
from pasch.core.texts import rules_markdown

FOLDER = Path(__file__).parents[1] / "docs" / "games"


def page(game: AnyGame) -> str:
    """One game's page."""
    specs = option_specs(game.Options)
    house = [spec for spec in specs if spec.house]
    lines = [
        f"<!-- made by `make docs` from games/{game.id}/en.md and the game's module; edit those -->",
        "",
        rules_markdown(game.id, "en").rstrip(),
        "",
        "## Options",
        "",
        f"Players: {game.seats[0]} to {game.seats[-1]}. Its name in commands and records: `{game.id}`.",
        *_options([spec for spec in specs if not spec.house]),
    ]
    if house:
        lines += ["", "House rules, which nobody needs for a first game:", *_options(house)]
    lines += [
        "",
        "## Where the component data come from",
        "",
        "*printed*: the rulebook says it. *seen*: read off a picture. *reconstructed*: our best guess.",
        f"Correct a copy of [`box.toml`](../../src/pasch/games/{game.id}/box.toml) by your own box and",
        "play with `--components FILE`.",
        "",
        "| what | source |",
        "|---|---|",
    ]
    components = game.default_components()
    lines += [f"| {what} | {source} |" for what, source in components.provenance()]
    return "\n".join(lines) + "\n"


def _options(specs: list[OptionSpec]) -> list[str]:
    """A table of options, if there are any."""
    rows = [
        f"| `{spec.name}` | `{json.dumps(spec.default)}` | {spec.expected} | {spec.explanation} |"
        for spec in specs
    ]
    return ["", "| option | default | allowed | meaning |", "|---|---|---|---|", *rows] if rows else []


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in all_games():
        FOLDER.joinpath(f"{game.id}.md").write_text(page(game), "utf-8")
        print(f"docs/games/{game.id}.md")


if __name__ == "__main__":
    main()
