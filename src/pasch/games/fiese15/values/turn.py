"""The graph of a turn of Fiese 15 under given targets, made by asking the rules.

Positions from which the same follows are one node: the faces with which a die is not valid are alike, and of the dice
set aside only the sum of the pips counts.

For each set of dice set aside, those with more dice first, there are three kinds of nodes, for every sum of pips: the
choice of what to keep, one for each roll of the other dice; that roll; the choice to roll or to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any, Final, NamedTuple

from pasch.core.state import CHANCE, OVER
from pasch.games.fiese15.rules import (
    KEEP,
    NEXT,
    ROLL,
    Config,
    Fiese15,
    is_valid,
    points,
    roll,
)
from pasch.solve.graph import Graph
from pasch.solve.turn import Turn

FACES: Final = range(1, 7)
DICE: Final = range(6)
#: how many sets of dice there are
SETS: Final = 1 << len(DICE)
#: no sum of pips and no score is higher
MAX_PIPS: Final = 6 * len(DICE)
SUMS: Final = MAX_PIPS + 1
MAX_POINTS: Final = max(points(dice, MAX_PIPS) for dice in range(len(DICE) + 1))

moves, move = Fiese15.rule_functions().moves, Fiese15.rule_functions().move

Ints = Sequence[int]
IntRow = MutableSequence[int]


class Shape(NamedTuple):
    """What follows from targets. A set of dice is a bit mask; of a die that is rolled code 0 stands for all faces
    that are not valid, the others for its valid faces."""

    targets: Ints
    #: by die: how many codes there are; by die and code: a face, and how many faces there are
    codes: Ints
    face: Sequence[Ints]
    faces: Sequence[Ints]
    #: by die: the lowest and the highest valid face
    lowest: Ints
    highest: Ints
    #: the sets of dice that are set aside before a roll, those with more dice first
    order: Ints
    #: by set of dice set aside: the least sum of their pips, how many sums there are, how many rolls of the other dice,
    #: and where these begin in `Nodes.keep`
    least: Ints
    sums: Ints
    rolls: Ints
    first_roll: Ints


class Nodes(NamedTuple):
    """Where the nodes are; those of neighbouring sums of pips lie side by side."""

    #: by roll, see `Shape.first_roll`: the choice of what to keep, -1 if there is none
    keep: IntRow
    #: by set of dice set aside
    roll: IntRow
    next: IntRow
    #: by set of dice set aside and sum of pips, see `SUMS`: what comes when these have been set aside, -1: nothing
    after: IntRow


class Scratch(NamedTuple):
    """Scratch memory of `walk`."""

    #: the legal moves
    legal: IntRow
    #: where in `Nodes.after` they lead, but for the pips that have been set aside before
    then: IntRow
    #: by roll
    chance: MutableSequence[float]


def put(s: Any, shape: Shape, phase: int, aside: int, pips: int, number: int) -> float:
    """Let `s` be a position of the turn; which die set aside has which pips is of no importance.

    `number` is that of a roll, the code of the first die as the lowest digit, or -1. How probable that roll is.
    """
    s.actor, s.phase, s.seat, s.round, s.totals[0] = 0, phase, 0, 1, 0
    above, chance = pips - shape.least[aside], 1.0
    for die in range(6):
        s.targets[die] = shape.targets[die]
        s.kept[die] = s.rolled[die] = 0
        if aside >> die & 1:
            s.kept[die] = min(shape.lowest[die] + above, shape.highest[die])
            above -= s.kept[die] - shape.lowest[die]
        elif number >= 0:
            code = number % shape.codes[die]
            number //= shape.codes[die]
            s.rolled[die] = shape.face[die][code]
            chance *= shape.faces[die][code] / 6
    return chance


def walk(
    g: Config,
    s: Any,
    shape: Shape,
    nodes: Nodes,
    scratch: Scratch,
    actor: IntRow,
    first: IntRow,
    target: IntRow,
    weight: MutableSequence[float],
) -> int:
    """Write the graph of the turn, the scores being its first nodes, and return how many edges there are."""
    node, edge = MAX_POINTS + 1, 0
    for place in range(len(shape.order)):
        aside = shape.order[place]
        least, sums, begin = shape.least[aside], shape.sums[aside], shape.first_roll[aside]
        for number in range(shape.rolls[aside]):
            scratch.chance[number] = put(s, shape, ROLL, aside, least, number)
            roll(g, s)
            if s.actor == OVER:
                continue
            nodes.keep[begin + number] = node
            count = moves(g, s, scratch.legal)
            for legal in range(count):
                scratch.then[legal] = (aside | scratch.legal[legal]) * SUMS
                for die in range(6):
                    if scratch.legal[legal] >> die & 1:
                        scratch.then[legal] += s.rolled[die]
            for pips in range(least, least + sums):
                for legal in range(count):
                    then = scratch.then[legal] + pips
                    if nodes.after[then] < 0:
                        put(s, shape, KEEP, aside, pips, number)
                        move(g, s, scratch.legal[legal])
                        now = then // SUMS
                        on = nodes.next[now] + then % SUMS - shape.least[now]
                        nodes.after[then] = s.totals[0] if s.actor == OVER else on
                    target[edge] = nodes.after[then]
                    weight[edge] = 1.0
                    edge += 1
                actor[node] = 0
                node += 1
                first[node] = edge
        nodes.roll[aside] = node
        for pips in range(least, least + sums):
            for number in range(shape.rolls[aside]):
                after = nodes.keep[begin + number] + pips - least
                if nodes.keep[begin + number] < 0:
                    put(s, shape, ROLL, aside, pips, number)
                    roll(g, s)
                    after = s.totals[0]
                target[edge] = after
                weight[edge] = scratch.chance[number]
                edge += 1
            actor[node] = CHANCE
            node += 1
            first[node] = edge
        nodes.next[aside] = node
        # a turn does not begin with the choice to stop
        for pips in range(least, least + sums if aside else least):
            put(s, shape, NEXT, aside, pips, -1)
            for legal in range(moves(g, s, scratch.legal)):
                put(s, shape, NEXT, aside, pips, -1)
                move(g, s, scratch.legal[legal])
                target[edge] = s.totals[0] if s.actor == OVER else nodes.roll[aside] + pips - least
                weight[edge] = 1.0
                edge += 1
            actor[node] = 0
            node += 1
            first[node] = edge
    return edge


# --- the turn -----------------------------------------------------------------------------------------


def shape_of(targets: tuple[int, ...]) -> Shape:
    """What follows from the targets of the six dice."""
    valid = [[face for face in FACES if is_valid(face, target)] for target in targets]
    others = [[face for face in FACES if not is_valid(face, target)] for target in targets]
    lowest, highest = ([chosen(faces, default=1) for faces in valid] for chosen in (min, max))
    codes = [len(faces) + 1 for faces in valid]
    sets = [[die for die in DICE if dice >> die & 1] for dice in range(SETS)]
    rest = [[die for die in DICE if not dice >> die & 1] for dice in range(SETS)]
    least = [sum(lowest[die] for die in dice) for dice in sets]
    rolls = [prod(codes[die] for die in dice) for dice in rest]
    return Shape(
        targets=targets,
        codes=codes,
        # where every face is valid code 0 never comes, and no face stands for it
        face=[[*(some[:1] or [0]), *faces] for some, faces in zip(others, valid, strict=True)],
        faces=[[len(some), *[1] * len(faces)] for some, faces in zip(others, valid, strict=True)],
        lowest=lowest,
        highest=highest,
        order=sorted(range(SETS - 1), key=lambda dice: -len(sets[dice])),
        least=least,
        sums=[sum(highest[die] for die in dice) - low + 1 for dice, low in zip(sets, least, strict=True)],
        rolls=rolls,
        first_roll=[sum(rolls[:dice]) for dice in range(SETS)],
    )


def max_edges(shape: Shape) -> int:
    """At most this many edges: each die not set aside is not valid, valid and left, or kept with one of its faces."""
    found = 0
    for aside in shape.order:
        others = [shape.codes[die] for die in DICE if not aside >> die & 1]
        found += shape.sums[aside] * (prod(2 * codes - 1 for codes in others) + prod(others) + 2)
    return found


def walked(
    g: Config, s: Any, shape: Shape, zeros: Callable[[int, type], Any], walk: Callable[..., int]
) -> tuple[Graph, Nodes]:
    """The graph of a turn and where its nodes are; `zeros` allocates rows, for `walk` as it stands or compiled."""
    max_nodes = MAX_POINTS + 1 + sum((shape.rolls[aside] + 2) * shape.sums[aside] for aside in shape.order)
    nodes = Nodes(*(zeros(size, int) for size in (sum(shape.rolls), SETS, SETS, SETS * SUMS)))
    for unknown in (nodes.keep, nodes.after):
        for place in range(len(unknown)):
            unknown[place] = -1
    work = Scratch(zeros(SETS, int), zeros(SETS, int), zeros(max(shape.rolls), float))
    actor, first, target = (zeros(size, int) for size in (max_nodes, max_nodes + 1, max_edges(shape)))
    weight = zeros(len(target), float)
    for score in range(MAX_POINTS + 1):
        actor[score] = OVER
    edges = walk(g, s, shape, nodes, work, actor, first, target, weight)
    count = nodes.roll[0] + 1
    return Graph(actor[:count], first[: count + 1], target[:edges], weight[:edges], zeros(0, float)), nodes


class StripTurn:
    """A turn under given targets, solved, and where its positions are."""

    def __init__(self, shape: Shape, nodes: Nodes, turn: Turn) -> None:
        self._shape, self._nodes, self.turn = shape, nodes, turn

    def node(self, s: Any) -> int:
        """The node of a position inside the turn."""
        shape, nodes = self._shape, self._nodes
        aside = sum([1 << die for die in DICE if s.kept[die]])
        above = sum(s.kept) - shape.least[aside]
        if s.phase != KEEP:
            return (nodes.next if s.phase == NEXT else nodes.roll)[aside] + above
        number, step = 0, 1
        for die in DICE:
            if not s.kept[die]:
                faces = shape.face[die]
                number += step * (faces.index(s.rolled[die], 1) if s.rolled[die] in faces[1:] else 0)
                step *= shape.codes[die]
        return nodes.keep[shape.first_roll[aside] + number] + above

    def rolling(self, dice: int) -> Iterator[tuple[int, float]]:
        """The expected points before a roll with these dice (a bit mask) set aside, by the sum of their pips."""
        for above in range(self._shape.sums[dice]):
            yield self._shape.least[dice] + above, self.turn.values[self._nodes.roll[dice] + above]

    def keeping(self, dice: int) -> Iterator[tuple[int, float]]:
        """The expected points when these dice (a bit mask) have just been set aside, by the sum of their pips."""
        for pips in range(SUMS):
            node = self._nodes.after[dice * SUMS + pips]
            if node >= 0:
                yield pips, self.turn.values[node]


@lru_cache(maxsize=32)
def strip_turn(game: Fiese15, targets: tuple[int, ...], *, compiled: bool = False) -> StripTurn:
    """A turn under these targets, walked through and solved by plain or by compiled code; those last used are kept."""
    shape, g, s = shape_of(targets), one_turn(game.config), game.start().unpack()
    if compiled:
        import numpy as np

        from pasch.solve.records import arrays, records

        graph, nodes = walked(arrays(g), records(game, 1)[0], arrays(shape), np.zeros, _compiled_walk())
    else:
        graph, nodes = walked(g, s, shape, lambda size, kind: [kind()] * size, walk)
    turn = Turn(graph, range(MAX_POINTS + 1), len(graph.actor) - 1, compiled=compiled)
    return StripTurn(shape, nodes, turn)


@cache
def _compiled_walk() -> Any:
    from pasch.solve.compiled import compile_plain

    return compile_plain(walk, name="fiese15")


def one_turn(g: Config) -> Config:
    """The config of a game of one seat that is over after one turn."""
    return g._replace(players=1, rounds=1)
