"""Players of every strength: a ladder of levels, each choosing among the legal moves by their value.

The weaker ones make the mistakes that people make, its own in each game (`beginner.py`): what attracts beginners looks
better to them than it is, by `appeal` times the level's weight, and of the moves that take `ideas` they overlook a
share. `perfect` always makes the best move for points, `winner` the best one for winning.

The weights are set by hand in a game's levels.toml; how strong the levels are with them, how often each beats
the next and what it gives away, is measured and written there by `python -m tools.levels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pasch.core.chance import Generator
from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_data, find_part
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.solve.valuer import MoveValue, valuer

#: from the weakest to the strongest; the last plays to win, the others for points
LADDER: Final = ("easy", "medium", "hard", "winner")
#: never errs and maximizes points, not wins: for study, and no rung of the ladder
STUDY: Final = "perfect"
#: all of them
LEVELS: Final = (*LADDER[:-1], STUDY, LADDER[-1])


class LevelErrors(NamedTuple):
    """The mistakes of a level in a game."""

    #: the factor by which features that attract beginners are overrated
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


class ChoosingPlayer:
    """Base of the players that choose a move by its index in `view.moves()`; a single move needs no thought."""

    def choose(self, view: State, generator: Generator) -> Event:
        moves = view.moves()
        if not moves:
            raise IllegalMove("turn", "there is nothing to choose now")
        return moves[self.place(view, generator) if len(moves) > 1 else 0]

    def place(self, view: State, generator: Generator) -> int:
        """The index of the move to make, where there are several."""
        raise NotImplementedError


class LevelPlayer(ChoosingPlayer):
    """Plays for points, with the mistakes of its level.

    Missing tables are built on first use; a server, which must not block,
    has them built elsewhere (`pasch.table.helpers`).
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def place(self, view: State, generator: Generator) -> int:
        worth, errors = valuer(view.game).move_points(view), errors_of(view.game, self.name)
        if errors == LevelErrors():
            return choose_best(worth, len(worth))
        looks, ideas = _looks(view, worth, errors.weight)
        return choose_noticed(looks, ideas, len(looks), errors.overlooks, generator.random())


def _looks(view: State, worth: tuple[float, ...], weight: float) -> tuple[list[float], list[int]]:
    """The appeal of each move to a beginner, and the number of ideas it takes."""
    own: Any = find_part(view.game.id, "beginner")
    if not hasattr(own, "appeal"):
        return list(worth), [1] * len(worth)
    config, s, codes = view.game.config, view.unpack(), view.codes()
    appeal = [own.appeal(config, s, code) for code in codes]
    looks = [points + weight * more for points, more in zip(worth, appeal, strict=True)]
    return looks, [own.ideas(config, s, code) for code in codes]


class WinnerPlayer(ChoosingPlayer):
    """Plays to be among the winners; where the chances are not known, or equal, for points."""

    def place(self, view: State, generator: Generator) -> int:
        values = valuer(view.game)
        points = values.move_points(view)
        to_win = best_to_win(values.moves(view), points)
        return points.index(max(points)) if to_win is None else to_win


# --- choosing among moves by numbers, run as it stands and compiled ---------------------------------------


def best_to_win(worth: Sequence[MoveValue], points: Sequence[float]) -> int | None:
    """The index of the move that wins most often, among equals the one for most points; None if that is not known."""
    chances = [entry.win for entry in worth if entry.win is not None]
    if not chances or len(chances) < len(worth):
        return None
    best = max(chances)
    return max(
        range(len(chances)), key=lambda place: (chances[place] >= best - EQUAL, points[place], -place)
    )


def choose_best(worth: Any, count: int) -> int:
    """The index of the first move of highest worth."""
    best = worth[0]
    for place in range(1, count):
        best = max(best, worth[place])
    for place in range(count):
        if worth[place] >= best - EQUAL:
            return place
    return 0


def choose_noticed(looks: Any, ideas: Any, count: int, overlooks: float, drawn: float) -> int:
    """The place of the move that looks best among those that are noticed; `drawn` is uniform from 0 to below 1.

    A move that takes n ideas is noticed with probability (1 - overlooks) ** n, one after the other from what looks
    best. If nothing is noticed, the move that takes the fewest ideas is made.
    """
    last = -1
    for _ in range(count):
        best = next_best(looks, count, last)
        seen = (1.0 - overlooks) ** ideas[best]
        if drawn < seen:
            return best
        drawn = (drawn - seen) / (1.0 - seen)
        last = best
    plainest = 0
    for place in range(1, count):
        if ideas[place] < ideas[plainest]:
            plainest = place
    return plainest


def next_best(looks: Any, count: int, last: int) -> int:
    """The place that follows `last` in the order of looks, the best first; the very first one after -1."""
    best = -1
    for place in range(count):
        later = last < 0 or looks[place] < looks[last] or (looks[place] == looks[last] and place > last)
        if later and (best < 0 or looks[place] > looks[best]):
            best = place
    return best


# --- measurements of the levels ------------------------------------------------------------------


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
    the default options, not for those of `game`.
    """
    for rung in find_data(game.id, "levels.toml").get("rung", ()):
        if rung["level"] == name:
            return Meeting(rung["against"], rung["wins"], rung["wins_error"])
        if rung["against"] == name == LADDER[-1]:
            return Meeting(rung["level"], 1 - rung["wins"], rung["wins_error"])
    return None


def level_figures(game: Game[Any, Any], name: str) -> dict[str, Any]:
    """What is known of a level's strength, as JSON values."""
    met, lost = measured_wins(game, name), measured_loss(game, name)
    return {
        "name": name,
        "gives_away": None if lost is None else lost.value,
        "wins": None if met is None else met.wins,
        "against": None if met is None else met.against,
    }


def measured_loss(game: Game[Any, Any], name: str) -> Figure | None:
    """How many points a level gives away in a whole game on average; None if that is not known.

    It holds for the box that comes with Pasch and the options under which it was measured. In games whose length
    depends on the play all seats are taken to be of this level.
    """
    if name == STUDY:
        return Figure(0.0, 0.0)
    settings = {**game.options.json(), "players": game.players}
    if settings.get("components") is not None:
        return None
    for entry in find_data(game.id, "levels.toml").get("measured", ()):
        if entry["level"] == name and all(settings.get(k) == v for k, v in entry["when"].items()):
            # a turn for each round, where the options or the box say how many there are
            rounds = getattr(game.options, "rounds", 0) or getattr(game.components, "rounds", 0)
            times = rounds if entry["per"] == "turn" else 1
            return Figure(entry["loss"] * times, entry["error"] * times)
    return None
