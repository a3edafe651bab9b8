"""Positions as rows of words, and numbers that prove what the rules do not look at.

The words of a position are the whole numbers in its `Numbers`. A word that the rules only add to (a total, a counter
that nobody reads) need not be known: the rules get a `Sum` in its place, which can do nothing but add, so every path
that is walked proves it again. `Looked` names the words of which the rules wanted to know more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cached_property, reduce
from typing import Any, Final

from pasch.core.chance import rolls
from pasch.core.game import Game
from pasch.core.nodes import Dice
from pasch.core.rolls import MAX_DICE
from pasch.core.rules import highest
from pasch.core.templates import by_phase, cases_in, nothing
from pasch.solve.graph import NO_MOVE, SAID, Endless

Key = tuple[int, ...]


#: what cannot be done with a number that is not known
UNKNOWN: Final = """
eq ne lt le gt ge hash bool index int float neg abs invert pow rpow divmod mul rmul rsub truediv floordiv rfloordiv
mod rmod and rand or ror xor rxor rshift rrshift lshift rlshift
"""


class Looked(Exception):
    """The rules do more with these words than to add to them."""

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__()
        self.words = frozenset(words)


class Sum:
    """Words of unknown value, added up, and what was added to them. Nothing else can be done with it."""

    __slots__ = ("added", "words")

    def __init__(self, words: tuple[int, ...], added: int = 0) -> None:
        self.words, self.added = words, added

    def __add__(self, more: Any) -> Sum:
        if isinstance(more, Sum):
            return Sum(tuple(sorted(self.words + more.words)), self.added + more.added)
        return Sum(self.words, self.added + more)

    __radd__ = __add__

    def __sub__(self, less: Any) -> Any:
        if isinstance(less, Sum):
            return self.added - less.added if self.words == less.words else self._looked(less)
        return Sum(self.words, self.added - less)

    def _looked(self, *others: Any) -> Any:
        raise Looked(
            {*self.words, *(word for other in others if isinstance(other, Sum) for word in other.words)}
        )


for _name in UNKNOWN.split():
    setattr(Sum, f"__{_name}__", Sum._looked)


class Layout:
    """Where the words of a game's positions are, with functions that are made for them, as dataclasses make theirs."""

    def __init__(self, game: Game[Any, Any]) -> None:
        start = game.start().unpack()
        self.kind = type(start)
        #: by word: how `s` names it
        self.paths: list[str] = []
        #: by field: a pattern in which `{n}` stands for word n
        self._patterns: list[str] = []
        for field in fields(start):
            value = getattr(start, field.name)
            # what is not compared is scratch memory: the parts of a score that an event writes
            self._patterns.append(self._pattern(value, f"s.{field.name}") if field.compare else repr(value))

    def _pattern(self, value: Any, path: str) -> str:
        if isinstance(value, list):
            parts = [self._pattern(one, f"{path}[{place}]") for place, one in enumerate(value)]
            return f"[{', '.join(parts)}]"
        self.paths.append(path)
        return f"{{{len(self.paths) - 1}}}"

    @cached_property
    def names(self) -> list[str]:
        """The names of the words, for people."""
        return [path.removeprefix("s.") for path in self.paths]

    def field(self, word: int) -> frozenset[int]:
        """The words of the field that a word is part of."""
        name = self.names[word].partition("[")[0]
        return frozenset(n for n, other in enumerate(self.names) if other.partition("[")[0] == name)

    def reader(self, words: Iterable[int]) -> Callable[[Any], tuple[Any, ...]]:
        """A function that reads these words of `s`."""
        made: Any = eval(f"lambda s: ({''.join(self.paths[word] + ', ' for word in words)})")
        return made  # type: ignore[no-any-return]

    def maker(self, sums: frozenset[int]) -> Callable[[Key], Any]:
        """A function that makes `s` of the other words, each of `sums` being a `Sum`."""
        kept = iter(range(len(self.paths)))
        written = [f"sums[{n}]" if n in sums else f"k[{next(kept)}]" for n in range(len(self.paths))]
        used = {"Numbers": self.kind, "sums": {word: Sum((word,)) for word in sums}}
        made: Any = eval(f"lambda k: Numbers({', '.join(self._patterns).format(*written)})", used)
        return made  # type: ignore[no-any-return]


class Rules:
    """What the solver asks of a game: its rule functions, and how many of the dice that come are equal."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game, self.g = game, game.config
        self.cases, self.chance, self.moves, self.move, self.scores, winners = game.rule_functions()
        self.winners, self.highest_wins = winners or highest_wins, winners is None
        words = game.Position.phases()
        dice = {phase: node.rolled for phase, node in game.chances.items() if isinstance(node, Dice)}
        #: how many equal dice come next; 0 if it is something else
        self.equal_dice = by_phase(cases_in, words, {word: dice.get(word, nothing) for word in words})
        self.layout = Layout(game)

    def outcomes(self, s: Any) -> tuple[Iterable[tuple[int, float]], int]:
        """The cases that chance may bring, with how many each stands for; and how many there are in all."""
        total, dice = self.cases(self.g, s), self.equal_dice(self.g, s)
        return (EQUAL_ROLLS[dice] if dice else [(case, 1.0) for case in range(total)]), total

    def named(self, words: Iterable[int]) -> str:
        """Words by name, for people."""
        return ", ".join(self.layout.names[word] for word in words) or "nothing"

    def listed(self, s: Any) -> list[int]:
        """The codes of the legal moves where a seat has to choose; Endless if there are none."""
        out = [0] * self.game.max_moves
        found = self.moves(self.g, s, out)
        if not found:
            raise Endless(SAID[NO_MOVE])
        return out[:found]


def highest_wins(g: Any, s: Any, scores: Any, out: Any) -> None:
    """The seats with the highest score win."""
    highest(scores, len(out), out)


#: by number of equal dice: a case of each roll, and how many cases there are of it
EQUAL_ROLLS: Final = tuple(
    [(reduce(lambda case, face: 6 * case + face - 1, roll, 0), float(ways)) for roll, ways in rolls(dice)]
    for dice in range(MAX_DICE + 1)
)
