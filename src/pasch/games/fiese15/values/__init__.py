"""Values of Fiese 15: exact points of a turn under any targets, from every position inside it.

What a turn is worth depends on the dice set aside and on the sum of their pips; a table holds it for each
strip (handicap: for each back with each tile) before a roll. From this follows what every choice is worth. A round to
come is worth the mean over the strips left. What is approximated in the handicap game, docs/values.md says.

Winning chances are exact for the last seat of the last round; for two seats in the whole last round, and
without a handicap from the turn before it. Otherwise the turn under way is played as well as it can be
against the others' final scores, and later turns for points, independently of each other; only the last round of
two seats (without a handicap) is always taken to be played to win.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.templates import is_among
from pasch.games.fiese15.rules import (
    NEXT,
    ROLL_ON,
    STRIP,
    Config,
    Fiese15,
    Position,
    first_seat,
    is_over,
    next_seat,
    target,
    tile,
    worth,
)
from pasch.games.fiese15.values.turn import DICE, FACES, MAX_POINTS, SETS, SUMS, StripTurn, strip_turn
from pasch.solve.keys import table_key
from pasch.solve.scores import Distribution, dot, mixture
from pasch.solve.tables import Arrays
from pasch.solve.turn import Duel, Turn
from pasch.solve.turns import TurnValues
from pasch.solve.valuer import Exact, Progress

#: turns on more sides are solved by compiled code
MANY_SIDES: Final = 50


class Points(NamedTuple):
    """The tables of a turn. A side is a strip with a tile for white."""

    #: by strip and tile: the side
    side: Sequence[Sequence[int]]
    #: the tiles that a seat may get in a later round
    tiles: Sequence[int]
    #: by seat: the place of its turn in a round, -1 if it has none
    place: Sequence[int]
    #: by side, dice set aside (a bit mask) and sum of their pips: expected points of the turn before a roll, and
    #: when these dice have just been set aside
    rolling: Any
    keeping: Any


# --- what moves are worth: run as it stands and compiled ------------------------------------------------


def move_values(g: Config, v: Points, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    rest = s.totals[s.seat] + later(g, v, s, s.seat)
    turn_worths(g, v, s, codes, count, out)
    for place in range(count):
        out[place] += rest


def turn_worths(g: Config, v: Points, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the expected points of the turn after each of the moves."""
    side, dice, pips = v.side[s.strips[s.round - 1]][s.tiles[s.seat]], 0, 0
    for die in range(6):
        if s.kept[die] > 0:
            dice |= 1 << die
            pips += s.kept[die]
    for place in range(count):
        code, more = codes[place], 0
        if s.phase == NEXT:
            out[place] = v.rolling[side, dice, pips] if code == ROLL_ON else float(worth(s.kept))
            continue
        for die in range(6):
            if code >> die & 1:
                more += s.rolled[die]
        out[place] = v.keeping[side, dice | code, pips + more]


def later(g: Config, v: Points, s: Any, seat: int) -> float:
    """What a seat expects of the turns after the one under way: in this round, and in those to come."""
    expected, rounds = 0.0, rounds_to_come(g, s.round)
    if s.phase != STRIP and v.place[seat] > v.place[s.seat]:
        expected += fresh(v, s.strips[s.round - 1], s.tiles[seat])
    if v.place[seat] >= 0 and rounds > 0 and s.round == 0:
        # everybody's tile is known before the first strip is
        expected += undrawn(g, v, s, own_tile(g, s, seat))
        rounds -= 1
    if v.place[seat] >= 0 and rounds > 0:
        usual = 0.0
        for place in range(len(v.tiles)):
            usual += undrawn(g, v, s, v.tiles[place])
        expected += rounds * usual / len(v.tiles)
    return expected


def rounds_to_come(g: Config, begun: int) -> int:
    """How many rounds have not begun yet."""
    rounds = 0
    while not is_over(g, begun + rounds):
        rounds += 1
    return rounds


def own_tile(g: Config, s: Any, seat: int) -> int:
    """The tile that a seat would get if a round began now; 0 without handicap."""
    return tile(g, s.totals, s.round, seat) if g.handicap else 0


def undrawn(g: Config, v: Points, s: Any, own: int) -> float:
    """Expected points of a turn with this tile on a strip yet to be drawn: the mean over those left."""
    total, left = 0.0, 0
    for strip in range(len(g.targets)):
        if not is_among(strip, s.strips, s.round):
            total += fresh(v, strip, own)
            left += 1
    return total / left


def fresh(v: Points, strip: int, own: int) -> float:
    """Expected points of a whole turn on a strip with this tile."""
    return float(v.rolling[v.side[strip][own], 0, 0])


# --- values -------------------------------------------------------------------------------------------


