"""Würfel Joker 1: what stands, what a roll can lose, and which combinations stay open."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit, scored, stopping_and_rolling, turn_ended
from pasch.core.events import Event
from pasch.core.words import Sentence, counted, percent, say
from pasch.games.joker1.box import called, out_of_reach
from pasch.games.joker1.rules import NEXTS, Next, Position, score
from pasch.solve.valuer import Valuer, chance_that, gain


def prospects(state: Position, move: Event, values: Valuer) -> Iterator[Sentence]:
    """What a move scores or risks, and what it keeps open."""
    if isinstance(move, Next):
        yield from _decision(state, values)
        return
    after = state.apply(move)
    yield counted("This keeps {n} die in play.", "This keeps {n} dice in play.", after.dice)
    if names := still_open(after):
        yield say("Still possible: {names}.", names=names)
    else:
        yield say("No combination is possible any more.")


def why(state: Position, made: Event, best: Event, values: Valuer) -> Iterator[Sentence]:
    """What the best move has that the one made has not."""
    if isinstance(best, Next):
        yield from _decision(state, values)
        return
    after, better = state.apply(made), state.apply(best)
    yield say("Dice kept in play: {n}, with the best move {best}.", n=after.dice, best=better.dice)
    if lost := [name for name in still_open(better) if name not in still_open(after)]:
        yield say("The best move still allows what this one rules out: {names}.", names=lost)
    yield say(
        "The next roll loses everything {bust} % of the time, after the best move {best} %.",
        bust=percent(bust_chance(_rolling(after))),
        best=percent(bust_chance(_rolling(better))),
    )


def still_open(state: Position) -> list[str]:
    """The combinations that can still come to stand, or stand already."""
    combinations = state.game.components.combinations
    return [called(one.name) for one in combinations if not out_of_reach(one, state.slides)]


def bust_chance(rolling: Position) -> float:
    """How probable it is that the next roll ends the turn with nothing."""
    return chance_that(rolling, lambda after: turn_ended(rolling, after) and not scored(rolling, after))


def _rolling(state: Position) -> Position:
    return state.apply(Next(state.seat, "roll"))


def _decision(state: Position, values: Valuer) -> Iterator[Sentence]:
    now = score(state.game.config, state.slides, state.jokers)
    roll, stop, jokers = (Next(state.seat, word) for word in NEXTS)
    if jokers in state.moves():
        yield say(
            "Stopping scores {n} points; rolling on brings {roll} on average, the jokers {jokers}.",
            n=now,
            roll=now + gain(state, roll, values, stop),
            jokers=now + gain(state, jokers, values, stop),
        )
    else:
        yield from stopping_and_rolling(state, values, now)
    bust = percent(bust_chance(_rolling(state)))
    yield say("The next roll loses everything {bust} % of the time.", bust=bust)


# --- habits ------------------------------------------------------------------------------------------


#: by the decision made and the best one
_DECISIONS = {
    ("roll", "stop"): "Rolls on where it should stop",
    ("roll", "jokers"): "Rolls on where it should go into the jokers",
    ("stop", "roll"): "Stops where it should roll on",
    ("stop", "jokers"): "Stops where it should go into the jokers",
    ("jokers", "roll"): "Goes into the jokers where it should roll on",
    ("jokers", "stop"): "Goes into the jokers where it should stop",
}


def habit(state: Position, made: Event, best: Event) -> Habit:
    """Decisions to roll again by the dice in play; pushes by the dice and combinations they leave."""
    in_play = counted("with {n} die in play", "with {n} dice in play", state.dice)
    if isinstance(made, Next) and isinstance(best, Next):
        when = say("in the jokers") if state.phase == "joker next" else in_play
        return Habit(_DECISIONS[made.next, best.next], when)
    after, better = state.apply(made), state.apply(best)
    if after.dice < better.dice:
        return Habit("Keeps too few dice in play", in_play)
    if any(name not in still_open(after) for name in still_open(better)):
        return Habit("Spoils a combination that should stay open", in_play)
    if after.dice > better.dice:
        return Habit("Keeps dice in play where slides matter more", in_play)
    return Habit("Pushes other slides, though it keeps as many dice and combinations", in_play)
