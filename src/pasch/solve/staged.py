"""Solving a large game by compiled code, stage by stage (`pasch.solve.stages`): its guesses and buffers.

Random games suggest which words are monotonic and how large words become; the kernels check both on every step. After
a wrong guess the word changes its kind or gets a larger range, and solving restarts: that costs time, not accuracy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Any, Final

import numpy as np

from pasch.core.errors import PaschError
from pasch.core.state import OVER
from pasch.solve import stages
from pasch.solve.compiled import compile_plain
from pasch.solve.explore import POINTS, WIN, Budget, Explored, TooLarge, random_games, solution_table
from pasch.solve.graph import (
    FINE,
    MAX_COEFFICIENTS,
    MAX_CUTS,
    Graph,
    Plan,
    Scratch,
    check,
    precision,
)
from pasch.solve.positions import EQUAL_ROLLS, Key, Looked, Rules, Sum
from pasch.solve.records import arrays
from pasch.solve.stages import (
    CALLS,
    DEPTH,
    ENTRIES,
    FULL,
    NODES,
    ORDER,
    RANGE,
    TROUBLE,
    Desk,
    Packing,
    Tables,
    Words,
)
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


class StagedSolver:
    """Solves one game for points or for the chance to win."""

    def __init__(self, rules: Rules, aim: str, budget: Budget, report: Progress) -> None:
        self.rules, self.aim, self._budget, self._report = rules, aim, budget, report
        self._begun, self._start = time.perf_counter(), rules.game.start().unpack()
        self.notes = list[str]()
        self._see(None)
        self._lay_flat()
        #: the size of the buffers, as a multiple of the initial size
        self._more = 1
        used: dict[str, Any] = {
            name: getattr(rules, name)
            for name in ("cases", "chance", "moves", "move", "scores", "winners", "equal_dice")
        }
        self._report(0.0, "compiling")
        self._run = compile_plain(stages.run, replace=used, name=rules.game.id)
        self._g = arrays(rules.g)
        while self._solve() or self._looks_at_sums():
            if len(self.notes) > MAX_RESTARTS:
                raise TooLarge("words of positions grow without bound: " + "; ".join(self.notes[-3:]))

    # --- words ----------------------------------------------------------------------------------------

    def _see(self, sums: frozenset[int] | None) -> None:
        """See in random games what the words do, of which at most `sums` are only added to."""
        walked, steps = random_games(self.rules, self.aim, self._start, sums, RANDOM_STEPS)
        self.sums, self.columns, self.words = walked.sums, walked.columns, walked.words
        #: the range of each word, and words that only rise (1) or only fall (-1)
        self._low, self._high, self._progress = dict[int, int](), dict[int, int](), dict[int, int]()
        for place, (word, first) in enumerate(zip(self.words, walked.key(self._start), strict=True)):
            seen = [(before[place], after[place]) for before, after in steps]
            values = {first, *(after for _, after in seen)}
            self._low[word], self._high[word] = min(values), max(values)
            rises = all(after >= before for before, after in seen)
            falls = all(after <= before for before, after in seen)
            # parts of a score are by seat, so that nodes have to know it
            if rises != falls and self.rules.layout.names[word] not in ("actor", "seat"):
                self._progress[word] = 1 if rises else -1

    def _lay_flat(self) -> None:
        """Where the words lie in the record that compiled rules read."""
        kinds, self._offset, self._parts, at = [], list[int](), list[int](), 0
        for field in fields(self._start):
            shape = np.shape(getattr(self._start, field.name))
            kinds.append((field.name, np.int64, shape))
            places = range(at, at + int(np.prod(shape, dtype=int)))
            if field.compare:
                self._offset += places
            else:
                self._parts += places
            at = places.stop
        self._record, self._size = np.dtype(kinds), at

    def _layout(self) -> Words:
        def packing(words: Sequence[int]) -> Packing:
            bits = [(self._high[word] - self._low[word]).bit_length() for word in words]
            if sum(bits) > KEY_BITS:
                raise TooLarge(f"a position has more than {KEY_BITS} bits: {self.rules.named(words)}")
            shifts = [*accumulate(bits, initial=0)][:-1]
            places, lowest = [self._offset[word] for word in words], [self._low[word] for word in words]
            numbers = places, lowest, [(1 << size) - 1 for size in bits], shifts
            return Packing(*(np.array(some, np.int64) for some in numbers))

        stage = sorted(self._progress)
        node = [word for word in self.words if word not in self._progress]
        base: Any = np.zeros(self._size, np.int64)
        base[self._offset] = self.rules.layout.reader(range(len(self._offset)))(self._start)
        rolls = [roll for some in EQUAL_ROLLS for roll in some]
        first = np.array([*accumulate(map(len, EQUAL_ROLLS), initial=0)])
        signs = np.array([self._progress[word] for word in stage], np.int64)
        parts = np.array(self._parts if self.aim == POINTS else [], np.int64)
        seat = self._offset[self.rules.layout.names.index("seat")]
        case, weight = np.array([case for case, _ in rolls]), np.array([ways for _, ways in rolls])
        wrong = np.zeros(self._size, np.int64)
        aim = self.aim == WIN, self.columns, self.rules.game.players
        rest = wrong, parts, seat, *aim, first, case, weight
        return Words._make((base, packing(stage), signs, packing(node), *rest))

    # --- buffers ----------------------------------------------------------------------------------------

    def _solve(self) -> bool:
        """Solve the game; True if it has to restart."""
        self._w = self._layout()
        walked = self._fixed = Fixed(self.rules, self.aim, self.sums, frozenset(self._progress))
        walked.node(walked.key(self._start))
        while len(walked.actor) < len(walked.keys) and walked.calls < FIXED_CALLS:
            walked._walk(len(walked.actor))
        self._allocate()
        self._enter_fixed()
        t, d, trouble = self._t, self._d, int(self._t.count[TROUBLE])
        stage = stages.packed(self._w, t, self._w.base, self._w.stage)
        d.entry[0], d.scanned[0], t.count[DEPTH] = stages.find_entry(t, stage, 0), -1, 1
        while trouble == FINE and t.count[DEPTH] > 0:
            self._continue()
            trouble = int(t.count[TROUBLE])
            self._check_budget()
        if trouble == FULL:
            self._more *= 8
            self.notes.append("the buffers were too small")
        elif trouble in (RANGE, ORDER):
            self._learn()
        else:
            check(trouble)
        return trouble != FINE

    def _continue(self) -> None:
        """Run the kernel until it knows some more entries, is done, or finds something wrong."""
        known = int(self._t.count[ENTRIES])
        self._report(min(0.95, known / self._budget.positions), f"{known:,} positions")
        self._run(self._g, self._w, self._t, self._d, known + ENTRIES_AT_ONCE)

    def _allocate(self) -> None:
        """Allocate the tables and the desk; the system commits only memory that is written."""
        n, e, steps, depth, size = (
            self._more * size for size in (1 << 18, 1 << 20, 1 << 21, 1 << 14, 1 << 18)
        )
        c, seats, flat = self.columns, self.rules.game.players, np.zeros(self._size, np.int64)

        def new(length: int, kind: type = np.int64) -> Any:
            return np.zeros(length, kind)

        def new_graph(nodes: int, edges: int) -> Graph:
            return Graph(new(nodes), new(nodes + 1), new(edges), new(edges, float), new(edges * c, float))

        walked = self._fixed
        fixed = new_graph(len(walked.actor), len(walked.target))
        for row, found in zip(fixed, walked.graph(), strict=True):
            row[: len(found)] = found  # chances to win have no rewards
        nodes, entries = (new(4 * n), new(n), new(n)), (new(4 * e), new(e), new(e), new(e))
        self._t = Tables(new(stages.COUNTS), *nodes, fixed, *entries, new(e * c, float))
        plan = Plan(new(size), new(size + 1), new(size), new(size), new(size))
        rows = new(size), new(size), new(size), new(MAX_COEFFICIENTS, float), new(size * c, float)
        scratch = Scratch(*rows, new(MAX_CUTS * (MAX_CUTS + c), float), np.full(1, -1.0))
        for_rules = new(self._size), new(self.rules.game.max_moves + 1), new(seats), new(seats)
        waiting = *(new(depth) for _ in range(4)), new_graph(steps, steps), new(steps), new(n), new(n)
        worked = plan, new(size * c, float), np.zeros((6, size + 1), np.int64), scratch, new(0, float)
        self._d = Desk._make((flat.view(self._record), flat, *for_rules, *waiting, *worked))

    def _check_budget(self) -> None:
        entries, seconds = int(self._t.count[ENTRIES]), time.perf_counter() - self._begun
        if self._budget.is_exceeded(entries, entries * ENTRY_BYTES, self._begun):
            largest = sorted(self.words, key=lambda word: self._low[word] - self._high[word])[:3]
            raise TooLarge(
                f"more than {entries:,} positions at the beginnings of stages after {seconds:.0f} s, and more to come;"
                f" the words with most values are {self.rules.named(largest)}: with fewer of these it would fit"
            )

    # --- nodes with the same steps in every stage -----------------------------------------------------------

    def _enter_fixed(self) -> None:
        """The fixed nodes are the first, with the numbers that they have already."""
        t, w, flat = self._t, self._w, self._w.base.copy()
        for number, key in enumerate(self._fixed.keys):
            flat[[self._offset[word] for word in self._fixed.words]] = key
            packed = int(stages.packed(w, t, flat, w.node))
            if t.count[TROUBLE] == FINE and stages.find_node(t, packed) != number:
                raise PaschError("two positions have the same key")

    # --- wrong guesses ----------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Give words with a wrong guess a larger range or another kind."""
        low, high, progress = self._low, self._high, self._progress
        for word in self.words:
            wrong, name = int(self._w.wrong[self._offset[word]]), self.rules.layout.names[word]
            size = high[word] - low[word] + 1
            if wrong & 3 and size == 1 and name not in ("actor", "seat"):
                # a word that never changed: it rises or falls now, until it is seen to go back
                progress[word] = -1 if wrong & 1 else 1
            if wrong & 1:
                low[word] -= size
            if wrong & 2:
                high[word] += size
            if wrong & 4:
                progress.pop(word, None)
            if wrong:
                self.notes.append(
                    f"{name} {'went back' if wrong & 4 else 'left its range'}, though not in the random games"
                )

    def _looks_at_sums(self) -> bool:
        """Work some entries out again with other sums; True if a word proves not to be one and solving restarts."""
        count = int(self._t.count[ENTRIES])
        for words in {self.rules.layout.field(word) for word in self.sums}:
            if any(self._differs(n, words) for n in range(0, count, max(1, count // CHECKED))):
                self.notes.append(
                    f"the rules look at {self.rules.named(words)}, though not in the random games"
                )
                self._see(self.sums - words)
                return True
        return False

    def _differs(self, number: int, words: frozenset[int]) -> bool:
        """Whether an entry is worth something else if these words are."""
        t, d, c, places = self._t, self._d, self.columns, [self._offset[word] for word in words]
        before, entries = t.value[number * c : (number + 1) * c].copy(), t.count[ENTRIES]
        # each by another amount, so that differences between them change as well
        shift = 1009 * np.arange(1, len(places) + 1)
        self._w.base[places] += shift
        t.status[number], t.count[DEPTH] = 0, 1
        d.entry[0], d.scanned[0] = number, -1
        self._continue()
        self._w.base[places] -= shift
        changed = np.abs(t.value[number * c : (number + 1) * c] - before).max() > 1e-9
        return bool(changed or t.count[TROUBLE] != FINE or t.count[ENTRIES] != entries)

    # --- what was found ---------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """The table of the solution (`pasch.solve.solved`)."""
        t, w, count = self._t, self._w, int(self._t.count[ENTRIES])
        flat = np.zeros((self._size, count), np.int64)
        stages.unpack(t.entry_stage[:count], w.stage, flat)
        stages.unpack(t.node_key[t.entry_node[:count]], w.node, flat)
        keys = list(zip(*flat[[self._offset[word] for word in self.words]].tolist(), strict=True))
        values = self._t.value[: count * self.columns].tolist()
        return solution_table(keys, values, self.columns, self.sums, leads=False, said=self.said())

    def said(self) -> list[str]:
        """What was recognised and what it took."""
        t, turn = self._t, [w for w in self.words if w not in self._progress]
        moving = [word for word in turn if self._low[word] < self._high[word]]
        fixed = int((np.diff(t.fixed.first) > 0).sum())
        seconds = time.perf_counter() - self._begun
        return [
            f"left out of positions, because it is only added to: {self.rules.named(sorted(self.sums))}",
            f"never goes back, so it makes the stages: {self.rules.named(sorted(self._progress))}",
            f"comes and goes within a stage: {self.rules.named(moving)}",
            f"{t.count[ENTRIES]:,} positions at the beginnings of stages of up to {t.count[NODES]:,} nodes,"
            f" {fixed:,} of them the same in every stage",
            f"compiled and solved in {seconds:.1f} s with {t.count[CALLS]:,} calls of the rules",
            precision(float(self._d.scratch.error[0])),
            *self.notes,
        ]
