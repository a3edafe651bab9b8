"""Tournaments: the same dice for all, honest intervals, and runs that continue."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from math import log10, sqrt
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from pasch import all_games
from pasch.cli import main
from pasch.coach.practice import Interval, quantile
from pasch.core.chance import EqualDice, KeyedGenerator, seed_key
from pasch.core.errors import PaschError
from pasch.core.events import Event, Roll
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.registry import AnyGame, find_game
from pasch.core.state import CHANCE
from pasch.lab.common_dice import StreamIds, draw, play_with_common_dice
from pasch.lab.tournament import Deal, PlayedGame, Tournament
from pasch.lab.tournament_statistics import ratings, tournament_statistics
from pasch.players.base import player
from pasch.solve.valuer import valuer

#: short games, so that the tests are quick
SHORT = {"crowns": {"round_limit": 3}, "joker1": {"rounds": 2}, "joker2": {"rounds": 1}}


def short(name: str, players: int = 2) -> Game[Any, Any]:
    return find_game(name).agree(players, SHORT.get(name, {}))


# --- common dice ----------------------------------------------------------------------------------


def play(game: Game[Any, Any], names: Sequence[str], key: bytes) -> Match:
    generators = [KeyedGenerator(seed_key((name, seat))) for seat, name in enumerate(names)]
    return play_with_common_dice(game, [player(name) for name in names], generators, key)


def rolls(match: Match) -> dict[tuple[object, ...], tuple[int, tuple[int, ...]]]:
    """By stream id: how many cases there were, and the dice or cards that came."""
    ids, found = StreamIds(match.game.players), {}
    for number, event in enumerate(match.events):
        state = match.at(number)
        stream = ids.follow(state, event)
        if state.actor == CHANCE:
            assert stream not in found, "no two rolls have the same id"
            found[stream] = state.chance().total, state.chance().steps(event)
    return found


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.id)
def test_events_with_the_same_stream_id_are_the_same_for_every_player(kind: AnyGame) -> None:
    game, shared = short(kind.id), 0
    for deal in range(3):
        one, other = (rolls(play(game, names, seed_key(deal))) for names in (("greedy", "random"),) * 2)
        assert one == other
        other = rolls(play(game, ("random", "greedy"), seed_key(deal)))
        for stream in one.keys() & other.keys():
            if one[stream][0] == other[stream][0] and game.id != "sixbysix":
                assert one[stream][1] == other[stream][1]
                shared += 1
        assert one[next(iter(one))] == other[next(iter(one))], "the first event depends on nobody"
    assert shared > 5 or game.id == "sixbysix"


def test_dice_that_are_rolled_anyway_are_the_same_with_more_or_fewer_of_them() -> None:
    """A roll of three shares two faces with a roll of two with the same stream id."""
    for number in range(20):
        key = seed_key(number)
        two, three = (
            Counter(draw(EqualDice(dice, lambda faces: Roll(0, faces)), Stream(key, 0)).json()["roll"])
            for dice in (2, 3)
        )
        assert two < three


@pytest.mark.parametrize(("name", "sizes"), [("joker1", (6, 6, 6)), ("fiese15", (15,))])
def test_every_outcome_comes_as_often_as_its_cases_say(name: str, sizes: tuple[int, ...]) -> None:
    chance, found = short(name).start().chance(), Counter[Event]()
    for drawn in product(*map(range, sizes)):
        numbers = iter(zip(drawn, sizes, strict=True))

        def randrange(stop: int, numbers: Any = numbers) -> int:
            number, size = next(numbers)
            assert stop == size
            return int(number)

        found[draw(chance, SimpleNamespace(randrange=randrange))] += 1
    assert found == Counter(dict(chance.outcomes())) and found.total() == chance.total


# --- seatings -------------------------------------------------------------------------------------


def held(names: Sequence[str], seats: int = 2, game: str = "joker1", luck: bool = False) -> Tournament:
    return Tournament.of(short(game, seats), names, "7", luck)


def test_everybody_sits_everywhere_and_few_players_sit_in_several_seats() -> None:
    assert sorted(held(["random", "greedy", "easy"]).seatings) == sorted(permutations(range(3), 2))
    seatings = held(["random", "greedy"], 3).seatings
    assert len(seatings) == 6 and all(set(way) == {0, 1} for way in seatings)


def test_who_else_takes_part_changes_no_game() -> None:
    two, three = held(["greedy", "random"]), held(["easy", "greedy", "random"])
    games = dict(zip(three.seatings, three.deal(3), strict=True))
    assert two.deal(3) == (games[1, 2], games[2, 1])


@pytest.mark.parametrize(
    ("names", "seats", "words"),
    [
        (["greedy"], 2, "at least two"),
        (["random", "greedy", "easy", "medium", "hard", "perfect", "winner"], 6, "more than 2000 ways"),
    ],
)
def test_tournaments_that_cannot_be_held(names: list[str], seats: int, words: str) -> None:
    with pytest.raises(PaschError, match=words):
        held(names, seats)


# --- statistics -----------------------------------------------------------------------------------


def made(scores: Sequence[Sequence[tuple[int, int]]]) -> list[Deal]:
    """Deals of two seatings with these scores."""
    return [
        tuple(
            PlayedGame(pair, tuple(s for s in (0, 1) if pair[s] == max(pair)), None, None, {})
            for pair in deal
        )
        for deal in scores
    ]


def test_intervals_count_deals_not_games() -> None:
    """If the second game of a deal repeats the first, it says nothing new."""
    tournament = held(["greedy", "random"])  # seatings: greedy first, then random first
    values = [int(value) for value in np.random.default_rng(4).integers(0, 100, 40)]
    found = tournament_statistics(tournament, made([[(value, 50), (50, value)] for value in values]))
    greedy = next(line for line in found.players if line.name == "greedy")
    assert greedy.points.mean == pytest.approx(fmean(values))
    assert greedy.points.margin == pytest.approx(quantile(39) * stdev(values) / sqrt(40))
    assert greedy.games == 80


def test_what_the_first_seat_is_worth_and_that_one_deal_has_no_margin() -> None:
    deals = made([[(2, 1), (2, 1)]] * 15 + [[(1, 2), (1, 2)]] * 5)
    first, second = tournament_statistics(held(["greedy", "random"]), deals).seats
    assert (first.wins.mean, second.wins.mean) == pytest.approx((0.75, 0.25))
    assert first.points.mean == pytest.approx(1.75)
    found = tournament_statistics(held(["greedy", "random"]), deals[:1])
    assert found.players[0].wins == Interval(0.5, None)


def test_perfect_play_gives_nothing_away_and_earns_its_value_and_its_luck() -> None:
    game = find_game("joker1").agree(2, {"rounds": 1})
    tournament = Tournament.of(game, ["perfect", "random"], "1")
    found = tournament_statistics(tournament, list(map(tournament.deal, range(3))))
    (line,) = (line for line in found.players if line.name == "perfect")
    value = valuer(game).points(game.start())[0]
    assert line.costs is not None and line.costs.mean == pytest.approx(0.0, abs=1e-9)
    assert line.luck is not None and line.points.mean - line.luck.mean == pytest.approx(value, abs=1e-6)


# --- ratings --------------------------------------------------------------------------------------


def test_ratings_explain_the_wins_of_everybody() -> None:
    """At the best fit everybody is expected to win as often as they did, the draws given included."""
    random = np.random.default_rng(3)
    results = random.integers(0, 3, (50, 4, 4)) / 2
    results = np.triu(results, 1) + np.tril(1 - results.transpose(0, 2, 1), -1)
    games = 1.0 - np.eye(4)
    found = ratings(results, games)
    for a in range(4):
        expected = sum(51 / (1 + 10 ** ((found[b].mean - found[a].mean) / 400)) for b in range(4) if b != a)
        assert expected == pytest.approx(results[:, a].sum() + 1.5, abs=1e-6)


def test_who_never_lost_has_a_rating_and_a_wide_interval() -> None:
    results = np.zeros((20, 2, 2))
    results[:, 0, 1] = 1
    best, worst = ratings(results, np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert best.mean - worst.mean == pytest.approx(400 * log10(20.5 / 0.5), abs=0.01)
    # no narrower than what 20 wins of 20 say: at least 83 of 100, 275 points
    assert best.margin is not None
    assert best.mean - worst.mean - 2 * best.margin < 400 * log10(0.83 / 0.17) + 60


# --- the command ----------------------------------------------------------------------------------

QUICK = ["tournament", "joker1", "-o", "rounds=1", "--entrants", "greedy,random", "--no-luck"]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done.output


def test_a_seed_is_one_report_and_a_tournament_can_be_made_longer(tmp_path: Path) -> None:
    out, kept = tmp_path / "out.json", ("--resume", str(tmp_path / "kept.sqlite"))
    run(*QUICK, "-n", "10", *kept)
    reports = []
    for arguments in (("-n", "30", *kept), ("-n", "30"), ("-n", "30", "--seed", "1")):
        output = run(*QUICK, *arguments, "--out", str(out))
        assert ("5 of 15 deals are there already" in output) == ("--resume" in arguments)
        reports.append(out.read_text("utf-8"))
    assert reports[0] == reports[1] != reports[2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_all_workers_and_the_same_command_continues(tmp_path: Path) -> None:
    environment = {**os.environ, "PASCH_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "pasch", *QUICK, "--workers", "2"]
    started = subprocess.Popen(
        [*command, "-n", "1000000"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell that started the tests in the background would have it ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    assert started.stderr is not None
    # a line each ten seconds
    while not re.search(r"[1-9]\d* of \d+ deals", started.stderr.readline()):
        assert started.poll() is None
    os.killpg(started.pid, signal.SIGINT)
    # which ends when no process has the stream any more: nobody is left
    _, output = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "interrupted after" in output and "Traceback" not in output
    again = [*command, "-n", "40"]
    done = subprocess.run(again, env=environment, capture_output=True, text=True, check=True)
    assert "are there already" in done.stderr
    assert not list((tmp_path / "cache").glob("tournament-*")), "what is finished needs no file"


def test_a_player_of_ones_own_takes_part_and_its_failures_are_reported(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(
        "def last(view, generator): return view.moves()[-1]\n"
        "def fails(view, generator):\n"
        "    if len(view.moves()) > 2: raise ValueError('too many')\n"
        "    return view.moves()[0]\n",
        "utf-8",
    )
    players = f"greedy,{bot}:last,{bot}:fails"
    output = run("tournament", "joker1", "-o", "rounds=1", "-e", players, "-n", "60", "--no-luck")
    assert "mine.py:last" in output and "mine.py:last failed" not in output
    assert "mine.py:fails failed in" in output and "ValueError: too many" in output


def test_too_few_deals_say_so_and_a_missing_folder_is_noticed_first(tmp_path: Path) -> None:
    assert "± ?" in run(*QUICK, "-n", "2")
    done = CliRunner().invoke(main, [*QUICK, "-n", "100000000", "--out", str(tmp_path / "no" / "found")])
    assert done.exit_code == 1 and "there is no such folder" in done.stderr
