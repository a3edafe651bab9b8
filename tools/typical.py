"""`python -m tools.typical [--games N] [GAME …]`: play typical games for one, and write each game's typical.toml.

`pasch.core.typical` compares results with them. Typical is what the computer player `medium` scores. For Crowns it
also prints how often beginners (`easy`), `medium` and the simple heuristic (`greedy`) earn each title.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, Final

from pasch import find_game
from pasch.core.chance import seed_key, subkey
from pasch.games.crowns.box import TITLES, title
from pasch.players.arena import play_game
from pasch.players.base import player

GAMES: Final = Path(__file__).parents[1] / "src" / "pasch" / "games"
#: by game the options that typical games are played with; Shut the Lines alone is about rounds, not about its score
CASES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "crowns": ({}, {"solo_minimum": 2}),
    "fiese15": ({},),
    "joker1": ({},),
    "joker2": ({},),
}
HEAD: Final = "# Written by `python -m tools.typical`: percentiles 1 to 99 of the scores of the level medium, alone.\n"


def scores(game: str, options: dict[str, Any], level: str, games: int) -> list[int]:
    """The scores of a computer player, sorted."""
    configured, alone, key = find_game(game).agree(1, options), player(level), seed_key("typical")
    return sorted(play_game(configured, [alone], subkey(key, 0, n)).state.scores()[0] for n in range(games))


def case(options: dict[str, Any], found: list[int]) -> str:
    """One entry of the file."""
    written = ", ".join(f"{name} = {value}" for name, value in options.items())
    percentiles = [found[len(found) * percent // 100] for percent in range(1, 100)]
    return f"\n[[case]]\noptions = {{ {written} }}\ngames = {len(found)}\npercentiles = {percentiles}\n".replace(
        "{  }", "{}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("game", nargs="*", choices=list(CASES), default=list(CASES))
    args = parser.parse_args()
    for game in args.game:
        text = HEAD
        for options in CASES[game]:
            typical = scores(game, options, "medium", args.games)
            text += case(options, typical)
            for level in ("easy", "medium", "greedy") if game == "crowns" else ():
                found = typical if level == "medium" else scores(game, options, level, args.games)
                earned = Counter(map(title, found))
                names = [*(name for _, name in TITLES), "try_again"]
                shares = {name: round(100 * earned[name] / args.games, 1) for name in names}
                print(f"Crowns alone {options}, {level}: {shares}", flush=True)
        (GAMES / game / "typical.toml").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
