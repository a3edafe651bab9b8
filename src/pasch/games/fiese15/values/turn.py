"""The graph of a turn of Fiese 15 under given targets, made by asking the rules.

Positions from which the same follows are one node: the faces with which a die is not valid are alike, and of the dice
set aside only the sum of the pips counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, product
from math import prod
from typing import Any, Final

from pasch.core.state import CHANCE, OVER
from pasch.games.fiese15.rules import KEEP, NEXT, ROLL, Config, Fiese15, is_valid, points, roll
from pasch.solve.graph import Graph
from pasch.solve.turn import Turn

FACES: Final = range(1, 7)
DICE: Final = range(6)
#: how many sets of dice there are; a set is a bit mask
SETS: Final = 1 << len(DICE)
#: no sum of pips and no score is higher
MAX_PIPS: Final = 6 * len(DICE)
SUMS: Final = MAX_PIPS + 1
MAX_POINTS: Final = max(points(dice, MAX_PIPS) for dice in range(len(DICE) + 1))

moves, move = Fiese15.rule_functions().moves, Fiese15.rule_functions().move

Ints = Sequence[int]
#: a face of each die, 0 where there is none
Faces = tuple[int, ...]
NONE: Final = (0,) * len(DICE)


class StripTurn:
    """A turn under given targets, solved, and where its positions are.

    There are, for each set of dice set aside (a bit mask), those with more dice first, the choices of what to keep, one
    for each roll of the other dice; that roll; the choice to roll or to stop. Each of them is as many nodes as the dice
    set aside can have sums of pips. Between them are the ends of the turn, one for each way to score.
    """

    def __init__(self, game: Fiese15, targets: tuple[int, ...], compiled: bool) -> None:
        self._g, self._s, self._targets = one_turn(game.config), game.start().unpack(), targets
        #: by die: its valid faces; and by face the one that stands for it
        self._valid = [[face for face in FACES if is_valid(face, target)] for target in targets]
        self._alike = [
            [0, *(face if face in valid else min({*FACES}.difference(valid)) for face in FACES)]
            for valid in self._valid
        ]
        #: by set of dice: the sums of pips with which they can be set aside
        self.sums = [
            range(sum(self._faces(dice, 0)), sum(self._faces(dice, MAX_PIPS)) + 1) for dice in range(SETS)
        ]
        #: by phase, dice set aside and faces rolled: the node with the least sum of pips
        self._first: dict[tuple[int, int, Faces], int] = {}
        #: by set of dice and place of their sum of pips: the node before a roll with them set aside, and the one when
        #: they have just been set aside
        self.rolling: list[Sequence[int]] = [()] * SETS
        self.keeping: list[Sequence[int]] = [()] * SETS
        #: by the parts of the score: the node of a turn that has ended with them
        self._ends: dict[tuple[int, ...], int] = {}
        self._graph = Graph([], [0], [], [], [])
        for dice in sorted(range(SETS), key=int.bit_count, reverse=True):
            every = range(len(self.sums[dice]))
            if dice != SETS - 1:
                self.rolling[dice] = self._add_roll(dice)
            # a turn does not begin with the choice to stop
            if dice not in (0, SETS - 1):
                self._add(NEXT, dice, NONE, [self._decision(dice, above) for above in every])
            if dice:
                self.keeping[dice] = [
                    self._after(KEEP, NONE, self._faces(dice, above), dice) for above in every
                ]
        scores, ends = [*map(sum, self._ends)], [*self._ends.values()]
        self.turn = Turn(self._graph, scores, self.rolling[0][0], compiled=compiled, ends=ends)

    def node(self, s: Any) -> int:
        """The node of a position inside the turn."""
        dice = sum([1 << die for die in DICE if s.kept[die]])
        rolled = tuple([alike[face] for alike, face in zip(self._alike, s.rolled, strict=True)])
        return self._first[s.phase, dice, rolled] + sum(s.kept) - self.sums[dice].start

    def parts_at(self, nodes: Sequence[int]) -> tuple[tuple[float, ...], ...]:
        """What to expect of each part of the score at these nodes."""
        return tuple([tuple([part[node] for part in self._parts]) for node in nodes])

    @cached_property
    def _parts(self) -> list[Sequence[float]]:
        """By part of the score and node: what to expect of it if the turn is played for points."""
        rewards = [self.turn.scores, *zip(*self._ends, strict=True)]
        found = self.turn.chances(rewards, 0)
        return [found[part :: len(rewards)] for part in range(1, len(rewards))]

    # --- how it is made --------------------------------------------------------------------------------

    def _faces(self, dice: int, above: int) -> Faces:
        """Valid faces of these dice whose sum is `above` the least one; which die has which does not matter."""
        found = []
        for die, valid in enumerate(self._valid):
            low, high = min(valid, default=1), max(valid, default=1)
            found.append(min(low + above, high) if dice >> die & 1 else 0)
            above -= max(found[-1] - low, 0)
        return tuple(found)

    def _put(self, phase: int, kept: Faces, rolled: Faces) -> Any:
        """A position of the turn."""
        s = self._s
        s.actor, s.phase, s.seat, s.round, s.totals[0] = 0, phase, 0, 1, 0
        s.targets[:], s.kept[:], s.rolled[:] = self._targets, kept, rolled
        return s

    def _after(self, phase: int, kept: Faces, rolled: Faces, code: int | None = None) -> int:
        """The node that a roll or a move leads to."""
        s = self._put(phase, kept, rolled)
        if code is None:
            roll(self._g, s)
        else:
            move(self._g, s, code)
        if s.actor != OVER:
            return self.node(s)
        parts, graph = tuple(s.scored), self._graph
        if parts not in self._ends:
            self._ends[parts] = len(graph.actor)
            graph.actor.append(OVER)
            graph.first.append(len(graph.target))
        return self._ends[parts]

    def _add(
        self, phase: int, dice: int, rolled: Faces, after: Iterable[Ints], chances: Sequence[float] = ()
    ) -> range:
        """Add nodes that lead to these, by chance or by a choice."""
        graph, first, nodes = self._graph, len(self._graph.actor), [*after]
        self._first[phase, dice, rolled] = first
        graph.actor.extend([CHANCE if chances else 0] * len(nodes))
        graph.first.extend(accumulate(map(len, nodes), initial=graph.first.pop()))
        graph.target.extend(chain.from_iterable(nodes))
        graph.weight.extend([*chances] * len(nodes) or [1.0] * (len(graph.target) - len(graph.weight)))
        return range(first, len(graph.actor))

    def _decision(self, dice: int, above: int) -> list[int]:
        """Where rolling and stopping lead."""
        kept, legal = self._faces(dice, above), [0] * SETS
        count = moves(self._g, self._put(NEXT, kept, NONE), legal)
        return [self._after(NEXT, kept, NONE, code) for code in legal[:count]]

    def _add_roll(self, dice: int) -> range:
        """Add the roll of the dice that are not set aside, and the choices after it."""
        size, kept, legal = len(self.sums[dice]), self._faces(dice, 0), [0] * SETS
        faces = [Counter([0] if dice >> die & 1 else self._alike[die][1:]) for die in DICE]
        cases = [*map(prod, product(*(each.values() for each in faces)))]
        #: by what is kept and the sum of its pips: the nodes that follow, by place of the sum of pips before
        follow: list[list[Ints]] = [[] for _ in range(SETS)]
        for keep in range(1, SETS):
            if not keep & dice:
                starts = range(-self.sums[keep].start, len(self.sums[keep]))
                follow[keep] = [self.keeping[dice | keep][max(above, 0) :][:size] for above in starts]
        #: by roll and place of the sum of pips
        after: list[Ints] = []
        for rolled in product(*faces):
            s = self._put(ROLL, kept, rolled)
            roll(self._g, s)
            if s.actor == OVER:
                kept_so = (self._faces(dice, above) for above in range(size))
                after.append([self._after(ROLL, kept, rolled) for kept in kept_so])
                continue
            #: by set of dice
            pips = [0]
            for face in rolled:
                pips += [sum + face for sum in pips] if face else pips
            then = [follow[keep][pips[keep]] for keep in legal[: moves(self._g, s, legal)]]
            after.append(self._add(KEEP, dice, rolled, zip(*then, strict=True)))
        total = sum(cases)
        return self._add(ROLL, dice, NONE, zip(*after, strict=True), [some / total for some in cases])


@lru_cache(maxsize=32)
def strip_turn(game: Fiese15, targets: tuple[int, ...], *, compiled: bool = False) -> StripTurn:
    """A turn under these targets, solved by plain or by compiled code; those last used are kept."""
    return StripTurn(game, targets, compiled)


def one_turn(g: Config) -> Config:
    """The config of a game of one seat that is over after one turn."""
    return g._replace(players=1, rounds=1)
