"""Solving a large game by compiled code, stage by stage (`pasch.solve.stages`): its guesses and buffers.

Random games suggest which words are monotonic and how large words become; the kernels check both on every step. After
a wrong guess the word changes its kind or gets a larger range, and solving restarts: that costs time, not accuracy.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import accumulate
from threading import Lock
from typing import Any, Final, NamedTuple, Self

import numpy as np

from pasch.core.errors import PaschError
from pasch.core.state import OVER
from pasch.solve import stages
from pasch.solve.compiled import compile_plain
from pasch.solve.explore import POINTS, WIN, Budget, Explored, TooLarge, random_games, solution_table
from pasch.solve.graph import FINE, MAX_COEFFICIENTS, MAX_CUTS, Graph, Plan, Scratch, check, precision
from pasch.solve.positions import EQUAL_ROLLS, Key, Looked, Rules, Sum
from pasch.solve.records import arrays
from pasch.solve.valuer import Progress

#: steps of random games that are played to see what comes and goes, and calls that look for fixed nodes
RANDOM_STEPS: Final = 20_000
FIXED_CALLS: Final = 300_000
#: maximum number of restarts before a word is taken to be unbounded
MAX_RESTARTS: Final = 60
KEY_BITS: Final = 62
#: entries after which the kernel comes back, so that progress can be shown
ENTRIES_AT_ONCE: Final = 20_000
#: memory that an entry takes
ENTRY_BYTES: Final = 100
#: entries that are worked out again with other sums
CHECKED: Final = 300


class Fixed(Explored):
    """Nodes whose steps are the same in every stage: the rules look at no word of the stage, each being a `Sum`."""

    def __init__(self, rules: Rules, aim: str, sums: frozenset[int], progress: frozenset[int]) -> None:
        super().__init__(rules, aim, sums | progress)
        self._stage = rules.layout.reader(sorted(progress))

    def _edge(self, s: Any, before: Key, scores: Sequence[Any]) -> tuple[int, tuple[float, ...]]:
        if s.actor == OVER or any(type(value) is not Sum or value.added for value in self._stage(s)):
            raise Looked(())
        return super()._edge(s, before, scores)

    def _walk(self, node: int) -> None:
        edges = len(self.target)
        try:
            super()._walk(node)
        except Looked:
            del self.target[edges:], self.weight[edges:], self.reward[edges * self.columns :]
            self.actor.append(0)
            self.first.append(edges)


class Guess(NamedTuple):
    """What is known or guessed of the words of positions; lists are by word, those that are left out among them."""

    #: the words that are left out, because they are only added to
    sums: frozenset[int]
    low: list[int]
    high: list[int]
    #: 1: the word only rises; -1: it only falls; 0: it is part of the node
    sign: list[int]

    @classmethod
    def seen(cls, rules: Rules, aim: str, sums: frozenset[int] | None = None) -> Self:
        """What random games suggest, with at most `sums` left out."""
        start = rules.game.start().unpack()
        walked, steps = random_games(rules, aim, start, sums, RANDOM_STEPS)
        guess = cls(walked.sums, *([0] * len(rules.layout.names) for _ in range(3)))
        for place, (word, first) in enumerate(zip(walked.words, walked.key(start), strict=True)):
            seen = [(before[place], after[place]) for before, after in steps]
            values = {first, *(after for _, after in seen)}
            guess.low[word], guess.high[word] = min(values), max(values)
            rises = all(after >= before for before, after in seen)
            falls = all(after <= before for before, after in seen)
            # parts of a score are by seat, so that nodes have to know it
            if rises != falls and rules.layout.names[word] not in ("actor", "seat"):
                guess.sign[word] = 1 if rises else -1
        return guess

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Self:
        """What a table says, see `arrays`."""
        return cls(
            frozenset(table["sums"].tolist()),
            *(table[f"words {name}"].tolist() for name in cls._fields[1:]),
        )

    def arrays(self) -> dict[str, array[int]]:
        """The lists for a table."""
        return {f"words {name}": array("q", getattr(self, name)) for name in self._fields[1:]}


class Stages:
    """The positions of a game by stage and node, and the buffers in which the kernel walks through them."""

    def __init__(
        self, rules: Rules, aim: str, guess: Guess, kernel: Callable[..., None], more: int
    ) -> None:
        self._rules, self._guess, self._kernel, self._g = rules, guess, kernel, arrays(rules.g)
        self._start = rules.game.start().unpack()
        #: the words that are not left out: those that make the stage, and those that make the node
        self.words = [word for word in range(len(guess.low)) if word not in guess.sums]
        self.stage_words = [word for word in self.words if guess.sign[word]]
        self.node_words = [word for word in self.words if not guess.sign[word]]
        names = [(field.name, field.compare) for field in fields(self._start)]
        #: the record that compiled rules read
        self._record = np.dtype(
            [(name, np.int64, np.shape(getattr(self._start, name))) for name, _ in names]
        )
        self._size = self._record.itemsize // 8
        places: Any = np.arange(self._size).view(self._record)
        #: by word: where it is in the record; parts of a score are no words
        self.offset = [int(at) for name, is_word in names if is_word for at in places[name].flat]
        parts = [int(at) for name, is_word in names if not is_word for at in places[name].flat]
        self.fixed = Fixed(rules, aim, guess.sums, frozenset(self.stage_words))
        self.columns = self.fixed.columns
        self.w = self._layout(aim, parts)
        self.fixed.node(self.fixed.key(self._start))
        while len(self.fixed.actor) < len(self.fixed.keys) and self.fixed.calls < FIXED_CALLS:
            self.fixed._walk(len(self.fixed.actor))
        self.t, self.d = self._buffers(more)
        self._enter_fixed()

    def run(self, entries: int) -> int:
        """Run the kernel until this number of entries is known, it is done, or something is wrong; what that is."""
        self._kernel(self._g, self.w, self.t, self.d, entries)
        return int(self.t.count[stages.TROUBLE])

    def wait(self, entry: int) -> None:
        """Let the kernel work out an entry in its next run."""
        self.d.entry[0], self.d.scanned[0] = entry, -1
        self.t.status[entry], self.t.count[stages.DEPTH] = 0, 1

    def keys(self, begin: int, end: int) -> list[Key]:
        """The positions of some entries."""
        t, flat = self.t, np.zeros((self._size, end - begin), np.int64)
        stages.unpack(t.entry_stage[begin:end], self.w.stage, flat)
        stages.unpack(t.node_key[t.entry_node[begin:end]], self.w.node, flat)
        return list(zip(*flat[[self.offset[word] for word in self.words]].tolist(), strict=True))

    def _layout(self, aim: str, parts: list[int]) -> stages.Words:
        guess, rules = self._guess, self._rules

        def packing(words: Sequence[int]) -> stages.Packing:
            bits = [(guess.high[word] - guess.low[word]).bit_length() for word in words]
            if sum(bits) > KEY_BITS:
                raise TooLarge(f"a position has more than {KEY_BITS} bits: {rules.named(words)}")
            shifts = [*accumulate(bits, initial=0)][:-1]
            places, lowest = [self.offset[word] for word in words], [guess.low[word] for word in words]
            numbers = places, lowest, [(1 << size) - 1 for size in bits], shifts
            return stages.Packing(*(np.array(some, np.int64) for some in numbers))

        base: Any = np.zeros(self._size, np.int64)
        base[self.offset] = rules.layout.reader(range(len(self.offset)))(self._start)
        rolls = [roll for some in EQUAL_ROLLS for roll in some]
        return stages.Words(
            base,
            packing(self.stage_words),
            np.array([guess.sign[word] for word in self.stage_words], np.int64),
            packing(self.node_words),
            wrong=np.zeros(self._size, np.int64),
            parts=np.array(parts if aim == POINTS else [], np.int64),
            seat=self.offset[rules.layout.names.index("seat")],
            win=aim == WIN,
            columns=self.columns,
            seats=rules.game.players,
            roll_first=np.array([*accumulate(map(len, EQUAL_ROLLS), initial=0)]),
            roll_case=np.array([case for case, _ in rolls]),
            roll_weight=np.array([ways for _, ways in rolls]),
        )

    def _buffers(self, more: int) -> tuple[stages.Tables, stages.Desk]:
        """The tables and the desk; the system commits only memory that is written."""
        n, e, steps, depth, size = (more * size for size in (1 << 18, 1 << 20, 1 << 21, 1 << 14, 1 << 18))
        rules, c, flat = self._rules, self.columns, np.zeros(self._size, np.int64)
        seats = rules.game.players

        def new(length: int, kind: type = np.int64) -> Any:
            return np.zeros(length, kind)

        def new_graph(nodes: int, edges: int) -> Graph:
            return Graph(new(nodes), new(nodes + 1), new(edges), new(edges, float), new(edges * c, float))

        fixed = new_graph(len(self.fixed.actor), len(self.fixed.target))
        for row, found in zip(fixed, self.fixed.graph(), strict=True):
            row[: len(found)] = found  # chances to win have no rewards
        nodes, entries = (new(4 * n), new(n), new(n)), (new(4 * e), new(e), new(e), new(e))
        tables = stages.Tables(new(stages.COUNTS), *nodes, fixed, *entries, new(e * c, float))
        plan = Plan(new(size), new(size + 1), new(size), new(size), new(size))
        rows = new(size), new(size), new(size), new(MAX_COEFFICIENTS, float), new(size * c, float)
        scratch = Scratch(*rows, new(MAX_CUTS * (MAX_CUTS + c), float), np.full(1, -1.0))
        for_rules = new(self._size), new(rules.game.max_moves + 1), new(seats), new(seats)
        waiting = *(new(depth) for _ in range(4)), new_graph(steps, steps), new(steps), new(n), new(n)
        worked = plan, new(size * c, float), np.zeros((6, size + 1), np.int64), scratch
        return tables, stages.Desk._make((flat.view(self._record), flat, *for_rules, *waiting, *worked))

    def _enter_fixed(self) -> None:
        """The fixed nodes are the first, with the numbers that they have already."""
        t, w, flat = self.t, self.w, self.w.base.copy()
        for number, key in enumerate(self.fixed.keys):
            flat[[self.offset[word] for word in self.fixed.words]] = key
            packed = int(stages.packed(w, t, flat, w.node))
            if t.count[stages.TROUBLE] == FINE and stages.find_node(t, packed) != number:
                raise PaschError("two positions have the same key")


def kernel_for(rules: Rules) -> Any:
    """`stages.run`, compiled with the rules of a game; the machine code lies beside the tables."""
    names = "cases", "chance", "moves", "move", "scores", "winners", "equal_dice"
    used: dict[str, Any] = {name: getattr(rules, name) for name in names}
    return compile_plain(stages.run, replace=used, name=rules.game.id)


class StagedSolver:
    """Solves one game for points or for the chance to win."""

    def __init__(self, rules: Rules, aim: str, budget: Budget, report: Progress) -> None:
        self._rules, self._aim, self._budget, self._report = rules, aim, budget, report
        self._begun, self._kernel = time.perf_counter(), kernel_for(rules)
        self.notes = list[str]()
        self._guess = Guess.seen(rules, aim)
        #: the size of the buffers, as a multiple of the initial size
        self._more = 1
        self._report(0.0, "compiling")
        while self._solve() or self._looks_at_sums():
            if len(self.notes) > MAX_RESTARTS:
                raise TooLarge("words of positions grow without bound: " + "; ".join(self.notes[-3:]))

    def _solve(self) -> bool:
        """Solve the game; True if it has to restart."""
        made = self._stages = Stages(self._rules, self._aim, self._guess, self._kernel, self._more)
        t, w, trouble = made.t, made.w, int(made.t.count[stages.TROUBLE])
        made.wait(stages.find_entry(t, int(stages.packed(w, t, w.base, w.stage)), 0))
        while trouble == FINE and t.count[stages.DEPTH] > 0:
            trouble = self._continue()
            self._check_budget()
        if trouble == stages.FULL:
            self._more *= 8
            self.notes.append("the buffers were too small")
        elif trouble in (stages.RANGE, stages.ORDER):
            self._learn()
        else:
            check(trouble)
        return trouble != FINE

    def _continue(self) -> int:
        """Run the kernel until it knows some more entries, is done, or finds something wrong."""
        known = int(self._stages.t.count[stages.ENTRIES])
        self._report(min(0.95, known / self._budget.positions), f"{known:,} positions")
        return self._stages.run(known + ENTRIES_AT_ONCE)

    def _check_budget(self) -> None:
        entries, seconds = int(self._stages.t.count[stages.ENTRIES]), time.perf_counter() - self._begun
        if self._budget.is_exceeded(entries, entries * ENTRY_BYTES, self._begun):
            low, high = self._guess.low, self._guess.high
            largest = sorted(self._stages.words, key=lambda word: low[word] - high[word])[:3]
            raise TooLarge(
                f"more than {entries:,} positions at the beginnings of stages after {seconds:.0f} s, and more to come;"
                f" the words with most values are {self._rules.named(largest)}: with fewer of these it would fit"
            )

    # --- wrong guesses ----------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Give words with a wrong guess a larger range or another kind."""
        _, low, high, sign = self._guess
        for word in self._stages.words:
            wrong, name = (
                int(self._stages.w.wrong[self._stages.offset[word]]),
                self._rules.layout.names[word],
            )
            size = high[word] - low[word] + 1
            if wrong & 3 and size == 1 and name not in ("actor", "seat"):
                # a word that never changed: it rises or falls now, until it is seen to go back
                sign[word] = -1 if wrong & 1 else 1
            if wrong & 1:
                low[word] -= size
            if wrong & 2:
                high[word] += size
            if wrong & 4:
                sign[word] = 0
            if wrong:
                self.notes.append(
                    f"{name} {'went back' if wrong & 4 else 'left its range'}, though not in the random games"
                )

    def _looks_at_sums(self) -> bool:
        """Work some entries out again with other sums; True if a word proves not to be one and solving restarts."""
        count, sums = int(self._stages.t.count[stages.ENTRIES]), self._guess.sums
        for words in {self._rules.layout.field(word) for word in sums}:
            if any(self._differs(n, words) for n in range(0, count, max(1, count // CHECKED))):
                self.notes.append(
                    f"the rules look at {self._rules.named(words)}, though not in the random games"
                )
                self._guess = Guess.seen(self._rules, self._aim, sums - words)
                return True
        return False

    def _differs(self, number: int, words: frozenset[int]) -> bool:
        """Whether an entry is worth something else if these words are."""
        t, w, c = self._stages.t, self._stages.w, self._stages.columns
        places = [self._stages.offset[word] for word in words]
        before, entries = t.value[number * c : (number + 1) * c].copy(), t.count[stages.ENTRIES]
        # each by another amount, so that differences between them change as well
        shift = 1009 * np.arange(1, len(places) + 1)
        w.base[places] += shift
        self._stages.wait(number)
        trouble = self._continue()
        w.base[places] -= shift
        changed = np.abs(t.value[number * c : (number + 1) * c] - before).max() > 1e-9
        return bool(changed or trouble != FINE or t.count[stages.ENTRIES] != entries)

    # --- what was found ---------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """The table of the solution (`pasch.solve.solved`)."""
        made, count = self._stages, int(self._stages.t.count[stages.ENTRIES])
        values = made.t.value[: count * made.columns].tolist()
        table = solution_table(
            made.keys(0, count), values, made.columns, self._guess.sums, leads=False, said=self.said()
        )
        return table | self._guess.arrays()

    def said(self) -> list[str]:
        """What was recognised and what it took."""
        t, guess = self._stages.t, self._guess
        entries, nodes, calls = (
            int(t.count[what]) for what in (stages.ENTRIES, stages.NODES, stages.CALLS)
        )
        moving = [word for word in self._stages.node_words if guess.low[word] < guess.high[word]]
        fixed = int((np.diff(t.fixed.first) > 0).sum())
        seconds = time.perf_counter() - self._begun
        return [
            f"left out of positions, because it is only added to: {self._rules.named(sorted(guess.sums))}",
            f"never goes back, so it makes the stages: {self._rules.named(self._stages.stage_words)}",
            f"comes and goes within a stage: {self._rules.named(moving)}",
            f"{entries:,} positions at the beginnings of stages of up to {nodes:,} nodes,"
            f" {fixed:,} of them the same in every stage",
            f"compiled and solved in {seconds:.1f} s with {calls:,} calls of the rules",
            precision(float(self._stages.d.scratch.error[0])),
            *self.notes,
        ]


class StageReader(Stages):
    """Values of positions between those of a table, by compiled code; those of one stage are remembered."""

    def __init__(
        self, rules: Rules, aim: str, table: Mapping[str, Any], kept: Callable[[Key], Any]
    ) -> None:
        super().__init__(rules, aim, Guess.read(table), kernel_for(rules), more=1)
        self._kept = kept
        # entry 0 is the position that is asked for
        self.t.count[stages.ENTRIES] = 1
        place = {self.offset[word]: place for place, word in enumerate(self.words)}
        #: by word of a stage, or of a node: its place in a key, lowest value, range, place in the packed key
        self._packings = [
            [(place[at], *rest) for at, *rest in zip(*map(np.ndarray.tolist, some), strict=True)]
            for some in (self.w.stage, self.w.node)
        ]
        #: the stage that was walked through last, and the values of its nodes by key
        self._stage, self._values, self._lock = -1, dict[int, list[float]](), Lock()

    def value(self, key: Key) -> list[float] | None:
        """What is still to come in a position, by column; None if that does not follow from the table."""
        packed = [0, 0]
        for which, words in enumerate(self._packings):
            for place, low, span, shift in words:
                above = key[place] - low
                if not 0 <= above <= span:
                    return None
                packed[which] |= above << shift
        stage, node = packed
        with self._lock:
            if stage != self._stage or node not in self._values:
                self._stage, self._values = stage, self._walk(stage, node)
            return self._values.get(node)

    def _walk(self, stage: int, node: int) -> dict[int, list[float]]:
        """Work out a stage from one of its nodes; the values of the nodes that it comes to, nothing after a failure."""
        t, c = self.t, self.columns
        t.entry_stage[0], t.entry_node[0] = stage, stages.find_node(t, node)
        self.wait(0)
        known = int(t.count[stages.ENTRIES])
        trouble = self.run(known + 1)
        # the kernel comes back if there are new entries: they are in the table
        for number, key in enumerate(self.keys(known, int(t.count[stages.ENTRIES])), known):
            found = self._kept(key)
            if found is None:
                return {}
            t.value[number * c : (number + 1) * c], t.status[number] = found, stages.SOLVED
        if trouble == FINE and t.count[stages.DEPTH] > 0:
            trouble = self.run(len(t.status))
        nodes = self.d.node[: int(t.count[stages.REACHED])]
        values = self.d.value[: len(nodes) * c].reshape(-1, c).tolist()
        return {} if trouble else dict(zip(t.node_key[nodes].tolist(), values, strict=True))
