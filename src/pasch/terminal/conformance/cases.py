"""The ways in which a game can be agreed on, and random matches of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import find_game
from pasch.core.state import CHANCE

Case = tuple[str, int, dict[str, Any]]


def _usual(spec: OptionSpec) -> Any:
    """What the other options are varied from: the value of older games, so that the oracle's cases stay the same."""
    return spec.before if spec.added else spec.default


def _values(spec: OptionSpec) -> list[Any]:
    """The values of one option that are worth a game each."""
    if spec.kind == "switch":
        return [False, True]
    if spec.kind == "choice":
        return sorted(spec.choices, key=lambda value: value != _usual(spec))
    if spec.kind == "list":
        return [[choice] for choice in spec.choices] + [list(spec.choices)]
    return [spec.default, spec.least]


def option_sets(game: type[Game[Any, Any]]) -> Iterator[dict[str, Any]]:
    """All combinations of switches and choices; numbers and lists one at a time, whole lists with every choice."""
    specs = option_specs(game.Options)
    defaults = {spec.name: _usual(spec) for spec in specs}
    combined = [spec for spec in specs if spec.kind in ("switch", "choice")]
    for values in product(*map(_values, combined)):
        yield defaults | dict(zip([spec.name for spec in combined], values, strict=True))
    for spec in specs:
        if spec not in combined:
            for value in _values(spec):
                if value != (list(spec.default) if spec.kind == "list" else spec.default):
                    yield defaults | {spec.name: value}
            if spec.kind == "list":
                for choice in combined:
                    for chosen in _values(choice):
                        if chosen != _usual(choice):
                            yield defaults | {spec.name: list(spec.choices), choice.name: chosen}


def cases(game: type[Game[Any, Any]]) -> list[Case]:
    """A game with every sensible set of options and every number of players."""
    return [(game.id, players, options) for options in option_sets(game) for players in game.seats]


def few_cases(game: type[Game[Any, Any]]) -> list[Case]:
    """Every set of options with two numbers of players, other ones each time."""
    seats = list(game.seats)
    return [
        (game.id, seats[place % len(seats)], options)
        for number, options in enumerate(option_sets(game))
        for place in dict.fromkeys((number, number + len(seats) // 2))
    ]


def name(case: Case) -> str:
    game, players, options = case
    changed = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{game}-{players}-{changed}".replace(" ", "")


def agree(case: Case) -> Game[Any, Any]:
    game, players, options = case
    return find_game(game).agree(players, options)


def random_match(game: Game[Any, Any], generator: Random, most_events: int = 1_000_000) -> Match:
    """A game of uniformly random moves, to its end or to `most_events`."""
    match = Match(game)
    while not match.state.over and len(match) < most_events:
        state = match.state
        if state.actor == CHANCE:
            match.play(state.chance().sample(generator))
        else:
            match.play(generator.choice(state.moves()))
    return match
