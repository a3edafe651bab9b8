"""Commands for studying and writing games: values, reports, simulations, checks."""

from __future__ import annotations

from typing import Any

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
    players_option,
    ray_option,
    seats_option,
    seed_option,
    split,
    workers_option,
)


@command("pasch report games.jsonl --html report.html")
@click.argument("file", type=FILE_OR_DASH)
@line_option
@file_option("html", "Also write a page with pictures, which stands alone, to this file.")
@json_option("Print the report as JSON instead.")
@click.option("--chances", is_flag=True, help="With the chances to win after each turn (takes longer).")
@language_option
def report(**wanted: Any) -> None:
    """Tell luck from skill in a recorded game.

    For every player: what best play could expect, how lucky the dice were, what the moves gave away, and
    how that makes the result; the most expensive moves, the luckiest and unluckiest rolls.
    """
    from pasch.terminal.report import report_file

    report_file(**wanted)


@command("pasch value joker1 --players 1")
@click.argument("game")
@players_option
@option_option
@components_option
@file_option(
    "record", "Take the position from a recorded game; otherwise it is the start.", kind=FILE_OR_DASH
)
@line_option
@click.option(
    "--at", type=click.IntRange(min=0), help="After this many events of the record. Default: all."
)
@click.option(
    "--position",
    metavar="LINE",
    help="A position as --json writes it, without the game's name; docs/lab.md describes such lines.",
)
@json_option("Print it as JSON.")
@language_option
def value(game: str, **wanted: Any) -> None:
    """Print what a position and its moves are worth."""
    from pasch.terminal.value import show_value

    show_value(game, **wanted)


@command("pasch habits games.jsonl --seat 2")
@click.argument("files", nargs=-1, required=True, type=FILE_OR_DASH)
@click.option("--seat", type=POSITIVE, default=1, show_default=True, help="Whose games, counted from 1.")
@json_option("Print one line of JSON for each kind of mistake.")
@language_option
def habits(**wanted: Any) -> None:
    """Find what your mistakes have in common.

    Prints what your moves give away in a game, by kind of decision, with 95 % confidence intervals. FILES hold
    records, one per line; - reads stdin.
    """
    from pasch.terminal.habits import show_habits

    show_habits(**wanted)


@command("pasch simulate lines --seats random,greedy --games 20 --records games.jsonl")
@click.argument("game")
@click.option("--games", "-n", "number", type=POSITIVE, default=100, show_default=True)
@seats_option("A computer player for each seat, for example random,random,greedy.", required=True)
@seed_option
@option_option
@components_option
@file_option(
    "records", "Write the record of every game to this file, one per line; - is stdout.", kind=FILE_OR_DASH
)
@file_option("receipts", "Write the receipt of every game to this file, one per line.")
@file_option(
    "out", "Write the scores of every game to this file: .csv, or .parquet with the extra pasch[data]."
)
@file_option("plot", "Draw how the scores are spread: .svg or .png, with the extra pasch[plot].")
@json_option("Print the statistics as JSON.")
@click.option(
    "--engine",
    type=click.Choice(["compiled", "ordinary"]),
    help="Default: compiled, if it knows the players and no records are wanted. The games are the same.",
)
@workers_option
@ray_option
def simulate(**wanted: Any) -> None:
    """Let computer players play many games and count.

    The same seed gives the same numbers, however many threads or machines share the work.
    """
    from pasch.terminal.simulate import Wanted, run

    run(Wanted(**wanted))


@command("pasch tournament fiese15 --entrants easy,greedy,random --games 60 --no-luck")
@click.argument("game")
@click.option(
    "--entrants",
    "-e",
    metavar="WHO,WHO,…",
    callback=split,
    required=True,
    help="Who takes part, for example perfect,hard,greedy,mybot.py:MyBot.",
)
@click.option(
    "--games",
    "-n",
    "number",
    type=POSITIVE,
    default=1000,
    show_default=True,
    help="How many games at least; everybody sits everywhere equally often.",
)
@click.option(
    "--players",
    "-p",
    type=click.IntRange(min=2),
    default=2,
    show_default=True,
    help="How many play at a table.",
)
@seed_option
@option_option
@components_option
@click.option("--luck/--no-luck", default=True, help="Take luck out; without it is quicker. Default: do.")
@workers_option
@ray_option
@file_option("out", "Also write everything that was found out to this file, as JSON.")
@file_option("plot", "Also draw the ratings: .svg or .png, with the extra pasch[plot].")
@file_option(
    "resume",
    "Keep what was played in this file, and continue from what is there. Without it a tournament that was "
    "interrupted continues when the same command is given again.",
)
def tournament(**wanted: Any) -> None:
    """Find out who plays better, and how sure that is.

    Everybody plays against everybody, in every seat and with the same dice. Prints win rates, points and ratings
    with 95 % intervals, what the first seat is worth, and how many games were saved by playing with the same dice
    and by taking luck out. See docs/lab.md.
    """
    from pasch.terminal.tournament import hold

    hold(**wanted)


@command("pasch ladder joker2")
@click.argument("game", required=False)
def ladder(game: str | None) -> None:
    """Show how strong the computer players are.

    The computer players of GAME, or of all games, from the weakest to the strongest; `python -m tools.levels`
    measures them.
    """
    from pasch.terminal.games import show_ladder

    show_ladder(game)


@command("pasch solve joker1 --players 1")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="All games in all their variants.")
@players_option
@option_option
@components_option
@click.option(
    "--explain", is_flag=True, help="Say what was recognised, how many positions there are and how exact."
)
@click.option("--positions", type=click.IntRange(1), help="Give up after this number of positions.")
@click.option("--mebibytes", type=click.IntRange(1), help="Give up when this much memory is used.")
@click.option("--seconds", type=click.FloatRange(0), help="Give up after this time.")
def solve(game: str | None, everything: bool, **agreed: Any) -> None:
    """Build the tables of values beforehand.

    They are kept in the cache folder. Without this they are built when they are first needed, if that takes at most a
    minute. A game without values of its own is solved from its rules; if it is too large, its values are estimates.
    """
    if everything == bool(game) or (everything and any(agreed.values())):
        raise click.UsageError("name a game, or give --all and nothing else")
    from pasch.terminal.solve import solve_all, solve_game

    if game:
        solve_game(game, **agreed)
    else:
        solve_all()


@command("pasch check joker1")
@click.argument("game")
@click.option("--thorough", is_flag=True, help="Try every set of options with every number of players.")
@click.pass_context
def check(ctx: click.Context, game: str, thorough: bool) -> None:
    """Check a game that you write against what holds for all.

    Plays random games: records replay, legal moves are those that are accepted, probabilities add up, secrets stay
    secret, and more. The exit status is 0 if all is well and 1 if something was found.
    """
    from pasch.terminal.conformance import check_game

    if not check_game(game, thorough):
        ctx.exit(1)


@command("pasch compile fiese15", name="compile")
@click.argument("game", required=False)
def compile_(game: str | None) -> None:
    """Compile games beforehand.

    Compiles what simulates GAME, or all games, and keeps the machine code in the cache folder. Without this it is
    compiled when it is first needed.
    """
    from pasch.terminal.solve import compile_games

    compile_games(game)
