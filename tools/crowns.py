"""`python -m tools.crowns [--games N] [--ahead N] [--races N]`: how well Crowns is played, and how near to
perfect that is.

Averages over many games alone, with their standard errors: choosing by the learned value, and looking one
roll ahead, which is what `perfect` does (its luck is taken out, see
`pasch.solve.crowns_play.scores_ahead`). Then the proven ceiling, races of players of this kind, and how
often `winner` wins against `perfect` players. Prints entries for docs/measured.toml.
"""

from __future__ import annotations

import argparse
from typing import Literal

from pasch.core.chance import seed_key, subkey
from pasch.games.crowns import Crowns, CrownsOptions
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.crowns import weights
from pasch.solve.crowns_bound import ceiling
from pasch.solve.crowns_model import Model, RaceModel, rules_of, unpack
from pasch.solve.crowns_play import quick_scores, scores_ahead
from pasch.solve.crowns_race import measure_race

#: sequences of rolls whose ceiling is computed with tolls
SEQUENCES = 5_000


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
    model, rules = unpack(game, weights(game)), rules_of(game)
    assert isinstance(model, Model)
    what = f"Crowns alone, solo_minimum {minimum}"
    scores = quick_scores(games, 20_261, model.tables, model.net, rules)
    error = float(scores.std()) / games**0.5
    entry(f"{what}: learned value alone", float(scores.mean()), error, f"{games:,} games")
    raw, steady, _ = scores_ahead(ahead, 20_262, model.tables, model.net, rules)
    error = float(steady.std()) / ahead**0.5
    told = f"{raw.mean():.2f} ± {raw.std() / ahead**0.5:.2f}"
    how = f"{ahead:,} games, luck taken out (with luck {told})"
    entry(f"{what}: one roll ahead (perfect)", float(steady.mean()), error, how)
    most, error = ceiling(game, SEQUENCES)
    how = f"best plan with {SEQUENCES:,} known sequences of rolls"
    entry(f"{what}: nobody averages more than", most, error, how)


def race(games: int) -> None:
    """Mean scores of races among players who play for points."""
    game = Crowns(2)
    model = unpack(game, weights(game))
    assert isinstance(model, RaceModel)
    means, rounds, _ = measure_race(games, 20_263, model.tables, model.net, rules_of(game))
    for seats in range(2, 7):
        how = f"{rounds[seats]:.1f} rounds; self-play, {games // 5:,} games"
        entry(f"Crowns, {seats} players: mean score", float(means[seats]), None, how)


def to_win(seats: int, races: int) -> None:
    """One `winner` among `perfect` players: its part of the wins, seats and dice taken in turn."""
    game, winner, perfect = Crowns(seats), player("winner"), player("perfect")
    won = []
    for number in range(races):
        seat = number % seats
        seated = [winner if place == seat else perfect for place in range(seats)]
        match = play_game(game, seated, subkey(seed_key("races"), seats, number // seats))
        winners = match.state.winners()
        won.append((seat in winners) / len(winners))
    share = sum(won) / races
    error = (sum((part - share) ** 2 for part in won) / (races - 1) / races) ** 0.5
    how = f"share of the wins, a fair one is {1 / seats:.2f}; {races:,} games"
    entry(f"Crowns, {seats} players: winner among perfect players", share, error, how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--ahead", type=int, default=5_000)
    parser.add_argument("--races", type=int, default=600)
    args = parser.parse_args()
    alone(1, args.games, args.ahead)
    alone(2, args.games, args.ahead)
    race(args.games // 10)
    for seats in (2, 4, 6):
        to_win(seats, args.races)


if __name__ == "__main__":
    main()
