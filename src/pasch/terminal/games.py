"""Lists of the games, and of the saved games."""

from __future__ import annotations

import time
from pathlib import Path

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pasch.core.errors import PaschError
from pasch.core.folders import data_folder
from pasch.core.registry import all_games
from pasch.terminal.ending import scores_line
from pasch.terminal.language import reason, t, tn, word
from pasch.terminal.saved import SavedGame, saved_files
from pasch.terminal.screen import console
from pasch.terminal.words import one_line


def list_games() -> None:
    """Print all games."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (t("id"), t("title"), t("players"), t("minutes")):
        table.add_column(heading, no_wrap=True)
    table.add_column(t("what you do"))
    for game in all_games():
        players, minutes = span(game.seats[0], game.seats[-1]), span(*game.minutes)
        table.add_row(game.id, word(game.title), players, minutes, word(game.pitch))
    console(wide=True).print(table)


def games_menu() -> Group:
    """All games, numbered, to choose from on a small screen."""
    lines: list[RenderableType] = []
    for number, game in enumerate(all_games(), 1):
        players, minutes = span(game.seats[0], game.seats[-1]), span(*game.minutes)
        facts = t("({players} players, {minutes} minutes)", players=players, minutes=minutes)
        lines.append(Text.assemble((f"{number:>2}  {word(game.title)}", "bold"), " ", facts))
        lines.append(Padding(Text(word(game.pitch)), (0, 0, 0, 4)))
    return Group(*lines)


def span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def list_saved() -> None:
    """Print the unfinished games, the one played last first."""
    screen = console(wide=True)
    files = saved_files()
    if not files:
        screen.print(t("There is no unfinished game."))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (t("id"), t("seats"), t("events"), t("last played")):
        table.add_column(heading, no_wrap=True)
    table.add_column(t("scores"))
    for path in files:
        try:
            saved = SavedGame.load(path)
        except (PaschError, OSError) as error:
            problem = reason(error) if isinstance(error, PaschError) else str(error)
            unreadable = Text(t("unreadable: {problem}", problem=one_line(problem)))
            table.add_row(path.stem, "–", "–", how_long_ago(path), unreadable)
        else:
            row = (",".join(saved.header.seats), str(len(saved.match)), how_long_ago(path))
            table.add_row(path.stem, *row, scores_line(saved.state))
    screen.print(table)
    screen.print(t("Continue one with: {command}", command="pasch play --continue ID"))
    screen.print(t("They are kept in {folder}", folder=data_folder() / "games"), soft_wrap=True)


def how_long_ago(path: Path) -> str:
    """When a file was last written, roughly."""
    seconds = max(0, int(time.time() - path.stat().st_mtime))
    if days := seconds // 86400:
        return tn("{n} day ago", "{n} days ago", days)
    if hours := seconds // 3600:
        return tn("{n} hour ago", "{n} hours ago", hours)
    if minutes := seconds // 60:
        return tn("{n} minute ago", "{n} minutes ago", minutes)
    return t("just now")
