"""The report of a recorded game in the terminal: what was luck and what was skill."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.coach.html import page
from pasch.coach.report import Noted, Report, SeatReport, report
from pasch.core.record import Record
from pasch.core.whole import whole_file
from pasch.terminal.board import find_board
from pasch.terminal.ending import in_words
from pasch.terminal.progress import prepare
from pasch.terminal.screen import console
from pasch.terminal.show import read_game
from pasch.terminal.words import seat_name


def report_file(file: Path, line: int, html: Path | None, as_json: bool, chances: bool) -> None:
    """Report game number `line` of a file: in words, as JSON, and as a page if `html` names one."""
    made = make_report(read_game(file, line), chances)
    if html is not None:
        names = [seat_name(seat) for seat in range(made.players)]
        with whole_file(html) as target:
            target.write(page(made, names=names))
    if as_json:
        click.echo(msgspec.json.encode(made).decode())
        return
    screen = console(wide=True)
    print_report(screen, made)
    if html is not None:
        screen.print(f"The page is in {html}", soft_wrap=True)


def make_report(record: Record, chances: bool) -> Report:
    """The report of a record, in the words of the terminal's boards."""
    record.verify()
    prepare(record.agreed(), chances=chances)
    return report(record, tell=find_board(record.game).tell, chances=chances)


def print_report(screen: Console, made: Report) -> None:
    """The whole report."""
    screen.print(Text(made.title, style="bold"))
    screen.print(_outcome(made))
    screen.print(Text(str(made.statement), style="italic"))
    screen.print(_ledger(made))
    screen.print(
        "Expected is what best play brings on average; net luck is luck less the table's average; without "
        "luck: what the same moves bring on average; accuracy: 100 % gives nothing away, 0 % as much as "
        "random moves.",
        soft_wrap=not screen.is_terminal,
    )
    if made.expensive:
        screen.print(Text("\nThe most expensive moves", style="bold"))
        for note in made.expensive:
            _print_move(screen, note)
    else:
        screen.print("\nNobody gave anything away.")
    for seat in made.seats:
        _print_rolls(screen, seat)
    if made.chances and made.players > 1:
        screen.print(Text("\nChances to win after each turn", style="bold"))
        screen.print(_chances(made))
    screen.print(Text("\nEvery turn", style="bold"))
    screen.print(_turns(made))


def _outcome(made: Report) -> str:
    scores = ", ".join(f"{seat_name(seat)} {score}" for seat, score in enumerate(made.scores))
    if made.players == 1:
        return scores
    return f"{scores}. Won by {in_words([seat_name(seat) for seat in made.winners])}."


def _table(*heads: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table


def _ledger(made: Report) -> Table:
    others = any(abs(seat.ledger.others) > 0.005 for seat in made.seats)
    rest = any(abs(seat.ledger.remainder) > 0.005 for seat in made.seats)
    heads = ["", "expected", "luck", "mistakes", *["others"] * others, *["rest"] * rest, "result"]
    table = _table(*heads, "net luck", "without luck", "accuracy")
    for seat in made.seats:
        entry = seat.ledger
        row = [seat_name(seat.seat), number(entry.expectation), signed(entry.luck), signed(-entry.costs)]
        row += [signed(entry.others)] * others + [signed(-entry.remainder)] * rest
        row += [number(entry.result), signed(seat.net_luck), number(seat.without_luck)]
        table.add_row(*row, "–" if seat.accuracy is None else f"{number(seat.accuracy)} %")
    return table


def _print_move(screen: Console, note: Noted) -> None:
    screen.print(Text(f"{note.number:>4}  {signed(-note.points)}  {note.text}"), soft_wrap=True)
    if note.best_text is not None:
        screen.print(Text(f"      Better: {note.best_text}"), soft_wrap=True)
    for sentence in note.sentences[1:]:
        screen.print(Text(f"      {sentence}", style="italic"), soft_wrap=True)


def _print_rolls(screen: Console, seat: SeatReport) -> None:
    for title, notes in (("luckiest", seat.luckiest), ("unluckiest", seat.unluckiest)):
        if notes:
            screen.print(Text(f"\nThe {title} moments of {seat_name(seat.seat)}", style="bold"))
        for note in notes:
            screen.print(Text(f"{note.number:>4}  {signed(note.points)}  {note.text}"), soft_wrap=True)


def _chances(made: Report) -> Table:
    table = _table("event", *map(seat_name, range(made.players)))
    for chances in made.chances or ():
        table.add_row(str(chances.after), *(f"{chance:.1%}" for chance in chances.win))
    return table


def _turns(made: Report) -> Table:
    table = _table("", "events", "before", "luck", "mistakes", "after")
    for turn in made.turns:
        entry = turn.ledger
        figures = (
            number(entry.expectation),
            signed(entry.luck),
            signed(-entry.costs),
            number(entry.result),
        )
        table.add_row(seat_name(turn.seat), f"{turn.first}–{turn.last}", *figures)
    return table


def number(value: float, digits: int = 2) -> str:
    """A number for people; no minus before a zero."""
    written = f"{value:.{digits}f}"
    return written.removeprefix("-") if float(written) == 0 else written


def signed(value: float) -> str:
    """The same with its sign."""
    written = number(value)
    return written if written.startswith("-") or float(written) == 0 else f"+{written}"
