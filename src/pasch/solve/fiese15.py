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

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.games.fiese15 import (
    COLOURS,
    NOTHING,
    Fiese15,
    Fiese15State,
    Six,
    consolation,
    keeps,
    points,
    valid_dice,
)
from pasch.solve import duel
from pasch.solve.rivals import Distribution, mixture, rewards
from pasch.solve.tables import table, table_path
from pasch.solve.turns import NO_CAP, Floats, Ints, Turn, TurnValues, table_key
from pasch.solve.valuer import Exact, Report, silent

#: counts up when the tables' contents change
SOLVER: Final = 1
FACES: Final = range(1, 7)
SETS: Final = 1 << len(COLOURS)
#: no sum of pips and no score is higher
MOST_PIPS: Final = 6 * len(COLOURS)
MOST_POINTS: Final = max(points(dice, MOST_PIPS) for dice in range(len(COLOURS) + 1))

#: for every set of dice, which belong to it, and how many
MEMBERS: Final = np.array([[dice >> die & 1 for die in range(len(COLOURS))] for dice in range(SETS)])
SIZES: Final = MEMBERS.sum(axis=1).tolist()


class Values(TurnValues):
    """Values of Fiese 15."""

    game: Fiese15
    #: expected points before a roll, by side, dice set aside and pips
    _before: Floats | None = None
    #: the chances of a turn's scores, by side
    _scores: Floats
    #: the last round of two seats on each strip
    _duels: list[duel.Duel] | None = None

    @property
    def ready(self) -> bool:
        return self._before is not None

    @property
    def exact(self) -> Exact:
        alone, once = self.game.players == 1, self.game.components.rounds == 1
        settled = alone or once or not self.game.options.handicap
        return Exact(turn=True, value=settled, win=alone or (once and self.game.players == 2))

    @cached_property
    def tiles(self) -> tuple[int, ...]:
        """White's tiles; without a handicap there are none, and the number is without meaning."""
        return tuple(FACES) if self.game.options.handicap else (0,)

    @cached_property
    def sides(self) -> dict[tuple[int, int], int]:
        """The number of each strip with each tile."""
        strips = range(len(self.game.components.strips))
        every = [(strip, tile) for strip in strips for tile in self.tiles]
        return {side: number for number, side in enumerate(every)}

    def prepare(self, report: Report = silent) -> None:
        self.prepare_points(report)
        if self._keeps_duels:
            self._open_duels(report)
        report(1.0, "ready")

    @property
    def _keeps_duels(self) -> bool:
        """Whether there is a table of the last round: of two seats that have the same targets."""
        return self.game.players == 2 and not self.game.options.handicap

    @property
    def chances_ready(self) -> bool:
        return self.ready and (not self._keeps_duels or self._duels is not None)

    @cached_property
    def _key(self) -> Any:
        options = {"handicap": self.game.options.handicap, "gambler": self.game.options.gambler}
        return table_key(self.game, SOLVER, self.game.components.strips, options)

    @property
    def tables(self) -> tuple[str, ...]:
        return (table_path("fiese15-turn", self._key).stem,)

    def prepare_points(self, report: Report = silent) -> None:
        if self._before is None:
            arrays = table("fiese15-turn", self._key, self._build, report)
            self._scores = arrays["scores"]
            self._before = arrays["before"]

    def _build(self, report: Report) -> dict[str, NDArray[Any]]:
        before = np.zeros((len(self.sides), SETS, MOST_PIPS + 1))
        scores = np.zeros((len(self.sides), MOST_POINTS + 1))
        for (strip, tile), number in self.sides.items():
            report(number / len(self.sides), f"strip {strip}")
            turn = self.side(strip, tile)
            for kept in range(SETS - 1):
                least, sums, roll = (
                    int(a[kept]) for a in (turn.layout.least, turn.layout.sums, turn.layout.roll)
                )
                rolls = turn.values[roll : roll + sums]
                before[number, kept, least : least + sums] = rolls
            found = turn.distribution()
            scores[number, found.low : found.high + 1] = found.chances
        return {"before": before, "scores": scores}

    def side(self, strip: int, tile: int) -> StripTurn:
        """The graph of a turn on a strip."""
        return strip_turn(self.game.targets(strip, tile), self.game.options.gambler)

    # --- points --------------------------------------------------------------------------------------

    def before(self) -> Floats:
        """Expected points before a roll, by side, dice set aside and pips."""
        self.prepare_points()
        assert self._before is not None
        return self._before

    def fresh(self, strip: int, tile: int = 0) -> float:
        """Expected points of a whole turn on a strip; `tile` counts in the handicap game only."""
        return float(self.before()[self.sides[strip, tile], 0, 0])

    def in_turn(self, state: Fiese15State) -> bool:
        return state.phase != "strip"

    def turn_points(self, state: Any) -> float:
        if state.phase == "strip":
            tile = self._next_tile(state)
            return _mean([self.fresh(strip, tile) for strip in self._left(state)])
        if state.phase == "roll":
            return float(self._rolling(state)[_set_aside(state.kept), sum(state.kept)])
        return max(self.move_turns(state))

    def move_turns(self, state: Any) -> list[float]:
        before = self._rolling(state)
        kept, pips = _set_aside(state.kept), sum(state.kept)
        if state.phase == "next":
            return [float(before[kept, pips]), float(points(SIZES[kept], pips))]
        found = []
        for more in keeps(state.valid):
            dice = kept | more
            now = pips + sum([face for die, face in enumerate(state.rolled) if more >> die & 1])
            stop = points(SIZES[dice], now)
            found.append(float(stop if dice == SETS - 1 else max(stop, before[dice, now])))
        return found

    def later(self, state: Fiese15State) -> list[float]:
        rounds = self.game.components.rounds - len(state.strips)
        left = self._left(state)
        coming = [0.0] * self.game.players
        if rounds:
            first = 0.0
            if not state.strips:
                # everybody's tile is known before the first strip is
                first = _mean([self.fresh(strip, self._next_tile(state)) for strip in left])
                rounds -= 1
            tiles = self.future_tiles
            usual = _mean([self.fresh(strip, tile) for strip in left for tile in tiles])
            coming = [first + rounds * usual] * self.game.players
        if state.phase != "strip":
            for seat in range(state.seat + 1, self.game.players):
                coming[seat] += self.fresh(state.strips[-1], state.tiles[seat] if state.tiles else 0)
        return coming

    def value_is_exact(self, state: Fiese15State) -> bool:
        last = len(state.strips) == self.game.components.rounds
        return last or self.exact.value

    def _rolling(self, state: Fiese15State) -> Floats:
        """The expected points before each roll of the turn under way."""
        tile = state.tiles[state.seat] if state.tiles else 0
        found: Floats = self.before()[self.sides[state.strips[-1], tile]]
        return found

    def _left(self, state: Fiese15State) -> list[int]:
        """The strips that may still be drawn."""
        return [strip for strip in range(len(self.game.components.strips)) if strip not in state.strips]

    def _next_tile(self, state: Fiese15State) -> int:
        """The tile of the seat that begins the round about to begin."""
        if not self.game.options.handicap:
            return 0
        return self.game.tiles(state.totals)[0] if state.strips else 1

    @cached_property
    def future_tiles(self) -> tuple[int, ...]:
        """The tiles that a seat may get in a later round."""
        if not self.game.options.handicap:
            return (0,)
        return self.game.tiles((0,) * self.game.players)

    # --- scores and winning chances --------------------------------------------------------------------

    def distribution(self, temperature: float = 0.0, cap: float = NO_CAP) -> Distribution:
        """Of a turn on any strip (handicap: with any of the tiles in play)."""
        sides = [(s, tile) for s in range(len(self.game.components.strips)) for tile in self.future_tiles]
        if temperature <= 0:
            return mixture([self._side_scores(*side) for side in sides])
        turns = [self.side(*side) for side in sides]
        return mixture([turn.distribution(turn.policy(temperature, cap)) for turn in turns])

    def _side_scores(self, strip: int, tile: int) -> Distribution:
        """The scores of a turn on a strip that is played for points."""
        self.before()
        return Distribution(0, self._scores[self.sides[strip, tile]]).trimmed()

    def win(self, state: Any) -> tuple[tuple[float, ...], bool]:
        if state.phase != "strip" or self.game.players == 1:
            return super().win(state)
        drawn = [self.win(state.apply(strip)) for strip, _ in state.chance().outcomes()]
        chances = zip(*(win for win, _ in drawn), strict=True)
        return tuple(map(_mean, chances)), all(exact for _, exact in drawn)

    def turn(self, state: Fiese15State) -> StripTurn:
        return strip_turn(state.targets, self.game.options.gambler)

    def node(self, state: Fiese15State) -> int:
        return self.turn(state).node(state.phase, state.kept, state.rolled)

    def turn_key(self, state: Fiese15State) -> Any:
        return state.seat, state.totals, state.strips, state.tiles

    def rewards(self, state: Fiese15State, scores: Ints) -> tuple[Floats, bool]:
        rounds = self.game.components.rounds - len(state.strips)
        if self.game.players == 2 and not rounds and state.seat == 0:
            lead = state.totals[0] - state.totals[1]
            tile = state.tiles[1] if state.tiles else 0
            last = strip_duel(self.game.targets(state.strips[-1], tile), self.game.options.gambler, 2)
            return last.after(1, lead + scores), True
        if self._keeps_duels and rounds:
            return self._before_last_round(state, scores, rounds)
        every = [self._side_scores(s, tile) for s in self._left(state) for tile in self.future_tiles]
        future = mixture(every).times(rounds) if rounds else Distribution.certain(0)
        final = {}
        for seat, total in enumerate(state.totals):
            final[seat] = future.plus(Distribution.certain(total))
            if seat > state.seat:
                tile = state.tiles[seat] if state.tiles else 0
                final[seat] = final[seat].plus(self._side_scores(state.strips[-1], tile))
        own = final.pop(state.seat)
        certain = not rounds and state.seat == self.game.players - 1
        return rewards(state.seat, scores, own, final), certain

    def _before_last_round(self, state: Fiese15State, scores: Ints, rounds: int) -> tuple[Floats, bool]:
        """As `rewards`, for two seats: the rounds before the last are played for points, that to win."""
        left = self._left(state)
        between = mixture([self._side_scores(strip, 0) for strip in left]).times(rounds - 1)
        coming = between.plus(between.negative())
        if state.seat == 0:
            coming = coming.plus(self._side_scores(state.strips[-1], 0).negative())
        lead = state.totals[0] - state.totals[1]
        leads = lead + (scores if state.seat == 0 else -scores)
        low = int(leads.min()) + coming.low
        reached = np.arange(low, int(leads.max()) + coming.high + 1)
        duels = self._open_duels()
        won = np.mean([duels[strip].at(2, reached) for strip in left], axis=0)
        places = leads[:, None] + coming.points[None, :] - low
        found = np.stack([won[places, seat] @ coming.chances for seat in range(2)], axis=1)
        return found, rounds == 1 and state.seat == 1

    def _open_duels(self, report: Report = silent) -> list[duel.Duel]:
        if self._duels is None:
            key = {**self._key, "duel": duel.SOLVER}
            arrays = table("fiese15-duel", key, self._build_duels, report)
            names = ("low", "first", "chances")
            strips = range(len(self.game.components.strips))
            self._duels = [
                duel.Duel({name: arrays[f"{name} {strip}"] for name in names}) for strip in strips
            ]
        return self._duels

    def _build_duels(self, report: Report) -> dict[str, NDArray[Any]]:
        arrays = {}
        for strip, _ in self.sides:
            report(strip / len(self.sides), f"the last round on strip {strip}")
            turn = self.side(strip, 0)
            for name, array in duel.build(turn, 3, graph=turn.graph).items():
                arrays[f"{name} {strip}"] = array
        return arrays


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _set_aside(kept: tuple[int, ...]) -> int:
    """The dice set aside, as a bit mask."""
    return sum([1 << die for die, face in enumerate(kept) if face])


