"""Commands for players."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import click

from pasch.cli.options import (
    FILE_OR_DASH,
    POSITIVE,
    command,
    components_option,
    file_option,
    json_option,
    language_option,
    line_option,
    option_option,
    seats_option,
    several_option,
)


@command("pasch games")
@language_option
def games() -> None:
    """List the games."""
    from pasch.terminal.games import list_games

    list_games()


@command("pasch rules joker1")
@click.argument("game")
@language_option
def rules(game: str) -> None:
    """Explain a game: rules, options, sources of its data."""
    from pasch.terminal.games import show_rules

    show_rules(game)


@command("pasch learn lines")
@click.argument("game")
@click.option("--from", "first", type=POSITIVE, default=1, help="Begin at this step, where you left.")
@language_option
def learn(game: str, first: int) -> None:
    """Learn a game by playing, in three minutes.

    The dice are prepared, and a remark comes before each of your moves.
    """
    from pasch.terminal.learn import learn_game

    learn_game(game, first)


@command("pasch play crowns --seats me,hard --dice real")
@click.argument("game", required=False)
@seats_option(
    "Who sits where: me, a computer player (random, greedy, easy, medium, hard, perfect, winner, learned), or "
    "one that you have written (FILE.py:NAME). Default: me,medium."
)
@option_option
@components_option
@click.option(
    "--dice",
    type=click.Choice(["pasch", "real"]),
    default="pasch",
    show_default=True,
    help="Who rolls and deals: Pasch, or you with real dice and cards, typing in what came.",
)
@click.option("--new", is_flag=True, help="Begin a new game without asking about unfinished ones.")
@click.option(
    "--continue",
    "resume",
    is_flag=False,
    flag_value="last",
    metavar="[ID]",
    help="Continue a saved game (without ID: the last one). `pasch saved` lists them.",
)
@file_option("record", "Also write the record of the finished game to this file.")
@file_option(
    "receipt", "Also write the receipt of the finished game to this file, for `pasch verify --receipt`."
)
@click.option(
    "--browser", is_flag=True, help="Play in the browser instead; every `me` gets a link to sit down with."
)
@language_option
def play(
    game: str | None,
    seats: tuple[str, ...],
    options: dict[str, Any],
    components: Path | None,
    dice: Literal["pasch", "real"],
    new: bool,
    resume: str | None,
    record: Path | None,
    receipt: Path | None,
    browser: bool,
) -> None:
    """Play a game in the terminal.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and go on later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or new or dice != "pasch"):
        raise click.UsageError(
            "--continue keeps the game's settings; it only goes with --record and --receipt"
        )
    if browser:
        if game is None or resume is not None or record or receipt:
            raise click.UsageError(
                "--browser needs a GAME, and its tables are kept with those of `pasch serve`"
            )
        from pasch.web.serve import serve as serve_table
        from pasch.web.serve import start_with_table

        startup = start_with_table(game, seats or ("me", "medium"), options, components, dice)
        serve_table("127.0.0.1", None, None, True, startup=startup)
        return
    from pasch.terminal import play as terminal

    if resume is not None:
        terminal.play_on(terminal.resume(resume), record, receipt)
    elif begun := terminal.begin(game, seats, options, components, dice, new):
        terminal.play_on(begun, record, receipt)


@command("pasch saved")
@language_option
def saved() -> None:
    """List unfinished games that can be continued."""
    from pasch.terminal.games import list_saved

    list_saved()


@command("pasch verify games.jsonl")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@several_option(
    "receipt",
    "receipts",
    "FILE",
    "A receipt (or several, one per line): does every roll and card follow from the seed, and what the coach says "
    "from the game?",
)
@click.option(
    "--commitment",
    metavar="HEX",
    help="The seal that you saw before the first roll (the table's menu shows it): has the receipt the same?",
)
@several_option(
    "contribution",
    "contributions",
    "[SEAT=]HEX",
    "What your browser added to the dice: is it on the receipt, as that of this seat, counted from 0?",
)
@click.option("--dice-only", is_flag=True, help="Of receipts: leave out the coach's numbers.")
@json_option("Print one verdict per record or receipt as a line of JSON.")
@click.pass_context
def verify(
    ctx: click.Context,
    files: tuple[str, ...],
    receipts: tuple[str, ...],
    commitment: str | None,
    contributions: tuple[str, ...],
    dice_only: bool,
    as_json: bool,
) -> None:
    """Check records and receipts.

    FILES hold records, one per line; - reads stdin. With --receipt: check that nobody has meddled with the dice.
    --commitment and --contribution compare the receipt with what your browser remembers (menu of the table, or the
    page after the game). See docs/fairness.md. The exit status is 0 if all is well and 1 if something was found.
    """
    if not files and not receipts:
        raise click.UsageError("missing argument 'FILE...', or a --receipt")
    if (commitment is not None or contributions) and len(receipts) != 1:
        raise click.UsageError("--commitment and --contribution go with one --receipt")
    from pasch.terminal.verify import read_memory, verify_files, verify_receipts

    right = verify_files(files, as_json)
    if receipts:
        memory = read_memory(commitment, contributions)
        right = verify_receipts(receipts, as_json, dice_only, memory) and right
    if not right:
        ctx.exit(1)


@command("pasch show games.jsonl --game 2")
@click.argument("file", type=FILE_OR_DASH)
@line_option
@click.option("--at", type=click.IntRange(min=0), help="Begin after this many events.")
@language_option
def show(**wanted: Any) -> None:
    """Step through a recorded game.

    When the output is no terminal, the game is printed in words.
    """
    from pasch.terminal.show import show_record

    show_record(**wanted)


@command("pasch puzzle fiese15 --difficulty easy")
@click.argument("game", required=False)
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of this day. Default: today's."
)
@click.option("--difficulty", type=click.Choice(["easy", "medium", "hard"]), help="Of puzzles of a GAME.")
@click.option("--seed", metavar="TEXT", help="This puzzle of a GAME. Default: a new one.")
@click.option(
    "--kind", metavar="WORDS", help="A kind of mistake of a GAME, as `pasch habits` writes it with hyphens."
)
@json_option("Print the puzzle with its solution as JSON.")
@language_option
def puzzle(
    game: str | None,
    day: datetime | None,
    difficulty: Literal["easy", "medium", "hard"] | None,
    seed: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """Find the best move, which is not the obvious one.

    The position is from a real game. Without GAME it is the puzzle of the day, which is the same for everybody.
    """
    if game is None and (difficulty or seed is not None or kind):
        raise click.UsageError("--difficulty, --seed and --kind go with a GAME")
    if day is not None and seed is not None:
        raise click.UsageError("the puzzle of a day has no --seed")
    from pasch.terminal.learn import show_puzzles

    show_puzzles(game, None if day is None else day.date(), difficulty, seed, kind, as_json)
