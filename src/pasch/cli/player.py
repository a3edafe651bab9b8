"""The commands of who plays, and wants to play better."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import click

from pasch.cli.options import (
    components_option,
    file_option,
    language_option,
    line_option,
    option_option,
    players_option,
    split,
)


@click.command()
@language_option
def games() -> None:
    """List the games."""
    from pasch.terminal.games import list_games

    list_games()


@click.command()
@click.argument("game")
@language_option
def rules(game: str) -> None:
    """Explain a game: rules, options, where its data come from."""
    from pasch.terminal.games import show_rules

    show_rules(game)


@click.command(short_help="Learn a game by playing, in three minutes.")
@click.argument("game")
@language_option
@click.option(
    "--from", "first", type=click.IntRange(min=1), default=1, help="Begin at this step, where you left."
)
def learn(game: str, first: int) -> None:
    """Learn a game by playing, in three minutes: prepared dice, and a remark before each of your moves."""
    from pasch.terminal.learn import learn_game

    learn_game(game, first)


@click.command()
@click.argument("game", required=False)
@click.option(
    "--seats",
    metavar="WHO,WHO,…",
    callback=split,
    help="Who sits where: me, a computer player (random, greedy, easy, medium, hard, perfect, winner, learned), or "
    "one that you have written (FILE.py:NAME). Default: me,medium.",
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
    dice: str,
    new: bool,
    resume: str | None,
    record: Path | None,
    receipt: Path | None,
    browser: bool,
) -> None:
    """Play a game here in the terminal, or with --browser there.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and go on later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or new or dice != "pasch"):
        raise click.UsageError(
            "--continue goes on as the game was agreed; it only goes together with --record and --receipt"
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
    from pasch.terminal import setup
    from pasch.terminal.play import play_on

    if resume is not None:
        play_on(setup.resume(resume), record, receipt)
    elif begun := setup.begin(game, seats, options, components, dice, new):
        play_on(begun, record, receipt)


@click.command()
@language_option
def saved() -> None:
    """List unfinished games that can be continued."""
    from pasch.terminal.games import list_saved

    list_saved()


@click.command(short_help="Check records and receipts.")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="FILE",
    help="A receipt (or several, one per line): does every roll and card follow from the seed, and what "
    "the coach says from the game? May be repeated.",
)
@click.option(
    "--commitment",
    metavar="HEX",
    help="The seal that you saw before the first roll (the table's menu shows it): has the receipt the same?",
)
@click.option(
    "--contribution",
    "contributions",
    multiple=True,
    metavar="[SEAT=]HEX",
    help="What your browser added to the dice: is it on the receipt, as that of this seat, counted from 0? May be "
    "repeated.",
)
@click.option("--dice-only", is_flag=True, help="Of receipts: leave out the coach's numbers.")
@click.option(
    "--json", "as_json", is_flag=True, help="One verdict per record or receipt as a line of JSON."
)
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
    """Check records against the rules, one record per line; - reads stdin.

    With --receipt: check that nobody has meddled with the dice. --commitment and --contribution compare the
    receipt with what your browser remembers (menu of the table, or the page after the game). docs/fairness.md
    explains it. The exit status is 0 if all is well and 1 if something was found.
    """
    if not files and not receipts:
        raise click.UsageError("Missing argument 'FILE...', or a --receipt.")
    if (commitment is not None or contributions) and len(receipts) != 1:
        raise click.UsageError("--commitment and --contribution go with one --receipt")
    right = True
    if files:
        from pasch.terminal.verify import verify_files

        right = verify_files(files, as_json)
    if receipts:
        from pasch.terminal.verify import read_memory, verify_receipts

        right = (
            verify_receipts(receipts, as_json, dice_only, read_memory(commitment, contributions)) and right
        )
    if not right:
        ctx.exit(1)


@click.command(short_help="Step through a recorded game.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@line_option
@click.option("--at", type=click.IntRange(min=0), help="Begin after this many events.")
@language_option
def show(**asked: Any) -> None:
    """Step through a recorded game, or print it in words when the output is no terminal."""
    from pasch.terminal.show import show_record

    show_record(**asked)


@click.command(short_help="Tell luck from skill in a recorded game.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@line_option
@file_option("html", "Also write a page with pictures, which stands alone, to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead.")
@click.option("--chances", is_flag=True, help="With the chances to win after each turn (takes longer).")
@language_option
def report(**asked: Any) -> None:
    """Tell luck from skill in a recorded game.

    For every player: what best play could expect, how lucky the dice were, what the moves gave away, and
    how that makes the result; the most expensive moves, the luckiest and unluckiest rolls.
    """
    from pasch.terminal.report import report_file

    report_file(**asked)


@click.command(short_help="What a position and its moves are worth.")
@click.argument("game")
@players_option
@option_option
@components_option
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Take the position from a recorded game; otherwise it is the start.",
)
@line_option
@click.option("--at", type=click.IntRange(min=0), help="After so many events of the record. Default: all.")
@click.option(
    "--position",
    metavar="LINE",
    help="A position as --json writes it, without the game's name; docs/lab.md describes such lines.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@language_option
def value(game: str, **asked: Any) -> None:
    """Print what a position is worth and what each of its moves is worth."""
    from pasch.terminal.value import show_value

    show_value(game, **asked)


@click.command(short_help="Find the best move: today's puzzle, or as many as you like.")
@click.argument("game", required=False)
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of this day. Default: today's."
)
@click.option("--difficulty", type=click.Choice(["easy", "medium", "hard"]), help="Of puzzles of a GAME.")
@click.option("--seed", metavar="TEXT", help="This puzzle of a GAME. Default: a new one.")
@click.option(
    "--kind", metavar="WORDS", help="A kind of mistake of a GAME, as `pasch habits` writes it with hyphens."
)
@click.option("--json", "as_json", is_flag=True, help="Print the puzzle with its solution as JSON.")
@language_option
def puzzle(
    game: str | None,
    day: datetime | None,
    difficulty: Literal["easy", "medium", "hard"] | None,
    seed: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """Find the best move in a position of a real game, where the obvious one is not the best.

    Without GAME it is the puzzle of the day, which is the same for everybody.
    """
    if game is None and (difficulty or seed is not None or kind):
        raise click.UsageError("--difficulty, --seed and --kind go with a GAME")
    if day is not None and seed is not None:
        raise click.UsageError("the puzzle of a day has no --seed")
    from pasch.terminal.learn import show_puzzles

    show_puzzles(game, None if day is None else day.date(), difficulty, seed, kind, as_json)


@click.command(short_help="What your mistakes have in common, over several games.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--seat", type=click.IntRange(min=1), default=1, show_default=True, help="Whose games, counted from 1."
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each kind of mistake.")
@language_option
def habits(**asked: Any) -> None:
    """What your moves give away in a game, by kind of decision, with 95 % confidence intervals.

    FILES hold records, one per line; - reads stdin.
    """
    from pasch.terminal.habits import show_habits

    show_habits(**asked)
