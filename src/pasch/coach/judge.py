"""The coach's judgement of a move or a roll, and its advice before a move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from pasch.coach.ledger import exact_points, weigh
from pasch.coach.reasons import prospects, why
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.rules import EQUAL
from pasch.core.state import CHANCE, State
from pasch.core.words import Sentence, percent, say
from pasch.players.levels import best_to_win
from pasch.solve.valuer import MoveValue, Valuer, valuer

#: a roll is compared with all others only if there are at most this many
MAX_ROLLS_COMPARED = 500


class EventJudgement(msgspec.Struct, frozen=True):
    """The judgement of one event. Points are expected final score."""

    #: the event's number in the record, counted from 1
    number: int
    #: whose event it is; None for what concerns the whole table
    seat: int | None
    kind: Literal["move", "roll"]
    #: of a move, what it gave away; of a roll, its luck (for the whole table: of the luckiest seat)
    points: float
    #: of a move that gave something away, the best one for points
    best: dict[str, Any] | None
    #: why, in one sentence; without the points
    sentences: tuple[Sentence, ...]
    #: whether the points are exact; otherwise they are estimates
    exact: bool


class MoveAdvice(msgspec.Struct, frozen=True):
    """All moves with their values, the best for points first, and the reason for it.

    A move's `value` is counted as in the ledger, so that a hint and the judgement afterwards say the same.
    """

    moves: tuple[MoveValue, ...]
    #: the best move for winning, if that is another one than the best for points
    best_to_win: dict[str, Any] | None
    sentences: tuple[Sentence, ...]
    exact: bool


def judge(before: State, event: Event, after: State, number: int) -> EventJudgement:
    """The judgement of a move or a roll by the states before and after it; a move is judged by what its seat knew."""
    values, best = valuer(before.game), None
    kind: Literal["move", "roll"] = "move"
    if before.actor == CHANCE:
        luck = weigh(values, before, event, number, values.points(before), values.points(after)).luck
        kind, points = "roll", max(luck) if event.seat is None else luck[event.seat]
        said = _rank(values, before, points, event.seat) or _luck_in_words(points)
    else:
        view = before.view(before.actor)
        moves, worth = view.moves(), values.move_points(view)
        points = max(worth) - worth[moves.index(event)]
        if points > EQUAL:
            best = moves[worth.index(max(worth))]
            said = why(view, event, best, values)[0]
        else:
            said = _nothing_better(len(moves))
    return EventJudgement(
        number,
        event.seat,
        kind,
        points,
        None if best is None else best.json(),
        (said,),
        exact_points(values),
    )


# --- moves ----------------------------------------------------------------------------------------


def _nothing_better(moves: int) -> Sentence:
    return say("There was no other move.") if moves == 1 else say("No move scores more on average.")


#: sentences for when points and winning call for different decisions, by these two; games may have more of them
_ADVICE = {
    ("roll", "stop"): "For more points, roll on; to win this game, stop.",
    ("stop", "roll"): "For more points, stop; to win this game, roll on.",
}


def about_winning(state: State, made: Event) -> Iterator[Sentence]:
    """What a move does to the chance to win; nothing where chances are not known."""
    values, view = valuer(state.game), state.view(state.actor)
    worth, points = values.moves(view), values.move_points(view)
    win_best = best_to_win(worth, points)
    if win_best is None:
        return
    could, chance = percent(worth[win_best].win or 0.0), percent(worth[view.moves().index(made)].win or 0.0)
    if could != chance:
        said = "Your chance to win is {chance} % after it and could be {best} %."
        yield say(said, chance=chance, best=could)
    if (flag := _flag(worth, points.index(max(points)), win_best)) is not None:
        yield flag


def _flag(worth: tuple[MoveValue, ...], best: int, win_best: int) -> Sentence | None:
    """What to say where playing for points is not playing to win; None where it is."""
    if (worth[win_best].win or 0.0) <= (worth[best].win or 0.0) + EQUAL:
        return None
    decisions = (getattr(worth[best].move, "next", ""), getattr(worth[win_best].move, "next", ""))
    if decisions in _ADVICE:
        return say(_ADVICE[decisions])
    chance, points = percent(worth[win_best].win or 0.0), percent(worth[best].win or 0.0)
    if chance == points:
        return say("One move scores more, but another wins this game a little more often.")
    said = "One move scores more, but another wins this game more often: {chance} % of the time instead of {points} %."
    return say(said, chance=chance, points=points)


# --- advice ---------------------------------------------------------------------------------------


def advise(state: State, *, chances: bool = True) -> MoveAdvice:
    """Advice for the seat to move, from what it may know."""
    if state.actor < 0:
        raise PaschError("there is nothing to choose now")
    view = state.view(state.actor)
    moves = view.moves()
    values = valuer(state.game)
    points = values.move_points(view)
    worth = values.moves(view) if chances else tuple(MoveValue(move, None, None, None) for move in moves)
    # the points are those that a move is judged by afterwards
    worth = tuple(msgspec.structs.replace(w, value=value) for w, value in zip(worth, points, strict=True))
    best = points.index(max(points))
    win_best = best_to_win(worth, points)
    sentences = list(prospects(view, moves[best], values)[:1])
    if win_best is not None and (flag := _flag(worth, best, win_best)) is not None:
        sentences.append(flag)
    else:
        win_best = None
    order = sorted(range(len(moves)), key=lambda place: (-points[place], place))
    return MoveAdvice(
        tuple(worth[place] for place in order),
        None if win_best is None else moves[win_best].json(),
        tuple(sentences),
        exact_points(values),
    )


# --- rolls ----------------------------------------------------------------------------------------


def _luck_in_words(points: float) -> Sentence:
    if abs(points) <= EQUAL:
        return say("Neither lucky nor unlucky.")
    return say("Better than average.") if points > 0 else say("Worse than average.")


def _rank(values: Valuer, before: State, points: float, seat: int | None) -> Sentence | None:
    """How many of all rolls would have been better; None where they are too many or their points not exact."""
    chance = before.chance()
    if seat is None or not exact_points(values) or not chance.listable:
        return None
    if chance.total > 6**5 or len(chance.outcomes()) > MAX_ROLLS_COMPARED:
        return None
    now = values.points(before)
    better = worse = 0
    for outcome, cases in chance.outcomes():
        after = values.points(before.apply(outcome))
        luck = weigh(values, before, outcome, 0, now, after).luck[seat]
        better += cases * (luck > points + EQUAL)
        worse += cases * (luck < points - EQUAL)
    if better <= worse:
        return say("{chance} % of all rolls are better.", chance=percent(better / chance.total))
    return say("{chance} % of all rolls are worse.", chance=percent(worse / chance.total))
