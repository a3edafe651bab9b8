"""Digests of how each game behaves: states, moves, chances, refusals and scores of seeded games.

`oracle.json` was written with the rules as they were before games were declared (`pasch.core.position`); whatever
changes the shape of a game but not its rules leaves every digest as it is. After an intended change of rules:

    python -m tests.conformance.oracle joker1

writes the digests of the games named, or of all.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from pasch import CHANCE, all_games, find_game
from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.philox import Stream, game_key
from pasch.core.state import State
from pasch.terminal.conformance import Case, agree, cases, name, random_match

FILE = Path(__file__).with_name("oracle.json")
SEED = "oracle"
#: games of each case whose scores are digested
SCORED = 3
#: events of each case that are looked at closely, and at how many of them events are refused
NEAR, REFUSING = 300, 12

Digests = dict[str, str]


def digest(things: list[Any]) -> str:
    """The digest of things that JSON can write."""
    lines = (json.dumps(thing, sort_keys=True, default=str).encode() + b"\n" for thing in things)
    return hashlib.sha256(b"".join(lines)).hexdigest()[:12]


def digests(case: Case) -> Digests:
    """The digests of one case, by what they are about."""
    made: dict[str, list[Any]] = {what: [] for what in ("states", "moves", "chances", "refusals", "scores")}
    game = agree(case)
    match = random_match(game, Random(name(case)), NEAR)
    for number in range(len(match) + 1):
        _look(match.at(number), number, made)
    pool = hostile_events(game)
    for number in range(0, len(match) + 1, max(1, len(match) // REFUSING)):
        for written in pool:
            made["refusals"].append(refusal(match.at(number), written))
    made["scores"].append(plain_scores(game, SCORED))
    return {what: digest(things) for what, things in made.items()}


def _look(state: State, number: int, made: dict[str, list[Any]]) -> None:
    made["states"].append([state.snapshot(), state.actor, state.mover, state.scores(), state.winners()])
    if number % 8 == 0:
        made["states"].append([state.view(seat).snapshot() for seat in (None, *range(state.game.players))])
    made["moves"].append([move.json() for move in state.moves()])
    if state.actor == CHANCE:
        chance = state.chance()
        case = Random(number).randrange(chance.total)
        made["chances"].append(
            [chance.total, chance.described(), chance.pick(case).json(), chance.step(())]
        )


def refusal(state: State, written: Any) -> Any:
    """What comes of an event: the state after it, or the error with its rule and sentence."""
    try:
        return state.apply(state.game.read_event(written)).snapshot()
    except PaschError as error:
        return [type(error).__name__, getattr(error, "rule", None), error.template, str(error)]


@lru_cache(maxsize=16)
def _seen(game: type[Game[Any, Any]]) -> tuple[str, ...]:
    """Events of all kinds that occur in a game with all its options, as JSON."""
    found: dict[str, None] = {}
    for case in cases(game):
        match = random_match(agree(case), Random(case[1]), 60)
        for number in range(0, len(match), 6):
            for event in (*match.at(number).moves()[::9], match.events[number]):
                found[json.dumps(event.json())] = None
    return tuple(Random(1).sample(sorted(found), min(40, len(found))))


def hostile_events(game: Game[Any, Any]) -> list[Any]:
    """Events of other positions, with other seats, and with parts missing, doubled or out of bounds."""
    pool: list[Any] = []
    for number, text in enumerate(_seen(type(game))):
        event = json.loads(text)
        seats: tuple[int, ...] = (0, 1, -1, -2, game.players) if number % 3 == 0 else (0, game.players - 1)
        for seat in seats if "seat" in event else (None,):
            as_seat = event if seat is None else event | {"seat": seat}
            pool.append(as_seat)
            if seat == 0 or seat is None:
                pool += _damaged(as_seat)
    return pool


def _damaged(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key, value in event.items():
        if key == "seat":
            continue
        if isinstance(value, list):
            wrong: tuple[Any, ...] = ([], value[:-1], value + value[-1:], value[::-1], [*value, 7])
        elif isinstance(value, dict):
            wrong = ({}, dict(list(value.items())[1:]), value | {"red": 6}, value | {"white": 7})
        elif isinstance(value, int):
            wrong = (-1, 0, value + 1, 99)
        else:
            wrong = ("roll", "stop", "jokers", "nothing")
        for other in wrong:
            yield event | {key: other}


def plain_scores(game: Game[Any, Any], games: int) -> list[list[int]]:
    """The scores of random games played by the rule functions as they stand; `pasch.lab.batch` has the same ones."""
    functions = game.rule_functions()
    g, found = game.config, []
    for number in range(games):
        streams = [Stream(game_key(SEED, number), stream) for stream in range(game.players + 1)]
        s, out = game.start().unpack(), [0] * game.max_moves
        while s.actor != -2:
            if s.actor == CHANCE:
                functions.chance(g, s, streams[0].randrange(functions.cases(g, s)))
            else:
                count = functions.moves(g, s, out)
                functions.move(g, s, out[streams[s.actor + 1].randrange(count)])
        scores = [0] * game.players
        functions.scores(g, s, scores)
        found.append(list(map(int, scores)))
    return found


def known() -> dict[str, Digests]:
    """The digests of all cases, by their names."""
    read: dict[str, Digests] = json.loads(FILE.read_text("utf-8"))
    return read


def main(names: list[str]) -> None:
    """Write the digests of these games, or of all."""
    written = known() if FILE.exists() else {}
    for game in map(find_game, names or [game.id for game in all_games()]):
        written |= {name(case): digests(case) for case in cases(game)}
    lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(made)}" for case, made in sorted(written.items()))
    FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
