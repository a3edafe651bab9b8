"""Kernels that walk through a large game stage by stage; compiled, with the rules of the game in place of some names.

Words that only ever rise or only ever fall make the *stage* of a position, the others its *node*. No step leads back to
an earlier stage, so whatever cycles there are lie within one. Kept are only the *entries*, the positions at which a
stage is entered. An entry is worked out when all entries to which its stage leads have been, deepest first, so that the
rules are asked once for every stage. *Fixed* nodes have the same steps in every stage, and these are there beforehand.

Ranges and order of the words are checked on every step: nothing here rests on what was seen before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pasch.core.state import CHANCE, OVER
from pasch.solve.graph import FINE, NO_MOVE, Graph, Plan, Scratch, Task, evaluate, order_nodes

SPREAD, SPREAD2 = 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D
#: where a step leads: to a node of the same stage (>= 0), to the end, or to an entry (ENTRY - number)
END, ENTRY = -1, -2
#: an entry that has been worked out
SOLVED = 1
#: what is counted
NODES, ENTRIES, DEPTH, FIRST, STEPS, REACHED, STAMP, TROUBLE, CALLS, COUNTS = range(10)
#: errors besides those of a component: a buffer is full, a word out of its range, a word that decreased
FULL, RANGE, ORDER = range(10, 13)


class Packing(NamedTuple):
    """How some words make one number: by word its place, lowest value, range (bits, all 1), place in the key."""

    at: Any
    low: Any
    span: Any
    shift: Any


class Words(NamedTuple):
    """How the words of a position make its stage and its node."""

    #: a position; words that are left out stay as they are here
    base: Any
    stage: Packing
    #: by word of a stage: rising 1, falling -1
    sign: Any
    node: Packing
    #: by place of a word: 1 if it was below its range, 2 above, 4 if it went back
    wrong: Any
    #: the places of the parts of a score
    parts: Any
    seat: int
    #: whether chances to win are wanted; how many columns values have, and how many seats there are
    win: bool
    columns: int
    seats: int
    #: cases of equal dice, by their number: where they begin, the case, and how many it stands for
    roll_first: Any
    roll_case: Any
    roll_weight: Any


class Tables(NamedTuple):
    """What is known of the game."""

    count: Any
    #: hash tables: the number of a node or an entry plus 1, or 0
    node_slots: Any
    node_key: Any
    #: by node: whether a stage was entered there
    is_entry: Any
    #: the steps of fixed nodes, which are the first; nodes among these without steps are not fixed
    fixed: Graph
    entry_slots: Any
    entry_stage: Any
    entry_node: Any
    status: Any
    #: by entry and column
    value: Any


class Desk(NamedTuple):
    """Where one stage is worked out, with those that wait for it."""

    #: the position as the rules have it, the same as words, and these before a step
    state: Any
    flat: Any
    saved: Any
    moves: Any
    before: Any
    after: Any
    #: stages that wait: the entry, how far its steps have been looked at, and where nodes and steps begin
    entry: Any
    scanned: Any
    first_node: Any
    first_step: Any
    #: the graphs of these stages, one behind the other; nodes are numbered from the beginning of their stage
    steps: Graph
    #: by node of these graphs: its number
    node: Any
    #: by number of a node: where it is in the stage that is walked through, and when it was reached
    place: Any
    stamp: Any
    plan: Plan
    value: Any
    indices: Any
    scratch: Scratch


# --- names that stand for the rules of a game -----------------------------------------------------------


def _never(*_: Any) -> Any:
    raise NotImplementedError


cases = chance = moves = move = scores = winners = equal_dice = _never


# --- keys -------------------------------------------------------------------------------------------------


def packed(w: Words, t: Tables, flat: Any, some: Packing) -> int:
    """Some words as one number; a word out of its range is noted."""
    key = 0
    for i in range(len(some.at)):
        v = flat[some.at[i]] - some.low[i]
        if v < 0 or v > some.span[i]:
            t.count[TROUBLE] = RANGE
            w.wrong[some.at[i]] |= 1 if v < 0 else 2
            v = 0
        key |= v << some.shift[i]
    return key


def unpack(key: Any, some: Packing, flat: Any) -> None:
    """Write the words that a number stands for."""
    for i in range(len(some.at)):
        flat[some.at[i]] = (key >> some.shift[i] & some.span[i]) + some.low[i]


def check_order(w: Words, t: Tables, before: Any, flat: Any) -> None:
    """No word of a stage may ever go back."""
    for i in range(len(w.stage.at)):
        at = w.stage.at[i]
        if (flat[at] - before[at]) * w.sign[i] < 0:
            t.count[TROUBLE] = ORDER
            w.wrong[at] |= 4


def find(t: Tables, what: int, slots: Any, first: Any, second: Any, one: int, other: int) -> Any:
    """The number of a pair of keys in a hash table; a new one if it is new."""
    last = len(slots) - 1
    at = (one * SPREAD + other * SPREAD2 >> 32) & last
    while slots[at] > 0:
        n = slots[at] - 1
        if first[n] == one and second[n] == other:
            return n
        at = (at + 1) & last
    n = t.count[what]
    if n >= len(first):
        t.count[TROUBLE] = FULL
        return 0
    t.count[what] = n + 1
    first[n], second[n], slots[at] = one, other, n + 1
    return n


def find_node(t: Tables, key: int) -> Any:
    """The number of a node."""
    return find(t, NODES, t.node_slots, t.node_key, t.node_key, key, key)


def find_entry(t: Tables, stage: int, node: int) -> Any:
    """The number of an entry."""
    t.is_entry[node] = 1
    return find(t, ENTRIES, t.entry_slots, t.entry_stage, t.entry_node, stage, node)


# --- asking the rules -----------------------------------------------------------------------------------


def reach(t: Tables, d: Desk, node: int) -> Any:
    """The place of a node in this stage, of which it is part now."""
    if d.stamp[node] != t.count[STAMP]:
        place = t.count[REACHED]
        if t.count[FIRST] + place + 1 >= len(d.node):
            t.count[TROUBLE] = FULL
            return 0
        d.stamp[node], d.place[node], d.node[t.count[FIRST] + place] = t.count[STAMP], place, node
        t.count[REACHED] = place + 1
    return d.place[node]


def new_step(t: Tables, d: Desk, share: float) -> Any:
    """The number of another step."""
    e = t.count[STEPS]
    if e >= len(d.steps.target):
        t.count[TROUBLE] = FULL
        return 0
    t.count[STEPS] = e + 1
    d.steps.weight[e] = share
    return e


def add_step(g: Any, w: Words, t: Tables, d: Desk, stage: int, share: float) -> None:
    """A step to the position that now stands on the desk."""
    e, s, flat, columns, reward = new_step(t, d, share), d.state[0], d.flat, w.columns, d.steps.reward
    t.count[CALLS] += 1
    for c in range(columns):
        reward[e * columns + c] = 0.0
    if not w.win:
        scores(g, s, d.after)
        for c in range(w.seats):
            reward[e * columns + c] = d.after[c] - d.before[c]
        for part in range(len(w.parts)):
            reward[e * columns + w.seats + d.saved[w.seat] * len(w.parts) + part] = flat[w.parts[part]]
    if s.actor == OVER:
        d.steps.target[e] = END
        if w.win:
            scores(g, s, d.before)
            winners(g, s, d.before, d.after)
            for c in range(w.seats):
                reward[e * columns + c] = d.after[c]
        return
    new_stage, key = packed(w, t, flat, w.stage), packed(w, t, flat, w.node)
    if t.count[TROUBLE] != FINE:
        return
    node = find_node(t, key)
    if t.count[TROUBLE] != FINE:
        return
    if new_stage == stage:
        d.steps.target[e] = reach(t, d, node)
    else:
        check_order(w, t, d.saved, flat)
        d.steps.target[e] = ENTRY - find_entry(t, new_stage, node)


def ask(g: Any, w: Words, t: Tables, d: Desk, stage: int, node: int) -> Any:
    """Write the steps of a node in this stage and return its actor."""
    s, flat, saved = d.state[0], d.flat, d.saved
    for i in range(len(saved)):
        saved[i] = w.base[i]
    unpack(stage, w.stage, saved)
    unpack(t.node_key[node], w.node, saved)
    for i in range(len(saved)):
        flat[i] = saved[i]
    actor = s.actor
    if not w.win:
        scores(g, s, d.before)
    if actor == CHANCE:
        dice, total = equal_dice(g, s), cases(g, s)
        begin, end = 0, total
        if dice > 0:
            begin, end = w.roll_first[dice], w.roll_first[dice + 1]
        for place in range(begin, end):
            for i in range(len(saved)):
                flat[i] = saved[i]
            chance(g, s, w.roll_case[place] if dice > 0 else place)
            share = w.roll_weight[place] if dice > 0 else 1.0
            add_step(g, w, t, d, stage, share / total)
    else:
        found = moves(g, s, d.moves)
        if found == 0:
            t.count[TROUBLE] = NO_MOVE
        for place in range(found):
            for i in range(len(saved)):
                flat[i] = saved[i]
            move(g, s, d.moves[place])
            add_step(g, w, t, d, stage, 1.0)
    return actor


def copy_fixed(w: Words, t: Tables, d: Desk, node: int) -> Any:
    """Write the steps of a fixed node and return its actor."""
    for known in range(t.fixed.first[node], t.fixed.first[node + 1]):
        e = new_step(t, d, t.fixed.weight[known])
        for c in range(w.columns):
            d.steps.reward[e * w.columns + c] = t.fixed.reward[known * w.columns + c]
        d.steps.target[e] = reach(t, d, t.fixed.target[known])
    return t.fixed.actor[node]


def walk(g: Any, w: Words, t: Tables, d: Desk, top: int) -> None:
    """Write the graph of the stage of a waiting entry."""
    entry, at = d.entry[top], d.first_node[top]
    t.count[STAMP] += 1
    t.count[FIRST], t.count[REACHED], t.count[STEPS] = at, 0, d.first_step[top]
    reach(t, d, t.entry_node[entry])
    while at < t.count[FIRST] + t.count[REACHED] and t.count[TROUBLE] == FINE:
        node = d.node[at]
        d.steps.first[at] = t.count[STEPS]
        if node < len(t.fixed.actor) and t.fixed.first[node] < t.fixed.first[node + 1]:
            d.steps.actor[at] = copy_fixed(w, t, d, node)
        else:
            d.steps.actor[at] = ask(g, w, t, d, t.entry_stage[entry], node)
        at += 1
    d.scanned[top] = d.first_step[top]
    d.first_node[top + 1], d.first_step[top + 1] = at, t.count[STEPS]
    d.steps.first[at] = t.count[STEPS]


# --- working a stage out ----------------------------------------------------------------------------------


def work_out(w: Words, t: Tables, d: Desk, top: int) -> int:
    """Work an entry out, and whatever else in its stage is one."""
    steps, plan, columns, begin, end = d.steps, d.plan, w.columns, d.first_node[top], d.first_step[top + 1]
    inner = nodes = d.first_node[top + 1] - begin
    # ends: what steps lead out of the stage to
    for e in range(d.first_step[top], end):
        after = steps.target[e]
        if nodes >= len(plan.order) or begin + nodes + 1 >= len(d.node):
            return FULL
        if after < 0:
            for c in range(columns):
                d.value[nodes * columns + c] = (
                    0.0 if after == END else t.value[(ENTRY - after) * columns + c]
                )
            steps.target[e], steps.actor[begin + nodes] = nodes, OVER
            nodes += 1
            steps.first[begin + nodes] = end
    for n in range(nodes):
        plan.component[n], plan.cut[n], plan.cuts[n], d.scratch.policy[n] = -2, -1, 0, -1
    actor, first = steps.actor[begin : begin + nodes], steps.first[begin : begin + nodes + 1]
    graph, x = Graph(actor, first, steps.target, steps.weight, steps.reward), d.indices
    found = order_nodes(graph, nodes, plan, x[0], x[1], x[2], x[3], x[4], x[5])
    trouble = evaluate(Task(graph, plan, d.value[:0], -1, columns, d.value, d.scratch), found)
    for n in range(inner):
        node = d.node[begin + n]
        if t.is_entry[node]:
            other = find_entry(t, t.entry_stage[d.entry[top]], node)
            if t.count[TROUBLE] != FINE:
                return FULL
            for c in range(columns):
                t.value[other * columns + c] = d.value[n * columns + c]
            t.status[other] = SOLVED
    return trouble


def run(g: Any, w: Words, t: Tables, d: Desk, entries: int) -> None:
    """Go on until everything is worked out, this number of entries is known, or something is wrong."""
    target = d.steps.target
    while t.count[DEPTH] > 0 and t.count[ENTRIES] < entries and t.count[TROUBLE] == FINE:
        top = t.count[DEPTH] - 1
        if top + 1 >= len(d.entry):
            t.count[TROUBLE] = FULL
        elif d.scanned[top] < 0:
            walk(g, w, t, d, top)
        else:
            e, end = d.scanned[top], d.first_step[top + 1]
            while e < end and (target[e] > ENTRY or t.status[ENTRY - target[e]] == SOLVED):
                e += 1
            d.scanned[top] = e
            if e < end:
                d.entry[top + 1], d.scanned[top + 1] = ENTRY - target[e], -1
                t.count[DEPTH] += 1
            else:
                t.count[DEPTH] = top
                if t.status[d.entry[top]] != SOLVED:
                    t.count[TROUBLE] = work_out(w, t, d, top)
