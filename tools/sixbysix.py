"""`python -m tools.sixbysix [--values 2 5 8] [--passes N] [--ends N] [--for AIM] [--players NAME …]`: how much
the computer players of 6mal6 lose against an equilibrium.

Ends of a round for two with a pack of few values are solved (`research.sixbysix.equilibrium`). A player is then asked
for its move in every position that it can get to with every hand, so that what it loses is computed, not played:
against the equilibrium, pass by pass, and against the best answer to it. The equilibrium's own exploitability is
printed beside it. Standard errors are over the ends, each with the player in both seats. Prints entries for
docs/measured.toml.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np
from research.sixbysix.equilibrium import (
    AIMS,
    SEATS,
    Floats,
    end_of_round,
    gain_against,
    losses,
    small_game,
    solve,
    strategy_of,
    usual_end,
)

from pasch.games.sixbysix.settling import HIGHEST
from pasch.players.base import player
from tools.ladder import mean_and_error

#: the computation ends when a seat cannot gain more than this
MAX_GAIN = {"win": 0.0005, "chips": 0.005}
#: and after this many rounds
ROUNDS = 2000
UNITS = {"win": "share of the win", "chips": "chips more than the other"}


def entry(what: str, values: Sequence[float] | Floats, how: str) -> None:
    """One result, as docs/measured.toml wants it."""
    value, error = mean_and_error(values)
    print(f'[[result]]\nwhat = "{what}"\nvalue = "{value:.4f}"\nerror = "{error:.4f}"\nhow = "{how}"\n')


def main(values: tuple[int, ...], passes: int, ends: int, aim: str, names: tuple[str, ...]) -> None:
    game, missing = small_game(values), np.zeros(ends)
    #: by name: what is lost in each end and pass, and to the best answer
    lost = {name: np.zeros((ends, passes)) for name in names}
    worst = {name: np.zeros(ends) for name in names}
    for number in range(ends):
        started = time.process_time()
        end = end_of_round(usual_end(game, passes, f"end {number}"), aim)
        best = solve(end, ROUNDS, MAX_GAIN[aim])
        missing[number] = best.exploitability
        figures = [f"{number + 1}: value {best.value:+.4f}, exploitability {best.exploitability:.5f}"]
        for name in names:
            for seat, fair in enumerate((best.value, -best.value)):
                played = strategy_of(end, player(name), seat)
                lost[name][number] += np.array(losses(end, played, best.strategy, seat)) / SEATS
                worst[name][number] += (gain_against(end, played, 1 - seat) + fair) / SEATS
            figures.append(f"{name} {lost[name][number].sum():.4f} (at worst {worst[name][number]:.4f})")
        print(f"# {', '.join(figures)}; {time.process_time() - started:.0f} s", flush=True)
    pack = ", ".join(map(str, values))
    where = f"6mal6, 2 players, last {passes} passes of a round with a pack of {pack}"
    unit = f"{UNITS[aim]}; {ends} ends in both seats"
    entry(f"{where}: exploitability of the equilibrium", missing, unit)
    for name in names:
        by_pass = ", ".join(f"{part:.4f}" for part in lost[name].mean(axis=0))
        entry(
            f"{where}: `{name}` loses to the equilibrium",
            lost[name].sum(axis=1),
            f"{unit}; by pass {by_pass}",
        )
        entry(f"{where}: `{name}` loses to the best answer", worst[name], unit)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, nargs="+", default=(2, 5, 8), choices=range(1, HIGHEST + 1))
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--ends", type=int, default=20)
    parser.add_argument("--for", dest="aim", choices=AIMS, default="win")
    parser.add_argument("--players", nargs="+", default=("winner", "perfect", "greedy"))
    chosen = parser.parse_args()
    main(tuple(chosen.values), chosen.passes, chosen.ends, chosen.aim, tuple(chosen.players))
