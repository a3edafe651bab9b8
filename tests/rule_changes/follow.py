"""Run in a copy of Pasch whose rules may have been changed: does everything follow the ordinary engine?

    python tests/rule_changes/follow.py GAME NUMBER

Plays and checks one game with the options of its file of changes and of the change with this number, the compiler
switched off (NUMBA_DISABLE_JIT), and prints a digest of the games played. Fails if batches, greedy players or
values say something else than the states do.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from tests.solve.proofs import ledger_holds, walk

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.components import parse_components
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import game_key
from pasch.core.registry import find_game
from pasch.lab.batch import batch
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import valuer

HERE = Path(__file__).parent
#: games of random moves, the number of their positions at which values are checked, and of the last ones besides
GAMES, POSITIONS, ENDS = 3, 12, 4
PLAYERS = ("random", "greedy")


def digest(game: Game[Any, Any], games: int) -> str:
    """What is played by the ordinary engine, in short."""
    events = [
        [event.json() for event in match.events] for who in PLAYERS for match in matches(game, who, games)
    ]
    return hashlib.sha256(json.dumps(events).encode()).hexdigest()


def matches(game: Game[Any, Any], who: str, games: int) -> Iterator[Match]:
    for number in range(games):
        yield play_game(game, [player(who)] * game.players, game_key("rules", number))


def check_batch(game: Game[Any, Any], games: int) -> None:
    """Batches against the ordinary engine, random and greedy players."""
    for who in PLAYERS:
        played = batch(game, [who] * game.players).play(games, "rules")
        for number, match in enumerate(matches(game, who, games)):
            assert tuple(played.scores[number].tolist()) == match.state.scores(), f"batch, {who}: scores"
            won = tuple(np.flatnonzero(played.winners[number]).tolist())
            assert won == match.state.winners(), f"batch, {who}: winners"


def check_values(game: Game[Any, Any], wanted: dict[str, Any]) -> None:
    """Values by the equations that they have to fulfil, also at the end; states by the ordinary engine."""
    values = valuer(game)
    values.prepare_points()
    states = [state for _ in range(GAMES) for state in walk(game, KeyedGenerator(seed_key("positions")))]
    every = len(states) // wanted.get("positions", POSITIONS)
    for state in states[::every] + states[-ENDS:]:
        ledger_holds(values, state, independent=False, tolerance=wanted.get("tolerance", 1e-9))


def changed(name: str, number: int) -> tuple[dict[str, Any], Game[Any, Any]]:
    """What a file of changes wants, and its game with the options of one change and perhaps a smaller box."""
    wanted = tomllib.loads(HERE.joinpath(f"{name}.toml").read_text("utf-8"))
    options = {**wanted.get("options", {}), **wanted["change"][number].get("options", {})}
    kind = find_game(name)
    if "box" in wanted:
        options["components"] = msgspec.to_builtins(parse_components(kind.Components, name, wanted["box"]))
    return wanted, kind.agree(wanted.get("players", 2), options)


def main(name: str, number: int) -> None:
    wanted, game = changed(name, number)
    games = wanted.get("games", 3)
    check_batch(game, games)
    if wanted.get("equations", True):
        check_values(game, wanted)
    if "also" in wanted:
        import_module(wanted["also"]).check(game)
    sys.stdout.write(digest(game, games))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
