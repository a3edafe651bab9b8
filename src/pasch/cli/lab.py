"""The commands of the lab: many games, tournaments, tables of values.

As everywhere on the command line, what a command does is imported when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pasch.cli.options import (
    components_option,
    file_option,
    option_option,
    players_option,
    ray_option,
    seed_option,
    split,
    workers_option,
)


@click.command()
@click.argument("game")
@click.option("--games", "-n", "number", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--seats",
    metavar="WHO,WHO,…",
    callback=split,
    required=True,
    help="A computer player for each seat, for example random,random,greedy.",
)
@seed_option
@option_option
@components_option
@file_option(
    "records",
    "Write the record of every game to this file, one per line; - is stdout.",
    kind=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
)
@file_option("receipts", "Write the receipt of every game to this file, one per line.")
@file_option(
    "out", "Write the scores of every game to this file: .csv, or .parquet with the extra pasch[data]."
)
@file_option("plot", "Draw how the scores are spread: .svg or .png, with the extra pasch[plot].")
@click.option("--json", "as_json", is_flag=True, help="Print what came of the games as JSON.")
@click.option(
    "--engine",
    type=click.Choice(["compiled", "ordinary"]),
    help="Default: compiled, if it knows the players and no records are wanted. The games are the same.",
)
@workers_option
@ray_option
def simulate(
    game: str,
    number: int,
    seats: tuple[str, ...],
    seed: str,
    options: dict[str, Any],
    components: Path | None,
    **wanted: Any,
) -> None:
    """Let computer players play many games and count.

    The same seed gives the same numbers, whoever does the work and however many share it.
    """
    from pasch.terminal.simulate import Wanted, run

    run(game, number, seats, seed, options, components, Wanted(**wanted))


@click.command(short_help="Find out who plays better, and how sure that is.")
@click.argument("game")
@click.option(
    "--entrants",
    "-e",
    "players",
    metavar="WHO,WHO,…",
    callback=split,
    required=True,
    help="Who takes part, for example perfect,hard,greedy,mybot.py:MyBot.",
)
@click.option(
    "--games",
    "-n",
    "number",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="How many games at least; everybody sits everywhere equally often.",
)
@click.option(
    "--players",
    "-p",
    "seats",
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
    "Keep what was played in this file, and go on with what is there. Without it a tournament that "
    "was interrupted goes on when the same command is given again.",
)
def tournament(**asked: Any) -> None:
    """Let everybody play against everybody, in every seat and with the same dice.

    Prints win rates, points and ratings with 95 % intervals, what the first seat is worth, and how many
    games were saved by playing with the same dice and by taking luck out. docs/lab.md explains it.
    """
    from pasch.terminal.tournament import hold

    hold(**asked)


@click.command(short_help="Show how strong the computer players are.")
@click.argument("game", required=False)
def ladder(game: str | None) -> None:
    """Show the computer players of GAME, or of all games, from the weakest to the strongest, as measured.

    `python -m tools.levels` measures them.
    """
    from pasch.terminal.games import show_ladder

    show_ladder(game)


@click.command("compile", short_help="Compile games beforehand.")
@click.argument("game", required=False)
def compile_(game: str | None) -> None:
    """Compile what simulates GAME, or all games, and keep the machine code in the cache folder.

    Without this it is compiled when it is first needed.
    """
    from pasch.terminal.solve import compile_games

    compile_games(game)


@click.command(short_help="Check that a game keeps to what holds for every game.")
@click.argument("game")
@click.option("--thorough", is_flag=True, help="Try every set of options with every number of players.")
@click.pass_context
def check(ctx: click.Context, game: str, thorough: bool) -> None:
    """Play random games of GAME and check what holds for every game: for those who write one.

    Records replay, legal moves are those that are accepted, probabilities add up, secrets stay secret, and more. The
    exit status is 0 if all is well and 1 if something was found.
    """
    from pasch.terminal.conformance import check_game

    if not check_game(game, thorough):
        ctx.exit(1)


@click.command(short_help="Make the tables of values beforehand.")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="All games in all their variants.")
@players_option
@option_option
@components_option
def solve(game: str | None, everything: bool, **agreed: Any) -> None:
    """Make the tables of values of a game, and keep them in the cache folder.

    Without this they are made when they are first needed.
    """
    if everything == bool(game) or (everything and any(agreed.values())):
        raise click.UsageError("name a game, or give --all and nothing else")
    from pasch.terminal.solve import solve_all, solve_game

    if game:
        solve_game(game, **agreed)
    else:
        solve_all()
