"""Players of every strength: a ladder of levels, each choosing among the legal moves by their value.

The weaker ones make the mistakes that people make, its own in each game (`beginner.py`): what attracts beginners looks
better to them than it is, by `appeal` times the level's weight, and of the moves that take `ideas` they overlook a
share. `perfect` always makes the best move for points, `winner` the best one for winning.

The weights are set by hand in a game's levels.toml; how strong the levels are with them, how often each beats
the next and what it gives away, is measured and written there by `python -m tools.levels`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pasch.core.chance import Generator
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_data, find_part
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.players.choosing import choose_best, choose_noticed, legal_moves
from pasch.solve.valuer import valuer

#: from the weakest to the strongest; the last plays to win, the others for points
LADDER: Final = ("easy", "medium", "hard", "winner")
#: never errs and maximizes points, not wins: for study, and no rung of the ladder
STUDY: Final = "perfect"
#: all of them
LEVELS: Final = (*LADDER[:-1], STUDY, LADDER[-1])


class LevelErrors(NamedTuple):
    """The mistakes of a level in a game."""

    #: how many times what attracts beginners is overrated
    weight: float = 0.0
    #: how often an idea is not thought of
    overlooks: float = 0.0


#: what holds for a game that sets nothing
USUAL: Final = {
    "weight": {"easy": 2.0, "medium": 1.0, "hard": 0.5},
    "overlooks": {"easy": 0.5, "medium": 0.25, "hard": 0.1},
}


def errors_of(game: Game[Any, Any], name: str) -> LevelErrors:
    """The mistakes of a level; none for other players."""
    data = find_data(game.id, "levels.toml") or USUAL
    return LevelErrors(data["weight"].get(name, 0.0), data["overlooks"].get(name, 0.0))


class LevelPlayer:
    """Plays for points, with the mistakes of its level.

    Missing tables are built on first use; a server, which must not block,
    has them built elsewhere (`pasch.table.helpers`).
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: State, generator: Generator) -> Event:
        moves = legal_moves(view)
        if len(moves) == 1:
            return moves[0]
        worth, errors = valuer(view.game).move_points(view), errors_of(view.game, self.name)
        if errors == LevelErrors():
            return moves[choose_best(worth, len(worth))]
        looks, ideas = _looks(view, worth, errors.weight)
        return moves[choose_noticed(looks, ideas, len(looks), errors.overlooks, generator.random())]


def _looks(view: State, worth: tuple[float, ...], weight: float) -> tuple[list[float], list[int]]:
    """How good each move looks to a beginner, and how many ideas it takes."""
    own: Any = find_part(view.game.id, "beginner")
    if not hasattr(own, "appeal"):
        return list(worth), [1] * len(worth)
    config, s, codes = view.game.config, view.unpack(), view.codes()
    appeal = [own.appeal(config, s, code) for code in codes]
    looks = [points + weight * more for points, more in zip(worth, appeal, strict=True)]
    return looks, [own.ideas(config, s, code) for code in codes]


class WinnerPlayer:
    """Plays to be among the winners; where the chances are not known, or equal, for points."""

    def choose(self, view: State, generator: Generator) -> Event:
        moves = legal_moves(view)
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


def level(name: str) -> LevelPlayer | WinnerPlayer:
    """The player of this level."""
    if name not in LEVELS:
        raise ValueError(f"there is no level {name!r}")
    return WinnerPlayer() if name == "winner" else LevelPlayer(name)


# --- what is known of the levels ------------------------------------------------------------------


class Figure(NamedTuple):
    """A measured figure and its standard error."""

    value: float
    error: float


class Meeting(NamedTuple):
    """A level's share of wins against another one, a shared win counting half; and the standard error."""

    against: str
    wins: float
    error: float


def measured_wins(game: Game[Any, Any], name: str) -> Meeting | None:
    """How often a level beats the next rung of the ladder, the two of them alone; None if that is not known.

    The strongest is measured against the rung below it, and the study tool against the strongest. Measured with
    the default options, whatever the options of `game`.
    """
    for rung in find_data(game.id, "levels.toml").get("rung", ()):
        if rung["level"] == name:
            return Meeting(rung["against"], rung["wins"], rung["wins_error"])
        if rung["against"] == name == LADDER[-1]:
            return Meeting(rung["level"], 1 - rung["wins"], rung["wins_error"])
    return None


def level_figures(game: Game[Any, Any], name: str) -> dict[str, Any]:
    """What is known of a level's strength, as JSON values."""
    met = measured_wins(game, name)
    return {
        "name": name,
        "gives_away": gives_away(game, name),
        "wins": None if met is None else met.wins,
        "against": None if met is None else met.against,
    }


def gives_away(game: Game[Any, Any], name: str) -> float | None:
    """How many points a level gives away in a whole game on average; None if that is not known."""
    loss = measured_loss(game, name)
    return None if loss is None else loss.value


def measured_loss(game: Game[Any, Any], name: str) -> Figure | None:
    """What `gives_away` says, with its standard error.

    It holds for the box that comes with Pasch and the options under which it was measured. In games whose length
    depends on the play all seats are taken to be of this level.
    """
    if name == "perfect":
        return Figure(0.0, 0.0)
    found = _entry(game, name)
    if found is None:
        return None
    times = _turns(game) if found["per"] == "turn" else 1
    return Figure(found["loss"] * times, found["error"] * times)


def _turns(game: Game[Any, Any]) -> int:
    """The number of turns per seat in a game of fixed length."""
    rounds: int = getattr(game.options, "rounds", 0) or getattr(game.components, "rounds", 0)
    return rounds


def _entry(game: Game[Any, Any], name: str) -> dict[str, Any] | None:
    """The measurement of this level whose conditions the game fulfils."""
    settings = {**game.options.json(), "players": game.players}
    if settings.get("components") is not None:
        return None
    for entry in find_data(game.id, "levels.toml").get("measured", ()):
        if entry["level"] == name and all(settings.get(k) == v for k, v in entry["when"].items()):
            found: dict[str, Any] = entry
            return found
    return None
