"""`python -m tools.crowns [--games N] [--ahead N] [--races N] [--part PART …]`: how well Crowns is played,
and how near to perfect that is.

Averages over many games alone, with their standard errors: choosing by the shipped weights, and looking one
roll ahead, which is what `perfect` does (its luck is taken out, see `crowns.values.training.scores_ahead`).
Then races of players of this kind, and how often `perfect` wins among `greedy` players and `winner` among others.
Prints entries for docs/measured.toml.
"""

from __future__ import annotations

import argparse
import time
from typing import Literal

import numpy as np

from pasch.core.chance import Generator, KeyedGenerator, seed_key, subkey
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import weights
from pasch.games.crowns.values.model import unpack
from pasch.games.crowns.values.training import draw_games, quick_games, scores_ahead
from pasch.lab.simulation import Simulation
from pasch.players.arena import play_game
from pasch.players.base import Player, player
from tools.ladder import mean_and_error

#: games alone; races among players for points; `perfect` among `greedy` players; `winner` among others, by seats
PARTS = ("alone", "race", "points", "greedy2", "perfect2", "greedy4", "perfect4")


def entry(what: str, value: float, error: float | None, how: str) -> None:
    """One result, as docs/measured.toml wants it."""
    print("[[result]]")
    print(f'what = "{what}"')
    print(f'value = "{value:.3f}"')
    if error is not None:
        print(f'error = "{error:.4f}"')
    print(f'how = "{how}"\n', flush=True)


def alone(minimum: Literal[1, 2], games: int, ahead: int) -> None:
    """The three figures of a game for one."""
    game = Crowns(1, CrownsOptions(solo_minimum=minimum))
    model = unpack(game, weights(game))
    what = f"Crowns alone, solo_minimum {minimum}"
    scores = quick_games(game, model, draw_games(game, games, 20_261)).scores[:, 0]
    error = float(scores.std()) / games**0.5
    entry(f"{what}: shipped weights alone", float(scores.mean()), error, f"{games:,} games")
    raw, steady, _ = scores_ahead(game, model, ahead, 20_262)
    error = float(steady.std()) / ahead**0.5
    with_luck = f"{raw.mean():.2f} ± {raw.std() / ahead**0.5:.2f}"
    how = f"{ahead:,} games, luck taken out (with luck {with_luck})"
    entry(f"{what}: shipped weights, one roll ahead (perfect)", float(steady.mean()), error, how)


def race(games: int) -> None:
    """Mean scores of races among players who play for points."""
    for seats in range(2, 7):
        game = Crowns(seats)
        played = quick_games(game, unpack(game, weights(game)), draw_games(game, games // 5, 20_263))
        how = f"{played.rounds.mean():.1f} rounds; self-play, {games // 5:,} games"
        entry(f"Crowns, {seats} players: mean score", float(played.scores.mean()), None, how)


def for_points(seats: int, races: int) -> None:
    """One `perfect` among `greedy` players: how much more it scores than they would, and its wins."""
    game, usual = Crowns(seats), ["greedy"] * seats
    alike = list(Simulation(game, usual, 20 * races, "alike").parts())
    won: list[float] = []
    gains: list[float] = []
    for seat in range(seats):
        lineup = [*usual[:seat], "perfect", *usual[seat + 1 :]]
        in_its_place = np.concatenate([part.scores[:, seat] for part in alike]).mean()
        for played in Simulation(game, lineup, races // seats, f"races {seat}").parts():
            won += list(played.winners[:, seat] / played.winners.sum(axis=1))
            gains += list(played.scores[:, seat] - in_its_place)
    what, number = f"Crowns, {seats} players: perfect among greedy players", len(gains)
    how = f"points more than `greedy` in its place; {number:,} games"
    entry(f"{what}, points", *mean_and_error(gains), how)
    _share(what, seats, won, number)


def to_win(seats: int, races: int, others: str) -> None:
    """One `winner` among others: its share of the wins; for two with the same dice in both orders of the seats."""
    game, what = Crowns(seats), f"Crowns, {seats} players: winner among {others} players"
    times: list[float] = []
    winner, other = Timed(player("winner"), times), player(others)
    won: list[float] = []
    winner.choose(first_decision(game), KeyedGenerator(seed_key("warm")))  # compiles what has to be
    times.clear()
    for number in range(races // seats):
        key, part = subkey(seed_key("races"), seats, number), 0.0
        for seat in range(seats):
            seated = [winner if place == seat else other for place in range(seats)]
            winners = play_game(game, seated, key).state.winners()
            part += (seat in winners) / len(winners)
        won.append(part / seats)
    slow, slowest = float(np.quantile(times, 0.95)), max(times)
    spent = f"; processor time of a move {slow:.2f} s at the 95th percentile, {slowest:.2f} s at most"
    _share(what, seats, won, seats * len(won), spent)


def first_decision(game: Crowns) -> State:
    """A position in which the first seat has rolled."""
    start = game.start()
    return start.apply(start.chance().sample(KeyedGenerator(seed_key("first"))))


class Timed:
    """A player whose processor time is measured, move by move."""

    def __init__(self, player: Player, times: list[float]) -> None:
        self._player, self._times = player, times

    def choose(self, view: State, generator: Generator) -> Event:
        begun = time.process_time()
        found = self._player.choose(view, generator)
        self._times.append(time.process_time() - begun)
        return found


def _share(what: str, seats: int, won: list[float], games: int, more: str = "") -> None:
    """A share of the wins, as an entry."""
    how = f"share of the wins, a fair one is {1 / seats:.2f}; {games:,} games{more}"
    entry(what, *mean_and_error(won), how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--ahead", type=int, default=5_000)
    parser.add_argument("--races", type=int, default=400)
    parser.add_argument("--part", choices=PARTS, action="append")
    args = parser.parse_args()
    parts = args.part or PARTS
    if "alone" in parts:
        alone(1, args.games, args.ahead)
        alone(2, args.games, args.ahead)
    if "race" in parts:
        race(args.games // 10)
    if "points" in parts:
        for seats in (2, 3, 4):
            for_points(seats, args.races)
    for seats in (2, 4):
        for others in ("greedy", "perfect"):
            if f"{others}{seats}" in parts:
                to_win(seats, args.races, others)


if __name__ == "__main__":
    main()
