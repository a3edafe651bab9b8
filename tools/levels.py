"""`python -m tools.levels [GAME …] [--games SHARE] [--part PART]`: measure the ladder; write each levels.toml.

How much a level errs is set by hand at the top of that file and stays as it is. Measured are how often each level
beats the next in the game with its default options, for two, and what it gives away in the variants below. What is
written of games that are not named stays as it is. `--games 0.1` plays a tenth of the games; `--part compiled`
leaves out the games against `winner`, which take long, and `--part winner` plays nothing else. Each figure is
written as soon as it is there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from pasch import find_game
from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.registry import find_data, game_ids
from pasch.players.levels import LADDER, STUDY
from tools.ladder import loss, win_share

#: those that err
ERRING = LADDER[:-1]
#: deals for a share of wins, between compiled levels and with `winner`; games for a loss
DEALS, DEALS_TO_WIN, GAMES = 20_000, 400, 4_000
#: the same where values take long
SLOW: dict[str, tuple[int, int, int]] = {"crowns": (200, 100, 100), "sixbysix": (200, 100, 60)}
#: of the games whose length depends on the play: under which options, and for how many players
VARIANTS: dict[str, list[tuple[dict[str, Any], tuple[int, ...]]]] = {
    "lines": [({}, (1, 2, 3, 4))],
    "crowns": [({}, (1, 2)), ({"solo_minimum": 2}, (1,))],
    "sixbysix": [({}, (2, 3))],
}
#: who meets whom: each rung the next, and the study tool the strongest
PAIRS = (*pairwise(LADDER), (STUDY, LADDER[-1]))
SEED = "levels"
HEAD = """\
# `weight` is how many times a level overrates what attracts beginners, `overlooks` how often it does not think of
# an idea (beginner.py says what these are); both are set by hand. Everything below is written by
# `python -m tools.levels`: `wins` is how often a level beats the next one, for two; `loss` what it gives away.
"""


def ladder(name: str, share: float, part: str) -> Iterator[dict[str, Any]]:
    """How often each rung beats the next; and how often the study tool beats the strongest."""
    game = find_game(name).agree(2)
    many, few, _ = SLOW.get(name, (DEALS, DEALS_TO_WIN, GAMES))
    for level, following in PAIRS:
        if part == ("compiled" if following == LADDER[-1] else "winner"):
            continue
        deals = max(10, round(share * (few if following == "winner" else many)))
        wins = win_share(game, level, following, deals, SEED)
        print(f"{name}: {level} beats {following} {wins.value:.3f} ± {wins.error:.3f}", flush=True)
        yield {
            "level": level,
            "against": following,
            "deals": deals,
            "wins": _round(wins.value),
            "wins_error": _round(wins.error),
        }


def losses(name: str, share: float) -> Iterator[dict[str, Any]]:
    """What the levels give away, by variant."""
    games = max(10, round(share * SLOW.get(name, (DEALS, DEALS_TO_WIN, GAMES))[2]))
    for when, game, turns in variants(name):
        for level in ERRING:
            found = loss(game, level, games, SEED)
            print(f"{name}: {level} gives away {found.value:.3f} ± {found.error:.3f} {when}", flush=True)
            yield {
                "level": level,
                "when": when,
                "per": "turn" if turns else "game",
                "loss": _round(found.value / (turns or 1)),
                "error": _round(found.error / (turns or 1)),
            }


def variants(name: str) -> Iterator[tuple[dict[str, Any], Game[Any, Any], int]]:
    """Each variant: options, game, and a seat's number of turns if the options fix it."""
    kind = find_game(name)
    if name in VARIANTS:
        for options, numbers in VARIANTS[name]:
            for players in numbers:
                game = kind.agree(players, options)
                written = game.options.json()
                written.pop("components", None)
                yield written | {"players": players}, game, 0
        return
    specs = [spec for spec in option_specs(kind.Options) if spec.kind in ("switch", "choice")]
    for chosen in product(*(spec.choices or (False, True) for spec in specs)):
        when = dict(zip([spec.name for spec in specs], chosen, strict=True))
        # with the handicap the targets depend on the standing
        for players in range(1, 7) if when.get("handicap") else (2,):
            game = kind.agree(players, when)
            turns = getattr(game.options, "rounds", 0) or game.components.rounds
            yield when | {"players": players} if when.get("handicap") else when, game, turns


def _round(number: float) -> float:
    return float(f"{number:.5g}")


# --- the file -------------------------------------------------------------------------------------


def written(game: dict[str, Any]) -> str:
    """A game's data as TOML."""
    out = [HEAD]
    for table in ("weight", "overlooks"):
        out += [f"[{table}]", *(f"{level} = {game[table][level]}" for level in ERRING), ""]
    for table in ("rung", "measured"):
        for entry in game[table]:
            out += [f"[[{table}]]", *(f"{key} = {_toml(value)}" for key, value in entry.items()), ""]
    return "\n".join(out)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value)


def measure(name: str, share: float, part: str) -> None:
    """Measure a game's levels; every figure replaces the old one in its file as soon as it is there."""
    given = find_data(name, "levels.toml")
    folder = Path(sys.modules[find_game(name).__module__].__file__ or "").parent
    known = {
        table: {_key(entry): entry for entry in given.get(table, ())} for table in ("rung", "measured")
    }
    losing = [(level, str(when)) for when, _, _ in variants(name) for level in ERRING]
    order = {"rung": [(level, "") for level, _ in PAIRS], "measured": losing}
    lost = iter(()) if part == "winner" else losses(name, share)
    for table, figures in (("measured", lost), ("rung", ladder(name, share, part))):
        for entry in figures:
            known[table][_key(entry)] = entry
            kept = {each: [known[each][key] for key in order[each] if key in known[each]] for each in known}
            text = written({"weight": given["weight"], "overlooks": given["overlooks"], **kept})
            folder.joinpath("levels.toml").write_text(text, "utf-8")


def _key(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["level"], str(entry.get("when", ""))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=float, default=1.0, metavar="SHARE")
    parser.add_argument("--part", choices=("all", "compiled", "winner"), default="all")
    args = parser.parse_args()
    for name in args.names or game_ids():
        measure(name, args.games, args.part)


if __name__ == "__main__":
    main()
