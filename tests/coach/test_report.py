"""The report of a game, and its page."""

from __future__ import annotations

import re

import msgspec
import pytest

from pasch import find_game
from pasch.coach.blocks import Document, Markup, Paragraph
from pasch.coach.document import document
from pasch.coach.html import page
from pasch.coach.ledger import keep_ledger
from pasch.coach.report import Report, report
from pasch.core.errors import PaschError, RecordError
from tests.coach.games import play


@pytest.fixture(scope="module")
def made() -> Report:
    return report(play(find_game("lines").agree(3), "random,easy"), chances=True)


def test_the_most_expensive_moves_and_the_luckiest_rolls_are_picked_out(made: Report) -> None:
    costs = [noted.points for noted in made.expensive]
    assert len(costs) == 3 and costs == sorted(costs, reverse=True)
    assert costs[0] == max(noted.points for seat in made.seats for noted in seat.expensive)
    assert all(noted.best_text and noted.sentences for noted in made.expensive)
    for seat in made.seats:
        assert seat.luckiest and all(noted.points > 0 and noted.kind == "roll" for noted in seat.luckiest)
        assert seat.unluckiest and all(noted.points < 0 for noted in seat.unluckiest)


def test_chances_begin_before_the_game_and_end_with_the_winners(made: Report) -> None:
    assert made.chances is not None and made.chances[0].after == 0
    assert made.chances[-1].win == tuple(float(seat in made.winners) for seat in range(3))


def test_only_a_finished_game_has_a_report_in_the_callers_words() -> None:
    match = play(find_game("lines").agree(2), "random")
    found = report(match, tell=lambda state, event: f"event {type(event).__name__}")
    assert {noted.text for noted in found.expensive} == {"event Cover"}
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
    written = page(document(shown))
    assert "judged by chances to win" in written and "Your chance to win is" in written
    assert f"{100 * sums.expectation:.{shown.digits}f} %" in written


# --- the page -------------------------------------------------------------------------------------


def test_the_page_stands_alone(made: Report) -> None:
    written = page(document(made))
    names = set(re.findall(r"<(\w+)", written))
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert not re.search(r"\b(src|href|srcset|action|on\w+)=|http|//|@import|url\(", written)
    for name in names - {"meta", "br"}:
        opened = re.findall(rf"<{name}\b[^>]*>", written)
        closed = written.count(f"</{name}>") + sum(tag.endswith("/>") for tag in opened)
        assert len(opened) == closed, name


def test_the_page_has_a_line_for_every_seat_with_luck_and_mistakes_marked(made: Report) -> None:
    written = page(document(made))
    for seat in range(3):
        assert f'class="line seat{seat}"' in written
    marks = re.findall(r'class="mark (\w+) seat\d"', written)
    assert marks.count("mistake") == 5 and marks.count("lucky") + marks.count("unlucky") == 5
    lines = re.findall(r'<polyline class="line seat0"[^>]* points="([^"]*)"', written)
    assert len(lines[0].split()) == len(made.course)


def test_the_page_speaks_the_language_it_is_given_and_no_name_can_break_it(made: Report) -> None:
    names = ["<b>A&B</b>", '"x"', "ok"]
    written = page(document(made, names, speak=lambda sentence: "§" + str(sentence)), language="de")
    assert '<html lang="de">' in written and "§Luck and skill" in written
    assert "<b>A" not in written and "&lt;b&gt;A&amp;B" in written


@pytest.mark.slow
def test_a_game_alone_has_a_page_too() -> None:
    found = report(play(find_game("joker1").agree(1, {"rounds": 2}), "perfect"), chances=True)
    written = page(document(found))
    assert (
        "Result:" in written and "Nobody gave anything away." in written and "Chances to win" not in written
    )


def test_only_markup_is_marked_and_data_cannot_end_its_script() -> None:
    plain, marked = "*a* `b` <i>", Markup("*a* `b` **c <i>**")
    written = page(Document("t", (Paragraph(plain), Paragraph(marked, "key"))), data='{"a":"</script>"}')
    assert "<p>*a* `b` &lt;i&gt;</p>" in written
    assert '<p class="key"><em>a</em> <code>b</code> <strong>c &lt;i&gt;</strong></p>' in written
    assert written.count("</script>") == 1
