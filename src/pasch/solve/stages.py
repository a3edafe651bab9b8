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
NODES, ENTRIES, DEPTH, STEPS, REACHED, STAMP, TROUBLE, CALLS, COUNTS = range(9)
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
    #: stages that wait: the entry, where its steps and asked nodes begin, and how far its steps have been looked at
    entry: Any
    first_step: Any
    first_asked: Any
    scanned: Any
    #: the steps of asked nodes, in the order of asking
    asked: Graph
    #: nodes reached in this stage, and by node: its place among them, and when it was reached
    reached: Any
    place: Any
    stamp: Any
    #: the graph of one stage
    graph: Graph
    plan: Plan
    value: Any
    indices: Any
    scratch: Scratch
    nothing: Any


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


def find_node(t: Tables, key: int) -> Any:
    """The number of a node; a new one if it is new."""
    last = len(t.node_slots) - 1
    at = (key * SPREAD >> 32) & last
    while t.node_slots[at] > 0 and t.node_key[t.node_slots[at] - 1] != key:
        at = (at + 1) & last
    if t.node_slots[at] == 0:
        n = t.count[NODES]
        if n >= len(t.node_key):
            t.count[TROUBLE] = FULL
            return 0
        t.count[NODES] = n + 1
        t.node_key[n], t.node_slots[at] = key, n + 1
    return t.node_slots[at] - 1


def find_entry(t: Tables, stage: int, node: int) -> Any:
    """The number of an entry; a new one if it is new."""
    last = len(t.entry_slots) - 1
    at = (stage * SPREAD + node * SPREAD2 >> 32) & last
    while t.entry_slots[at] > 0:
        n = t.entry_slots[at] - 1
        if t.entry_stage[n] == stage and t.entry_node[n] == node:
            return n
        at = (at + 1) & last
    n = t.count[ENTRIES]
    if n >= len(t.entry_stage):
        t.count[TROUBLE] = FULL
        return 0
    t.count[ENTRIES] = n + 1
    t.entry_stage[n], t.entry_node[n], t.entry_slots[at] = stage, node, n + 1
    t.is_entry[node] = 1
    return n


# --- asking the rules -----------------------------------------------------------------------------------


def reach(t: Tables, d: Desk, node: int) -> None:
    """A node is part of this stage."""
    if d.stamp[node] != t.count[STAMP]:
        d.stamp[node] = t.count[STAMP]
        d.place[node] = t.count[REACHED]
        d.reached[t.count[REACHED]] = node
        t.count[REACHED] += 1


def add_step(g: Any, w: Words, t: Tables, d: Desk, stage: int, share: float) -> None:
    """A step to the position that now stands on the desk."""
    e, s, flat, columns, reward = t.count[STEPS], d.state[0], d.flat, w.columns, d.asked.reward
    t.count[CALLS] += 1
    if e >= len(d.asked.target):
        t.count[TROUBLE] = FULL
        return
    d.asked.weight[e] = share
    for c in range(columns):
        reward[e * columns + c] = 0.0
    if not w.win:
        scores(g, s, d.after)
        for c in range(w.seats):
            reward[e * columns + c] = d.after[c] - d.before[c]
        for part in range(len(w.parts)):
            reward[e * columns + w.seats + d.saved[w.seat] * len(w.parts) + part] = flat[w.parts[part]]
    if s.actor == OVER:
        d.asked.target[e] = END
        if w.win:
            scores(g, s, d.before)
            winners(g, s, d.before, d.after)
            for c in range(w.seats):
                reward[e * columns + c] = d.after[c]
    else:
        new_stage, key = packed(w, t, flat, w.stage), packed(w, t, flat, w.node)
        if t.count[TROUBLE] != FINE:
            return
        node = find_node(t, key)
        if t.count[TROUBLE] != FINE:
            return
        if new_stage == stage:
            d.asked.target[e] = node
            reach(t, d, node)
        else:
            check_order(w, t, d.saved, flat)
            d.asked.target[e] = ENTRY - find_entry(t, new_stage, node)
    t.count[STEPS] = e + 1


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


def is_fixed(t: Tables, node: int) -> Any:
    """Whether a node has the same steps in every stage."""
    return node < len(t.fixed.actor) and t.fixed.first[node] < t.fixed.first[node + 1]


def walk(g: Any, w: Words, t: Tables, d: Desk, entry: int, asked: int) -> None:
    """Ask the rules about the nodes of a stage that can be reached from an entry and are not fixed."""
    t.count[STAMP] += 1
    t.count[REACHED] = done = 0
    reach(t, d, t.entry_node[entry])
    while done < t.count[REACHED] and t.count[TROUBLE] == FINE:
        node = d.reached[done]
        done += 1
        if is_fixed(t, node):
            for e in range(t.fixed.first[node], t.fixed.first[node + 1]):
                reach(t, d, t.fixed.target[e])
        elif asked + 1 >= len(d.asked.first):
            t.count[TROUBLE] = FULL
        else:
            d.asked.first[asked] = t.count[STEPS]
            d.asked.actor[asked] = ask(g, w, t, d, t.entry_stage[entry], node)
            asked += 1
            d.asked.first[asked] = t.count[STEPS]


