"""The game loop that is compiled with a game's rule functions in it. It is the same for every game.

The names under "what a game answers" are replaced by the game's functions (`pasch.lab.batch`); `g`, `s` and codes of
moves are as `pasch.core.rules` says. Random numbers come from `pasch.core.philox`, stream by stream.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import PaschError
from pasch.core.philox import block, unfair_below
from pasch.core.rules import highest
from pasch.core.state import CHANCE, OVER
from pasch.core.templates import Rule
from pasch.players.levels import choose_best, choose_noticed

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: kinds of players
RANDOM, GREEDY, LEVEL = 0, 1, 2


class Streams(NamedTuple):
    """The random numbers of a game: stream 0 is chance's, stream s + 1 seat s's."""

    #: the four words of the game's key
    key: Ints
    #: by stream: blocks made, words of the last block left, and these words
    blocks: Ints
    left: Ints
    words: Ints


class Seats(NamedTuple):
    """Who plays, by seat: the kind of player, the weight of its habits, and the rate at which it overlooks an idea."""

    kind: Ints
    habit: Floats
    overlooks: Floats


class Buffer(NamedTuple):
    """Buffers for one decision, by move: its code, value, apparent value and number of ideas."""

    codes: Ints
    worth: Floats
    looks: Floats
    ideas: Ints


# --- what a game answers ------------------------------------------------------------------------------


def _never(*_: Any) -> Any:
    raise NotImplementedError


#: the rule functions, see `pasch.core.rules.RuleFunctions`
cases: Rule = _never
chance: Rule = _never
moves: Rule = _never
move: Rule = _never
scores: Rule = _never


def greedy(g: Any, s: Any, code: int) -> float:
    """How good a move looks to the greedy player."""
    return 0.0


def move_values(g: Any, v: Any, s: Any, codes: Ints, count: int, out: Floats) -> None:
    """Write the value of each move, by the tables of values `v`."""


def best_worths(g: Any, v: Any, s: Any, codes: Ints, count: int, out: Floats) -> None:
    """As `move_values`, where only the best move matters: what others are worth may be a rough guess."""


def appeal(g: Any, s: Any, code: int) -> float:
    """How much better a move looks to a beginner than it is."""
    return 0.0


def ideas(g: Any, s: Any, code: int) -> int:
    """How many things one has to think of to find a move."""
    return 1


def winners(g: Any, s: Any, scores: Ints, out: Bools) -> None:
    """Write whether each seat has won."""
    highest(scores, len(out), out)


# --- random numbers -----------------------------------------------------------------------------------


def word(streams: Streams, stream: int) -> int:
    """The next 32 random bits of a stream."""
    if streams.left[stream] == 0:
        key = streams.key
        made = block(
            int(key[0]), int(key[1]), int(streams.blocks[stream]), stream, int(key[2]), int(key[3])
        )
        for place in range(4):
            streams.words[stream, place] = made[3 - place]
        streams.blocks[stream] += 1
        streams.left[stream] = 4
    streams.left[stream] -= 1
    return int(streams.words[stream, streams.left[stream]])


def below(streams: Streams, stream: int, total: int) -> int:
    """A whole number from 0 to total - 1, as `pasch.core.philox.Stream.randrange` draws it."""
    if total == 1:
        return 0
    product = word(streams, stream) * total
    while product & 0xFFFFFFFF < total and product & 0xFFFFFFFF < unfair_below(total):
        product = word(streams, stream) * total
    return product >> 32 & 0xFFFFFFFF


def uniform(streams: Streams, stream: int) -> float:
    """A number from 0 to below 1, as `pasch.core.philox.Stream.random` draws it."""
    high, low = word(streams, stream), word(streams, stream)
    return ((high >> 5) * 67108864 + (low >> 6)) / 9007199254740992.0


# --- the loop -----------------------------------------------------------------------------------------


def choose(g: Any, v: Any, s: Any, seats: Seats, streams: Streams, buffer: Buffer, given: Floats) -> int:
    """The code of the move that the player in the seat to move chooses.

    Adds the cost of the move by the values to `given`; nothing if values are not used.
    """
    seat = s.actor
    kind, count = seats.kind[seat], moves(g, s, buffer.codes)
    if count == 0:
        raise PaschError("the rules allow no move where a seat has to choose; `pasch check` shows where")
    if kind == RANDOM:
        return int(buffer.codes[below(streams, seat + 1, count)])
    if count == 1:
        return int(buffer.codes[0])
    if kind == GREEDY:
        best, most = 0, greedy(g, s, buffer.codes[0])
        for place in range(1, count):
            worth = greedy(g, s, buffer.codes[place])
            if worth > most:
                best, most = place, worth
        return int(buffer.codes[best])
    if seats.habit[seat] == 0 and seats.overlooks[seat] == 0:
        best_worths(g, v, s, buffer.codes, count, buffer.worth)
        return int(buffer.codes[choose_best(buffer.worth, count)])
    move_values(g, v, s, buffer.codes, count, buffer.worth)
    best = choose_best(buffer.worth, count)
    for place in range(count):
        code = int(buffer.codes[place])
        buffer.looks[place] = buffer.worth[place] + seats.habit[seat] * appeal(g, s, code)
        buffer.ideas[place] = ideas(g, s, code)
    drawn = uniform(streams, seat + 1)
    chosen = choose_noticed(buffer.looks, buffer.ideas, count, seats.overlooks[seat], drawn)
    given[seat] += buffer.worth[best] - buffer.worth[chosen]
    return int(buffer.codes[chosen])


def play(
    g: Any,
    v: Any,
    start: Any,
    states: Any,
    seats: Seats,
    streams: Streams,
    first: int,
    buffer: Buffer,
    results: Ints,
    won: Bools,
    given: Floats,
) -> int:
    """Play the games from number `first` on, one for each row of `results`, `won` and `given`.

    Returns the number of decisions.
    """
    decisions = 0
    for game in range(len(results)):
        states[0] = start[0]
        s = states[0]
        streams.key[2] = (first + game) & 0xFFFFFFFF
        streams.key[3] = (first + game) >> 32
        streams.blocks[:] = streams.left[:] = 0
        while s.actor != OVER:
            if s.actor == CHANCE:
                chance(g, s, below(streams, 0, cases(g, s)))
            else:
                move(g, s, choose(g, v, s, seats, streams, buffer, given[game]))
                decisions += 1
        scores(g, s, results[game])
        winners(g, s, results[game], won[game])
    return decisions


# --- games side by side, actions from outside ---------------------------------------------------------


class Rows(NamedTuple):
    """Games of one seat under way, one in each row."""

    states: Any
    #: what their chance follows from
    keys: Ints
    blocks: Ints
    left: Ints
    words: Ints
    #: by phase: the number of its first action
    offsets: Ints
    #: by action: the code of the move plus one, 0 for an illegal one
    menu: Ints
    #: the score now
    score: Ints
    #: the last action was refused
    refused: Bools
    codes: Ints


def advance(g: Any, start: Any, rows: Rows, chosen: Ints) -> None:
    """Make the action chosen in each game, or restart the game if it is negative; then let chance act.

    An action that is not legal changes nothing.
    """
    for row in range(len(chosen)):
        s, chosen_action = rows.states[row], chosen[row]
        streams = Streams(rows.keys[row], rows.blocks[row], rows.left[row], rows.words[row])
        rows.refused[row] = False
        if chosen_action < 0:
            rows.states[row] = start[0]
            streams.blocks[:] = streams.left[:] = 0
        elif chosen_action < rows.menu.shape[1] and rows.menu[row, chosen_action] > 0:
            move(g, s, rows.menu[row, chosen_action] - 1)
        else:
            rows.refused[row] = True
            continue
        while s.actor == CHANCE:
            chance(g, s, below(streams, 0, cases(g, s)))
        rows.menu[row, :] = 0
        if s.actor != OVER:
            for place in range(moves(g, s, rows.codes)):
                rows.menu[row, rows.offsets[s.phase] + rows.codes[place]] = rows.codes[place] + 1
        scores(g, s, rows.score[row : row + 1])
