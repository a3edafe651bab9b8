"""Walking through the positions of a game by asking its rules, in plain Python.

Which words the rules only add to is guessed by random games and proved on every path that is walked (`Sum`); a wrong
guess restarts the walk.
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from pasch.core.errors import PaschError
from pasch.core.state import CHANCE, OVER
from pasch.solve.graph import Graph
from pasch.solve.positions import Key, Looked, Rules, Sum

#: what seats maximize: their points, or the chance to be among the winners; FINAL: points, all given by the ends
POINTS, WIN, FINAL = "points", "win", "final"

#: steps of random games that are played to see which words the rules look at
RANDOM_STEPS: Final = 2_000
#: a position is one whole number with a sign
KEY_BITS: Final = 63
#: memory that a position and an edge take here, about
POSITION_BYTES: Final = 350
EDGE_BYTES: Final = 60


class Budget(NamedTuple):
    """What solving may cost."""

    positions: int = 20_000_000
    mebibytes: int = 2_000
    seconds: float = 900.0

    def is_exceeded(self, positions: int, used: int, begun: float) -> bool:
        """Whether this number of positions, bytes, or seconds since `begun` is too large."""
        seconds = time.perf_counter() - begun
        return positions > self.positions or used >> 20 > self.mebibytes or seconds > self.seconds


class TooLarge(PaschError):
    """A game has more positions than the budget allows."""


class Paused(Exception):
    """More calls of the rules than plain Python should make."""


class Explored:
    """The graph of the positions that can be reached from one, without the words that the rules only add to.

    Node 0 is where the walk began. Ends, and positions whose values are `known`, lead nowhere.
    """

    def __init__(
        self, rules: Rules, aim: str, sums: frozenset[int], known: Callable[[Key], Any] | None = None
    ) -> None:
        self.rules, self.aim, self.sums, self._known = rules, aim, sums, known
        self.players = rules.game.players
        self.parts = len(rules.game.parts) if aim == POINTS else 0
        #: a column for each seat and, of points, for each part of its score
        self.columns = self.players * (1 + self.parts)
        kept = [word for word in range(len(rules.layout.paths)) if word not in sums]
        self.words = kept
        self.key: Callable[[Any], Key] = rules.layout.reader(kept)
        self.make, self._sums = rules.layout.maker(sums), rules.layout.reader(sorted(sums))
        self._left_out = [(word,) for word in sorted(sums)]
        self._seat = kept.index(rules.layout.names.index("seat"))
        self.number: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.actor: list[int] = []
        self.first, self.target = [0], list[int]()
        self.weight, self.reward = list[float](), list[float]()
        #: the values of ends and of known positions, by node
        self.given: dict[int, Sequence[float]] = {}
        self.calls = 0

    def node(self, key: Any) -> int:
        """The node of a position, or of an end with its worth; a new one if it was not reached before."""
        number = self.number.get(key)
        if number is None:
            self.number[key] = number = len(self.keys)
            self.keys.append(key)
            if key[0] == "over":
                self.given[number] = key[1:]
        return number

    def walk(self, max_calls: float, budget: Budget) -> None:
        """Add the edges of all positions; TooLarge, or Paused after `max_calls` calls of the rules."""
        begun = time.perf_counter()
        while len(self.actor) < len(self.keys):
            self._walk(len(self.actor))
            self.check(budget, begun)
            if self.calls > max_calls:
                raise Paused

    def _walk(self, node: int) -> None:
        rules, g, key = self.rules, self.rules.g, self.keys[node]
        known = self.given.get(node)
        if known is None and self._known is not None and node:
            known = self._known(key)
        if known is not None:
            self.given[node] = known
            self.actor.append(OVER)
            self.first.append(len(self.target))
            return
        s = self.make(key)
        actor: int = s.actor
        before = self.scores(s) if self.aim == POINTS else []
        chance = actor == CHANCE
        steps, total = rules.outcomes(s) if chance else ([(code, 1.0) for code in rules.listed(s)], 1)
        take, edges = rules.chance if chance else rules.move, dict[Any, float]()
        for place, (code, ways) in enumerate(steps):
            s = self.make(key)
            take(g, s, code)
            # equal outcomes are merged, moves are not
            edge = *self._edge(s, key, before), None if chance else place
            edges[edge] = edges.get(edge, 0.0) + ways
            self.calls += 1
        for (target, reward, _), ways in edges.items():
            self.target.append(target)
            self.weight.append(ways / total)
            self.reward += reward
        self.actor.append(actor)
        self.first.append(len(self.target))

    def _edge(self, s: Any, before: Key, scores: Sequence[Any]) -> tuple[int, tuple[float, ...]]:
        """Where a step leads, and what it brings each column."""
        for value, word in zip(self._sums(s), self._left_out, strict=True):
            if type(value) is not Sum or value.words != word:
                raise Looked(word)
        over = s.actor == OVER
        if self.aim != POINTS:
            return self.node(("over", *self._result(s, self.scores(s))) if over else self.key(s)), ()
        reward = [float(new - old) for new, old in zip(self.scores(s), scores, strict=True)]
        if self.parts:
            brought = [0.0] * (self.players * self.parts)
            seat = before[self._seat]
            brought[seat * self.parts : (seat + 1) * self.parts] = map(float, s.scored)
            reward += brought
        return self.node(("over", *(0.0,) * self.columns) if over else self.key(s)), tuple(reward)

    def scores(self, s: Any) -> list[Any]:
        """Each seat's score, as far as it is known."""
        out: list[Any] = [0] * self.players
        self.rules.scores(self.rules.g, s, out)
        return out

    def _result(self, s: Any, scores: Sequence[int]) -> tuple[float, ...]:
        """Each seat's points, or its chance to be among the winners, when the game is over with these scores."""
        won = [False] * self.players
        if self.aim == WIN:
            self.rules.winners(self.rules.g, s, scores, won)
        return tuple(map(float, won if self.aim == WIN else scores))

    def play(self, start: Any, steps: int) -> list[tuple[Key, Key]]:
        """Play random games from `start`, this number of steps in all; the keys before and after each step."""
        chooser, rules, node, seen = random.Random(1), self.rules, -1, list[tuple[Key, Key]]()
        for _ in range(steps):
            key = self.key(start) if node < 0 else self.keys[node]
            s = self.make(key)
            before = self.scores(s) if self.aim == POINTS else []
            if s.actor == CHANCE:
                rules.chance(rules.g, s, chooser.randrange(rules.cases(rules.g, s)))
            else:
                rules.move(rules.g, s, chooser.choice(rules.listed(s)))
            node, _ = self._edge(s, key, before)
            if node in self.given:
                # what is tidied up at the end says nothing about what comes and goes before
                node = -1
            else:
                seen.append((key, self.keys[node]))
        return seen

    def with_leads(self, scores: Sequence[int], budget: Budget) -> Explored:
        """The same positions with by how much each seat leads the first one, and ends that are won or lost.

        The rules are not asked again: what is left out of positions is added up. `scores`: those at node 0.
        """
        made, begun = Explored(self.rules, WIN, self.sums), time.perf_counter()
        made.node(self.keys[0] + relative(scores))
        made.calls = self.calls
        size, end = len(self.words), ("over", *(0.0,) * self.columns)
        while len(made.actor) < len(made.keys):
            number = len(made.actor)
            key = made.keys[number]
            node = self.number[end if number in made.given else key[:size]]
            for e in range(self.first[node], self.first[node + 1]):
                gains = self.reward[e * self.columns : e * self.columns + self.players]
                leads = relative([int(gain) + lead for gain, lead in zip(gains, key[size:], strict=True)])
                after = self.target[e]
                over = self.actor[after] == OVER
                made.target.append(
                    made.node(("over", *made._result(None, leads)) if over else self.keys[after] + leads)
                )
                made.weight.append(self.weight[e])
            made.actor.append(self.actor[node])
            made.first.append(len(made.target))
            made.check(budget, begun)
        return made

    def check(self, budget: Budget, begun: float) -> None:
        """TooLarge if the walk costs more than the budget."""
        used = POSITION_BYTES * len(self.keys) + EDGE_BYTES * len(self.target)
        if budget.is_exceeded(len(self.keys), used, begun):
            names, rows = self.rules.layout.names, [key for key in self.keys if key[0] != "over"]
            # words behind those of the position are leads
            sizes = [len(set(column)) for column in zip(*rows, strict=True)]
            known = [*[names[word] for word in self.words], *["lead"] * self.players]
            largest = sorted(zip(sizes, known, strict=False))[:-4:-1]
            said = ", ".join(f"{name} ({size:,} values)" for size, name in largest)
            raise TooLarge(
                f"more than {len(self.keys):,} positions, of which {1 - len(self.actor) / len(self.keys):.0%} were not"
                f" walked through yet; the words with most values are {said}: with fewer of these it would fit"
            )

    def graph(self) -> Graph:
        """The edges between the positions."""
        return Graph(self.actor, self.first, self.target, self.weight, self.reward)

    def values(self) -> list[float]:
        """Values by node and column in which only those are filled in that are given."""
        found = [0.0] * (len(self.keys) * self.columns)
        for node, given in self.given.items():
            found[node * self.columns : (node + 1) * self.columns] = given
        return found


