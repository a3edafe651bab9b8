"""Players of every strength: one mechanism, which chooses among the legal moves by their value.

A level has a temperature T, in points. A move that gives away c points is taken with a probability in
proportion to exp(-c / T), so that small mistakes are frequent and large ones rare, and never if it gives
away more than the game's bound for the absurd: nobody plays like that. At temperature 0 the best move is
taken: that is `perfect`, which plays for points, and `winner`, which plays for the chance to win.

The temperatures are set so that a level gives away what `gives_away` says; both stand in levels.toml, which
`python -m tools.levels` measures and writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pasch.core.chance import Generator
from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_data, find_part
from pasch.core.state import State
from pasch.players.base import register
from pasch.players.choosing import EQUAL, choose_by_worth, weight
from pasch.solve.valuer import valuer

#: from the weakest to the strongest; the last plays to win, the others for points
LEVELS: Final = ("easy", "medium", "hard", "perfect", "winner")


def probabilities(worth: Sequence[float], temperature: float, absurd: float) -> list[float]:
    """How often a level takes each of the moves that are worth so many points.

    Moves that give away more than `absurd` are not taken at all.
    """
    best = max(worth)
    if temperature <= 0:
        chosen = choose_by_worth(worth, len(worth), temperature, absurd, 0.0)
        return [float(place == chosen) for place in range(len(worth))]
    weights = [weight(best - points, temperature, absurd) for points in worth]
    total = sum(weights)
    return [weight / total for weight in weights]


def expected_cost(worth: Sequence[float], temperature: float, absurd: float) -> float:
    """What a level gives away in a decision on average."""
    best, chances = max(worth), probabilities(worth, temperature, absurd)
    return sum(chance * (best - points) for chance, points in zip(chances, worth, strict=True))


class LevelPlayer:
    """Plays for points, with a temperature for each game.

    Tables that are not there yet are built at the first question; a server, where nobody can wait,
    has them built elsewhere (`pasch.table.helper_pool`).
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: State, generator: Generator) -> Event:
        moves = _moves(view)
        if len(moves) == 1:
            return moves[0]
        worth, warmth = valuer(view.game).move_points(view), temperature(view.game, self.name)
        drawn = generator.random() if warmth > 0 else 0.0
        return moves[choose_by_worth(worth, len(worth), warmth, absurd(view.game), drawn)]


class WinnerPlayer:
    """Plays to be among the winners; where the chances are not known, or equal, for points."""

    def choose(self, view: State, generator: Generator) -> Event:
        moves = _moves(view)
        if len(moves) == 1:
            return moves[0]
        values = valuer(view.game)
        worth = values.moves(view)
        points = values.move_points(view)
        chances = [entry.win for entry in worth]
        known = [chance for chance in chances if chance is not None]
        if len(known) < len(chances):
            return moves[points.index(max(points))]
        best = max(known)
        # of moves that win equally often the one for most points
        return moves[
            max(
                range(len(moves)),
                key=lambda place: (known[place] >= best - EQUAL, points[place], -place),
            )
        ]


def _moves(view: State) -> tuple[Event, ...]:
    moves = view.moves()
    if not moves:
        raise IllegalMove("turn", "there is nothing to choose now")
    return moves


def level(name: str) -> LevelPlayer | WinnerPlayer:
    """The player of this level."""
    if name not in LEVELS:
        raise ValueError(f"there is no level {name!r}")
    return WinnerPlayer() if name == "winner" else LevelPlayer(name)


for _name in LEVELS:
    register(_name, partial(level, _name))


# --- what is known of the levels ------------------------------------------------------------------


class Loss(NamedTuple):
    """A figure and its standard error."""

    points: float
    error: float


#: what holds for a game whose levels nobody has measured
OTHER: Final = {"absurd": 5.0, "temperature": {"easy": 2.0, "medium": 0.8, "hard": 0.3}}


def _data(game: str) -> dict[str, Any]:
    """The measured data of a game."""
    return find_data(game, "levels.toml") or OTHER


def temperature(game: Game[Any, Any], name: str) -> float:
    """How far a level strays from the best move, in points."""
    if name in ("perfect", "winner"):
        return 0.0
    found: float = _data(game.id)["temperature"][name]
    return found


def absurd(game: Game[Any, Any]) -> float:
    """What a move has to give away, in points, for no level to make it."""
    found: float = _data(game.id)["absurd"]
    return found


def gives_away(game: Game[Any, Any], name: str) -> float | None:
    """How many points a level gives away in a whole game on average; None if that is not known.

    It is measured with the box that comes with Pasch; with another one it is worked out where that is quick
    and exact. In games whose length depends on the play all seats are taken to be of this level.
    """
    loss = measured_loss(game, name)
    return None if loss is None else loss.points


def measured_loss(game: Game[Any, Any], name: str) -> Loss | None:
    """What `gives_away` says, with its standard error.

    A game whose length depends on the play may work it out itself, in `measured_loss(game, name)` of its
    `levels.py`.
    """
    if name == "perfect":
        return Loss(0.0, 0.0)
    if name not in LEVELS or name == "winner":
        return None
    if getattr(game.options, "components", None) is not None:
        return _computed_loss(game, name)
    own = find_part(game.id, "levels")
    if own is not None:
        told: tuple[float, float] | None = own.measured_loss(game, name)
        return None if told is None else Loss(*told)
    found = _entry(game, name)
    if found is None:
        return None
    times = _turns(game) if found["per"] == "turn" else 1
    return Loss(found["loss"] * times, found["error"] * times)


def _computed_loss(game: Game[Any, Any], name: str) -> Loss | None:
    """With a box of one's own: worked out where every turn can be solved with mistakes in it."""
    soft_value = getattr(valuer(game), "soft_value", None)
    if soft_value is None or getattr(game.options, "handicap", False):
        return None
    warmth = temperature(game, name)
    lost: float = soft_value(0.0) - soft_value(warmth, absurd(game))
    return Loss(lost * _turns(game), 0.0)


def _turns(game: Game[Any, Any]) -> int:
    """How many turns a seat has in a game whose length is agreed."""
    rounds: int = getattr(game.options, "rounds", 0) or getattr(game.components, "rounds", 0)
    return rounds


def _entry(game: Game[Any, Any], name: str) -> dict[str, Any] | None:
    """The measurement of this level whose conditions the agreed game fulfils."""
    agreed = {**game.options.json(), "players": game.players}
    for entry in _data(game.id).get("measured", ()):
        if entry["level"] == name and all(agreed.get(k) == v for k, v in entry["when"].items()):
            found: dict[str, Any] = entry
            return found
    return None
