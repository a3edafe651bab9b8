"""Shut the Lines with the option `plan_choice`: the seat that begins a round chooses its plan."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from pasch import CHANCE, Match, Record
from pasch.coach.judge import advise, judge
from pasch.coach.reasons import habit
from pasch.core.chance import KeyedGenerator
from pasch.core.errors import IllegalMove, IllegalOutcome, OptionError
from pasch.core.events import Roll
from pasch.games.lines.box import mask_of
from pasch.games.lines.rules import ChosenPlan, Lines
from pasch.players.base import player
from pasch.table.show import marks, show, why
from pasch.terminal.board import find_board

ALL_12 = tuple(range(1, 13))


def lines(players: int = 2, plans: tuple[int, ...] = (1, 3, 1), **options: Any) -> Lines:
    return Lines.agree(players, {"plans": list(plans), "plan_choice": "chosen", **options})


def after_a_round(players: int = 2, **options: Any) -> Any:
    """The first round is over and has brought everybody six points."""
    state = lines(players, **options).start().apply(ChosenPlan(0, 1))
    state = replace(state, covered=(mask_of(ALL_12),) * players)
    for seat in range(players):
        state = state.apply(Roll(seat, (1, 1, 1)))
    return state


# --- the rule ---------------------------------------------------------------------------------------


def test_whoever_begins_the_round_chooses_its_plan() -> None:
    state: Any = lines().start()
    assert (state.actor, state.phase, state.plan) == (0, "plan", 0)
    assert state.moves() == (ChosenPlan(0, 1), ChosenPlan(0, 3))
    chosen = state.apply(ChosenPlan(0, 3))
    assert (chosen.actor, chosen.phase, chosen.plan, chosen.seat) == (CHANCE, "roll", 3, 0)
    assert len(chosen.chance().pick(0).json()["roll"]) == 4


@pytest.mark.parametrize("seat", [-1, -2])
def test_nobody_chooses_where_chance_lays_the_plan(seat: int) -> None:
    state: Any = Lines.agree(2, {"plans": [1, 4]}).start()
    with pytest.raises(IllegalOutcome, match="first the dice or cards have to come"):
        state.apply(ChosenPlan(seat, 4))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_next_round_is_chosen_by_the_next_seat(players: int) -> None:
    state = after_a_round(players, target=100)
    assert state.totals == (6,) * players
    assert (state.phase, state.round, state.actor) == ("plan", 1, 1 % players)
    assert state.apply(ChosenPlan(1 % players, 3)).plan == 3


def test_each_plan_is_offered_once_in_the_order_of_their_numbers() -> None:
    state = lines(plans=(4, 2, 4, 1, 2)).start()
    assert state.moves() == tuple(ChosenPlan(0, plan) for plan in (1, 2, 4))


def test_only_plans_that_were_agreed_on_can_be_chosen() -> None:
    state = lines().start()
    for plan in (0, 2, 4, 5, -1):
        with pytest.raises(
            IllegalMove, match=f"plan {plan} was not agreed on; there is a choice of 1 and 3"
        ):
            state.apply(ChosenPlan(0, plan))


# --- records ------------------------------------------------------------------------------------------


def test_older_records_lack_the_option_and_have_listed_plans() -> None:
    game = Record("lines", {"plans": [2], "target": 3}, 2, [], [0, 0], []).agreed()
    assert game == Lines.agree(2, {"plans": [2], "target": 3, "plan_choice": "listed"})
    with pytest.raises(OptionError, match="option target is missing"):
        Lines.agree(2, {"plans": [2], "plan_choice": "listed"}, complete=True)


# --- players, coach, numbers --------------------------------------------------------------------------


def test_the_beginner_takes_the_plan_with_the_most_lines_for_its_numbers() -> None:
    state = lines(plans=(1, 2, 3, 4)).start()
    assert player("greedy").choose(state, KeyedGenerator(b"")) == ChosenPlan(0, 3)


@pytest.mark.slow
def test_the_coach_says_how_many_lines_the_plans_bring() -> None:
    match = Match(lines(plans=(1, 3)))
    match.play(ChosenPlan(0, 1))
    judged = judge(match, 1)
    assert judged.points > 0 and judged.best == {"seat": 0, "plan": 3}
    assert "A round on plan 1 brings" in str(judged.sentences[0]) and "plan 3" in str(judged.sentences[0])
    advice = advise(match.at(0))
    assert advice.moves[0].move == ChosenPlan(0, 3)
    assert "A round on plan 3 brings everybody" in str(advice.sentences[0])
    made, best = ChosenPlan(0, 1), ChosenPlan(0, 3)
    assert str(habit(match.at(0), made, best).when) == "plan 1 instead of 3"


# --- what people see ----------------------------------------------------------------------------------


def test_a_plan_is_touched_whole() -> None:
    state, shown = lines().start(), show("lines")
    assert [shown.tokens(move) for move in state.moves()] == [("plan:1",), ("plan:3",)]
    assert "was not agreed on" in str(why(state, ("plan:2",)))
    assert str(why(state, ("number:2",))) and str(why(state, ("plan:x",)))
    assert not shown.goes_on(state, ChosenPlan(0, 1)), "the seat that has chosen presses for the first roll"


def test_the_plans_to_choose_from_are_marked() -> None:
    state = lines().start()
    assert marks(state) == {"plan": None, "choices": (1, 3), "lines": ((), ())}
    chosen = marks(state.apply(ChosenPlan(0, 3)))
    assert chosen["plan"] == 3 and "choices" not in chosen
    assert marks(Lines.agree(2, {"plans": [2]}).start())["plan"] == 2


def test_the_terminal_draws_the_plans_and_lists_them() -> None:
    state, board = lines(plans=(1, 2, 3, 4), players=4).start(), find_board("lines")
    screen = Console(width=80, file=io.StringIO(), record=True)
    screen.print(board.draw(state))
    drawn = screen.export_text()
    assert all(f"Plan {plan}" in drawn for plan in (1, 2, 3, 4)) and "Player 1 chooses the plan" in drawn
    assert max(map(len, drawn.splitlines())) <= 80
    move = ChosenPlan(0, 3)
    assert board.heading(move) == "Choose the plan"
    assert board.label(state, move) == "Plan 3: 1 to 16, 10 lines, 4 dice"
    assert board.tell(state, move) == "Player 1 chooses plan 3 with 4 dice for round 1"
