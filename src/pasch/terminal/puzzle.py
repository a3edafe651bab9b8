"""Puzzles in the terminal: a position, one move to find, and then the value of every move."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.coach.puzzle_plan import Difficulty, NoPuzzle, has_puzzles, of_the_day, puzzle_games
from pasch.coach.puzzles import Puzzle, make_puzzle
from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.terminal.board import find_board
from pasch.terminal.language import number, reason, sentence, t, word
from pasch.terminal.menu import Menu
from pasch.terminal.progress import prepare
from pasch.terminal.screen import ask, console, interactive

#: so many moves are shown with their values, and the one that was chosen
MOST = 5


def show_puzzles(
    game: str | None,
    day: date | None,
    difficulty: Difficulty | None,
    seed: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """The puzzle of a day, of a seed, or new ones until somebody leaves."""
    if game is None:
        day = day or date.today()  # noqa: DTZ011 (the day of whoever sits here)
        game, difficulty = of_the_day(day)
    find_game(game)
    if has_puzzles(game):
        for agreed in puzzle_games(game):
            prepare(agreed)
    endless = day is None and seed is None
    while True:
        chosen = seed if seed is not None else day.isoformat() if day else secrets.token_hex(4)
        try:
            found = make_puzzle(game, chosen, difficulty, kind)
        except NoPuzzle:
            if kind is not None and has_puzzles(game):
                raise NoPuzzle(
                    "no such puzzle was found; there are these kinds: {kinds}", kinds=kinds(game)
                ) from None
            raise
        if as_json:
            click.echo(msgspec.json.encode({"seed": chosen, **as_plain(found)}).decode())
            return
        title = t("Puzzle of the day") if day else t("Puzzle {seed}", seed=chosen)
        if not _solve(console(), found, title) or not endless or not interactive():
            return


def kinds(game: str, tries: int = 40) -> list[str]:
    """The kinds of mistakes that puzzles of a game are often about, as options."""
    return sorted({make_puzzle(game, seed).habit.slug for seed in range(tries)})


def as_plain(found: Puzzle) -> dict[str, Any]:
    """A puzzle with its solution as JSON values."""
    said = found.reason(found.obvious)
    return {
        "game": found.game.id,
        "players": found.game.players,
        "options": found.game.options.json(),
        "events": [event.json() for event in found.match.events],
        "seat": found.seat,
        "moves": [
            {"move": move.json(), "points": points}
            for move, points in zip(found.moves, found.points, strict=True)
        ],
        "best": found.moves[found.best].json(),
        "obvious": found.moves[found.obvious].json(),
        "margin": found.margin,
        "difficulty": found.difficulty,
        "kind": found.habit.slug,
        "why": None if said is None else str(said),
        "exact": found.exact,
    }


def _solve(screen: Console, found: Puzzle, title: str) -> bool:
    """Show a puzzle and its solution; whether somebody wants another one."""
    board = find_board(found.game.id)
    words = {"easy": t("easy"), "medium": t("medium"), "hard": t("hard")}
    heading = f"{title} · {word(found.game.title)} · {words.get(found.difficulty or '', '')}"
    screen.print(Text(heading, style="bold"))
    screen.print(board.draw(found.view))
    screen.print(Text(f"\n{t('Which move brings the most points on average?')}", style="bold"))
    try:
        made = _asked(screen, found)
        _tell(screen, found, made)
        if not interactive():
            return False
        return ask(screen, t("Enter to go on, q leaves:")).lower() not in {"q", "quit"}
    except (EOFError, KeyboardInterrupt):
        screen.print()
        return False


def _asked(screen: Console, found: Puzzle) -> int:
    """The place of the move that somebody chooses; EOFError if they leave."""
    menu = Menu(find_board(found.game.id), found.view)
    while True:
        screen.print(menu.draw())
        typed = ask(screen, t("Your choice ({choices}; q leaves):", choices=menu.question()))
        if typed.lower() in {"q", "quit"}:
            raise EOFError
        try:
            move = menu.answer(typed)
        except PaschError as error:
            screen.print(Text(reason(error), style="red"))
            continue
        if move is not None:
            return found.moves.index(move)


def _tell(screen: Console, found: Puzzle, made: int) -> None:
    """Say whether it was right, what every move is worth, and why."""
    board, wrong = find_board(found.game.id), not found.right(made)
    if wrong:
        points = number(found.cost(made))
        screen.print(
            Text(t("Not the best: it gives away {points} points.", points=points), style="bold red")
        )
    else:
        screen.print(Text(t("Right!"), style="bold green"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate((t("move"), t("points on average"), "")):
        table.add_column(head, justify="right" if place == 1 else "left")
    order = sorted(range(len(found.moves)), key=lambda place: (-found.points[place], place))
    remarks = {found.obvious: t("looks good"), made: t("your choice"), found.best: t("the best move")}
    for place in [place for rank, place in enumerate(order) if rank < MOST or place in remarks]:
        label = Text(board.label(found.view, found.moves[place]))
        table.add_row(label, number(found.points[place], 3), remarks.get(place, ""))
    screen.print(table)
    said = found.reason(made if wrong else found.obvious)
    if said is not None:
        screen.print(sentence(said))
