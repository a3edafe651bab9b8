"""What the coach says of a move and of a roll."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pasch import Match, find_game
from pasch.coach import judge as judging
from pasch.coach.judge import about_winning, advise
from pasch.core.words import Sentence
from pasch.games.joker1.rules import Next
from pasch.solve.valuer import valuer
from tests.coach.games import judged


def said(sentences: tuple[Sentence, ...]) -> str:
    return " ".join(map(str, sentences))


def joker1(*events: str, players: int = 1) -> Match:
    return Match(find_game("joker1").agree(players, {"rounds": 1}), events)


@pytest.mark.slow
def test_stopping_too_early_is_explained_by_what_rolling_on_brings_and_risks() -> None:
    match = joker1("roll:1,2,3", "push:1/2/3", "next:stop")
    found, roll = judged(match, 3), judged(match, 1)
    assert found.best == {"seat": 0, "next": "roll"}
    words = said(found.sentences)
    assert words == "Stopping scores 6 points; rolling on brings 13.4 on average, the jokers 9.5."
    values = valuer(match.game).move_points(match.at(2))
    assert found.points == pytest.approx(max(values) - 6)
    assert roll.kind == "roll" and "% of all rolls are" in said(roll.sentences), "compared with all others"


def test_what_concerns_the_whole_table_is_as_lucky_as_for_the_luckiest_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = find_game("fiese15").agree(2).start()
    event = start.chance().pick(0)
    assert event.seat is None
    monkeypatch.setattr(judging, "valuer", lambda game: SimpleNamespace(points=lambda state: (0.0, 0.0)))
    monkeypatch.setattr(judging, "exact_points", lambda values: True)
    monkeypatch.setattr(judging, "weigh", lambda *about: SimpleNamespace(luck=(-3.0, -1.0)))
    assert judging.judge(start, event, start.apply(event), 1).points == -1.0


# --- winning --------------------------------------------------------------------------------------


def last_decision() -> Match:
    """Both have played kleiner Schritt; the one who moves last only has to stop to share the win."""
    step = "roll:1,2,3", "push:1/2/3"
    return joker1(*step, "next:stop", *step, players=2)


@pytest.mark.slow
def test_where_points_and_winning_disagree_it_is_flagged() -> None:
    match = last_decision()
    found = advise(match.state)
    assert found.moves[0].move == Next(1, "roll"), "for points"
    assert found.best_to_win == {"seat": 1, "next": "stop"}
    assert "For more points, roll on; to win this game, stop." in said(found.sentences)
    before = match.state
    match.play(Next(1, "roll"))
    made = judged(match, len(match))
    assert made.points == 0 and made.best is None
    assert list(map(str, about_winning(before, Next(1, "roll")))) == [
        "Your chance to win is 99.5 % after it and could be 100 %.",
        "For more points, roll on; to win this game, stop.",
    ]
