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
    Heading,
    NoteList,
    NumberedList,
    Paragraph,
    render_text,
)
from pasch.coach.document import document
from pasch.coach.html import page
from pasch.coach.report import report
from pasch.core.atomic_file import atomic_text
from pasch.terminal.board import find_board
from pasch.terminal.language import current, number, sentence, t
from pasch.terminal.screen import console, table, watched
from pasch.terminal.show import read_game
from pasch.terminal.value import prepare


def report_file(file: Path, line: int, html: Path | None, as_json: bool, chances: bool, aim: str) -> None:
    """Report game number `line` of a file: in words, as JSON, and as a page if `html` names one."""
    record, to_win = read_game(file, line), aim == "win"
    record.verify()
    prepare(record.configured_game(), chances=chances or to_win)
    with watched("pasch report", compiles=False):
        seats = range(record.players if to_win else 0)
        made = report(record, tell=find_board(record.game).tell, chances=chances, to_win=seats)
    shown = document(made, speak=sentence, write=number)
    if html is not None:
        with atomic_text(html) as target:
            target.write(page(shown, language=current()))
    if as_json:
        click.echo(msgspec.json.encode(made).decode())
        return
    screen = console(wide=True)
    screen.print(Text(shown.title, style="bold"))
    for block in shown.blocks:  # pictures are left out
        _print(screen, block)
    if html is not None:
        screen.print(t("The page is in {file}", file=html), soft_wrap=True)


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
                screen.print(Text(f"{note.place}  {note.amount}  {note.text}"), soft_wrap=True)
                for text, style in ((note.better, ""), (note.remark, "italic")):
                    if text:
                        screen.print(Text(f"      {text}", style=style), soft_wrap=True)
        case NumberedList(items):
            for place, item in enumerate(items, 1):
                screen.print(Text(f"{place}. {_plain(item)}"), soft_wrap=not screen.is_terminal)


def _plain(text: str) -> str:
    return render_text(text, str)