def relative(scores: Sequence[int]) -> Key:
    """By how much each seat leads the first one."""
    return tuple([score - scores[0] for score in scores])


def solution_table(
    keys: Sequence[Any],
    values: Sequence[float],
    columns: int,
    sums: Iterable[int],
    leads: bool,
    said: list[str],
) -> dict[str, array[Any]]:
    """The table of a solution: positions as numbers, ascending, with what is still to come in each, by column."""
    words = [*zip(*[key for key in keys if key[0] != "over"], strict=True)]
    low, size = [min(word) for word in words], [max(word) - min(word) + 1 for word in words]
    order = sorted((pack(key, low, size), node) for node, key in enumerate(keys) if key[0] != "over")
    if order[-1][0].bit_length() > KEY_BITS:
        raise TooLarge("a position needs more than {bits} bits", bits=KEY_BITS)
    return {
        "sums": array("i", sorted(sums)),
        "low": array("q", low),
        "size": array("q", size),
        "keys": array("q", [key for key, _ in order]),
        "values": array("d", [values[node * columns + c] for _, node in order for c in range(columns)]),
        "leads": array("i", [leads]),
        "said": array("B", "\n".join(said).encode()),
    }


def pack(key: Key, low: Sequence[int], size: Sequence[int]) -> int:
    """A position as one number; -1 if a word lies outside its range."""
    number = 0
    for word, least, values in zip(key, low, size, strict=True):
        if not 0 <= word - least < values:
            return -1
        number = number * values + word - least
    return number


