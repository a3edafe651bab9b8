"""OpenSpiel's Monte Carlo tree search plays Würfel Joker 1 against a random player.

pip install pasch[openspiel]
python examples/openspiel_mcts.py [GAMES]
"""

from __future__ import annotations

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

import pasch.lab.openspiel_games  # noqa: F401 - registers the games

SIMULATIONS = 50


def play(game: pyspiel.Game, bots: list[pyspiel.Bot], dice: np.random.RandomState) -> list[float]:
    """The returns of one game."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choice(outcomes, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    won: list[float] = state.returns()
    return won


def main(games: int = 20, seed: int = 1) -> float:
    """The average return of the search; 1 would be a win in every game."""
    game = pyspiel.load_game("python_pasch_joker1(players=2,rounds=1,utility=win)")
    dice = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    searcher = mcts.MCTSBot(game, 2.0, SIMULATIONS, evaluator, random_state=dice)
    bots = [searcher, uniform_random.UniformRandomBot(1, dice)]
    return sum(play(game, bots, dice)[0] for _ in range(games)) / games


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"over {number} games the search won {main(number):+.2f} a game")
