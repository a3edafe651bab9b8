"""Several people at one screen: each sees their own hand only."""

from __future__ import annotations

import json

import pytest

from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import Position
from pasch.terminal import menu, play, screen
from tests.terminal.conftest import Pasch

TWO = ("play", "sixbysix", "--seats", "me,me", "--dice", "real")
DEAL = '{"deal":[[1,2],[8,9]]}'


class OpenBoard:
    """A board that gives away all that it is shown, and takes JSON."""

    def draw(self, state: State) -> str:
        assert isinstance(state, Position)
        return f"drawn {state.hands}"

    def tell(self, state: State, event: Event) -> str:
        assert isinstance(state, Position)
        return f"said {state.hands} {json.dumps(event.json())}"

    def label(self, state: State, move: Event) -> str:
        assert isinstance(move, Card)
        return f"{move.card} on {move.field}"

    def prompt(self, state: State) -> str:
        return "cards"

    def read_outcome(self, state: State, text: str) -> Event:
        return state.game.read_event(json.loads(text))


@pytest.fixture
def open_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "find_board", lambda game: OpenBoard())


def turns(output: str) -> list[str]:
    """What was on the screen before the first person came, and then in each person's turn."""
    return output.split("press Enter when it's you.")


@pytest.mark.usefixtures("open_board")
def test_each_person_sees_their_own_hand_only(pasch: Pasch) -> None:
    done = pasch(*TWO, typed=f'{DEAL}||1 on 6||{{"seat":0,"draw":[3,4]}}||q')
    before, first, second = turns(done.stdout)
    assert "Player 1, " in before and "Player 2, " in first
    shown = before.split(DEAL)[1]
    assert "null" in shown and not set("1289") & set(shown.split("Player 1, ")[0])
    assert "drawn ((1, 2), (None, None))" in first and "8, 9" not in first
    assert "drawn ((None, None, None), (8, 9))" in second
    assert '{"seat": 0, "draw": [3, 4]}' in first
    # events since then are shown again, as this seat sees them
    assert '{"deal": [[null, null], [8, 9]]}' in second
    assert '{"seat": 0, "card": 1, "field": 6}' in second
    assert '{"seat": 0, "draw": [null, null]}' in second
    assert "3, 4" not in second and "2, 3" not in second and "1, 2" not in second


@pytest.mark.usefixtures("open_board")
def test_the_screen_is_wiped_before_and_after_the_hand_over(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = []

    def ask(_: object, question: str) -> str:
        done.append(question)
        if question == "cards:":
            return DEAL
        if "press Enter" in question:
            return ""
        raise EOFError

    for module in (play, menu):
        monkeypatch.setattr(module, "ask", ask)
    monkeypatch.setattr(play, "wipe", lambda _: done.append("wiped"))
    pasch(*TWO)
    assert done[:4] == ["cards:", "wiped", "Player 1, press Enter when it's you.", "wiped"]
    made = screen.console()
    monkeypatch.setattr(made, "_force_terminal", True)
    screen.wipe(made)
    assert "\x1b[3J" in capsys.readouterr().out, "what was scrolled away is wiped, too"


@pytest.mark.usefixtures("open_board")
def test_a_continued_game_is_handed_over_first(pasch: Pasch) -> None:
    pasch(*TWO, typed=f"{DEAL}||q")
    before, first = turns(pasch("play", "--continue", typed="|q").stdout)
    assert "1, 2" not in before and "8, 9" not in before
    assert "drawn ((1, 2), (None, None))" in first


def test_who_has_the_screen_alone_or_hides_nothing_is_not_asked_to_hand_over(pasch: Pasch) -> None:
    done = pasch("play", "sixbysix", "--seats", "me,random", typed="q")
    assert "??" in done.stdout and "press Enter" not in done.stdout
    done = pasch("play", "joker1", "--seats", "me,me", typed="|".join(["1"] * 30))
    assert "press Enter" not in done.stdout
