"""Puzzles: positions in which the obvious move is not the best, with the exact value of every move.

The generator simulates games by computer players from a seed and takes a position in which one move is better than
every other by the margin that the game's `puzzle.toml` states, and in which the greedy player, or the beginner who
played the game, takes another one. A puzzle follows from its seed and the rules alone. Mistakes in games that
people have played become puzzles in the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from pasch.coach.ledger import exact_points
from pasch.coach.puzzle_plan import DIFFICULTIES, Difficulty, NoPuzzle, puzzle_games, puzzle_plan
from pasch.coach.reasons import Habit, habit, why
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream, game_key
from pasch.core.receipt import RulesHash, fingerprint
from pasch.core.registry import find_game, find_part
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.players.levels import LEVELS
from pasch.solve.valuer import valuer

#: this many games are looked through for a puzzle
MAX_GAMES: Final = 120
#: the players of the games, and those that measure the difficulty of a puzzle, from the weakest
BEGINNERS: Final = LEVELS[:2]
#: a level finds a move that it chooses in at least FOUND of TRIES tries
TRIES: Final = 8
FOUND: Final = 5
#: the streams of a puzzle's key beside those of chance and of the seats (see `pasch.core.philox`)
_CHOOSING: Final = 1000


class Puzzle(NamedTuple):
    """A position, every move with its value, and which is the best."""

    #: the game up to the position
    match: Match
    seat: int
    moves: tuple[Event, ...]
    #: the mover's expected final score after each of them
    points: tuple[float, ...]
    best: int
    #: the move that looks good, or that was made
    obvious: int
    #: what kind of mistake that one is
    habit: Habit
    #: the lead of the best move over all moves that are touched differently
    margin: float
    #: None where the points are estimates, which would have to be made for every try
    difficulty: Difficulty | None
    #: whether the points are exact
    exact: bool

    @property
    def game(self) -> Game[Any, Any]:
        """The game that the position is from."""
        return self.match.game

    @property
    def view(self) -> State:
        """The position as the seat to move knows it."""
        return self.match.state.view(self.seat)

    def cost(self, place: int) -> float:
        """What a move gives away."""
        return self.points[self.best] - self.points[place]

    def right(self, place: int) -> bool:
        """Whether a move is the one to find."""
        return self.cost(place) < puzzle_plan(self.game.id).slack

    def reason(self, place: int) -> Sentence | None:
        """Why the best move is better than this one, in one sentence; None for the best itself."""
        if place == self.best:
            return None
        return why(self.view, self.moves[place], self.moves[self.best], valuer(self.game))[0]


def make_puzzle(
    game: str, seed: object, difficulty: Difficulty | None = None, kind: str | None = None
) -> Puzzle:
    """The puzzle of the game with this id that follows from a seed; `kind` is the slug of a habit.

    NoPuzzle if the game has none, or none of this kind was found.
    """
    title, margin, games = find_game(game).title, puzzle_plan(game).margin, puzzle_games(game)
    if margin is None:
        raise NoPuzzle("there are no puzzles of {title}: its values are estimates", title=title)
    rules = fingerprint([RulesHash.of(one).hash for one in games])
    for number in range(MAX_GAMES):
        key = game_key(f"puzzle {rules} {seed}", number)
        choosing = Stream(key, _CHOOSING)
        drawn = games[choosing.randrange(len(games))]
        seats = [BEGINNERS[choosing.randrange(len(BEGINNERS))] for _ in range(drawn.players)]
        match = play_game(drawn, seats, key)
        for found in _positions(match, choosing, margin, kind):
            if difficulty in (None, found.difficulty):
                return found
    raise NoPuzzle("no such puzzle of {title} was found; try another kind or difficulty", title=title)


def puzzle_at(match: Match, number: int, obvious: Event, kind: str | None = None) -> Puzzle | None:
    """The position after `number` events as a puzzle.

    None if the obvious move is one of the best, or another kind of mistake than was asked for.
    """
    state = match.at(number)
    view, exact = state.view(state.actor), exact_points(valuer(match.game))
    moves, points, best, alike, margin = _weighed(view)
    tempting = moves.index(obvious)
    if points[best] - points[tempting] <= EQUAL:
        return None
    mistake = habit(view, obvious, moves[best])
    if kind not in (None, mistake.slug):
        return None
    return Puzzle(
        match.branch(number),
        state.actor,
        moves,
        points,
        best,
        tempting,
        mistake,
        margin,
        _difficulty(view, {moves[place] for place in alike}) if exact else None,
        exact,
    )


def _positions(match: Match, choosing: Stream, margin: float, kind: str | None) -> Iterator[Puzzle]:
    """The positions of a game that are puzzles, in a random order: one move is better than all others by `margin`."""
    numbers = []
    for number in range(len(match)):
        state = match.at(number)
        # a single move needs no thought
        if len(state.moves()) > 1 and _weighed(state.view(state.actor))[-1] >= margin:
            numbers.append(number)
    while numbers:
        number = numbers.pop(choosing.randrange(len(numbers)))
        state = match.at(number)
        for obvious in (player("greedy").choose(state.view(state.actor), choosing), match.events[number]):
            found = puzzle_at(match, number, obvious, kind)
            if found is not None:
                yield found
                break


def _weighed(view: State) -> tuple[tuple[Event, ...], tuple[float, ...], int, frozenset[int], float]:
    """The moves, their points, the place of the best, the places of those touched like it, and its lead over the rest.

    The lead is negative where no other move is touched differently.
    """
    moves, points = view.moves(), tuple(valuer(view.game).move_points(view))
    best = points.index(max(points))
    tokens: Callable[[Event], tuple[Any, ...]] = getattr(
        find_part(view.game.id, "show"), "tokens", lambda move: (move,)
    )
    touched = [frozenset(tokens(move)) for move in moves]
    alike = frozenset(place for place, touches in enumerate(touched) if touches == touched[best])
    others = [worth for place, worth in enumerate(points) if place not in alike]
    return moves, points, best, alike, points[best] - max(others) if others else -1.0


def _difficulty(view: State, best: set[Event]) -> Difficulty:
    """By the weakest level that usually finds the best move: with few moves, far apart, that is the first one."""
    for place, name in enumerate(BEGINNERS):
        draws = Stream(game_key("difficulty", place), 0)
        if sum(player(name).choose(view, draws) in best for _ in range(TRIES)) >= FOUND:
            return DIFFICULTIES[place]
    return DIFFICULTIES[len(BEGINNERS)]
