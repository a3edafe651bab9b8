"""The report of a game, and its page."""

from __future__ import annotations

import re

import msgspec
import pytest

from pasch import find_game
from pasch.coach.document import document
from pasch.coach.ledger import keep_ledger
from pasch.coach.markdown import page
from pasch.coach.report import Report, report
from pasch.core.errors import PaschError, RecordError
from tests.coach.games import play


@pytest.fixture(scope="module")
def made() -> Report:
    return report(play(find_game("lines").agree(3), "random,easy"))


def test_the_most_expensive_moves_and_the_luckiest_rolls_are_picked_out(made: Report) -> None:
    for seat in made.seats:
        costs = [noted.points for noted in seat.expensive]
        assert len(costs) == 3 and costs == sorted(costs, reverse=True)
        assert all(noted.best_text and noted.sentences for noted in seat.expensive)
        luck = [abs(noted.points) for noted in seat.rolls]
        assert len(luck) == 5 and luck == sorted(luck, reverse=True)
        assert all(noted.kind == "roll" and noted.seat == seat.seat for noted in seat.rolls)


def test_only_a_finished_game_has_a_report_in_the_callers_words() -> None:
    match = play(find_game("lines").agree(2), "random")
    found = report(match, tell=lambda state, event: f"event {type(event).__name__}")
    assert {noted.text for seat in found.seats for noted in seat.expensive} == {"event Cover"}
    part = match.branch(5)
    with pytest.raises(PaschError, match="not over"):
        report(part)
    wrong = msgspec.structs.replace(match.record(), scores=[99, 99])
    for record, said in ((part.record(), "ends before the game does"), (wrong, "scores")):
        with pytest.raises(RecordError, match=said):
            report(record)


@pytest.mark.slow
def test_who_plays_to_win_is_judged_by_chances_to_win() -> None:
    """Points that a player for the win gives away are no mistakes, and the report says what it counts."""
    game = find_game("joker1").agree(2, {"rounds": 2})
    # some game in which winning called for another move than points did
    matches = (play(game, "winner,random", number) for number in range(50))
    match = next(match for match in matches if keep_ledger(match).seats[0].mistakes)
    by_points, by_win = report(match).seats[0], report(match, to_win=[0]).seats[0]
    assert by_points.account.costs > 0 and by_points.expensive and by_points.to_win is None
    assert by_win.mistakes == 0 and by_win.expensive == () and by_win.account == by_points.account
    sums = by_win.to_win
    assert sums is not None and sums.costs == pytest.approx(0, abs=1e-6)
    assert sums.expectation + sums.luck + sums.others == pytest.approx(sums.result, abs=1e-6)
    assert sums.result == float(0 in match.state.winners())
    shown = report(match, to_win=range(2))
    assert shown.seats[1].to_win is not None and all(note.win for note in shown.seats[1].expensive)
    written = page(*document(shown))
    assert "judged by chances to win" in written and "Your chance to win is" in written
    assert f"{100 * sums.expectation:.{shown.digits}f} %" in written


# --- the page -------------------------------------------------------------------------------------


def test_the_page_stands_alone(made: Report) -> None:
    written = page(*document(made))
    names = set(re.findall(r"<(\w+)", written))
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert not re.search(r"\b(src|href|srcset|action|on\w+)=|http|//|@import|url\(", written)
    for name in names - {"meta", "br"}:
        opened = re.findall(rf"<{name}\b[^>]*>", written)
        closed = written.count(f"</{name}>") + sum(tag.endswith("/>") for tag in opened)
        assert len(opened) == closed, name


def test_the_page_speaks_the_language_it_is_given_and_no_word_can_break_it(made: Report) -> None:
    """What a game says of a move may have characters that mark something in Markdown or HTML."""
    noted = msgspec.structs.replace(made.seats[0].expensive[0], text="<b> *A* | `b` [c](d)", points=99.0)
    seat = msgspec.structs.replace(made.seats[0], expensive=(noted,))
    found = msgspec.structs.replace(made, title="<i>6*6*6", seats=(seat, *made.seats[1:]))
    written = page(*document(found, speak=lambda sentence: "§" + str(sentence)), language="de")
    assert '<html lang="de">' in written and "<h2>§Luck and skill</h2>" in written
    assert "&lt;b&gt; *A* | `b` [c](d)." in written and "<h1>§&lt;i&gt;6*6*6: luck" in written


@pytest.mark.slow
def test_a_game_alone_has_a_page_too() -> None:
    found = report(play(find_game("joker1").agree(1, {"rounds": 2}), "perfect"))
    written = page(*document(found))
    assert "Result:" in written and "Nobody gave anything away." in written


def test_data_cannot_end_its_script() -> None:
    assert page("t", "*a*", data='{"a":"</script>"}').count("</script>") == 1
