"""Every lesson is legal by the rules, says the numbers that they compute, and shows all of the how-to card."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pasch.core.lesson import YOU, Moment, _numbers, has_lesson, lesson, lesson_game, moments
from pasch.core.registry import all_games, find_game
from pasch.core.state import CHANCE
from pasch.core.texts import howto, languages, translated

#: Pasch's own games all have one; other people's may
OWN = [game.id for game in all_games() if game.__module__.startswith("pasch.games.")]
GAMES = [game.id for game in all_games() if game.id in OWN or has_lesson(game.id)]
#: what is counted: how many of it there are is for the rules to say
COUNTED = r"(points?|crowns?|chips?|lines?|Punkte?|Kronen?|Chips?|Reihen?)"


def texts(moment: Moment, language: str) -> list[str]:
    """The remark and the objection as templates."""
    said = [moment.step.say, moment.step.wrong]
    return [translated(text, language, moment.state.game.id) for text in said if text]


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_legal_and_the_person_makes_every_move(game: str) -> None:
    played = list(moments(game))  # the rules refuse what is not legal
    for moment, after in pairwise(played):
        if moment.do is None:
            continue
        state = moment.state.apply(moment.do)
        assert after.events[0] == moment.do
        if moment.state.actor == YOU:
            assert moment.do in moment.state.moves()
        else:
            assert moment.state.actor == CHANCE
        # automatic events hold no choice of the person's
        for event in after.events[1:]:
            assert state.actor != YOU
            state = state.apply(event)
        assert state == after.state


@pytest.mark.parametrize("game", GAMES)
def test_it_takes_about_three_minutes_and_ends_with_a_turn_of_ones_own(game: str) -> None:
    played = list(moments(game))
    for language in languages():
        words = sum(len(moment.remark(language).split()) for moment in played)
        # reading takes a person less than half a second a word, and a touch a few seconds
        assert 100 <= words <= 400
        assert max(len(moment.remark(language)) for moment in played) <= 260
    last = played[-1]
    assert last.do is None and not last.state.over
    assert last.state.mover in (YOU, None)


@pytest.mark.parametrize("game", GAMES)
def test_the_move_to_make_is_accepted_and_others_get_an_objection(game: str) -> None:
    for moment in moments(game):
        if moment.do is not None and moment.state.actor == YOU:
            assert moment.accepts(moment.do)
            others = [move for move in moment.state.moves() if not moment.accepts(move)]
            assert (others and moment.step.wrong) or len(moment.state.moves()) == 1, moment.step.say


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_numbers_of_points_are_computed_and_all_others_are_those_of_the_english_text(
    game: str, language: str
) -> None:
    for moment in moments(game):
        for text, english in zip(texts(moment, language), texts(moment, "en"), strict=True):
            assert not re.search(rf"(?<![{{\w])\d+ {COUNTED}", text), text
            assert {*re.findall(r"\{\w+\}|\d+", text)} == {*re.findall(r"\{\w+\}|\d+", english)}, text
        assert "{" not in moment.remark(language) + moment.objection(language)


@pytest.mark.parametrize("game", GAMES)
def test_everything_on_the_how_to_card_is_shown(game: str) -> None:
    written, table = lesson(game), lesson_game(game)
    cards = howto(game, "en")
    wanted = {n for n, step in enumerate(cards, 1) if step.holds(table.options.json(), written.players)}
    shown = {number for step in written.steps for number in step.shows}
    assert shown <= set(range(1, len(cards) + 1))
    assert wanted <= shown, [cards[number - 1].text for number in sorted(wanted - shown)]


def test_only_what_is_declared_by_seat_has_a_number_of_the_persons_own() -> None:
    """Six targets of a game for six are not one for each player."""
    state = find_game("fiese15").agree(6).start()
    found = _numbers(state.apply(state.chance().pick(0)))
    assert found["totals"] == 0 and not {"targets", "kept", "rolled"} & {*found}
