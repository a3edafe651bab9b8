"""What the coach says of a recorded game: luck and skill."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.markdown import Markdown
from rich.text import Text

from pasch.coach.document import document
from pasch.coach.markdown import page
from pasch.coach.report import report
from pasch.core.files import atomic_text
from pasch.terminal.board import find_board
from pasch.terminal.language import current, number, sentence, t
from pasch.terminal.screen import console, watched
from pasch.terminal.show import read_game
from pasch.terminal.value import prepare


def report_file(file: Path, line: int, html: Path | None, as_json: bool, aim: str) -> None:
    """Report game number `line` of a file: in words, as JSON, and as a page if `html` names one."""
    record, to_win = read_game(file, line), aim == "win"
    record.verify()
    prepare(record.configured_game(), chances=to_win)
    with watched("pasch report", compiles=False):
        seats = range(record.players if to_win else 0)
        made = report(record, tell=find_board(record.game).tell, to_win=seats)
    shown = document(made, speak=sentence, write=number)
    if html is not None:
        with atomic_text(html) as target:
            target.write(page(*shown, language=current()))
    if as_json:
        click.echo(msgspec.json.encode(made).decode())
        return
    screen = console(wide=True)
    screen.print(Text(shown.title, style="bold"))
    with screen.capture() as printed:
        screen.print(Markdown(shown.text))
    # without the spaces that fill up lines
    click.echo("\n".join(map(str.rstrip, printed.get().splitlines())))
    if html is not None:
        screen.print(t("The page is in {file}", file=html), soft_wrap=True)