def explored(
    rules: Rules,
    aim: str,
    start: Any,
    sums: frozenset[int] | None = None,
    max_calls: float = inf,
    budget: Budget = Budget(),  # noqa: B008 - it does not change
    known: Callable[[Key], Any] | None = None,
) -> Explored:
    """All positions that can be reached from `start`, as numbers; restarted whenever a word proves not to be a sum.

    With `known` values, which rest on the same sums, Looked is raised then.
    """
    if sums is None:
        sums = random_games(rules, aim, start)[0].sums
    while True:
        walked = Explored(rules, aim, sums, known)
        walked.node(walked.key(start))
        try:
            walked.walk(max_calls, budget)
            return walked
        except Looked as looked:
            if known is not None:
                raise
            sums = without(rules, sums, looked)


def random_games(
    rules: Rules, aim: str, start: Any, sums: frozenset[int] | None = None, steps: int = RANDOM_STEPS
) -> tuple[Explored, list[tuple[Key, Key]]]:
    """Positions in which the words are left out that the rules seem only to add to, and the steps of random games."""
    if sums is None:
        # the rules always read the others
        names = enumerate(rules.layout.names)
        sums = frozenset(word for word, name in names if name not in ("actor", "phase", "seat"))
    while True:
        walked = Explored(rules, aim, sums)
        try:
            return walked, walked.play(start, steps)
        except Looked as looked:
            sums = without(rules, sums, looked)


def without(rules: Rules, sums: frozenset[int], looked: Looked) -> frozenset[int]:
    """The sums that remain when the rules have read some; the words of a field go together."""
    return sums.difference(*(rules.layout.field(word) for word in looked.words))
