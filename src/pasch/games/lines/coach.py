"""Shut the Lines: how probably the next roll still fits, and the lines that are complete."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit
from pasch.core.chance import rolls
from pasch.core.events import Event, Roll
from pasch.core.rolls import ROLL_NUMBERS
from pasch.core.words import Sentence, counted, percent, say
from pasch.games.lines.rules import ChosenPlan, Cover, Position, can_use_all, free_numbers, points
from pasch.games.lines.ways import dice_in, numbers_of
from pasch.solve.valuer import Valuer


def begins_turn(first: Position, before: Position, event: Event) -> bool:
    """A turn is one roll; choosing a plan is part of the first turn of the round."""
    chosen = first.phase == "plan" and not any(before.covered)
    return isinstance(event, ChosenPlan) or (isinstance(event, Roll) and not chosen)


def prospects(state: Position, move: Event, values: Valuer) -> Iterator[Sentence]:
    """Whether the player stays in, and the lines; of a plan, how many lines it brings."""
    if isinstance(move, ChosenPlan):
        said = "A round on plan {plan} brings everybody {n} lines on average."
        yield say(said, plan=move.plan, n=_expected(state, move, values))
        return
    assert isinstance(move, Cover)
    if _whole(state, move):
        chance = _fits(state, move)
        yield say("After this you can use all dice of the next roll {chance} % of the time.", chance=chance)
    else:
        yield say("The round ends for you. Complete lines: {n}.", n=_complete(state, move))


def why(state: Position, made: Event, best: Event, values: Valuer) -> Iterator[Sentence]:
    """What the best move has that the one made has not."""
    if isinstance(made, ChosenPlan) and isinstance(best, ChosenPlan):
        yield say(
            "Plan {plan} brings {n} lines on average, plan {best_plan} brings {best}.",
            plan=made.plan,
            n=_expected(state, made, values),
            best_plan=best.plan,
            best=_expected(state, best, values),
        )
        return
    assert isinstance(made, Cover) and isinstance(best, Cover)
    if _whole(state, best):
        yield say(
            "After it you can use all dice of the next roll {chance} % of the time, after the best move {best} %.",
            chance=_fits(state, made),
            best=_fits(state, best),
        )
    done, better = _complete(state, made), _complete(state, best)
    yield say("Complete lines: {n}, with the best move {best}.", n=done, best=better)


def _expected(state: Position, plan: ChosenPlan, values: Valuer) -> float:
    """The lines that a round on a plan brings on average."""
    return values.move_points(state)[state.moves().index(plan)] - state.totals[state.seat]


def _complete(state: Position, move: Cover) -> int:
    """How many lines the seat has completed after a move."""
    return points(
        state.game.config.lines[state.plan - 1], state.covered[state.seat] | numbers_of(move.cover)
    )


def _whole(state: Position, move: Cover) -> bool:
    return dice_in(move.cover) == len(state.rolled)


def _fits(state: Position, move: Cover) -> float:
    """How probably all the dice of the seat's next roll fit, in per cent."""
    g, dice = state.game.config, state.game.config.dice[state.plan - 1]
    free = free_numbers(g, state.plan, state.covered[state.seat] | numbers_of(move.cover))
    fitting = sum(cases for roll, cases in rolls(dice) if can_use_all(g, ROLL_NUMBERS[roll], free))
    return percent(fitting / 6**dice)


# --- habits ------------------------------------------------------------------------------------------


def habit(state: Position, made: Event, best: Event) -> Habit:
    """By the numbers that are covered already; plans by their numbers."""
    if isinstance(made, ChosenPlan) and isinstance(best, ChosenPlan):
        return Habit(
            "Chooses a plan that brings fewer lines",
            say("plan {made} instead of {best}", made=made.plan, best=best.plan),
        )
    assert isinstance(made, Cover) and isinstance(best, Cover)
    covered = state.covered[state.seat].bit_count()
    when = counted("with {n} number covered", "with {n} numbers covered", covered)
    more = _complete(state, made) - _complete(state, best)
    if more > 0:
        return Habit("Finishes a line where lasting longer is worth more", when)
    if more < 0:
        return Habit("Leaves a line that it should finish", when)
    numbers = len(made.cover) - len(best.cover)
    if numbers < 0:
        return Habit("Adds dice up where it should cover their single numbers", when)
    if numbers > 0:
        return Habit("Covers single numbers where it should add dice up", when)
    return Habit("Covers the wrong numbers, but as many as it should", when)
