"""Reasons have the numbers of the rules, and every mistake belongs to a habit."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pasch import Match, find_game
from pasch.coach import reasons
from pasch.coach.reasons import begins_turn, habit, prospects, why
from pasch.core.chance import seed_key
from pasch.core.events import Roll
from pasch.core.registry import find_part, game_ids
from pasch.core.words import say
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import valuer


def at(game: str, *events: str, **options: Any) -> Any:
    """The position after these events of a game for one."""
    return Match(find_game(game).agree(1, options), events).state


def words(sentences: tuple[object, ...]) -> str:
    return " ".join(map(str, sentences))


def risks(state: Any, move: str) -> str:
    """What the coach says a move risks and gains."""
    return words(prospects(state, state.read(move), valuer(state.game)))


def differs(state: Any, made: str, best: str) -> str:
    """What the coach says is better about another move."""
    return words(why(state, state.read(made), state.read(best), valuer(state.game)))


def coach(game: str) -> Any:
    return find_part(game, "coach")


@pytest.mark.slow
def test_fiese15_counts_the_rolls_in_which_nothing_is_valid_and_names_the_consolation() -> None:
    # targets 5 1 1 1 1 6
    rolled = at("fiese15", "strip:0", "roll:1,1,1,6,6,6")
    # four dice with the target 1 are left
    assert coach("fiese15").nothing_valid(rolled.apply(rolled.read("keep:red,green"))) == pytest.approx(
        (5 / 6) ** 4
    )
    kept = rolled.apply(rolled.read("keep:blue,yellow"))
    assert coach("fiese15").nothing_valid(kept) == 0, "green 6 always fits"
    said = risks(kept, "next:stop")
    assert "Stopping scores 2 points" in said and "No die is valid 0 % of the time" in said
    state = at("fiese15", "strip:0", "roll:1,6,6,6,6,6", "keep:red,green")
    assert "that scores 4 points." in differs(state, "next:stop", "next:roll")


def test_joker1_counts_the_rolls_that_lose_everything_and_names_what_a_push_spoils() -> None:
    jokers = at("joker1", "roll:1,2,3", "push:1/2/3", "next:jokers")
    lost = sum(1 not in roll and 6 not in roll for roll in product(range(1, 7), repeat=3)) / 6**3
    assert coach("joker1").bust_chance(jokers) == pytest.approx(lost)
    state = at("joker1", "roll:1,2,4")
    names = coach("joker1").still_open(state.apply(state.read("push:1/2,4")))
    assert "small bridge" in names and "small street" not in names, "slides 1 and 6 are up"
    assert "small step" in names and "big step" in names, "steps may have further slides up"
    said = risks(state, "push:1/2,4")
    assert "keeps 3 dice in play" in said and "small bridge" in said


def test_joker2_counts_the_rolls_that_fit_nothing_and_says_what_the_five_and_a_double_do() -> None:
    pushed = at("joker2", "roll:5,6", "push:1 how:6-5", "next:roll")
    assert coach("joker2").bust_chance(pushed) == pytest.approx(2 / 36), "6 5 again"
    state = at("joker2", "roll:1,4", "push:5 how:4+1", "next:roll", "roll:2,2")
    values, moves = valuer(state.game), [move for move in state.moves() if hasattr(move, "how")]
    with_five = next(move for move in moves if move.how.endswith("5"))
    plain = next(move for move in moves if not move.how.endswith("5"))
    forgo = next(move for move in state.moves() if move not in moves)
    assert "counts 5 times" in words(why(state, with_five, plain, values))
    assert "better without the double" in words(why(state, plain, forgo, values))
    assert "The double was of use" in words(why(state, forgo, plain, values))


def test_lines_counts_the_rolls_that_fit_completely() -> None:
    state = at("lines", "plan:1", "roll:1,2,3")
    # only 6 6 6 does not fit, once 6 is covered
    assert "99.5 % of the time" in risks(state, "cover:1,2,3")
    assert begins_turn(state, state, Roll(0, (1, 2, 3)))


def test_a_turn_begins_with_another_round() -> None:
    start = at("joker1", rounds=2)
    second = at("joker1", "roll:1,2,3", "push:1/2/3", "next:stop", rounds=2)
    assert begins_turn(start, second, Roll(0, (1, 1, 1)))
    assert not begins_turn(start, start, Roll(0, (1, 1, 1)))


def test_without_words_of_its_own_a_game_is_explained_by_expected_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reasons, "_offered", lambda game, name: None)
    state = at("lines", "plan:1", "roll:1,2,3")
    values = valuer(state.game)
    worth = values.move_points(state)
    made, best = (state.moves()[worth.index(pick(worth))] for pick in (min, max))
    assert "You can expect a final score of" in words(why(state, made, best, values))
    assert prospects(state, made, values) == ()


def test_no_reason_compares_numbers_that_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    state = at("lines", "plan:1", "roll:1,2,3")
    same = say("{bust} % after it, {best} % after the best move.", bust=34.2, best=34.2)
    other = say("You would have {n} lines, with the best move {best}.", n=1, best=2)

    def explained(*sentences: object) -> str:
        monkeypatch.setattr(reasons, "_offered", lambda game, name: lambda *_: sentences)
        made, best = state.moves()[:2]
        return words(why(state, made, best, valuer(state.game)))

    assert explained(same, other) == str(other)
    assert explained(same) == "The best move brings more on average."


# --- habits --------------------------------------------------------------------------------------


def test_habits_of_fiese15_are_distinguished() -> None:
    rolled = at("fiese15", "strip:14", "roll:1,1,1,1,1,1")
    kept = rolled.apply(rolled.read("keep:red,blue"))
    for state, made, best, name, when in (
        (
            rolled,
            "keep:red,blue",
            "keep:red",
            "Sets aside too many dice",
            "2 instead of 1",
        ),
        (rolled, "keep:red", "keep:red,blue", "Sets aside too few dice", None),
        (rolled, "keep:blue", "keep:red", "Sets aside the wrong dice", None),
        (kept, "next:stop", "next:roll", "Stops where rolling on is better", "with 2 dice set aside"),
        (kept, "next:roll", "next:stop", "Rolls on where it should stop", None),
    ):
        found = habit(state, state.read(made), state.read(best))
        assert found.name.startswith(name) and when in (None, str(found.when))


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
