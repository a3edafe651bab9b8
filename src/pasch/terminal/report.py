"""What the coach says of recorded games: luck and skill of one, and what a player gives away in many."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from pasch.coach.document import document
from pasch.coach.markdown import page
from pasch.coach.practice import HabitFigures, Interval, SeatPractice, habit_figures, interval, practice
from pasch.coach.puzzle_plan import has_puzzles
from pasch.coach.report import report
from pasch.core.errors import PaschError
from pasch.core.files import atomic_text
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.terminal.board import find_board
from pasch.terminal.language import current, number, sentence, t, tn, word
from pasch.terminal.screen import console, table, watched
from pasch.terminal.show import read_game, read_games
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


# --- habits -----------------------------------------------------------------------------------------


def show_habits(files: tuple[Path, ...], seat: int) -> None:
    """Print what this seat, counted from 1, gives away in all games of these files."""
    games: list[tuple[str, SeatPractice]] = []
    with watched("pasch habits", compiles=False) as progress:
        for count, record in enumerate(chain.from_iterable(map(read_games, files)), 1):
            record.verify()
            if seat <= record.players:
                game = record.configured_game()
                prepare(game)
                games.append((game.id, practice(Match(game, record.events))[seat - 1]))
            progress(None, tn("{n} game", "{n} games", count))
    if not games:
        raise PaschError("these files hold no game with a player {number}", number=seat)
    found = habit_figures(games)
    screen = console(wide=True)
    for name in sorted({name for name, _ in games}):
        own = [figures for game_id, figures in games if game_id == name]
        _print_habits(screen, name, own, [one for one in found if one.game == name])


def _print_habits(screen: Console, game: str, own: list[SeatPractice], found: list[HabitFigures]) -> None:
    title = word(find_game(game).title)
    screen.print(Text(f"{title}: {tn('{n} game', '{n} games', len(own))}", style="bold"))
    costs = interval([figures.costs for figures in own])
    screen.print(t("Given away: {points} points a game.", points=_range(costs)))
    if not found:
        return
    kinds = []
    for one in found:
        what = word(one.name)
        if one.when is not None:
            what = t("{what}, mostly {when}", what=what, when=sentence(one.when))
        kinds.append((what, _range(one.cost), str(one.times)))
    screen.print(table(t("what"), t("points a game"), t("times"), rows=kinds))
    if has_puzzles(game):
        screen.print(t("Practise: {command}", command=f"pasch puzzle {game} --kind {found[0].slug}"))


def _range(costs: Interval) -> str:
    mean, margin = costs.mean, costs.margin
    if margin is None:
        return number(mean)
    low, high = number(max(0.0, mean - margin)), number(mean + margin)
    return t("{mean} ({low} to {high})", mean=number(mean), low=low, high=high)
