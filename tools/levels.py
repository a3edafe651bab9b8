"""`python -m tools.levels [GAME …]`: measure what the levels give away, and write each game's levels.toml.

For each game the temperature of a level is set so that it gives away what `AIMS` asks for; then the loss
is worked out for every variant: exactly where a turn can be solved with mistakes in it, otherwise
by playing, with the standard error. What is written for games that are not named stays as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pasch import CHANCE, find_game
from pasch.core.chance import KeyedGenerator, derive, seed_key, subkey
from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.state import State
from pasch.games.lines.rules import Lines
from pasch.games.lines.values.rounds import rounds_on
from pasch.games.sixbysix.rules import is_over
from pasch.players.levels import expected_cost, probabilities
from pasch.solve.valuer import valuer

#: what the levels are to give away: a turn (fiese15, joker1, joker2), a round (lines, sixbysix) or a game
AIMS: dict[str, dict[str, float]] = {
    "fiese15": {"easy": 1.5, "medium": 0.7, "hard": 0.25},
    "joker1": {"easy": 1.4, "medium": 0.7, "hard": 0.25},
    "joker2": {"easy": 5.0, "medium": 2.0, "hard": 0.5},
    "lines": {"easy": 0.3, "medium": 0.15, "hard": 0.05},
    "crowns": {"easy": 12.0, "medium": 6.0, "hard": 2.0},
    "sixbysix": {"easy": 1.6, "medium": 0.8, "hard": 0.25},
}
#: what a move has to give away for no level to make it: stopping with nothing, leaving a line that is there
ABSURD = {"fiese15": 3.0, "joker1": 5.0, "joker2": 10.0, "lines": 0.6, "crowns": 5.0, "sixbysix": 2.0}
PLANS = (1, 2, 3, 4)
#: games played for a figure; 6mal6: rounds
GAMES = {"lines": 3000, "crowns": 40, "sixbysix": 16}
#: games of Crowns for one are short, and 6mal6 is made of rounds that were played
SOLO, MADE = 4, 400

Measured = dict[str, Any]


def soft_loss(game: Game[Any, Any], temperature: float) -> float:
    """What a turn loses on average, exactly."""
    values: Any = valuer(game)
    best: float = values.soft_value(0.0)
    return best - float(values.soft_value(temperature, ABSURD[game.id]))


def play(
    game: Game[Any, Any], temperature: float, key: bytes, ended: Callable[[Any], bool]
) -> tuple[float, State]:
    """Play until `ended`: what all seats together gave away, and the last state.

    A decision counts with its expected cost, not with that of the move drawn: the same mean, less noise.
    """
    values, generator = valuer(game), KeyedGenerator(subkey(key, "moves"))
    state, events, lost = game.start(), 0, 0.0
    while not ended(state):
        events += 1
        if state.actor == CHANCE:
            chance = state.chance()
            state = state.apply(chance.pick(derive(key, events, chance.total)))
            continue
        moves = state.moves()
        if len(moves) == 1:
            state = state.apply(moves[0])
            continue
        worth = values.move_points(state.view(state.actor))
        chances = probabilities(worth, temperature, ABSURD[game.id])
        lost += expected_cost(worth, temperature, ABSURD[game.id])
        drawn, place = generator.random(), 0
        while place < len(moves) - 1 and (drawn := drawn - chances[place]) >= 0:
            place += 1
        state = state.apply(moves[place])
    return lost, state


def played(game: Game[Any, Any], temperature: float, games: int) -> list[float]:
    """What a seat gave away in each of so many games at this temperature."""
    keys = [subkey(seed_key("levels"), game.id, number) for number in range(games)]
    return [play(game, temperature, key, lambda state: state.over)[0] / game.players for key in keys]


def mean_and_error(numbers: list[float]) -> tuple[float, float]:
    mean = sum(numbers) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
    return mean, sqrt(spread / len(numbers))


def find_temperature(loss: Callable[[float], float], aim: float) -> float:
    """The temperature at which `loss`, which rises with it, is `aim`; three figures are enough."""
    low, high = 0.0, 0.05
    while loss(high) < aim:
        low, high = high, 2 * high
        if high > 1000:
            raise ValueError(f"no temperature gives {aim} away; the bound for the absurd is too low")
    while high - low > 0.002 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if loss(middle) < aim else (low, middle)
    return float(f"{high:.3g}")


def rough_temperature(loss: Callable[[float], float], aim: float) -> float:
    """As `find_temperature`, where a loss takes long to measure: it is, at temperatures that double.

    What lies between is taken to follow a power. What a level really gives away is measured afterwards.
    """
    high = 0.05
    while loss(high) < aim:
        high *= 2
    below, above = loss(high / 2), loss(high)
    return float(f"{high / 2 * 2 ** (log(aim / below) / log(above / below)):.3g}")


# --- games of turns -------------------------------------------------------------------------------


def turns_of(name: str) -> Iterator[Measured]:
    kind = find_game(name)
    default = kind.agree(2)
    temperatures = {
        level: find_temperature(lambda t: soft_loss(default, t), aim) for level, aim in AIMS[name].items()
    }
    yield temperatures
    specs = [spec for spec in option_specs(kind.Options) if spec.kind in ("switch", "choice")]
    every = product(*(spec.choices or (False, True) for spec in specs))
    for setting in (dict(zip([spec.name for spec in specs], chosen, strict=True)) for chosen in every):
        for level, temperature in temperatures.items():
            if setting.get("handicap"):
                yield from _handicap(level, temperature, setting)
            else:
                loss = soft_loss(kind.agree(2, setting), temperature)
                yield _figure(level, setting, "turn", loss, 0.0)


def _handicap(level: str, temperature: float, setting: dict[str, Any]) -> Iterator[Measured]:
    """With the handicap the targets depend on the standing, so it is played."""
    for players in range(1, 7):
        game = find_game("fiese15").agree(players, setting)
        loss, error = mean_and_error(played(game, temperature, 120))
        rounds = game.components.rounds
        yield _figure(level, {**setting, "players": players}, "turn", loss / rounds, error / rounds)


def _figure(level: str, when: dict[str, Any], per: str, loss: float, error: float) -> Measured:
    return {"level": level, "when": when, "per": per, "loss": _round(loss), "error": _round(error)}


def _round(number: float) -> float:
    return float(f"{number:.5g}")


# --- lines ----------------------------------------------------------------------------------------


def lines() -> Iterator[Measured]:
    """Each plan by itself, one round alone."""
    kind = Lines

    def rounds(plan: int, temperature: float, games: int) -> tuple[list[float], list[float]]:
        game, lost, ended = kind.agree(1, {"plans": [plan], "target": 1}), [], []
        for number in range(games):
            key = subkey(seed_key("levels"), "lines", plan, number)
            losses, state = play(game, temperature, key, lambda state: state.over or state.round > 0)
            lost.append(losses)
            ended.append(state.scores()[0])
        return lost, [ended.count(points) / games for points in range(max(ended) + 1)]

    def loss(temperature: float) -> float:
        return mean_and_error(rounds(1, temperature, 800)[0])[0]

    temperatures = {level: find_temperature(loss, aim) for level, aim in AIMS["lines"].items()}
    yield temperatures
    for plan in PLANS:
        for level, temperature in temperatures.items():
            lost, shares = rounds(plan, temperature, GAMES["lines"])
            mean, error = mean_and_error(lost)
            yield {
                "level": level,
                "plan": plan,
                # the lines of a round played as well as possible, by which a level chooses among plans
                "expected": _round(rounds_on(kind(1).plan(plan)).expected(0)),
                "loss": _round(mean),
                "error": _round(error),
                "lines": [round(share, 6) for share in shares],
            }


# --- games that are played whole ------------------------------------------------------------------


def crowns() -> Iterator[Measured]:
    """Values are estimates, so what is given away is counted in them."""
    kind, games = find_game("crowns"), GAMES["crowns"]

    @cache
    def loss(temperature: float) -> float:
        return mean_and_error(played(kind.agree(1), temperature, games))[0]

    temperatures = {level: rough_temperature(loss, aim) for level, aim in AIMS["crowns"].items()}
    yield temperatures
    settings: list[dict[str, Any]] = [{"players": 1, "solo_minimum": minimum} for minimum in (1, 2)]
    settings += [{"players": players} for players in range(2, 7)]
    for setting in settings:
        options = {key: value for key, value in setting.items() if key != "players"}
        game = kind.agree(setting["players"], options)
        when = setting | {"split": False, "round_limit": game.options.round_limit}
        # the more seats, the more turns there are in a game
        number = SOLO * games if game.players == 1 else 2 * games // game.players
        for level, temperature in temperatures.items():
            mean, error = mean_and_error(played(game, temperature, number))
            yield _figure(level, when, "game", mean, error)


# --- 6mal6 ----------------------------------------------------------------------------------------


class Played(NamedTuple):
    """Rounds of so many seats: what a seat gave away, its error, and how the rows lay in the end."""

    loss: float
    error: float
    rows: list[list[tuple[int, ...]]]


def sixbysix() -> Iterator[Measured]:
    """First rounds are played; whole games are then made of such rounds, because they take long."""
    kind, rounds = find_game("sixbysix"), GAMES["sixbysix"]

    def first_rounds(players: int, streets: bool, temperature: float, number: int) -> Played:
        game, lost, rows = kind.agree(players, {"streets": streets}), [], []
        for key in (subkey(seed_key("levels"), "sixbysix", number) for number in range(number)):
            losses, state = play(game, temperature, key, lambda state: state.rounds > 0)
            lost.append(losses / players)
            rows.append([*state.rows])  # type: ignore[attr-defined]
        return Played(*mean_and_error(lost), rows)

    @cache
    def loss(temperature: float) -> float:
        return first_rounds(3, False, temperature, rounds // 2).loss

    temperatures = {level: rough_temperature(loss, aim) for level, aim in AIMS["sixbysix"].items()}
    yield temperatures
    for streets in (False, True):
        for level, temperature in temperatures.items():
            known: dict[int, Played] = {}
            for players in range(2, 7):
                known[players] = first_rounds(players, streets, temperature, 2 * rounds // players)
                game = kind.agree(players, {"streets": streets})
                when = {"players": players, "streets": streets, "round_limit": game.options.round_limit}
                figure = _figure(level, when, "game", *_made_of_rounds(game, known))
                rounds_cost = {"round": known[players].loss, "round_error": known[players].error}
                yield figure | {key: _round(number) for key, number in rounds_cost.items()}


def _made_of_rounds(game: Game[Any, Any], known: dict[int, Played]) -> tuple[float, float]:
    """What a seat gives away in a game whose rounds are like those that were played; its error."""
    random = Random(game.players)
    often = dict.fromkeys(known, 0.0)  # how many rounds of so many seats a game has
    totals = []
    for _ in range(MADE):
        chips, pot, rounds, lost = [game.components.start.chips] * game.players, 0, 0, 0.0
        while not is_over(game.agreed, chips, rounds):
            seats = [seat for seat, own in enumerate(chips) if own]
            random.shuffle(seats)
            rows = random.choice(known[len(seats)].rows)
            settled = game.settle(rows, [chips[seat] for seat in seats], pot)  # type: ignore[attr-defined]
            for seat, paid, taken in zip(seats, settled.paid, settled.taken, strict=True):
                chips[seat] += taken - paid
            pot, rounds = settled.pot, rounds + 1
            share = len(seats) / game.players
            lost += share * known[len(seats)].loss
            often[len(seats)] += share / MADE
        totals.append(lost)
    mean, error = mean_and_error(totals)
    of_rounds = sum((often[seats] * played.error) ** 2 for seats, played in known.items())
    return mean, sqrt(error**2 + of_rounds)


# --- the file -------------------------------------------------------------------------------------


def measure(name: str) -> dict[str, Any]:
    """The temperatures and the figures of a game."""
    measured_by = {"lines": lines, "crowns": crowns, "sixbysix": sixbysix}
    temperatures, *measured = measured_by[name]() if name in measured_by else turns_of(name)
    return {"absurd": ABSURD[name], "temperature": temperatures, "measured": measured}


def written(game: dict[str, Any]) -> str:
    """A game's data as TOML."""
    out = [
        "# Written by `python -m tools.levels`: the temperature of each level and what a move has to give",
        "# away for no level to make it, both in points; then what a level gives away on average, with the",
        "# standard error (0: exact).",
    ]
    out += ["", f"absurd = {game['absurd']}", "", "[temperature]"]
    out += [f"{level} = {temperature}" for level, temperature in game["temperature"].items()]
    for entry in game["measured"]:
        out += ["", "[[measured]]"]
        out += [f"{key} = {_toml(value)}" for key, value in entry.items()]
    return "\n".join(out) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value)


def main() -> None:
    for name in sys.argv[1:] or AIMS:
        found = measure(name)
        folder = Path(sys.modules[find_game(name).__module__].__file__ or "").parent
        folder.joinpath("levels.toml").write_text(written(found), "utf-8")
        print(name, found["temperature"])


if __name__ == "__main__":
    main()
