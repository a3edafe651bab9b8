"""Commands for players."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Literal

import click

from pasch.cli import options as opt


@opt.command("pasch games", "terminal.games:list_games")
@opt.language_option
def games() -> None:
    """List the games."""


@opt.command("pasch rules joker1", "terminal.games:show_rules")
@click.argument("game")
@opt.language_option
def rules(**_: Any) -> None:
    """Explain a game: rules, options, sources of its data."""


@opt.command("pasch learn lines", "terminal.learn:learn_game")
@click.argument("game")
@opt.language_option
def learn(**_: Any) -> None:
    """Learn a game by playing, in three minutes.

    The dice are prepared, and a remark comes before each of your moves.
    """


@opt.command("pasch play crowns --seats me,hard --dice real")
@click.argument("game", required=False)
@opt.option(
    "--seats WHO,WHO,…",
    "Who sits where: me, a computer player (random, greedy, easy, medium, hard, perfect, winner, learned), or "
    "one that you have written (FILE.py:NAME). Default: me,medium.",
    callback=opt.split,
)
@opt.game_options
@opt.option(
    "--dice pasch|real",
    "Who rolls and deals: Pasch, or you with real dice and cards, typing in what they show.",
    default="pasch",
)
@opt.option(
    "--continue [ID]",
    "Continue a saved game (without ID: the last one). `pasch saved` lists them.",
    into="resume",
    is_flag=False,
    flag_value="last",
)
@opt.language_option
def play(
    game: str | None,
    seats: tuple[str, ...],
    options: dict[str, Any],
    components: Path | None,
    dice: Literal["pasch", "real"],
    resume: str | None,
) -> None:
    """Play a game in the terminal.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and continue later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or dice != "pasch"):
        raise click.UsageError("--continue keeps the game's settings")
    from pasch.terminal.play import begin, play_on
    from pasch.terminal.saved import SavedGame, find_saved

    if resume is not None:
        play_on(SavedGame.load(find_saved(resume)))
    elif begun := begin(game, seats, options, components, dice):
        play_on(begun)


@opt.command("pasch saved", "terminal.games:list_saved")
@opt.language_option
def saved() -> None:
    """List unfinished games that can be continued."""


@opt.command("pasch verify games.jsonl", "terminal.verify:verify_files")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@opt.option(
    "--receipt FILE",
    "Receipts, one per line: does every roll and card follow from the seed, and what the coach says "
    "from the game?",
    into="receipts",
    type=str,
    multiple=True,
)
@opt.option(
    "--commitment HEX",
    "The seal that you saw before the first roll (the table's menu shows it): has the receipt the same?",
)
@opt.option(
    "--contribution [SEAT=]HEX",
    "What your browser added to the dice: is it on the receipt, as that of this seat, counted from 0?",
    into="contributions",
    multiple=True,
)
@opt.option("--dice-only", "Of receipts: leave out the coach's numbers.")
@opt.option("--json", "Print one verdict per record or receipt as a line of JSON.", into="as_json")
def verify(
    files: tuple[str, ...],
    receipts: tuple[str, ...],
    commitment: str | None,
    contributions: tuple[str, ...],
    **_: Any,
) -> None:
    """Check records and receipts.

    FILES hold records, one per line; - reads stdin. With --receipt: check that nobody has tampered with the dice.
    --commitment and --contribution compare the receipt with what your browser remembers (menu of the table, or the
    page after the game). See docs/fairness.md. The exit status is 0 if all is well and 1 if something was found.
    """
    if not files and not receipts:
        raise click.UsageError("missing argument 'FILE...', or a --receipt")
    if (commitment is not None or contributions) and len(receipts) != 1:
        raise click.UsageError("--commitment and --contribution go with one --receipt")


@opt.command("pasch show games.jsonl --game 2", "terminal.show:show_record")
@click.argument("file", type=opt.FILE)
@opt.line_option
@opt.option(
    "--at N", "Print the position after this many events, and what comes then.", type=click.IntRange(min=0)
)
@opt.language_option
def show(**_: Any) -> None:
    """Print a recorded game in words."""


@opt.command("pasch puzzle fiese15 --difficulty easy", "terminal.learn:show_puzzles")
@click.argument("game", required=False)
@opt.option(
    "--date DAY",
    "The puzzle of this day, such as 2026-12-24. Default: today's.",
    into="day",
    type=click.DateTime(["%Y-%m-%d"]),
    callback=lambda _, __, day: day and day.date(),
)
@opt.option("--difficulty easy|medium|hard", "Of puzzles of a GAME.")
@opt.option("--seed TEXT", "This puzzle of a GAME. Default: a new one.")
@opt.language_option
def puzzle(game: str | None, day: date | None, difficulty: str | None, seed: str | None, **_: Any) -> None:
    """Find the best move, which is not the obvious one.

    The position is from a real game. Without GAME it is the puzzle of the day, which is the same for everybody.
    """
    if game is None and (difficulty or seed is not None):
        raise click.UsageError("--difficulty and --seed go with a GAME")
    if day is not None and seed is not None:
        raise click.UsageError("the puzzle of a day has no --seed")
