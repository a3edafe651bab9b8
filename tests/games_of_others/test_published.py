"""Games of others, solved from their rules alone: what was published, and what a few plain lines find as well."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from pasch.core.state import CHANCE, State
from pasch.solve.explore import POINTS, explored
from pasch.solve.graph import plan_of, worked_out
from pasch.solve.positions import Rules
from pasch.solve.solved import SolvedValues
from tests.games_of_others.installing import EXAMPLES
from tests.solve.proofs import Listed


def solved(name: str, players: int, **options: Any) -> SolvedValues:
    """The values of a game in `examples/`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES / name / "src"))
        rules = import_module(f"pasch_{name}.rules")
    (game,) = [kind for kind in vars(rules).values() if getattr(kind, "id", None) == name]
    return SolvedValues(game.agree(players, options))


def at_start(values: SolvedValues) -> State:
    return values.game.start()


# --- Shut the Box -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one_die", "published"),
    [("may", Fraction(956177159, 9795520512)), ("never", Fraction(466473281, 6530347008))],
)
def test_shut_the_box(one_die: str, published: Fraction) -> None:
    values = solved("shut_the_box", 1, one_die=one_die, score="shut")
    assert values.points(at_start(values))[0] == pytest.approx(float(published), abs=1e-13)


def test_the_pips_of_tiles_shut() -> None:
    values = solved("shut_the_box", 1)
    points = Listed(at_start(values)).solve(lambda end: end.scores())
    assert values.points(at_start(values)) == pytest.approx(points[at_start(values)], abs=1e-12)


# --- Pig --------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_pig_to_100_as_published() -> None:
    """Neller and Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)."""
    values = solved("pig", 2)
    win = values.worth(at_start(values)).win
    assert win is not None and round(win[0], 4) == 0.5306


# --- Ur ---------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_ur_with_one_piece_each() -> None:
    values = solved("ur", 2)
    listed = Listed(at_start(values))
    chances = listed.solve(lambda end: [seat in end.winners() for seat in range(2)])
    assert chances[at_start(values)][0] == pytest.approx(0.5300498395, abs=1e-9)
    for state in listed.positions[::50]:
        assert values.worth(state).win == pytest.approx(chances[state], abs=1e-9)


# --- Yahtzee ----------------------------------------------------------------------------------------


def last_box(joker: str, filled: int, scored: int, *rolled: int) -> State:
    """A card with few empty boxes, after the last roll of a turn."""
    game = solved("yahtzee", 1, joker=joker).game
    return game.Position(game, 0, "fill", 0, (0,), (filled,), (0,), (scored,), 0, 0, (), rolled)  # type: ignore[call-arg]


def test_jokers_of_yahtzee() -> None:
    without_house_and_fours = 0b1111111111111 & ~(1 << 8 | 1 << 3)
    boxes = {
        move.json()["box"]: move
        for move in last_box("free", without_house_and_fours, 1, 5, 5, 5, 5, 5).moves()
    }
    assert set(boxes) == {"full house", "fours"}
    state = last_box("free", without_house_and_fours, 1, 5, 5, 5, 5, 5)
    assert state.apply(boxes["full house"]).scores() == (125,)
    assert last_box("free", without_house_and_fours, 0, 5, 5, 5, 5, 5).apply(boxes["fours"]).scores() == (
        0,
    )
    forced = last_box("forced", without_house_and_fours, 1, 4, 4, 4, 4, 4).moves()
    assert [move.json()["box"] for move in forced] == ["fours"]


def test_the_last_turn_of_yahtzee() -> None:
    """Only chance is empty: a die is kept above 3.5 after the second roll, above 4.25 after the first."""
    game = solved("yahtzee", 1).game
    filled = (0b0111111111111,)
    state: Any = game.Position(game, CHANCE, "roll", 0, (0,), filled, (0,), (0,), 3, 5, (), ())  # type: ignore[call-arg]
    walked = explored(Rules(game), POINTS, state.unpack())
    values, _ = worked_out(walked.graph(), plan_of(walked.graph()), 1, walked.values())
    assert values[0] == pytest.approx(5 * (4.25 * 4 / 6 + 11 / 6), abs=1e-12)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("joker", "known"), [("free", 254.5896), ("forced", 254.5877)])
def test_yahtzee_as_published(joker: str, known: float) -> None:
    """Tom Verhoeff's programs for the free choice of a box; the other rule is of the printed game."""
    values = solved("yahtzee", 1, joker=joker)
    # on a busy machine it takes its time
    values.budget = values.budget._replace(seconds=4 * 3600.0)
    values.solve()
    assert round(values.points(at_start(values))[0], 4) == known