class Values(TurnValues):
    """Values of Fiese 15. A side is a strip with a tile for white: without a handicap, with tile 0."""

    game: Fiese15
    turn_fields = ("seat", "totals", "strips", "tiles")
    #: the chances of a turn's scores, by side and score
    _scores: Any

    @property
    def exact(self) -> Exact:
        alone, once = self.game.players == 1, self.game.components.rounds == 1
        settled = alone or once or not self.game.options.handicap
        return Exact(turn=True, value=settled, win=alone or (once and self.game.players == 2))

    # --- tables --------------------------------------------------------------------------------------

    @cached_property
    def key(self) -> Any:
        options, strips = self.game.options, msgspec.to_builtins(self.game.components.strips)
        return table_key(self.game, strips=strips, handicap=options.handicap, gambler=options.gambler)

    def sides(self) -> list[tuple[int, int]]:
        tiles = FACES if self.game.options.handicap else (0,)
        return [(strip, own) for strip in range(len(self.game.config.targets)) for own in tiles]

    def targets(self, side: tuple[int, int]) -> tuple[int, ...]:
        """The targets of all dice."""
        return tuple([target(self.game.config, side[0], die, side[1]) for die in DICE])

    def build(self, report: Progress) -> Arrays:
        """Expected points by side, bit mask of dice set aside and pips, before a roll and when these were just set
        aside; and the chances of a turn's scores by side."""
        sides = self.sides()
        rolling, keeping = ([0.0] * (len(sides) * SETS * SUMS) for _ in range(2))
        scores = [0.0] * (len(sides) * (MAX_POINTS + 1))
        for number, side in enumerate(sides):
            targets = self.targets(side)
            report(number / len(sides), f"targets {' '.join(map(str, targets))}")
            # only for many sides is it worth the time that loading the compiler takes
            strip = strip_turn(self.game, targets, compiled=len(sides) > MANY_SIDES)
            for dice in range(SETS):
                begin = (number * SETS + dice) * SUMS + strip.sums[dice].start
                for table, nodes in (rolling, strip.rolling[dice]), (keeping, strip.keeping[dice]):
                    table[begin : begin + len(nodes)] = [strip.turn.values[node] for node in nodes]
            begin, spread = number * (MAX_POINTS + 1), strip.turn.distribution()
            scores[begin + spread.low : begin + spread.high + 1] = spread.chances
        shape = len(sides), SETS, SUMS
        return {
            "rolling": shaped(rolling, shape),
            "keeping": shaped(keeping, shape),
            "scores": shaped(scores, (len(sides), MAX_POINTS + 1)),
        }

    def read(self, arrays: Arrays) -> Points:
        self._scores = arrays["scores"]
        numbers = {side: number for number, side in enumerate(self.sides())}
        strips, tiles = range(len(self.game.config.targets)), range(max(FACES) + 1)
        side = [[numbers.get((strip, own), -1) for own in tiles] for strip in strips]
        place = [
            self._order.index(seat) if seat in self._order else -1 for seat in range(self.game.players)
        ]
        return Points(side, self.future_tiles, place, arrays["rolling"], arrays["keeping"])

    @property
    def duel_turns(self) -> int:
        # with a handicap nobody knows in the turn before the last round under which targets that will be
        return 2 if self.game.options.handicap else 3

    def compiled_turn(self, side: tuple[int, int]) -> Turn:
        return strip_turn(self.game, self.targets(side), compiled=True).turn

    # --- points --------------------------------------------------------------------------------------

    def fresh(self, strip: int, tile: int = 0) -> float:
        """Expected points of a whole turn on a strip; `tile` counts in the handicap game only."""
        return fresh(self.numbers(), strip, tile)

    def in_turn(self, state: Position) -> bool:
        return state.phase != "strip"

    def turn_points(self, state: Any) -> float:
        g, v, s = self.game.config, self.numbers(), state.unpack()
        if state.phase == "strip":
            return undrawn(g, v, s, own_tile(g, s, first_seat(g)))
        if state.phase == "roll":
            dice = sum([1 << die for die in DICE if state.kept[die]])
            found: float = v.rolling[self._side(state, state.seat), dice, sum(state.kept)]
            return found
        return max(self.move_turns(state))

    def move_turns(self, state: Position) -> tuple[float, ...]:
        # by the table: the graph of a turn takes longer
        s, codes = state.unpack(), state.codes()
        out = [0.0] * len(codes)
        turn_worths(self.game.config, self.numbers(), s, codes, len(codes), out)
        return tuple(out)

    def move_parts(self, state: Any) -> tuple[tuple[float, ...], ...] | None:
        return None if state.actor < 0 else self._strip(state).parts_at(self.nodes_after(state))

    def later(self, state: Position) -> list[float]:
        g, v, s = self.game.config, self.numbers(), state.unpack()
        return [later(g, v, s, seat) for seat in range(self.game.players)]

    def value_is_exact(self, state: Position) -> bool:
        return self.exact.value or not self._rounds_to_come(state)

    def _side(self, state: Position, seat: int) -> int:
        """The side on which a seat plays in this round."""
        found: int = self.numbers().side[state.strips[-1]][state.tiles[seat] if state.tiles else 0]
        return found

    def _rounds_to_come(self, state: Position) -> int:
        return rounds_to_come(self.game.config, len(state.strips))

    @cached_property
    def _order(self) -> list[int]:
        """The seats in the order of their turns in a round."""
        g, found = self.game.config, [first_seat(self.game.config)]
        while (following := next_seat(g, found[-1])) >= 0:
            found.append(following)
        return found

    @cached_property
    def future_tiles(self) -> tuple[int, ...]:
        """The tiles that a seat may get in a later round."""
        return tuple(self.game.config.tiles) if self.game.options.handicap else (0,)

    # --- scores and winning chances --------------------------------------------------------------------

    @property
    def distribution(self) -> Distribution:
        """Of a turn on any strip (handicap: with any of the tiles in play)."""
        return self._any_scores(range(len(self.game.config.targets)))

    def _any_scores(self, strips: Iterable[int]) -> Distribution:
        """The scores of a turn on one of these strips, with one of the tiles in play."""
        side = self.numbers().side
        every = [self._side_scores(side[strip][own]) for strip in strips for own in self.future_tiles]
        return mixture(every) if every else Distribution.certain(0)

    def _side_scores(self, side: int) -> Distribution:
        """The scores of a turn that is played for points."""
        self.numbers()
        return Distribution(0, [self._scores[side, score] for score in range(MAX_POINTS + 1)]).trimmed()

    def win(self, state: Any) -> tuple[tuple[float, ...], bool]:
        if state.phase != "strip" or self.game.players == 1:
            return super().win(state)
        drawn = [self.win(state.apply(strip)) for strip, _ in state.chance().outcomes()]
        chances = zip(*(win for win, _ in drawn), strict=True)
        return tuple(sum(seat) / len(drawn) for seat in chances), all(exact for _, exact in drawn)

    def _strip(self, state: Position) -> StripTurn:
        # loading the compiler takes longer than plain code
        return strip_turn(self.game, state.targets, compiled="pasch.solve.compiled" in sys.modules)

    def turn(self, state: Position) -> Turn:
        return self._strip(state).turn

    def node(self, state: Position) -> int:
        return self._strip(state).node(state.unpack())

    def duel(self, state: Position) -> tuple[Duel, int] | None:
        if self._rounds_to_come(state) or self._following(state) != [1 - state.seat]:
            return None
        return self.duels()[self._side(state, 1 - state.seat)], 1

    def later_scores(self, state: Position) -> list[Distribution]:
        future = self._any_scores(self._left(state)).times(self._rounds_to_come(state))
        found = [future] * self.game.players
        for seat in self._following(state):
            found[seat] = future.plus(self._side_scores(self._side(state, seat)))
        return found

    def _following(self, state: Position) -> list[int]:
        """The seats that still have a turn in this round."""
        return self._order[self._order.index(state.seat) + 1 :]

    def _left(self, state: Position) -> list[int]:
        """The strips that may still be drawn."""
        return [strip for strip in range(len(self.game.config.targets)) if strip not in state.strips]

    def rewards(self, state: Position, scores: Sequence[int]) -> tuple[list[list[float]], bool]:
        rounds, following = self._rounds_to_come(state), self._following(state)
        if self.game.players != 2 or self.game.options.handicap or not rounds:
            return super().rewards(state, scores)
        # the rounds before the last are played for points, that to win
        first = first_seat(self.game.config)
        between = self._any_scores(self._left(state)).times(rounds - 1)
        coming = between.plus(between.negative())
        for seat in following:
            turn = self._side_scores(self._side(state, seat))
            coming = coming.plus(turn if seat == first else turn.negative())
        # by how much the seat leads that begins the last round
        lead = state.totals[first] - state.totals[1 - first]
        leads = [lead + (score if state.seat == first else -score) for score in scores]
        low, high = min(leads) + coming.low, max(leads) + coming.high
        duels, left = self.duels(), self._left(state)
        begun = [[duels[strip].at(2, reached) for reached in range(low, high + 1)] for strip in left]
        found: list[list[float]] = [[], []]
        for place, seat in enumerate((first, 1 - first)):
            won = [sum([chances[place] for chances in row]) / len(left) for row in zip(*begun, strict=True)]
            found[seat] = [dot(coming.chances, won[own + coming.low - low :]) for own in leads]
        return found, rounds == 1 and not following


def shaped(numbers: list[float], shape: tuple[int, ...]) -> memoryview[Any]:
    """Numbers as a table of this shape."""
    return memoryview(array("d", numbers)).cast("B").cast("d", shape)
