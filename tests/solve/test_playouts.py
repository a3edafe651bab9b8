"""Estimates where nothing better is known: they promise what play by their policy brings."""

from __future__ import annotations

from math import sqrt

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE, State
from pasch.solve.playouts import at_random
from pasch.solve.valuer import PlayoutValues
from tests.games_of_others.test_published import solved


def test_the_luck_of_rolls_averages_zero() -> None:
    """The best of noisy estimates used to be taken for the value of a choice, so that every roll seemed lucky."""
    values, generator = PlayoutValues(solved("pig", 2, target=40).game), KeyedGenerator(seed_key("luck"))
    luck: list[float] = []
    state: State = values.game.start()
    while len(luck) < 400:
        if state.over:
            state = values.game.start()
        if state.actor == CHANCE:
            seat, after = state.mover, state.apply(state.chance().sample(generator))
            assert seat is not None
            luck.append(values.points(after)[seat] - values.points(state)[seat])
            state = after
        else:
            state = state.apply(at_random(state, generator))
    mean = sum(luck) / len(luck)
    error = sqrt(sum((one - mean) ** 2 for one in luck) / (len(luck) - 1) / len(luck))
    assert abs(mean) < 3 * error


def test_no_move_is_better_than_the_one_that_the_policy_makes() -> None:
    values = PlayoutValues(solved("pig", 2, target=40).game)
    state = values.game.start()
    state = state.apply(state.chance().outcomes()[3][0])
    assert max(values.move_points(state)) == values.points(state)[0]
    assert values.worth(state).error
