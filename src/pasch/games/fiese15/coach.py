"""Fiese 15: what stopping scores, what rolling on risks, and what to set aside."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit, scored, stopping_and_rolling
from pasch.core.events import Event
from pasch.core.words import Sentence, counted, percent, say
from pasch.games.fiese15.rules import Keep, Next, Position, consolation, is_valid, worth
from pasch.solve.valuer import Valuer


def prospects(state: Position, move: Event, values: Valuer) -> Iterator[Sentence]:
    """What a move scores or risks."""
    if isinstance(move, Next):
        yield from _stop_or_roll(state, values)
        return
    after = state.apply(move)
    if after.phase != "next":
        yield say("All six dice count double: {n} points.", n=scored(state, after))
    else:
        bust = percent(nothing_valid(after))
        yield say("After this no die of the next roll is valid {bust} % of the time.", bust=bust)


def why(state: Position, made: Event, best: Event, values: Valuer) -> Iterator[Sentence]:
    """What the best move has that the one made has not."""
    after, better = state.apply(made), state.apply(best)
    if not isinstance(made, Keep) or not isinstance(best, Keep) or better.phase != "next":
        yield from prospects(state, best, values)
        return
    if after.phase != "next":
        yield from prospects(state, made, values)
        return
    yield say(
        "After it no die of the next roll is valid {bust} % of the time, after the best move {best} %.",
        bust=percent(nothing_valid(after)),
        best=percent(nothing_valid(better)),
    )
    if len(made.keep) < len(best.keep):
        yield say("The more dice you set aside, the nearer you are to the bonus and to doubling.")
    elif len(made.keep) > len(best.keep):
        yield say("With fewer dice set aside you hit more easily, and can still gain more.")


def nothing_valid(state: Position) -> float:
    """How probable it is that no die of the next roll is valid; each die decides that for itself."""
    chance = 1.0
    for kept, target in zip(state.kept, state.targets, strict=True):
        if not kept:
            chance *= sum(not is_valid(face, target) for face in range(1, 7)) / 6
    return chance


def _stop_or_roll(state: Position, values: Valuer) -> Iterator[Sentence]:
    yield from stopping_and_rolling(state, values, worth(state.kept))
    yield counted(
        "No die is valid {bust} % of the time; that scores {n} point.",
        "No die is valid {bust} % of the time; that scores {n} points.",
        consolation(state.game.config, state.targets, state.kept),
        bust=percent(nothing_valid(state)),
    )


# --- habits ------------------------------------------------------------------------------------------


def habit(state: Position, made: Event, best: Event) -> Habit:
    """Stopping and rolling on by the dice set aside before; setting aside by the dice still to come."""
    aside = sum(face > 0 for face in state.kept)
    if isinstance(made, Next):
        when = counted("with {n} die set aside", "with {n} dice set aside", aside)
        if made.next == "stop":
            return Habit("Stops where rolling on is better", when)
        return Habit("Rolls on where it should stop", when)
    assert isinstance(made, Keep) and isinstance(best, Keep)
    when = say("{made} instead of {best}", made=len(made.keep), best=len(best.keep))
    if len(made.keep) > len(best.keep):
        return Habit("Sets aside too many dice", when)
    if len(made.keep) < len(best.keep):
        return Habit("Sets aside too few dice", when)
    rolled = counted("with {n} die rolled", "with {n} dice rolled", 6 - aside)
    return Habit("Sets aside the wrong dice, but as many as it should", rolled)
