"""Commands for studying and writing games: values, reports, simulations, checks."""

from __future__ import annotations

from typing import Any

import click

from pasch.cli import options as opt


@opt.command("pasch report games.jsonl --html report.html", "terminal.report:report_file")
@click.argument("file", type=opt.FILE)
@opt.line_option
@opt.option("--html FILE", "Also write a page, which stands alone, to this file.")
@opt.option("--json", "Print the report as JSON instead.", into="as_json")
@opt.option(
    "--aim points|win",
    "What the players played for: moves are judged by points, or by chances to win (takes longer).",
    default="points",
)
@opt.language_option
def report(**_: Any) -> None:
    """Tell luck from skill in a recorded game.

    For every player: what best play could expect, how lucky the dice were, what the moves gave away, and
    how that makes the result; the most expensive moves, the luckiest and unluckiest rolls.
    """


@opt.command("pasch value joker1 --players 1", "terminal.value:show_value")
@click.argument("game")
@opt.players_option
@opt.game_options
@opt.option(
    "--position LINE",
    "A position as --json and `pasch show --at` write it; docs/lab.md describes such lines.",
)
@opt.option("--json", "Print it as JSON.", into="as_json")
@opt.language_option
def value(**_: Any) -> None:
    """Print what a position and its moves are worth."""


@opt.command(
    "pasch simulate lines --seats random,greedy --games 20 --records games.jsonl",
    "terminal.simulate:simulate",
)
@click.argument("game")
@opt.option("--games -n N", "The number of games.", into="number", default=100)
@opt.option(
    "--seats WHO,WHO,…",
    "A computer player for each seat, for example random,random,greedy.",
    callback=opt.split,
    required=True,
)
@opt.seed_option
@opt.game_options
@opt.option("--records FILE", "Write the record of every game to this file, one per line.")
@opt.option("--receipts FILE", "Write the receipt of every game to this file, one per line.")
@opt.option("--out FILE", "Write the scores of every game to this file, as CSV.")
@opt.option("--plot FILE", "Draw how the scores are spread: .svg or .png, with the extra pasch[plot].")
@opt.option("--json", "Print the statistics as JSON.", into="as_json")
@opt.option(
    "--engine compiled|ordinary",
    "Default: compiled, if it knows the players and no records are wanted. The games are the same.",
)
@opt.workers_option
@opt.ray_option
def simulate(**_: Any) -> None:
    """Let computer players play many games; print statistics.

    The same seed gives the same numbers, however many threads or machines share the work.
    """


@opt.command(
    "pasch tournament fiese15 --entrants easy,greedy,random --games 60 --no-luck",
    "terminal.simulate:hold",
)
@click.argument("game")
@opt.option(
    "--entrants -e WHO,WHO,…",
    "Who takes part, for example perfect,hard,greedy,mybot.py:MyBot.",
    callback=opt.split,
    required=True,
)
@opt.option(
    "--games -n N",
    "At least this many games; everybody sits in every seat equally often.",
    into="number",
    default=1000,
)
@opt.option("--players -p N", "The number of players at a table.", type=click.IntRange(min=2), default=2)
@opt.seed_option
@opt.game_options
@opt.option("--luck/--no-luck", "Also measure luck and costs; --no-luck is quicker.", default=True)
@opt.workers_option
@opt.option("--out FILE", "Also write all results to this file, as JSON.")
@opt.option(
    "--resume FILE",
    "Keep what was played in this file, and continue from what is there. Without it a tournament that was "
    "interrupted continues when the same command is given again.",
)
def tournament(**_: Any) -> None:
    """Find out who plays better, and how certain that is.

    Everybody plays against everybody, in every seat and with the same dice. Prints win rates, points, ratings, luck
    and points given away with 95 % intervals, and what the first seat is worth. See docs/lab.md.
    """


@opt.command("pasch ladder joker2", "terminal.games:show_ladder")
@click.argument("game", required=False)
def ladder(**_: Any) -> None:
    """Show how strong the computer players are.

    The computer players of GAME, or of all games, from the weakest to the strongest; `python -m tools.levels`
    measures them.
    """


@opt.command("pasch solve joker1 --players 1", "terminal.value:solve_games")
@click.argument("game", required=False)
@opt.option("--all", "All games in all their variants.", into="everything")
@opt.players_option
@opt.game_options
@opt.option("--explain", "Print what was recognised, the number of positions and how exact the values are.")
@opt.option("--positions N", "Give up after this number of positions.")
@opt.option("--mebibytes N", "Give up when this much memory is used.")
@opt.option("--seconds S", "Give up after this time.", type=click.FloatRange(0))
def solve(game: str | None, everything: bool, **options: Any) -> None:
    """Build the tables of values beforehand.

    They are kept in the cache folder. Without this they are built when they are first needed, if that takes at most a
    minute. A game without values of its own is solved from its rules; if it is too large, its values are estimates.
    """
    if everything == bool(game) or (everything and any(options.values())):
        raise click.UsageError("name a game, or give --all and nothing else")


@opt.command("pasch check joker1", "terminal.conformance:check_game")
@click.argument("game")
@opt.option("--thorough", "Try every set of options with every number of players.")
def check(**_: Any) -> None:
    """Check a game of your own against what holds for all games.

    Plays random games: records replay, legal moves are those that are accepted, probabilities add up, secrets stay
    secret, and more. The exit status is 0 if all is well and 1 if something was found.
    """


@opt.command("pasch compile fiese15", "terminal.value:compile_games")
@click.argument("game", required=False)
def compile_(**_: Any) -> None:
    """Compile games beforehand.

    Compiles what simulates GAME, or all games, and keeps the machine code in the cache folder. Without this it is
    compiled when it is first needed.
    """