# --- working a stage out ----------------------------------------------------------------------------------


def lay_out(w: Words, t: Tables, d: Desk, entry: int, asked: int) -> int:
    """Write the graph of a stage whose steps are all there and return how many nodes it has, ends included."""
    graph, value, columns = d.graph, d.value, w.columns
    t.count[STAMP] += 1
    t.count[REACHED] = done = edges = 0
    reach(t, d, t.entry_node[entry])
    while done < t.count[REACHED]:
        node = d.reached[done]
        graph.first[done] = edges
        fixed = is_fixed(t, node)
        steps, at = (t.fixed, node) if fixed else (d.asked, asked)
        begin, end = steps.first[at], steps.first[at + 1]
        if edges + end - begin > len(graph.target) or t.count[REACHED] + end - begin >= len(graph.actor):
            t.count[TROUBLE] = FULL
            return 0
        graph.actor[done] = steps.actor[at]
        for e in range(begin, end):
            after = steps.target[e]
            if after >= 0:
                reach(t, d, after)
                after = d.place[after]
            graph.target[edges], graph.weight[edges] = after, steps.weight[e]
            for c in range(columns):
                graph.reward[edges * columns + c] = steps.reward[e * columns + c]
            edges += 1
        if not fixed:
            asked += 1
        done += 1
    # ends: what steps lead out of the stage to
    nodes = done
    graph.first[done] = edges
    for e in range(edges):
        after = graph.target[e]
        if after < 0:
            if nodes + 1 >= len(graph.actor):
                t.count[TROUBLE] = FULL
                return 0
            for c in range(columns):
                value[nodes * columns + c] = 0.0 if after == END else t.value[(ENTRY - after) * columns + c]
            graph.actor[nodes] = OVER
            graph.target[e] = nodes
            nodes += 1
            graph.first[nodes] = edges
    return nodes


def work_out(w: Words, t: Tables, d: Desk, entry: int, asked: int) -> int:
    """Work an entry out, and whatever else in its stage is one."""
    nodes, inner, plan = lay_out(w, t, d, entry, asked), t.count[REACHED], d.plan
    if t.count[TROUBLE] != FINE:
        return FULL
    for n in range(nodes):
        plan.component[n], plan.cut[n], plan.cuts[n], d.scratch.policy[n] = -2, -1, 0, -1
    x = d.indices
    found = order_nodes(d.graph, nodes, plan, x[0], x[1], x[2], x[3], x[4], x[5])
    trouble = evaluate(Task(d.graph, plan, d.nothing, -1, w.columns, d.value, d.scratch), found)
    for n in range(inner):
        if t.is_entry[d.reached[n]]:
            other = find_entry(t, t.entry_stage[entry], d.reached[n])
            if t.count[TROUBLE] != FINE:
                return FULL
            for c in range(w.columns):
                t.value[other * w.columns + c] = d.value[n * w.columns + c]
            t.status[other] = SOLVED
    return trouble


def run(g: Any, w: Words, t: Tables, d: Desk, entries: int) -> None:
    """Go on until everything is worked out, this number of entries is known, or something is wrong."""
    target, first = d.asked.target, d.asked.first
    while t.count[DEPTH] > 0 and t.count[ENTRIES] < entries:
        top = t.count[DEPTH] - 1
        entry = d.entry[top]
        if d.scanned[top] < 0:
            t.count[STEPS] = d.first_step[top]
            walk(g, w, t, d, entry, d.first_asked[top])
            if t.count[TROUBLE] != FINE:
                return
            d.scanned[top] = d.first_step[top]
        e, end = d.scanned[top], t.count[STEPS]
        while e < end and (target[e] > ENTRY or t.status[ENTRY - target[e]] == SOLVED):
            e += 1
        d.scanned[top] = e
        if e < end:
            if top + 1 >= len(d.entry):
                t.count[TROUBLE] = FULL
                return
            d.entry[top + 1], d.scanned[top + 1], d.first_step[top + 1] = ENTRY - target[e], -1, end
            # behind the asked nodes of this stage, the last of whose steps ends there
            asked = d.first_asked[top]
            while first[asked] < end:
                asked += 1
            d.first_asked[top + 1] = asked
            t.count[DEPTH] += 1
            continue
        if t.status[entry] != SOLVED:
            trouble = work_out(w, t, d, entry, d.first_asked[top])
            if trouble != FINE:
                t.count[TROUBLE] = trouble
                return
        t.count[DEPTH] = top
        if top > 0:
            t.count[STEPS] = d.first_step[top]
