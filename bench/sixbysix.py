"""6mal6: how fast the search decides, and how often it wins against two greedy players.

Each deal is played three times, the searching player in every seat; the standard error is that of the deals' means.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from tools.ladder import mean_and_error

from pasch.core.chance import Generator, seed_key
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.state import State
from pasch.games.sixbysix.rules import SixBySix
from pasch.games.sixbysix.values import WORLDS, Values
from pasch.players.arena import play_game
from pasch.players.base import player

SEATS = 3
VARIANTS = {"fields": False, "streets": True}
#: games between two printed rows: all deals of a row have been played in every seat
BETWEEN = 100 * SEATS
AIMS = {"points": False, "win": True}


class Searcher:
    """Plays for points or to win, and measures its own thinking time."""

    def __init__(self, values: Values, to_win: bool) -> None:
        self.values, self.to_win = values, to_win
        self.seconds: list[float] = []

    def choose(self, view: State, generator: Generator) -> Event:
        started = time.process_time()
        moves = view.moves()
        worth = list(self.values.move_points(view))
        if self.to_win:
            worth = [entry.win or 0.0 for entry in self.values.moves(view)]
        self.seconds.append(time.process_time() - started)
        return moves[worth.index(max(worth))]


def share(match: Match, seat: int) -> float:
    """A seat's share of the win."""
    winners = match.state.winners()
    return (seat in winners) / len(winners)


def measure(variant: str, aim: str, games: int, worlds: int) -> None:
    """Games against two greedy players, the seats taken in turn."""
    game = SixBySix.agree(SEATS, {"streets": VARIANTS[variant]})
    values = Values(game, worlds)
    values.prepare()
    values.worth(game.start())  # compiled before time is taken
    searcher, greedy = Searcher(values, AIMS[aim]), player("greedy")
    won, rounds = list[float](), 0
    for number in range(games):
        seat = number % SEATS
        seated = [searcher if place == seat else greedy for place in range(SEATS)]
        match = play_game(game, seated, seed_key(f"bench sixbysix {number // SEATS}"))
        won.append(share(match, seat))
        rounds += match.at(len(match)).rounds  # type: ignore[attr-defined]
        if number + 1 == games or (number + 1) % BETWEEN == 0:
            wins = mean_and_error(np.mean(np.reshape(won, (-1, SEATS)), axis=1))
            thought = np.array(searcher.seconds)
            print(
                f"{variant:<9}{aim:<8}{worlds:>7}{len(won):>7}{wins.value:>9.3f} ± {wins.error:.3f}"
                f"{rounds / len(won):>9.1f}{1 / thought.mean():>13.0f}{np.quantile(thought, 0.95):>9.3f}",
                flush=True,
            )


def main(
    games: int = 90,
    worlds: int = WORLDS,
    variants: tuple[str, ...] = tuple(VARIANTS),
    aims: tuple[str, ...] = tuple(AIMS),
) -> None:
    games = max(2, games // SEATS) * SEATS
    print("6mal6: the search against two greedy players; its fair share of the wins is 0.333")
    heads = f"{'worlds':>7}{'games':>7}{'wins':>17}{'rounds':>9}{'decisions/s':>13}{'95 %, s':>9}"
    print(f"{'variant':<9}{'for':<8}{heads}")
    for variant in variants:
        for aim in aims:
            measure(variant, aim, games, worlds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=90)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--variant", choices=VARIANTS, nargs="+", default=tuple(VARIANTS))
    parser.add_argument("--for", dest="aims", choices=AIMS, nargs="+", default=tuple(AIMS))
    chosen = parser.parse_args()
    main(chosen.games, chosen.worlds, tuple(chosen.variant), tuple(chosen.aims))
