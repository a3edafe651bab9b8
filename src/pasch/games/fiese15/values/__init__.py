"""Values of Fiese 15: exact points of a turn under any targets, from every position inside it.

What a turn is worth depends on the dice set aside and on the sum of their pips; a table holds it for each
strip (handicap: for each back with each tile) before a roll. From this follows what every choice is worth.

Points. A strip yet to be drawn is each of those left with the same chance, so a round to come is worth the
mean over these, exactly. In the handicap game tiles of later rounds depend on the standing, which
nobody knows yet: there, a seat is taken to get each of the tiles equally often from the second round on.
So the value is an approximation until the last round's strip lies there, and a seat's tile is luck.

Winning chances. Exact for the last seat of the last round; for two seats in the whole last round, and
without a handicap from the turn before it. Otherwise the turn under way is played as well as it can be
against the others' final scores; turns after it, one's own as well, are taken to be played for points, on
the strip that lies there or on any of those left, and independently of each other. Only the last round of
two seats (without a handicap) is always taken to be played to win: who then knows what is needed has an
advantage of several per cent, and the estimates leave it out that have to do without.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from pasch.core.state import OVER
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
from pasch.games.fiese15.values.turn import DICE, FACES, MOST_POINTS, StripTurn, move, one_turn, strip_turn
from pasch.solve.keys import table_key
from pasch.solve.scores import Distribution, dot, mixture, rewards
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.turn import Duel, Turn
from pasch.solve.turns import TurnValues
from pasch.solve.valuer import Exact, Report, silent

Targets = tuple[int, ...]


class Points(NamedTuple):
    """The tables of a turn. A side is a strip with a tile for white."""

    #: by strip and tile: the side
    side: Sequence[Sequence[int]]
    #: the tiles that a seat may get in a later round
    tiles: Sequence[int]
    #: by side, dice set aside (a bit mask) and sum of their pips: expected points of the turn before a roll, and
    #: when these dice have just been set aside
    rolling: Any
    keeping: Any


# --- what moves are worth: run as it stands and compiled ------------------------------------------------


def worths(g: Config, v: Points, s: Any, codes: Any, count: int, out: Any) -> None:
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
    if s.phase != STRIP:
        following = next_seat(g, s.seat)
        while following >= 0:
            if following == seat:
                expected += fresh(v, s.strips[s.round - 1], s.tiles[seat])
            following = next_seat(g, following)
    turns = turns_in_a_round(g, seat)
    if rounds > 0 and s.round == 0:
        # everybody's tile is known before the first strip is
        expected += turns * undrawn(g, v, s, own_tile(g, s, seat))
        rounds -= 1
    if rounds > 0:
        usual = 0.0
        for place in range(len(v.tiles)):
            usual += undrawn(g, v, s, v.tiles[place])
        expected += rounds * turns * usual / len(v.tiles)
    return expected


def rounds_to_come(g: Config, begun: int) -> int:
    """How many rounds have not begun yet."""
    rounds = 0
    while not is_over(g, begun + rounds):
        rounds += 1
    return rounds


def turns_in_a_round(g: Config, seat: int) -> int:
    """How often it is a seat's turn in a round."""
    turns, following = 0, first_seat(g)
    while following >= 0:
        turns += following == seat
        following = next_seat(g, following)
    return turns


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
    """Values of Fiese 15."""

    game: Fiese15
    _points: Points | None = None
    #: the chances of a turn's scores, by side and score
    _scores: Any
    #: the last turns of two seats, by side
    _duels: list[Duel] | None = None

    @property
    def ready(self) -> bool:
        return self._points is not None

    @property
    def exact(self) -> Exact:
        alone, once = self.game.players == 1, self.game.components.rounds == 1
        settled = alone or once or not self.game.options.handicap
        return Exact(turn=True, value=settled, win=alone or (once and self.game.players == 2))

    @cached_property
    def sides(self) -> dict[tuple[int, int], Targets]:
        """Every strip with every tile that white can have, and the targets; without a handicap there is one tile, 0."""
        g, tiles = self.game.config, FACES if self.game.options.handicap else (0,)
        every = [(strip, own) for strip in range(len(g.targets)) for own in tiles]
        return {(strip, own): tuple([target(g, strip, die, own) for die in DICE]) for strip, own in every}

    # --- tables --------------------------------------------------------------------------------------

    def prepare(self, report: Report = silent) -> None:
        self.prepare_points(report)
        if self.game.players == 2:
            self._open_duels(report)
        report(1.0, "ready")

    @property
    def chances_ready(self) -> bool:
        return self.ready and (self.game.players != 2 or self._duels is not None)

    @cached_property
    def _key(self) -> Any:
        options, strips = self.game.options, msgspec.to_builtins(self.game.components.strips)
        return table_key(self.game, strips=strips, handicap=options.handicap, gambler=options.gambler)

    @property
    def tables(self) -> tuple[str, ...]:
        return (table_path("fiese15-turn", self._key).stem,)

    def prepare_points(self, report: Report = silent) -> None:
        self._open(report)

    def numbers(self) -> Points:
        return self._open()

    def _open(self, report: Report = silent) -> Points:
        if self._points is None:

            def build(report: Report) -> Arrays:
                from pasch.games.fiese15.values.making import build_points

                return build_points(self.game, list(self.sides.values()), report)

            arrays = table("fiese15-turn", self._key, build, report)
            numbers = {side: number for number, side in enumerate(self.sides)}
            strips, tiles = range(len(self.game.config.targets)), range(max(FACES) + 1)
            side = [[numbers.get((strip, own), -1) for own in tiles] for strip in strips]
            self._scores = arrays["scores"]
            self._points = Points(side, self.future_tiles, arrays["rolling"], arrays["keeping"])
        return self._points

    def _open_duels(self, report: Report = silent) -> list[Duel]:
        if self._duels is None:
            # with a handicap nobody knows in the turn before the last round under which targets that will be
            turns = 2 if self.game.options.handicap else 3

            def build(report: Report) -> Arrays:
                from pasch.games.fiese15.values.making import build_duels

                return build_duels(self.game, list(self.sides.values()), turns, report)

            arrays = table("fiese15-duel", {**self._key, "turns": turns}, build, report)
            names = ("low", "first", "chances")
            self._duels = [
                Duel({name: arrays[f"{name} {side}"] for name in names}) for side in range(len(self.sides))
            ]
        return self._duels

    # --- points --------------------------------------------------------------------------------------

    def fresh(self, strip: int, tile: int = 0) -> float:
        """Expected points of a whole turn on a strip; `tile` counts in the handicap game only."""
        return fresh(self._open(), strip, tile)

    def in_turn(self, state: Position) -> bool:
        return state.phase != "strip"

    def turn_points(self, state: Any) -> float:
        g, v, s = self.game.config, self._open(), state.unpack()
        if state.phase == "strip":
            return undrawn(g, v, s, own_tile(g, s, first_seat(g)))
        if state.phase == "roll":
            dice = sum([1 << die for die in DICE if state.kept[die]])
            found: float = v.rolling[self._side(state, state.seat), dice, sum(state.kept)]
            return found
        return max(self.move_turns(state))

    def later(self, state: Position) -> list[float]:
        g, v, s = self.game.config, self._open(), state.unpack()
        return [later(g, v, s, seat) for seat in range(self.game.players)]

    def value_is_exact(self, state: Position) -> bool:
        return self.exact.value or not self._rounds_to_come(state)

    def _side(self, state: Position, seat: int) -> int:
        """The side on which a seat plays in this round."""
        return self._open().side[state.strips[-1]][state.tiles[seat] if state.tiles else 0]

    def _rounds_to_come(self, state: Position) -> int:
        return rounds_to_come(self.game.config, len(state.strips))

    @cached_property
    def future_tiles(self) -> tuple[int, ...]:
        """The tiles that a seat may get in a later round."""
        return tuple(self.game.config.tiles) if self.game.options.handicap else (0,)

    # --- scores and winning chances --------------------------------------------------------------------

    def distribution(self) -> Distribution:
        """Of a turn on any strip (handicap: with any of the tiles in play)."""
        strips = range(len(self.game.config.targets))
        sides = [(strip, own) for strip in strips for own in self.future_tiles]
        side = self._open().side
        return mixture([self._side_scores(side[strip][own]) for strip, own in sides])

    def _quickest(self, targets: Targets) -> StripTurn:
        """A turn solved by compiled code if there is a compiler, else by plain code."""
        try:
            from pasch.games.fiese15.values.making import compiled_turn
        except ImportError:
            return strip_turn(self._one_turn, targets)
        return compiled_turn(self.game, targets)

    def _strip(self, targets: Targets) -> StripTurn:
        """A turn solved by compiled code if the compiler is loaded anyway; loading it takes longer than plain code."""
        if "pasch.solve.compiled" in sys.modules:
            return self._quickest(targets)
        return strip_turn(self._one_turn, targets)

    @cached_property
    def _one_turn(self) -> Config:
        return one_turn(self.game.config)

    def _side_scores(self, side: int) -> Distribution:
        """The scores of a turn that is played for points."""
        self._open()
        return Distribution(0, [self._scores[side, score] for score in range(MOST_POINTS + 1)]).trimmed()

    def win(self, state: Any) -> tuple[tuple[float, ...], bool]:
        if state.phase != "strip" or self.game.players == 1:
            return super().win(state)
        drawn = [self.win(state.apply(strip)) for strip, _ in state.chance().outcomes()]
        chances = zip(*(win for win, _ in drawn), strict=True)
        return tuple(sum(seat) / len(drawn) for seat in chances), all(exact for _, exact in drawn)

    def turn(self, state: Position) -> Turn:
        return self._strip(state.targets).turn

    def node(self, state: Position) -> int:
        return self._strip(state.targets).node(state.unpack())

    def nodes_after(self, state: Position) -> list[int]:
        strip, found = self._strip(state.targets), []
        for code in state.codes():
            s = state.unpack()
            # in a game of this turn alone
            s.seat, s.round, s.totals, s.tiles = 0, 1, [0], [0]
            move(self._one_turn, s, code)
            found.append(s.totals[0] if s.actor == OVER else strip.node(s))
        return found

    def turn_key(self, state: Position) -> Any:
        return state.seat, state.totals, state.strips, state.tiles

    def rewards(self, state: Position, scores: Sequence[int]) -> tuple[list[list[float]], bool]:
        rounds, following = self._rounds_to_come(state), self._following(state)
        if self.game.players == 2 and not rounds and following == [1 - state.seat]:
            last = self._open_duels()[self._side(state, 1 - state.seat)]
            lead = state.totals[state.seat] - state.totals[1 - state.seat]
            own, other = zip(*(last.after(1, lead + score) for score in scores), strict=True)
            return [list(other), list(own)] if state.seat else [list(own), list(other)], True
        if self.game.players == 2 and not self.game.options.handicap and rounds:
            return self._before_last_round(state, scores, rounds, following)
        future = self._any_strip(state).times(rounds)
        final = {seat: future.plus(Distribution.certain(total)) for seat, total in enumerate(state.totals)}
        for seat in following:
            final[seat] = final[seat].plus(self._side_scores(self._side(state, seat)))
        mine = final.pop(state.seat)
        return rewards(state.seat, scores, mine, final), not rounds and not following

    def _following(self, state: Position) -> list[int]:
        """The seats that still have a turn in this round."""
        found, seat = [], next_seat(self.game.config, state.seat)
        while seat >= 0:
            found.append(seat)
            seat = next_seat(self.game.config, seat)
        return found

    def _left(self, state: Position) -> list[int]:
        """The strips that may still be drawn."""
        return [strip for strip in range(len(self.game.config.targets)) if strip not in state.strips]

    def _any_strip(self, state: Position) -> Distribution:
        """The scores of a turn on one of the strips left, with one of the tiles in play."""
        left, side = self._left(state), self._open().side
        every = [self._side_scores(side[strip][own]) for strip in left for own in self.future_tiles]
        return mixture(every) if every else Distribution.certain(0)

    def _before_last_round(
        self, state: Position, scores: Sequence[int], rounds: int, following: Sequence[int]
    ) -> tuple[list[list[float]], bool]:
        """As `rewards`, for two seats: the rounds before the last are played for points, that to win."""
        first = first_seat(self.game.config)
        between = self._any_strip(state).times(rounds - 1)
        coming = between.plus(between.negative())
        for seat in following:
            turn = self._side_scores(self._side(state, seat))
            coming = coming.plus(turn if seat == first else turn.negative())
        # by how much the seat leads that begins the last round
        lead = state.totals[first] - state.totals[1 - first]
        leads = [lead + (score if state.seat == first else -score) for score in scores]
        low, high = min(leads) + coming.low, max(leads) + coming.high
        duels, left = self._open_duels(), self._left(state)
        begun = [[duels[strip].at(2, reached) for reached in range(low, high + 1)] for strip in left]
        found: list[list[float]] = [[], []]
        for place, seat in enumerate((first, 1 - first)):
            won = [sum([chances[place] for chances in row]) / len(left) for row in zip(*begun, strict=True)]
            found[seat] = [dot(coming.chances, won[own + coming.low - low :]) for own in leads]
        return found, rounds == 1 and not following
