"""Solving a large game by compiled code, stage by stage (`pasch.solve.stages`): what makes a stage, and room for it all.

Random games tell which words never go back and how large words become; the kernels check both on every step. A word that
was taken wrongly changes its kind or gets more room, and solving begins anew: that costs time, no digits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from pasch.core.errors import PaschError
from pasch.core.state import OVER
from pasch.solve import stages
from pasch.solve.compiled import compile_plain
from pasch.solve.explore import POINTS, WIN, Budget, Explored, TooLarge, guess_sums
from pasch.solve.graph import FINE, MAX_COEFFICIENTS, MAX_CUTS, SAID, Endless, Graph, Plan, Room
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
    STUCK,
    TROUBLE,
    Desk,
    Tables,
    Words,
)
from pasch.solve.valuer import Report

#: steps of random games that are played to see what comes and goes, and calls that look for fixed nodes
RANDOM_STEPS: Final = 20_000
FIXED_CALLS: Final = 300_000
#: how often solving may begin anew before a word is taken to have no bound
MAX_RESTARTS: Final = 60
KEY_BITS: Final = 62
#: entries after which the kernel comes back, so that progress can be shown
ENTRIES_AT_ONCE: Final = 20_000
#: entries that are worked out again with other sums
CHECKED: Final = 300


class Kinds(NamedTuple):
    """What the words of a position were seen to do."""

    low: dict[int, int]
    high: dict[int, int]
    #: words that only rise (1) or only fall (-1)
    progress: dict[int, int]


class Fixed(Explored):
    """Nodes whose steps are the same in every stage: the rules do not look at the words of the stage, which are `Sum`s."""

    def __init__(self, rules: Rules, aim: str, sums: frozenset[int], progress: frozenset[int]) -> None:
        super().__init__(rules, aim, sums | progress)
        self._stage = rules.layout.reader(sorted(progress))

    def _edge(self, s: Any, before: Key, scores: tuple[Any, ...]) -> tuple[int, tuple[float, ...]]:
        for value in self._stage(s):
            if type(value) is not Sum or value.added != 0 or s.actor == OVER:
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

    def __init__(self, rules: Rules, aim: str, budget: Budget, report: Report) -> None:
        self.rules, self.aim, self._budget, self._report = rules, aim, budget, report
        self._begun, self._start = time.perf_counter(), rules.game.start().unpack()
        self.sums, self.notes = guess_sums(rules, aim, self._start), list[str]()
        walked = Explored(rules, aim, self.sums)
        self.columns, self.words = walked.columns, walked.words
        self._kinds = self._seen(walked)
        self._lay_flat()
        used: dict[str, Any] = {
            name: getattr(rules, name)
            for name in ("cases", "chance", "moves", "move", "scores", "winners", "equal_dice")
        }
        self._report(0.0, "compiling")
        self._run = compile_plain(stages.run, replace=used, name=rules.game.id)
        self._fill_slots = compile_plain(stages.fill_slots)
        self._g = arrays(rules.g)
        while self._solve():
            if len(self.notes) > MAX_RESTARTS:
                raise TooLarge("the words of positions grow without bound: " + "; ".join(self.notes[-3:]))
        self._check_sums()

    # --- words ----------------------------------------------------------------------------------------

    def _seen(self, walked: Explored) -> Kinds:
        """Play random games and see what words do."""
        start = walked.key(self._start)
        low, high = list(start), list(start)
        rises, falls = set(range(len(start))), set(range(len(start)))

        def see(before: Key, after: Key) -> None:
            for place, (old, new) in enumerate(zip(before, after, strict=True)):
                if new > old:
                    falls.discard(place)
                    high[place] = max(high[place], new)
                elif new < old:
                    rises.discard(place)
                    low[place] = min(low[place], new)

        walked.play(self._start, RANDOM_STEPS, see=see)
        never = {self.rules.layout.names.index("actor")}
        one_way = {p for p in rises ^ falls if low[p] < high[p] and self.words[p] not in never}
        return Kinds(
            dict(zip(self.words, low, strict=True)),
            dict(zip(self.words, high, strict=True)),
            {self.words[p]: 1 if p in rises else -1 for p in one_way},
        )

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
        low, high, progress = self._kinds

        def columns(words: Sequence[int]) -> list[Any]:
            bits = [(high[word] - low[word]).bit_length() for word in words]
            if sum(bits) > KEY_BITS:
                raise TooLarge(f"a position has more than {KEY_BITS} bits: {self.rules.named(words)}")
            shifts = [*accumulate(bits, initial=0)][:-1]
            numbers = (
                [self._offset[w] for w in words],
                [low[w] for w in words],
                [(1 << b) - 1 for b in bits],
                shifts,
            )
            return [np.array(some, np.int64) for some in numbers]

        stage = sorted(progress)
        node = [word for word in self.words if word not in progress]
        base = np.zeros(self._size, np.int64)
        base[self._offset] = self.rules.layout.reader(range(len(self._offset)))(self._start)
        rolls = [roll for some in EQUAL_ROLLS for roll in some]
        first = np.array([*accumulate(map(len, EQUAL_ROLLS), initial=0)])
        signs = np.array([progress[word] for word in stage], np.int64)
        parts = np.array(self._parts if self.aim == POINTS else [], np.int64)
        seat = self._offset[self.rules.layout.names.index("seat")]
        case, weight = np.array([case for case, _ in rolls]), np.array([ways for _, ways in rolls])
        wrong = np.zeros(self._size, np.int64)
        return Words(base, *columns(stage), signs, *columns(node), wrong, parts, seat, first, case, weight)

    # --- room -------------------------------------------------------------------------------------------

    def _solve(self) -> bool:
        """Work everything out; True if it has to begin anew."""
        self._w = self._layout()
        self._sizes = {
            "nodes": 1 << 11,
            "entries": 1 << 12,
            "steps": 1 << 14,
            "depth": 1 << 8,
            "graph": 1 << 14,
        }
        self._t: Any = None
        self._fixed = Fixed(self.rules, self.aim, self.sums, frozenset(self._kinds.progress))
        self._fixed.node(self._fixed.key(self._start))
        while len(self._fixed.actor) < len(self._fixed.keys) and self._fixed.calls < FIXED_CALLS:
            self._fixed._walk(len(self._fixed.actor))
        while len(self._fixed.keys) * 2 > self._sizes["nodes"]:
            self._sizes["nodes"] *= 2
        self._make_room()
        if self._t.count[TROUBLE] == RANGE:
            self._learn()
            return True
        stage = self._packed(self._start, self._w.stage_at, self._w.stage_low, self._w.stage_shift)
        entry = stages.find_entry(self._t, stage, 0)
        self._d.entry[0], self._d.scanned[0], self._t.count[DEPTH] = entry, -1, 1
        t = self._t
        while t.count[DEPTH] > 0:
            self._go_on()
            t, trouble = self._t, int(self._t.count[TROUBLE])
            self._check_budget()
            if trouble == FULL:
                self._grow()
                t = self._t
            elif trouble in (RANGE, ORDER):
                self._learn()
                return True
            elif trouble == STUCK:
                raise Endless("the rules allow no move where a seat has to choose")
            elif trouble != FINE:
                raise Endless(SAID[trouble])
            t.count[TROUBLE] = FINE
        return False

    def _go_on(self) -> None:
        known = int(self._t.count[ENTRIES])
        self._report(min(0.95, known / self._budget.positions), f"{known:,} positions")
        seats, win = self.rules.game.players, self.aim == WIN
        self._run(self._g, self._w, self._t, self._d, win, self.columns, seats, known + ENTRIES_AT_ONCE)

    def _packed(self, s: Any, at: Any, low: Any, shift: Any) -> int:
        words = dict(zip(self._offset, self.rules.layout.reader(range(len(self._offset)))(s), strict=True))
        return sum(
            words[int(p)] - int(least) << int(up) for p, least, up in zip(at, low, shift, strict=True)
        )

    def _make_room(self) -> None:
        """New tables and a new desk; what is known goes into them."""
        n, e, steps, depth, size = self._sizes.values()
        old, c = self._t, self.columns

        def kept(name: str, length: int, fill: float = 0) -> Any:
            made = np.full(length, fill, np.float64 if isinstance(fill, float) else np.int64)
            if old is not None:
                before = getattr(old, name)
                made[: len(before)] = before
            return made

        fixed = [kept(name, n) for name in ("fixed_first", "fixed_last", "fixed_actor")]
        slots = [np.full(4 * length, -1, np.int64) for length in (n, e)]
        self._t = Tables(
            kept("count", stages.COUNTS), slots[0], kept("node_key", n), kept("is_entry", n), *fixed,
            self._fixed_edges() if old is None else old.fixed, slots[1], kept("entry_stage", e),
            kept("entry_node", e), kept("status", e), kept("value", e * c, 0.0),
        )  # fmt: skip
        if old is None:
            self._enter_fixed()
        else:
            self._fill_slots(self._t)
        self._make_desk(n, steps, depth, size)

    def _make_desk(self, n: int, steps: int, depth: int, size: int) -> None:
        before = getattr(self, "_d", None) if self._t.count[DEPTH] else None
        c = self.columns
        flat = np.zeros(self._size, np.int64)

        def kept(name: str, length: int, fill: float = 0) -> Any:
            made = np.full(length, fill, np.float64 if isinstance(fill, float) else np.int64)
            if before is not None:
                made[: len(getattr(before, name))] = getattr(before, name)
            return made

        def new(length: int, fill: float = 0) -> Any:
            return np.full(length, fill, np.float64 if isinstance(fill, float) else np.int64)

        graph = Graph(new(size), new(size + 1), new(4 * size), new(4 * size, 0.0), new(4 * size * c, 0.0))
        plan = Plan(new(size), new(size + 1), new(size), new(size), new(size))
        room = Room(
            new(size, -1), new(size, -1), new(size), new(MAX_COEFFICIENTS, 0.0), new(size * c, 0.0),
            new(MAX_CUTS * (MAX_CUTS + c), 0.0), new(1, 0.0),
        )  # fmt: skip
        seats = max(self.rules.game.players, c)
        stack = [kept(name, depth) for name in ("entry", "first_step", "first_asked", "scanned")]
        asked = [kept(name, steps) for name in ("asked_actor", "asked_first")]
        edges = kept("target", steps), kept("weight", steps, 0.0), kept("reward", steps * c, 0.0)
        self._d = Desk(
            flat.view(self._record), flat, new(self._size), new(self.rules.game.max_moves + 1), new(seats), new(seats),
            *stack, *asked, *edges, new(n), new(n), new(n), graph, plan, new(size * c, 0.0), np.zeros((6, size + 1), np.int64),
            room, new(0, 0.0),
        )  # fmt: skip
        self._t.count[stages.STAMP] = 0

    def _grow(self) -> None:
        """Make room: what is more than half full becomes twice as large, or everything if it is nothing of that."""
        t, sizes = self._t, self._sizes
        depth = int(t.count[DEPTH])
        grown = {
            "nodes": 2 * int(t.count[NODES]) > sizes["nodes"],
            "entries": 2 * int(t.count[ENTRIES]) > sizes["entries"],
            "depth": 2 * depth > sizes["depth"],
            "steps": 2 * int(t.count[stages.STEPS]) > sizes["steps"],
        }
        grown["graph"] = not any(grown.values()) or grown["steps"]
        self._sizes = {name: size * (2 if grown[name] else 1) for name, size in sizes.items()}
        self._make_room()

    def _check_budget(self) -> None:
        t, budget = self._t, self._budget
        bytes_ = sum(
            part.nbytes for some in (t, self._d, self._d.graph) for part in some if hasattr(part, "nbytes")
        )
        seconds = time.perf_counter() - self._begun
        if (
            t.count[ENTRIES] > budget.positions
            or bytes_ >> 20 > budget.mebibytes
            or seconds > budget.seconds
        ):
            largest = sorted(self.words, key=lambda word: self._kinds.low[word] - self._kinds.high[word])[
                :3
            ]
            raise TooLarge(
                f"more than {int(t.count[ENTRIES]):,} positions at the beginnings of stages after {seconds:.0f} s, and more"
                f" coming; the words with most values are {self.rules.named(largest)}: with fewer of these it would fit"
            )

    # --- nodes with the same steps in every stage -----------------------------------------------------------

    def _fixed_edges(self) -> Graph:
        walked, none = self._fixed, np.zeros(0, np.int64)
        reward = walked.reward if self.aim == POINTS else [0.0] * (len(walked.target) * self.columns)
        return Graph(
            none,
            none,
            np.array(walked.target, np.int64),
            np.array(walked.weight, float),
            np.array(reward, float),
        )

    def _enter_fixed(self) -> None:
        """The fixed nodes are the first, with the numbers that they have already."""
        walked, t, w = self._fixed, self._t, self._w
        for number, key in enumerate(walked.keys):
            words = dict(zip([self._offset[word] for word in walked.words], key, strict=True))
            packed = 0
            for at, low, span, shift in zip(w.node_at, w.node_low, w.node_span, w.node_shift, strict=True):
                value = words[int(at)] - int(low)
                if not 0 <= value <= span:
                    w.wrong[at] |= 1 if value < 0 else 2
                    t.count[TROUBLE] = RANGE
                packed |= max(value, 0) << int(shift)
            if t.count[TROUBLE] == FINE and stages.find_node(t, packed) != number:
                raise PaschError("two positions have the same key")
            if number < len(walked.actor):
                t.fixed_first[number], t.fixed_last[number] = walked.first[number : number + 2]
                t.fixed_actor[number] = walked.actor[number]

    # --- wrong guesses ----------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Give words that did something unseen more room or another kind."""
        low, high, progress = self._kinds
        for word in self.words:
            wrong, name = int(self._w.wrong[self._offset[word]]), self.rules.layout.names[word]
            size = high[word] - low[word] + 1
            if wrong & 3 and size == 1:
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

    def _check_sums(self) -> None:
        """Work some entries out again with other sums; TooLarge if their values change."""
        t, w, count = self._t, self._w, int(self._t.count[ENTRIES])
        for number in range(0, count if self.sums else 0, max(1, count // CHECKED)):
            before = t.value[number * self.columns : (number + 1) * self.columns].copy()
            for word in self.sums:
                w.base[self._offset[word]] += 1009 + number % 97
            t.status[number] = 0
            self._d.entry[0], self._d.scanned[0], self._d.first_step[0], self._d.first_asked[0] = (
                number,
                -1,
                0,
                0,
            )
            t.count[DEPTH] = 1
            self._go_on()
            after = t.value[number * self.columns : (number + 1) * self.columns]
            if t.count[TROUBLE] != FINE or t.count[ENTRIES] != count or np.abs(after - before).max() > 1e-9:
                raise TooLarge(
                    f"the rules look at {self.rules.named(sorted(self.sums))}, though only far from the start"
                )

    # --- what was found ---------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """The table of the solution (`pasch.solve.solved`)."""
        t, w, count = self._t, self._w, int(self._t.count[ENTRIES])
        flat = np.zeros((self._size, count), np.int64)
        node = t.node_key[t.entry_node[:count]]
        for key, *some in ((t.entry_stage[:count], *w[1:5]), (node, *w[6:10])):
            for at, low, span, shift in zip(*some, strict=True):
                flat[at] = (key >> shift & span) + low
        words = flat[[self._offset[word] for word in self.words]]
        low, size = words.min(axis=1), words.max(axis=1) - words.min(axis=1) + 1
        if prod(map(int, size)).bit_length() > KEY_BITS:
            raise TooLarge(f"a position has more than {KEY_BITS} bits: {self.rules.named(self.words)}")
        keys = np.zeros(count, np.int64)
        for row, least, values in zip(words, low, size, strict=True):
            keys = keys * values + row - least
        order = np.argsort(keys)
        return {
            "sums": np.array(sorted(self.sums), np.int32),
            "low": low,
            "size": size,
            "keys": keys[order],
            "values": self.values()[order].ravel(),
            "leads": np.zeros(1, np.int32),
            "said": np.frombuffer("\n".join(self.said()).encode(), np.uint8),
        }

    def values(self) -> Any:
        """The values of all entries, by entry and column."""
        count = int(self._t.count[ENTRIES])
        return self._t.value[: count * self.columns].reshape(count, self.columns)

    def said(self) -> list[str]:
        """What was recognised and what it took."""
        t, turn = self._t, [w for w in self.words if w not in self._kinds.progress]
        moving = [word for word in turn if self._kinds.low[word] < self._kinds.high[word]]
        fixed = int((t.fixed_last > t.fixed_first).sum())
        seconds = time.perf_counter() - self._begun
        return [
            f"left out of positions, because it is only added to: {self.rules.named(sorted(self.sums))}",
            f"never goes back, so it makes the stages: {self.rules.named(sorted(self._kinds.progress))}",
            f"comes and goes within a stage: {self.rules.named(moving)}",
            f"{t.count[ENTRIES]:,} positions at the beginnings of stages of up to {t.count[NODES]:,} nodes,"
            f" {fixed:,} of them the same in every stage",
            f"compiled and solved in {seconds:.1f} s with {t.count[CALLS]:,} calls of the rules",
            f"exact but for rounding; cycles by linear equations, or iterated to within {self._d.room.error[0]:.0e}",
            *self.notes,
        ]
