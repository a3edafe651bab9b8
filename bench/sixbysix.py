"""6mal6: how fast the search decides, and how often it wins against two greedy players."""

from __future__ import annotations

import argparse
import time

from pasch.core.chance import Generator, seed_key
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.state import State
from pasch.games.sixbysix.rules import SixBySix
from pasch.games.sixbysix.values import WORLDS, Values
from pasch.players.arena import play_game
from pasch.players.base import player

SEATS = 3
#: of a normal distribution, 99 % lie within so many standard deviations
WITHIN_99 = 2.576


class Searcher:
    """Plays for points or to win, and takes the time that it thinks."""

    def __init__(self, values: Values, to_win: bool) -> None:
        self.values, self.to_win = values, to_win
        self.decisions, self.seconds = 0, 0.0

    def choose(self, view: State, generator: Generator) -> Event:
        started = time.process_time()
        moves = view.moves()
        worth = list(self.values.move_points(view))
        if self.to_win:
            worth = [entry.win or 0.0 for entry in self.values.moves(view)]
        self.decisions += 1
        self.seconds += time.process_time() - started
        return moves[worth.index(max(worth))]


def share(match: Match, seat: int) -> float:
    """A seat's part of the win."""
    winners = match.state.winners()
    return (seat in winners) / len(winners)


def measure(streets: bool, to_win: bool, games: int, worlds: int) -> None:
    """Games against two greedy players, the seats taken in turn."""
    game = SixBySix.agree(SEATS, {"streets": streets})
    values = Values(game, worlds)
    values.prepare()
    searcher, greedy = Searcher(values, to_win), player("greedy")
    won = rounds = 0.0
    for number in range(games):
        seat = number % SEATS
        seated = [searcher if place == seat else greedy for place in range(SEATS)]
        match = play_game(game, seated, seed_key(f"bench sixbysix {number // SEATS}"))
        won += share(match, seat)
        rounds += match.at(len(match)).rounds  # type: ignore[attr-defined]
    part = won / games
    interval = WITHIN_99 * (part * (1 - part) / games) ** 0.5
    speed = searcher.decisions / searcher.seconds
    print(
        f"{'streets' if streets else 'fields':<9}{'to win' if to_win else 'points':<8}{worlds:>7}{games:>7}"
        f"{part:>9.3f} ± {interval:.3f}{rounds / games:>9.1f}{speed:>13.0f}"
    )


def main(games: int = 90, worlds: int = WORLDS) -> None:
    print("6mal6: the search against two greedy players; its fair share of the wins is 0.333")
    heads = f"{'worlds':>7}{'games':>7}{'wins, 99 %':>17}{'rounds':>9}{'decisions/s':>13}"
    print(f"{'variant':<9}{'plays':<8}{heads}")
    for streets in (False, True):
        for to_win in (False, True):
            measure(streets, to_win, games, worlds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=90)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    chosen = parser.parse_args()
    main(chosen.games, chosen.worlds)
