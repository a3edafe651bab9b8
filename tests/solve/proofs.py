"""What has to hold of the values of every game of turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import sub
from typing import Any

import pytest

from pasch.core.chance import Generator
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import CHANCE, State
from pasch.solve import explain
from pasch.solve.turns import TurnValues
from pasch.solve.valuer import Valuer, valuer

#: chance nodes with more cases than this are not averaged over
MAX_CASES = 1296


def turn_values(game: Game[Any, Any]) -> TurnValues:
    found = valuer(game)
    assert isinstance(found, TurnValues)
    return found


def walk(game: Game[Any, Any], generator: Generator) -> Iterator[State]:
    """The states of a game of random moves."""
    state = game.start()
    while not state.over:
        yield state
        if state.actor == CHANCE:
            state = state.apply(state.chance().sample(generator))
        else:
            moves = state.moves()
            state = state.apply(moves[generator.randrange(len(moves))])
    yield state


class Listed:
    """All positions that follow from one, solved by the plainest means: the oracle of what the solver finds."""

    def __init__(self, start: State) -> None:
        self.positions: list[Any] = [start]
        self._after: list[list[tuple[Any, float]]] = []
        known = {start}
        for state in self.positions:
            steps: list[tuple[Any, float]] = []
            if state.actor == CHANCE:
                chance = state.chance()
                steps = [(state.apply(event), cases / chance.total) for event, cases in chance.outcomes()]
            elif not state.over:
                steps = [(state.apply(move), 1.0) for move in state.moves()]
            self._after.append(steps)
            self.positions += dict.fromkeys(after for after, _ in steps if after not in known)
            known |= {after for after, _ in steps}

    def solve(
        self, payoff: Callable[[Any], Any], prefer: Callable[[Any, int], float] | None = None
    ) -> dict[Any, Any]:
        """What each position is worth to each seat; every seat makes its own as large as it can.

        Of equally good moves the one is made after which `prefer` is greater to the seat.
        """
        values = {state: tuple(map(float, payoff(state))) for state in self.positions if state.over}
        seats = len(next(iter(values.values())))
        values |= {state: (0.0,) * seats for state in self.positions if not state.over}
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for state, steps in zip(reversed(self.positions), reversed(self._after), strict=True):
                if state.over:
                    continue
                if state.actor == CHANCE:
                    new = tuple(
                        [sum([values[after][c] * share for after, share in steps]) for c in range(seats)]
                    )
                else:
                    best = max(values[after][state.actor] for after, _ in steps)
                    good = [after for after, _ in steps if values[after][state.actor] > best - 1e-12]
                    if len(good) > 1 and prefer is not None:
                        good.sort(key=lambda after, seat=state.actor: -prefer(after, seat))  # type: ignore[misc]
                    new = values[good[0]]
                change = max(change, *(abs(a - b) for a, b in zip(new, values[state], strict=True)))
                values[state] = new
        return values


def mean_after(state: State, numbers: Callable[[Event], Sequence[float]], tolerance: float = 1e-9) -> Any:
    """The means of numbers over what chance may bring; None if that is too much."""
    chance = state.chance()
    if chance.total > MAX_CASES:
        return None
    after = [[number * cases for number in numbers(outcome)] for outcome, cases in chance.outcomes()]
    return pytest.approx([sum(column) / chance.total for column in zip(*after, strict=True)], abs=tolerance)


def ledger_holds(values: Valuer, state: State, independent: bool = True, tolerance: float = 1e-9) -> None:
    """Before a decision the best move's points, before chance the mean of what it may bring, without what begins to
    count. Where seats are `independent`, a move changes nothing for the others."""

    def points_after(event: Event) -> list[float]:
        return [*map(sub, values.points(state.apply(event)), values.entering_expectation(state, event))]

    before = values.points(state)
    if state.over:
        assert before == state.scores()
        return
    if state.actor == CHANCE:
        mean = mean_after(state, points_after, tolerance)
        assert mean is None or list(before) == mean
        return
    moves = values.move_points(state)
    assert max(moves) == pytest.approx(before[state.actor], abs=tolerance)
    for move, points in zip(state.moves(), moves, strict=True):
        after = points_after(move)
        assert after[state.actor] == pytest.approx(points, abs=tolerance)
        for seat in range(values.game.players) if independent else ():
            assert seat == state.actor or after[seat] == pytest.approx(before[seat], abs=tolerance)


def chances_hold(values: TurnValues, state: State) -> None:
    """Where winning chances are exact, they are the mean over chance and those of the best move."""

    def win_after(event: Event) -> Sequence[float]:
        then = values.worth(state.apply(event))
        assert then.win is not None and then.exact.win
        return then.win

    worth = values.worth(state)
    if not worth.exact.win or state.over:
        return
    assert worth.win is not None
    if state.actor == CHANCE:
        mean = mean_after(state, win_after)
        assert mean is None or list(worth.win) == mean
    for move in values.moves(state):
        assert win_after(move.move)[state.actor] == pytest.approx(move.win, abs=1e-9)


def answers_agree(values: TurnValues, state: State) -> None:
    """`worth` and `moves` say the same as `points` and `move_points`, and chances are chances."""
    worth, moves = values.worth(state), values.moves(state)
    assert worth.value == values.points(state)
    assert worth.win is not None
    assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in worth.win)
    assert sum(worth.win) >= 1 - 1e-9
    assert tuple(m.move for m in moves) == state.moves()
    assert tuple(m.value for m in moves) == values.move_points(state)
    if moves:
        assert max(m.win or 0.0 for m in moves) == pytest.approx(worth.win[state.actor], abs=1e-9)
        assert max(m.turn or 0.0 for m in moves) == pytest.approx(worth.turn, abs=1e-9)


def parts_add_up(state: State) -> None:
    """What a move gives away is the sum of what it gives away by the parts of the score."""
    for move in state.moves():
        found = explain(state, move)
        assert found.cost >= 0 and set(found.parts) == set(state.game.parts)
        assert sum(found.parts.values()) == pytest.approx(found.cost, abs=1e-9)
