"""The report of a recorded game in the terminal: what was luck and what was skill."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.text import Text

from pasch.coach.blocks import (
    Block,
    DataTable,
    Document,
    Heading,
    Note,
    NoteList,
    NumberedList,
    Paragraph,
    render_text,
)
from pasch.coach.document import document
from pasch.coach.html import page
from pasch.coach.report import Report, report
from pasch.core.atomic_file import atomic_text
from pasch.core.record import Record
from pasch.terminal.board import find_board
from pasch.terminal.language import current, number, sentence, t
from pasch.terminal.screen import console, table, watched
from pasch.terminal.show import read_game
from pasch.terminal.value import prepare


def report_file(file: Path, line: int, html: Path | None, as_json: bool, chances: bool) -> None:
    """Report game number `line` of a file: in words, as JSON, and as a page if `html` names one."""
    made = make_report(read_game(file, line), chances)
    if html is not None:
        with atomic_text(html) as target:
            target.write(page(_document(made), language=current()))
    if as_json:
        click.echo(msgspec.json.encode(made).decode())
        return
    screen = console(wide=True)
    print_document(screen, _document(made))
    if html is not None:
        screen.print(t("The page is in {file}", file=html), soft_wrap=True)


def _document(made: Report) -> Document:
    """The report in the language of the terminal."""
    return document(made, speak=sentence, write=number)


def make_report(record: Record, chances: bool) -> Report:
    """The report of a record, in the words of the terminal's boards."""
    record.verify()
    prepare(record.agreed(), chances=chances)
    with watched("pasch report", compiles=False):
        return report(record, tell=find_board(record.game).tell, chances=chances)


def print_document(screen: Console, shown: Document) -> None:
    """Print a document's blocks; pictures are left out."""
    screen.print(Text(shown.title, style="bold"))
    for block in shown.blocks:
        _print(screen, block)


def _print(screen: Console, block: Block) -> None:
    match block:
        case Heading(text):
            screen.print(Text(f"\n{_plain(text)}", style="bold"))
        case Paragraph(text, kind):
            style = "italic" if kind == "soft" else ""
            screen.print(Text(_plain(text), style=style), soft_wrap=not screen.is_terminal)
        case DataTable(heads, rows, summary):
            if summary:
                screen.print(Text(f"\n{_plain(summary)}", style="bold"))
            made = table(*heads)
            for row in rows:
                made.add_row(*map(Text, row))
            screen.print(made)
        case NoteList(notes):
            for note in notes:
                _print_note(screen, note)
        case NumberedList(items):
            for place, item in enumerate(items, 1):
                screen.print(Text(f"{place}. {_plain(item)}"), soft_wrap=not screen.is_terminal)


def _print_note(screen: Console, note: Note) -> None:
    screen.print(Text(f"{note.place}  {note.amount}  {note.text}"), soft_wrap=True)
    for text, style in ((note.better, ""), (note.remark, "italic")):
        if text:
            screen.print(Text(f"      {text}", style=style), soft_wrap=True)


def _plain(text: str) -> str:
    return render_text(text, str)
