"""Lessons and puzzles: prepared dice with a remark before each move; a position, and one move to find."""

from __future__ import annotations

import secrets
import textwrap
from collections.abc import Sequence
from datetime import date

from rich.console import Console
from rich.text import Text

from pasch.coach.puzzle_plan import Difficulty, has_puzzles, of_the_day, puzzle_games
from pasch.coach.puzzles import Puzzle, make_puzzle
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.lesson import YOU, Moment, has_lesson, lesson_game, moments
from pasch.core.registry import find_game
from pasch.terminal.board import Board, find_board
from pasch.terminal.language import current, number, sentence, t, word
from pasch.terminal.menu import LEAVING, Menu, choose, leave
from pasch.terminal.play import play_on
from pasch.terminal.saved import SavedGame
from pasch.terminal.screen import ask, console, table, watched
from pasch.terminal.value import prepare


def learn_game(game: str) -> None:
    """Go through a lesson, then play on from where it ends."""
    title = find_game(game).title
    if not has_lesson(game):
        raise PaschError("{title} has no lesson; `pasch rules {game}` explains it", title=title, game=game)
    steps = list(moments(game))
    screen, board, state = console(), find_board(game), lesson_game(game).start()
    screen.print(Text(t("{game}: the lesson", game=word(title)), style="bold"))
    try:
        for number, moment in enumerate(steps, 1):
            for event in moment.events:
                screen.print(Text(board.tell(state.view(YOU), event.view(YOU))))
                state = state.apply(event)
            screen.print()
            screen.print(board.draw(moment.state.view(YOU)))
            screen.print(Text(f"\n{t('{n} of {all}', n=number, all=len(steps))}", style="italic"))
            screen.print(Text(textwrap.fill(moment.remark(current()), min(screen.width, 88)), style="bold"))
            _do(screen, board, moment, last=number == len(steps))
    except (EOFError, KeyboardInterrupt):
        screen.print()
        return
    play_on(_continued(game, [event for moment in steps for event in moment.events]))


def _do(screen: Console, board: Board, moment: Moment, last: bool) -> None:
    """Ask until the person does what this step wants."""
    if moment.do is None or moment.state.actor != YOU:
        on = t("Enter to roll or draw, q to leave:") if moment.do else t("Enter to continue, q to leave:")
        if ask(screen, t("Enter to play on, q to leave:") if last else on).lower() in LEAVING:
            leave()
        return
    while not moment.accepts(choose(screen, Menu(board, moment.state.view(YOU)))):
        objection = moment.objection(current())
        screen.print(Text(objection or t("Not this time. Read once more what to do."), style="red"))


def _continued(game: str, events: Sequence[Event]) -> SavedGame:
    """A new saved game that begins where the lesson ends, against beginners."""
    table = lesson_game(game)
    seats = ["me" if seat == YOU else "greedy" for seat in range(table.players)]
    saved = SavedGame.create(table, seats, "pasch")
    for event in events:
        saved.play(event)
    return saved


#: how many moves are shown with their values, besides the one that was chosen
MAX_MOVES = 5


def show_puzzles(
    game: str | None,
    day: date | None,
    difficulty: Difficulty | None,
    seed: str | None,
) -> None:
    """Set the puzzle of a day, of a seed, or a new one."""
    if game is None:
        day = day or date.today()  # noqa: DTZ011 (the day of the person here)
        game, difficulty = of_the_day(day)
    find_game(game)
    if has_puzzles(game):
        for configured in puzzle_games(game):
            prepare(configured)
    chosen = seed if seed is not None else day.isoformat() if day else secrets.token_hex(4)
    with watched("pasch puzzle", compiles=False):
        found = make_puzzle(game, chosen, difficulty)
    title = t("Puzzle of the day") if day else t("Puzzle {seed}", seed=chosen)
    screen, board = console(), find_board(game)
    words = {"easy": t("easy"), "medium": t("medium"), "hard": t("hard")}
    heading = f"{title} · {word(found.game.title)} · {words.get(found.difficulty or '', '')}"
    screen.print(Text(heading, style="bold"))
    screen.print(board.draw(found.view))
    screen.print(Text(f"\n{t('Which move brings the most points on average?')}", style="bold"))
    try:
        made = found.moves.index(choose(screen, Menu(board, found.view)))
    except (EOFError, KeyboardInterrupt):
        screen.print()
    else:
        _say_solution(screen, found, made)


def _say_solution(screen: Console, found: Puzzle, made: int) -> None:
    """Print whether it was right, what every move is worth, and why."""
    board, wrong = find_board(found.game.id), not found.right(made)
    cost = t("Not the best: it gives away {points} points.", points=number(found.cost(made)))
    screen.print(Text(cost, "bold red") if wrong else Text(t("Right!"), "bold green"))
    order = sorted(range(len(found.moves)), key=lambda place: (-found.points[place], place))
    remarks = {found.obvious: t("looks good"), made: t("your choice"), found.best: t("the best move")}
    shown = [place for rank, place in enumerate(order) if rank < MAX_MOVES or place in remarks]
    labels = [board.label(found.view, found.moves[place]) for place in shown]
    points = [number(found.points[place], 3) for place in shown]
    rows = zip(labels, points, [remarks.get(place, "") for place in shown], strict=True)
    screen.print(table(t("move"), t("points on average"), "", rows=rows))
    said = found.reason(made if wrong else found.obvious)
    if said is not None:
        screen.print(sentence(said))
