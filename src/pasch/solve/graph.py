"""Graphs of positions, and what every position is worth: the one way in which values are worked out.

A node waits for a seat, for chance, or is an end whose worth is given. Worths have columns: the seats' points or
chances to win, and the parts of a score. Every seat makes its own column as large as it can; of moves that are equally
good the one counts that is worth more by `prefer`, then the first.

Nodes that lead to each other form a *component* with cycles. It is solved by policy iteration: for given moves its
values follow from those of a few *cut* nodes, without which it has no cycle, and for these there are linear equations.
Where there are too many cut nodes, values are iterated until a bound of the error is small.

All functions run as they stand, on lists, or compiled, on arrays (`pasch.solve.compiled`).
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from pasch.core.errors import PaschError
from pasch.core.rules import kernel
from pasch.core.state import CHANCE, OVER

#: values and chances nearer than this are the same to a seat that chooses
SAME = 1e-12
#: iterated values may be wrong by this much
ERROR = 1e-13
#: at most this many cut nodes, and this many of their coefficients, make linear equations
MAX_CUTS = 500
MAX_COEFFICIENTS = 2_000_000
#: rounds of policy iteration, and of iterated values
MAX_POLICIES = 15
MAX_ROUNDS = 20_000
#: pivots of linear equations nearer to 0 are 0; chances below this do not matter
SINGULAR = 1e-11
NOTHING = 1e-18
#: what can go wrong in a component
FINE, NO_WAY_OUT, NO_BOUND, NO_END, NO_MOVE = range(5)


class Endless(PaschError):
    """Play may never end, so that positions have no value."""


class Graph(NamedTuple):
    """The edges of node n are those from first[n] to first[n + 1], in the order of the moves or outcomes."""

    #: the seat that chooses, CHANCE, or OVER
    actor: Any
    first: Any
    target: Any
    #: the chance of an outcome
    weight: Any
    #: by edge and column: what is scored on the way; empty if nothing is
    reward: Any


class Plan(NamedTuple):
    """In which order nodes are worked out: component by component, each after all that it leads to."""

    order: Any
    #: where each component begins in the order, and the end of the last one
    begin: Any
    #: by node: its component
    component: Any
    #: by node: its number among the cut nodes of its component, or -1
    cut: Any
    #: by component: how many cut nodes it has; 0: no cycle
    cuts: Any


class Scratch(NamedTuple):
    """Scratch memory of `evaluate`."""

    #: by node: the edge that is chosen, the one that is liked best, and its place in its component
    policy: Any
    liked: Any
    place: Any
    #: by node of a component and cut node; by node of a component and column
    coefficient: Any
    constant: Any
    #: linear equations
    matrix: Any
    #: the largest bound of an error so far; -1: there was no cycle
    error: Any


def order_nodes(
    graph: Graph, count: int, plan: Plan, index: Any, low: Any, at: Any, stack: Any, path: Any, left: Any
) -> int:
    """Fill in a plan for the first `count` nodes (Tarjan) and return how many components there are.

    Before, `component` is -2, `cut` -1 and `cuts` 0 everywhere.
    """
    first, target, component = graph.first, graph.target, plan.component
    counter = height = done = found = 0
    for root in range(count):
        if component[root] != -2:
            continue
        path[0], depth = root, 1
        while depth:
            v = path[depth - 1]
            if component[v] == -2:
                component[v] = -1
                index[v] = low[v] = counter
                counter += 1
                stack[height] = v
                height += 1
                at[v] = first[v]
            deeper = False
            while at[v] < first[v + 1]:
                u = target[at[v]]
                if component[u] == -2:
                    path[depth] = u
                    depth += 1
                    deeper = True
                    break
                if component[u] == -1:
                    low[v] = min(low[v], low[u])
                at[v] += 1
            if deeper:
                continue
            depth -= 1
            left[done] = v
            done += 1
            if low[v] == index[v]:
                plan.begin[found + 1] = 0
                while component[v] == -1:
                    height -= 1
                    component[stack[height]] = found
                    plan.begin[found + 1] += 1
                found += 1
    # by component, within it in the order in which the search left the nodes
    for number in range(found):
        plan.begin[number + 1] += plan.begin[number]
        at[number] = plan.begin[number]
    for place in range(count):
        v = left[place]
        index[v] = at[component[v]]
        plan.order[index[v]] = v
        at[component[v]] += 1
    for place in range(count):
        v = plan.order[place]
        for e in range(first[v], first[v + 1]):
            u = target[e]
            if component[u] == component[v] and index[u] >= place and plan.cut[u] < 0:
                plan.cut[u] = plan.cuts[component[v]]
                plan.cuts[component[v]] += 1
    return found


class Task(NamedTuple):
    """A graph that is to be worked out: what `evaluate` and what it calls are given."""

    graph: Graph
    plan: Plan
    #: by node: which of equally good moves is liked more; may be empty
    prefer: Any
    #: the column by which every choice is made; -1: that of the actor
    by: int
    columns: int
    #: by node and column; those of ends are given
    value: Any
    scratch: Scratch


def step_worth(k: Task, e: int, column: int) -> Any:
    """What an edge brings and leads to."""
    paid = k.graph.reward[e * k.columns + column] if len(k.graph.reward) > 0 else 0.0
    return k.value[k.graph.target[e] * k.columns + column] + paid


def best_edge(k: Task, v: int) -> int:
    """The edge of the best move at a node."""
    graph, own = k.graph, k.graph.actor[v] if k.by < 0 else k.by
    best, liked, found = -inf, -inf, int(graph.first[v])
    for e in range(graph.first[v], graph.first[v + 1]):
        worth, liking = step_worth(k, e, own), k.prefer[graph.target[e]] if len(k.prefer) > 0 else 0.0
        if worth > best + SAME or (worth > best - SAME and liking > liked + SAME):
            best, liked, found = worth, liking, e
    return found


def look(k: Task, v: int) -> float:
    """Write what a node is worth by what it leads to; by how much that differs from before."""
    begin, end, chosen, change = k.graph.first[v], k.graph.first[v + 1], k.graph.actor[v] != CHANCE, 0.0
    if chosen:
        begin = best_edge(k, v)
        end = begin + 1
    for c in range(k.columns):
        total = 0.0
        for e in range(begin, end):
            total += step_worth(k, e, c) if chosen else k.graph.weight[e] * step_worth(k, e, c)
        change = max(change, abs(total - k.value[v * k.columns + c]))
        k.value[v * k.columns + c] = total
    return change


def evaluate(k: Task, components: int) -> int:
    """Work out all nodes but the ends; FINE, or what is wrong with a component that could not be solved."""
    for number in range(components):
        if k.plan.cuts[number] == 0:
            v = k.plan.order[k.plan.begin[number]]
            if k.graph.actor[v] != OVER:
                look(k, v)
            continue
        trouble = solve_component(k, number)
        if trouble != FINE:
            return trouble
    return FINE


@kernel
def solve_component(k: Task, number: int) -> int:
    """Work out the nodes of a component with cycles."""
    begin, end, cuts = k.plan.begin[number], k.plan.begin[number + 1], k.plan.cuts[number]
    k.scratch.error[0] = max(k.scratch.error[0], 0.0)
    trouble = leave(k, begin, end)
    if trouble == FINE:
        trouble = NO_END
        if cuts <= MAX_CUTS and cuts * (end - begin) <= len(k.scratch.coefficient):
            trouble = improve(k, begin, end)
        if trouble == NO_END:
            trouble = go_round(k, begin, end)
    return trouble


def leave(k: Task, begin: int, end: int) -> int:
    """Choose moves by which play leaves a component some time, wherever it begins; those of the last time do."""
    plan, policy = k.plan, k.scratch.policy
    number = plan.component[plan.order[begin]]
    if policy[plan.order[begin]] >= 0:
        return FINE
    left, before = end - begin, 0
    while left != before:
        before = left
        for place in range(begin, end):
            v = plan.order[place]
            if policy[v] < 0:
                for e in range(k.graph.first[v], k.graph.first[v + 1]):
                    u = k.graph.target[e]
                    if plan.component[u] != number or policy[u] >= 0:
                        policy[v] = e
                        left -= 1
                        break
    return NO_WAY_OUT if left else FINE


def improve(k: Task, begin: int, end: int) -> int:
    """Solve a component by policy iteration."""
    for _ in range(MAX_POLICIES):
        if not follow(k, begin, end, k.scratch.policy):
            return NO_BOUND
        better = other = 0
        for place in range(begin, end):
            v = k.plan.order[place]
            if k.graph.actor[v] == CHANCE:
                continue
            e, own = best_edge(k, v), k.graph.actor[v] if k.by < 0 else k.by
            k.scratch.liked[v] = e
            if step_worth(k, e, own) > k.value[v * k.columns + own] + SAME:
                k.scratch.policy[v] = e
                better += 1
            other += e != k.scratch.policy[v]
        if better == 0:
            # of moves that are equally good make the preferred ones, unless play would never end with them
            if other > 0 and not follow(k, begin, end, k.scratch.liked):
                follow(k, begin, end, k.scratch.policy)
            return FINE
    return NO_END


def follow(k: Task, begin: int, end: int, policy: Any) -> bool:
    """Write the values of a component for these moves, by node; False if play never leaves it with them."""
    graph, plan, columns, scratch = k.graph, k.plan, k.columns, k.scratch
    number, paid = plan.component[plan.order[begin]], len(graph.reward) > 0
    cuts, width = plan.cuts[number], plan.cuts[number] + columns
    coefficient, constant, matrix = scratch.coefficient, scratch.constant, scratch.matrix
    for place in range(begin, end):
        v, row = plan.order[place], place - begin
        scratch.place[v] = row
        for j in range(cuts):
            coefficient[row * cuts + j] = 0.0
        for c in range(columns):
            constant[row * columns + c] = 0.0
        first, last, chosen = graph.first[v], graph.first[v + 1], graph.actor[v] != CHANCE
        if chosen:
            first = policy[v]
            last = first + 1
        for e in range(first, last):
            u, share = graph.target[e], 1.0 if chosen else graph.weight[e]
            outside, other = plan.component[u] != number, scratch.place[u]
            for c in range(columns):
                worth = graph.reward[e * columns + c] if paid else 0.0
                if outside:
                    worth += k.value[u * columns + c]
                elif plan.cut[u] < 0:
                    worth += constant[other * columns + c]
                constant[row * columns + c] += share * worth
            if not outside and plan.cut[u] >= 0:
                coefficient[row * cuts + plan.cut[u]] += share
            elif not outside:
                for j in range(cuts):
                    coefficient[row * cuts + j] += share * coefficient[other * cuts + j]
        if plan.cut[v] >= 0:
            at = plan.cut[v] * width
            for j in range(cuts):
                matrix[at + j] = (1.0 if j == plan.cut[v] else 0.0) - coefficient[row * cuts + j]
            for c in range(columns):
                matrix[at + cuts + c] = constant[row * columns + c]
    if not solve_equations(matrix, cuts, width):
        return False
    for place in range(begin, end):
        v, row = plan.order[place], place - begin
        for c in range(columns):
            worth = constant[row * columns + c]
            for j in range(cuts):
                worth += coefficient[row * cuts + j] * matrix[j * width + cuts + c]
            k.value[v * columns + c] = worth
    # a choice is worth what its move leads to, to the last digit
    for place in range(begin, end):
        v = plan.order[place]
        if graph.actor[v] != CHANCE:
            for c in range(columns):
                k.value[v * columns + c] = step_worth(k, policy[v], c)
    return True


def solve_equations(matrix: Any, size: int, width: int) -> bool:
    """Solve linear equations in place; the solutions stand behind the `size` columns. False if there is none."""
    for k in range(size):
        pivot = k
        for row in range(k + 1, size):
            if abs(matrix[row * width + k]) > abs(matrix[pivot * width + k]):
                pivot = row
        scale = matrix[pivot * width + k]
        if abs(scale) < SINGULAR:
            return False
        for j in range(k, width):
            scaled = matrix[pivot * width + j] / scale
            matrix[pivot * width + j] = matrix[k * width + j]
            matrix[k * width + j] = scaled
        for row in range(size):
            factor = matrix[row * width + k]
            if row != k and factor != 0.0:
                for j in range(k, width):
                    matrix[row * width + j] -= factor * matrix[k * width + j]
    return True


def go_round(k: Task, begin: int, end: int) -> int:
    """Iterate the values of a component until a bound of their error is small; it is kept in `scratch.error`."""
    for place in range(begin, end):
        for c in range(k.columns):
            k.value[k.plan.order[place] * k.columns + c] = 0.0
    before, rate = inf, 1.0
    for number in range(MAX_ROUNDS):
        change = 0.0
        for place in range(begin, end):
            change = max(change, look(k, k.plan.order[place]))
        # by how much changes shrink from round to round, the slowest of the last ones
        rate = change / before if number < 2 else max(change / before, 0.8 * rate)
        before = max(change, 1e-300)
        bound = change * rate / (1.0 - rate) if rate < 1.0 else inf
        if change == 0.0 or (change <= SAME and bound <= ERROR):
            k.scratch.error[0] = max(k.scratch.error[0], bound if change > 0.0 else 0.0)
            return FINE
    return NO_END


# --- how often nodes are come to --------------------------------------------------------------------------


def spread(k: Task, mass: Any, again: Any) -> None:
    """Write into `mass`, in which where one begins is 1, how often each node is come to if the best moves are made."""
    graph, plan = k.graph, k.plan
    for number in range(len(plan.begin) - 2, -1, -1):
        moving = 1.0
        while moving > NOTHING:
            moving = 0.0
            for place in range(plan.begin[number + 1] - 1, plan.begin[number] - 1, -1):
                v = plan.order[place]
                # what came back in this round is passed on in the next one
                passed = mass[v] - again[v]
                again[v] = mass[v]
                first, last = graph.first[v], graph.first[v + 1]
                if passed <= 0.0 or first == last:
                    continue
                chosen = graph.actor[v] != CHANCE
                if chosen:
                    first = best_edge(k, v)
                    last = first + 1
                for e in range(first, last):
                    share = passed if chosen else passed * graph.weight[e]
                    mass[graph.target[e]] += share
                    if plan.component[graph.target[e]] == number:
                        moving = max(moving, share)


# --- graphs of lists --------------------------------------------------------------------------------------


def plan_of(graph: Graph) -> Plan:
    """The order in which the nodes of a graph are worked out, as lists."""
    n, first, target = len(graph.actor), graph.first, graph.target
    if all(max(target[first[node] : first[node + 1]], default=-1) < node for node in range(n)):
        return Plan(list(range(n)), list(range(n + 1)), list(range(n)), [-1] * n, [0] * n)
    plan = Plan([0] * n, [0] * (n + 1), [-2] * n, [-1] * n, [0] * n)
    found = order_nodes(graph, n, plan, *([0] * (n + 1) for _ in range(6)))
    return plan._replace(begin=plan.begin[: found + 1], cuts=plan.cuts[:found])


def scratch_of(plan: Plan, columns: int, new: Any = None) -> Scratch:
    """The scratch buffers to evaluate a graph."""
    new, n = new or row_of, len(plan.order)
    coefficients = cuts = largest = 0
    for number, found in enumerate(map(int, plan.cuts)):
        if not found:
            continue
        nodes = int(plan.begin[number + 1] - plan.begin[number])
        largest = max(largest, nodes)
        if found <= MAX_CUTS and nodes * found <= MAX_COEFFICIENTS:
            coefficients, cuts = max(coefficients, nodes * found), max(cuts, found)
    rows = new(n, -1), new(n, -1), new(n, 0), new(coefficients, 0.0), new(largest * columns, 0.0)
    return Scratch(*rows, new(cuts * (cuts + columns), 0.0), new(1, -1.0))


def worked_out(graph: Graph, plan: Plan, columns: int, value: Any) -> tuple[Any, float]:
    """The values of all nodes, in which those of ends are given; and the bound of their error, see `Scratch`."""
    scratch = scratch_of(plan, columns)
    check(evaluate(Task(graph, plan, (), -1, columns, value, scratch), len(plan.cuts)))
    return value, scratch.error[0]


def check(trouble: int) -> None:
    """Raise Endless if something is wrong with a component."""
    if trouble != FINE:
        raise Endless(SAID[trouble])


def precision(error: float) -> str:
    """How exact values with this bound of their error are, as a sentence."""
    if error > 0.0:
        cycles = f"cycles by linear equations, or iterated to within {error:.0e}"
    else:
        cycles = "no cycles" if error < 0.0 else "cycles by linear equations"
    return f"exact but for rounding; {cycles}"


#: why a component cannot be solved
SAID = {
    NO_WAY_OUT: "some positions lead only to each other, so that the game never ends",
    NO_BOUND: "a seat can go on for ever and gain without bound",
    NO_END: "values do not settle where positions come up again",
    NO_MOVE: "the rules allow no move where a seat has to choose",
}


def row_of(size: int, fill: float) -> list[Any]:
    """A row as a list."""
    return [fill] * size
