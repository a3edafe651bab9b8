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
from random import Random
from typing import Any

import msgspec
import numpy as np

from pasch.core.components import parse_components
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import game_key
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State
from pasch.lab.batch import batch
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import Valuer, valuer

HERE = Path(__file__).parent
#: positions at which values are checked, outcomes of chance that are looked at one by one, and games whose last turns
#: are played out
POSITIONS, OUTCOMES, ENDS = 12, 500, 6
PLAYERS = ("random", "greedy")


def configured(name: str, wanted: dict[str, Any]) -> Game[Any, Any]:
    """The game of a file of changes: options, players, and perhaps a smaller box."""
    kind = find_game(name)
    options = dict(wanted.get("options", {}))
    if "box" in wanted:
        options["components"] = msgspec.to_builtins(parse_components(kind.Components, name, wanted["box"]))
    return kind.agree(wanted.get("players", 2), options)


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


def positions(game: Game[Any, Any], number: int) -> Iterator[State]:
    """Positions of random games."""
    random = Random("positions")
    state = game.start()
    for _ in range(number):
        for _ in range(random.randrange(1, 12)):
            if state.over:
                state = game.start()
            outcome = (
                state.chance().sample(random) if state.actor == CHANCE else random.choice(state.moves())
            )
            state = state.apply(outcome)
        yield state


def last_turns(game: Game[Any, Any]) -> Iterator[tuple[State, State]]:
    """The last roll of random games after which every move ends the game, and the decision that follows."""
    random = Random("ends")
    for _ in range(ENDS):
        before, state = game.start(), game.start()
        rolled = state
        while not state.over:
            if state.actor == CHANCE:
                before, outcome = state, state.chance().sample(random)
                rolled = state.apply(outcome)
                state = rolled
            else:
                state = state.apply(random.choice(state.moves()))
        if rolled.moves() and all(rolled.apply(move).over for move in rolled.moves()):
            yield before, rolled


def check_ends(game: Game[Any, Any], values: Valuer, tolerance: float) -> None:
    """The values of last turns, estimates as well: every outcome and every move by the ordinary engine."""
    for before, rolled in last_turns(game):
        scores = [rolled.apply(move).scores()[rolled.actor] for move in rolled.moves()]
        assert np.allclose(values.move_points(rolled), scores, atol=tolerance), "values: last moves"
        mean = 0.0
        for outcome, cases in before.chance().outcomes():
            after = before.apply(outcome)
            ends = [after] if after.over else [after.apply(move) for move in after.moves()]
            if not all(end.over for end in ends):
                break
            mean += max(end.scores()[rolled.actor] for end in ends) * cases / before.chance().total
        else:
            points = values.points(before)[rolled.actor]
            assert abs(mean - points) < tolerance, f"values: the last roll {mean} {points}"


def check_values(game: Game[Any, Any], wanted: dict[str, Any]) -> None:
    """Values by the equations that they have to fulfil, states by the ordinary engine."""
    values, tolerance = valuer(game), wanted.get("tolerance", 1e-9)
    values.prepare_points()
    check_ends(game, values, tolerance)
    for state in positions(game, wanted.get("positions", POSITIONS)):
        points = values.points(state)
        if state.over:
            assert points == tuple(map(float, state.scores())), "values: the end"
        elif state.actor == CHANCE:
            chance = state.chance()
            if not chance.listable or len(chance.outcomes()) > wanted.get("outcomes", OUTCOMES):
                continue
            mean = np.zeros(game.players)
            for outcome, cases in chance.outcomes():
                then = np.array(values.points(state.apply(outcome)))
                mean += (then - values.entering_expectation(state, outcome)) * cases / chance.total
            assert np.allclose(mean, points, atol=tolerance), f"values: a roll {mean} {points}"
        else:
            moves, worth = state.moves(), values.move_points(state)
            after = [values.points(state.apply(move))[state.actor] for move in moves]
            entering_expectation = [values.entering_expectation(state, move)[state.actor] for move in moves]
            assert np.allclose(np.subtract(after, entering_expectation), worth, atol=tolerance), (
                "values: moves"
            )
            assert abs(max(worth) - points[state.actor]) < tolerance, "values: the best move"


def changed(name: str, number: int) -> tuple[dict[str, Any], Game[Any, Any]]:
    """What a file of changes wants, and its game with the options of one change."""
    wanted = tomllib.loads(HERE.joinpath(f"{name}.toml").read_text("utf-8"))
    wanted["options"] = {**wanted.get("options", {}), **wanted["change"][number].get("options", {})}
    return wanted, configured(name, wanted)


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