class StripTurn(Turn):
    """The graph of a turn under given targets, and where its nodes are (see fiese15_kernel)."""

    def __init__(self, targets: Six, gambler: bool) -> None:
        from pasch.solve.fiese15_kernel import Rules, graph

        self._faces = [_valid_faces(die, targets) for die in range(len(COLOURS))]
        face, cases = np.zeros((len(COLOURS), 7), np.int64), np.zeros((len(COLOURS), 7), np.int64)
        for die, faces in enumerate(self._faces):
            face[die, 1 : len(faces) + 1] = faces
            cases[die, : len(faces) + 1] = [len(FACES) - len(faces)] + [1] * len(faces)
        start, keep = _keeps()
        counts = range(len(COLOURS) + 1)
        rules = Rules(
            face,
            cases,
            np.array([len(faces) + 1 for faces in self._faces]),
            start,
            keep,
            np.array([[points(n, pips) for pips in range(MOST_PIPS + 1)] for n in counts]),
            np.array([consolation(targets, kept, gambler) for kept in map(tuple, MEMBERS.tolist())]),
        )
        self.layout = _layout(rules)
        super().__init__(*graph(rules, self.layout), np.arange(MOST_POINTS + 1))

    def node(self, phase: str, kept: tuple[int, ...], rolled: tuple[int, ...] = NOTHING) -> int:
        """The node of a position inside the turn."""
        dice = _set_aside(kept)
        place = sum(kept) - int(self.layout.least[dice])
        if phase == "next":
            return int(self.layout.next[dice]) + place
        if phase == "roll":
            return int(self.layout.roll[dice]) + place
        number, step = 0, 1
        for faces, face, aside in zip(self._faces, rolled, kept, strict=True):
            if not aside:
                number += step * (faces.index(face) + 1 if face in faces else 0)
                step *= len(faces) + 1
        return int(self.layout.keep[dice]) + (number - 1) * int(self.layout.sums[dice]) + place


