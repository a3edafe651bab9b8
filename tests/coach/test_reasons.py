"""Reasons have the numbers of the rules, and every mistake belongs to a habit."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pasch import Match, find_game
from pasch.coach.reasons import begins_turn, habit, prospects, why
from pasch.core.chance import seed_key
from pasch.core.events import Roll
from pasch.core.registry import game_ids
from pasch.games.fiese15 import coach as fiese15
from pasch.games.fiese15.rules import COLOURS, Keep, Strip
from pasch.games.fiese15.rules import Next as FieseNext
from pasch.games.fiese15.rules import Roll as FieseRoll
from pasch.games.joker1 import coach as joker1
from pasch.games.joker1.rules import Next, Push
from pasch.games.joker2 import coach as joker2
from pasch.games.joker2.rules import Forgo
from pasch.games.joker2.rules import Next as Next2
from pasch.games.joker2.rules import Push as Push2
from pasch.games.lines import coach as lines_reasons
from pasch.games.lines.rules import Cover, Plan
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import valuer


def words(sentences: tuple[object, ...]) -> str:
    return " ".join(map(str, sentences))


@pytest.mark.slow
def test_fiese15_counts_the_rolls_in_which_nothing_is_valid() -> None:
    state = find_game("fiese15").agree(1).start().apply(Strip(0))  # targets 5 1 1 1 1 6
    state = state.apply(FieseRoll(0, (1, 1, 1, 6, 6, 6))).apply(Keep(0, ("red", "green")))
    # four dice with the target 1 are left
    assert fiese15.nothing_valid(state) == pytest.approx((5 / 6) ** 4)  # type: ignore[arg-type]
    state = find_game("fiese15").agree(1).start().apply(Strip(0)).apply(FieseRoll(0, (1, 1, 1, 6, 6, 6)))
    kept = state.apply(Keep(0, ("blue", "yellow")))
    assert fiese15.nothing_valid(kept) == 0, "green 6 always fits"  # type: ignore[arg-type]
    said = words(prospects(kept, FieseNext(0, "stop"), valuer(kept.game)))
    assert "Stopping scores 2 points" in said and "No die is valid 0 % of the time" in said


@pytest.mark.slow
def test_fiese15_names_the_consolation() -> None:
    state = find_game("fiese15").agree(1).start().apply(Strip(0)).apply(FieseRoll(0, (1, 6, 6, 6, 6, 6)))
    state = state.apply(Keep(0, ("red", "green")))
    assert "that scores 4 points." in words(
        why(state, FieseNext(0, "stop"), FieseNext(0, "roll"), valuer(state.game))
    )


def test_joker1_counts_the_rolls_that_lose_everything() -> None:
    state = (
        find_game("joker1").agree(1).start().apply(Roll(0, (1, 2, 3))).apply(Push(0, ((1,), (2,), (3,))))
    )
    jokers = state.apply(Next(0, "jokers"))
    lost = sum(1 not in roll and 6 not in roll for roll in product(range(1, 7), repeat=3)) / 6**3
    assert joker1.bust_chance(jokers) == pytest.approx(lost)  # type: ignore[arg-type]


def test_joker1_names_what_a_push_spoils() -> None:
    state = find_game("joker1").agree(1).start().apply(Roll(0, (1, 2, 4)))
    one = state.apply(Push(0, ((1,), (2, 4))))
    names = joker1.still_open(one)  # type: ignore[arg-type]
    assert "small bridge" in names and "small street" not in names, "slides 1 and 6 are up"
    assert "small step" in names and "big step" in names, "steps may have further slides up"
    said = words(prospects(state, Push(0, ((1,), (2, 4))), valuer(state.game)))
    assert "keeps 3 dice in play" in said and "small bridge" in said


def test_joker2_counts_the_rolls_that_fit_nothing() -> None:
    state = find_game("joker2").agree(1).start().apply(Roll(0, (6, 5)))
    pushed = state.apply(Push2(0, 1, "6-5"))
    assert joker2.bust_chance(pushed.apply(Next2(0, "roll"))) == pytest.approx(2 / 36), "6 5 again"  # type: ignore[arg-type]


def test_joker2_says_what_the_five_and_a_forgone_double_do() -> None:
    game = find_game("joker2").agree(1)
    state = game.start().apply(Roll(0, (4, 1))).apply(Push2(0, 5, "4+1")).apply(Next2(0, "roll"))
    state = state.apply(Roll(0, (2, 2)))
    values = valuer(game)
    with_five = next(m for m in state.moves() if isinstance(m, Push2) and m.how.endswith("5"))
    plain = next(m for m in state.moves() if isinstance(m, Push2) and not m.how.endswith("5"))
    assert "counts 5 times" in words(why(state, with_five, plain, values))
    assert "better without the double" in words(why(state, plain, Forgo(0), values))
    assert "The double was of use" in words(why(state, Forgo(0), plain, values))


def test_lines_counts_the_rolls_that_fit_completely() -> None:
    state: Any = find_game("lines").agree(1).start().apply(Plan(1)).apply(Roll(0, (1, 2, 3)))
    # only 6 6 6 does not fit, once 6 is covered
    assert "99.5 % of the time" in words(prospects(state, Cover(0, ((1, 2, 3),)), valuer(state.game)))
    assert lines_reasons.begins_turn(state, state, Roll(0, (1, 2, 3)))


def test_a_turn_begins_with_another_round() -> None:
    start = find_game("joker1").agree(1, {"rounds": 2}).start()
    second = start.apply(Roll(0, (1, 2, 3))).apply(Push(0, ((1,), (2,), (3,)))).apply(Next(0, "stop"))
    assert begins_turn(start, second, Roll(0, (1, 1, 1)))
    assert not begins_turn(start, start, Roll(0, (1, 1, 1)))


def test_without_words_of_its_own_a_game_is_explained_by_expected_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pasch.coach import reasons

    monkeypatch.setattr(reasons, "_offered", lambda game, name: None)
    state: Any = find_game("lines").agree(1).start().apply(Plan(1)).apply(Roll(0, (1, 2, 3)))
    values = valuer(state.game)
    worth = values.move_points(state)
    made, best = (state.moves()[worth.index(pick(worth))] for pick in (min, max))
    assert "You can expect a final score of" in words(why(state, made, best, values))
    assert prospects(state, made, valuer(state.game)) == ()


def test_no_reason_compares_numbers_that_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from pasch.coach import reasons
    from pasch.core.words import say

    state: Any = find_game("lines").agree(1).start().apply(Plan(1)).apply(Roll(0, (1, 2, 3)))
    made, best = state.moves()[:2]
    same = say("{bust} % after it, {best} % after the best move.", bust=34.2, best=34.2)
    other = say("You would have {n} lines, with the best move {best}.", n=1, best=2)

    def explained(*sentences: object) -> str:
        monkeypatch.setattr(reasons, "_offered", lambda game, name: lambda *_: sentences)
        return words(why(state, made, best, valuer(state.game)))

    assert explained(same, other) == str(other)
    assert explained(same) == "The best move brings more on average."


# --- habits --------------------------------------------------------------------------------------


def test_habits_of_fiese15_are_distinguished() -> None:
    ones = {"seat": 0, "roll": dict.fromkeys(COLOURS, 1)}
    match = Match(find_game("fiese15").agree(1), [{"strip": 14}, ones])
    state = match.state
    few, many, other = Keep(0, ("red",)), Keep(0, ("red", "blue")), Keep(0, ("blue",))
    found = habit(state, many, few)
    assert (found.name, str(found.when)) == (
        "Sets aside too many dice",
        "2 instead of 1 of the first roll",
    )
    assert habit(state, few, many).name == "Sets aside too few dice"
    assert habit(state, other, few).name.startswith("Sets aside the wrong dice")
    state = match.play(many)
    stop, roll = FieseNext(0, "stop"), FieseNext(0, "roll")
    found = habit(state, stop, roll)
    assert (found.name, str(found.when)) == ("Stops where rolling on is better", "with 2 dice set aside")
    assert habit(state, roll, stop).name == "Rolls on where it should stop"


@pytest.mark.parametrize("name", game_ids())
def test_every_two_moves_have_a_habit(name: str) -> None:
    game = find_game(name).agree(2)
    match = play_game(game, [player("random")] * 2, seed_key("habits"))
    found = set()
    for place in range(len(match)):
        state = match.at(place)
        if state.actor >= 0 and len(moves := state.moves()) > 1:
            view = state.view(state.actor)
            found |= {habit(view, moves[0], moves[-1]).name, habit(view, moves[-1], moves[0]).name}
    assert len(found) > 1 and all(words[0].isupper() for words in found)
