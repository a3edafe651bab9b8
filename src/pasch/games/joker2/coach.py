"""Würfel Joker 2: what the slides still down cost, and how probably the next roll fits."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit, scored, stopping_and_rolling, turn_ended
from pasch.core.events import Event
from pasch.core.words import Sentence, counted, percent, say
from pasch.games.joker2.rules import Forgo, Next, Position, Push, stopped
from pasch.solve.valuer import Valuer, chance_that


def prospects(state: Position, move: Event, values: Valuer) -> Iterator[Sentence]:
    """What a move costs or risks."""
    if isinstance(move, Next):
        yield from _decision(state, values)
        return
    after = state.apply(move)
    if turn_ended(state, after):
        points = scored(state, after)
        yield counted("All slides are up: {n} point.", "All slides are up: {n} points.", points)
    else:
        bust = percent(bust_chance(_rolling(after)))
        yield say("After this the next roll fits no slide {bust} % of the time.", bust=bust)


def why(state: Position, made: Event, best: Event, values: Valuer) -> Iterator[Sentence]:
    """What the best move has that the one made has not."""
    after, better = state.apply(made), state.apply(best)
    if isinstance(best, Next) or turn_ended(state, better):
        yield from prospects(state, best, values)
        return
    if after.fivefold and not better.fivefold:
        factor = state.game.components.factor
        yield say("With the five, what you lose counts {factor} times.", factor=factor)
    if isinstance(best, Forgo):
        yield say("You would have done better without the double: no slide that it can push is worth it.")
    elif isinstance(made, Forgo):
        yield say("The double was of use; without it you only roll again.")
    if not turn_ended(state, after):
        yield say(
            "After it the next roll fits no slide {bust} % of the time, after the best move {best} %.",
            bust=percent(bust_chance(_rolling(after))),
            best=percent(bust_chance(_rolling(better))),
        )


def bust_chance(rolling: Position) -> float:
    """How probable it is that the next roll ends the turn."""
    return chance_that(rolling, lambda after: turn_ended(rolling, after))


def _rolling(state: Position) -> Position:
    """The state before the next roll, if the turn continues."""
    return state if state.phase == "roll" else state.apply(Next(state.seat, "roll"))


def _decision(state: Position, values: Valuer) -> Iterator[Sentence]:
    now = stopped(state.game.config, state.slides, state.fivefold, state.pips)
    yield from stopping_and_rolling(state, values, now)
    bust = percent(bust_chance(_rolling(state)))
    yield say("The next roll fits no slide {bust} % of the time.", bust=bust)


# --- habits ------------------------------------------------------------------------------------------


def habit(state: Position, made: Event, best: Event) -> Habit:
    """Everything by the slides that are up."""
    when = counted("with {n} slide up", "with {n} slides up", state.slides.bit_count())
    if isinstance(made, Next):
        if made.next == "stop":
            return Habit("Stops where rolling on is better", when)
        return Habit("Rolls on where it should stop", when)
    if isinstance(best, Forgo):
        return Habit("Uses a double that is better forgone", when)
    if isinstance(made, Forgo):
        return Habit("Forgoes a double that has a use", when)
    assert isinstance(made, Push) and isinstance(best, Push)
    # once the minus counts several times, the five costs nothing more
    after, better = state.apply(made).fivefold, state.apply(best).fivefold
    if after and not better:
        return Habit("Uses the five where it is better saved", when)
    if better and not after:
        return Habit("Saves the five where it should use it", when)
    return Habit("Pushes the wrong slide", say("{made} instead of {best}", made=made.push, best=best.push))