def _layout(rules: Any) -> Any:
    """Number the nodes: sets of more dice first, so that the start of the turn is last."""
    from pasch.solve.fiese15_kernel import Layout

    least = MEMBERS @ rules.face[:, 1]
    sums = MEMBERS @ rules.face.max(axis=1) - least + 1
    rolls = np.where(MEMBERS, 1, rules.codes).prod(axis=1) - 1
    keep, roll, next_, end = (np.zeros(SETS, np.int64) for _ in range(4))
    node = MOST_POINTS + 1
    for dice in sorted(range(SETS - 1), key=lambda dice: -SIZES[dice]):
        keep[dice] = node
        roll[dice] = keep[dice] + rolls[dice] * sums[dice]
        next_[dice] = roll[dice] + sums[dice]
        # a turn does not begin with the choice to stop
        node = end[dice] = next_[dice] + (sums[dice] if dice else 0)
    return Layout(least, sums, rolls, keep, roll, next_, end)


@lru_cache(maxsize=32)
def strip_turn(targets: Six, gambler: bool) -> StripTurn:
    """The graph of a turn under these targets; those last used are kept."""
    return StripTurn(targets, gambler)


@lru_cache(maxsize=32)
def strip_duel(targets: Six, gambler: bool, turns: int) -> duel.Duel:
    """The last turns of two seats under the same targets."""
    turn = strip_turn(targets, gambler)
    return duel.Duel(duel.build(turn, turns, graph=turn.graph))


def _valid_faces(die: int, targets: Six) -> list[int]:
    """The faces with which a die may be set aside."""
    return [
        face for face in FACES if valid_dice(tuple(face * (other == die) for other in range(6)), targets)
    ]


@cache
def _keeps() -> tuple[Ints, Ints]:
    """What may be kept of each set of valid dice, end to end, and where each begins."""
    listed = [keeps(valid) if valid else () for valid in range(SETS)]
    start = np.cumsum([0, *map(len, listed)])
    return start, np.array([dice for some in listed for dice in some])
