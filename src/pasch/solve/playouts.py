"""Estimates by playouts: what a position is worth to each seat, for games without a solver of their own.

Every number is a function of the position: the random generator is keyed by the position. In most games a move
matters most for the current turn, so moves are compared by the points of the turn if a heuristic plays it to its
end; whole games are played at random. A playout ends where it would have to guess hidden information.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.chance import Generator, KeyedGenerator, seed_key, subkey
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import CHANCE, State

#: limits of the heuristic: playouts per move, events for all moves, and events when it is used within a playout
TRIES: Final = 48
TRIED_EVENTS: Final = 4_000
PASSING_EVENTS: Final = 400
#: playouts of an estimate of a turn and of a whole game, and the maximum of events of either
TURNS: Final = 64
GAMES: Final = 100
EVENTS: Final = 20_000
#: maximum number of events of one playout
MAX_PLAYOUT_EVENTS: Final = 4_000
#: moves are compared by the points of the turn if at least this percentage of turns change their seat's score
SCORING_TURNS: Final = 10

Policy = Callable[[State, Generator], Event]


class Estimate(NamedTuple):
    """Averages over playouts."""

    #: of each seat's score
    scores: tuple[float, ...]
    #: their standard errors
    errors: tuple[float, ...]
    #: each seat's chance to be among the winners; None if not every playout reached the end
    win: tuple[float, ...] | None


def at_random(state: State, generator: Generator) -> Event:
    """A legal move, each with the same probability."""
    moves = state.moves()
    return moves[generator.randrange(len(moves))]


def greedy_policy(state: State, generator: Generator | None = None) -> Event:
    """The move with the highest heuristic value; the same for equal positions."""
    worth = heuristic_values(state, PASSING_EVENTS)
    return state.moves()[worth.index(max(worth))]


def rollout(state: State, generator: Generator, policy: Policy, seat: int | None) -> tuple[State, int]:
    """The state when the turn of `seat` (None: the game) has ended, and the number of events until then."""
    for events in range(MAX_PLAYOUT_EVENTS):
        if state.over or (seat is not None and state.mover != seat):
            return state, events
        if state.actor == CHANCE:
            state = state.apply(state.chance().sample(generator))
        elif state.moves():
            state = state.apply(policy(state, generator))
        else:
            return state, events  # the moves of a hidden hand are unknown
    return state, MAX_PLAYOUT_EVENTS


# --- heuristic ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def heuristic_values(view: State, events: int = TRIED_EVENTS) -> tuple[float, ...]:
    """A heuristic value of each legal move, from a few playouts of the current turn.

    If all values are equal, the playouts are whole games. About `events` events are played in all.
    """
    moves = view.moves()
    if len(moves) == 1:
        return (0.0,)
    found = _tried(view, moves, view.actor, events)
    return found if max(found) > min(found) else _tried(view, moves, None, events)


def _tried(view: State, moves: tuple[Event, ...], until: int | None, max_events: int) -> tuple[float, ...]:
    afters, key = [view.apply(move) for move in moves], _key(view)
    sums, spent = [0.0] * len(moves), 0
    for number in range(TRIES):
        for place, after in enumerate(afters):
            # the same luck for every move
            end, events = rollout(after, KeyedGenerator(subkey(key, number)), at_random, until)
            sums[place] += _lead(end, view.actor)
            spent += events
        if spent > max_events:
            break
    return tuple([total / (number + 1) for total in sums])


def _lead(state: State, seat: int) -> float:
    """The lead of a seat over the average of the others; winning counts for more than points."""
    scores = state.scores()
    if len(scores) == 1:
        return float(scores[0])
    lead = scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
    if state.over:
        winners = state.winners()
        share = (seat in winners) / len(winners) - 1 / len(scores)
        lead += share * (1 + max(map(abs, scores)))
    return lead


# --- estimates ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def turn_estimate(state: State, seat: int) -> Estimate:
    """Each seat's score when the turn of `seat` has ended."""
    return _average(state, greedy_policy, seat, TURNS)


@lru_cache(maxsize=1024)
def game_estimate(state: State) -> Estimate:
    """Each seat's score at the end of the game and its chance to win, with random moves."""
    return _average(state, at_random, None, GAMES)


def _average(state: State, policy: Policy, seat: int | None, playouts: int) -> Estimate:
    key, ends, spent = _key(state), list[State](), 0
    while len(ends) < playouts and spent <= EVENTS:
        end, events = rollout(state, KeyedGenerator(subkey(key, len(ends))), policy, seat)
        ends.append(end)
        spent += events
        if not events:
            break  # there is nothing to play
    scores = list(zip(*[end.scores() for end in ends], strict=True))
    win = None
    if all(end.over for end in ends):
        won = [end.winners() for end in ends]
        win = tuple([sum(place in seats for seats in won) / len(won) for place in range(len(scores))])
    return Estimate(tuple(map(fmean, scores)), tuple(map(_error, scores)), win)


def _error(numbers: Sequence[int]) -> float:
    """The standard error of the mean."""
    return stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.0


@lru_cache(maxsize=64)
def turns_score(game: Game[Any, Any]) -> bool:
    """Whether a turn usually changes the score of the seat that has it, measured in random games."""
    state, generator, turns, scoring = game.start(), KeyedGenerator(seed_key(game.id)), 0, 0
    while game.players > 1 and turns < 100:
        seat, before = state.mover, state.scores()
        if state.over:
            state = game.start()
        elif seat is None:
            state = state.apply(state.chance().sample(generator))
        else:
            state, _ = rollout(state, generator, at_random, seat)
            turns += 1
            scoring += state.scores()[seat] != before[seat]
    return scoring >= SCORING_TURNS


def _key(state: State) -> bytes:
    """A key that equal positions share, on every machine."""
    position = [state.game.id, state.game.players, state.game.options.json(), state.snapshot()]
    return hashlib.sha256(msgspec.json.encode(position)).digest()
