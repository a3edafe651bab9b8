"""Puzzles for the browser: the position to draw, every move with its value, and why the best is better."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pasch.coach.ledger import keep_ledger
from pasch.coach.practice import SeatPractice, mistakes, practice
from pasch.coach.puzzle_plan import Difficulty, puzzle_plan
from pasch.coach.puzzles import Puzzle
from pasch.core.match import Match
from pasch.core.receipt import fingerprint
from pasch.core.record import Record
from pasch.core.words import Sentence
from pasch.table.lesson import example_table
from pasch.table.redact import Redactor, Viewer
from pasch.table.schema import Entry, Position, TableInfo
from pasch.table.show import marks, show

#: mistakes of one seat in a game that come back as puzzles
MAX_MISTAKES = 4
#: the last events that come with a position, so that the last roll can be drawn
RECENT = 2


class HabitInfo(msgspec.Struct, frozen=True):
    """A kind of mistake: its name, its word for addresses, and the situation."""

    name: str
    slug: str
    when: Sentence | None


class PuzzleInfo(msgspec.Struct, frozen=True):
    """A puzzle with its solution; nothing else is needed to show it."""

    #: equal for equal positions
    id: str
    table: TableInfo
    #: the last events before it
    entries: tuple[Entry, ...]
    position: Position
    #: the expected score of the seat to move after each of the position's moves
    points: tuple[float, ...]
    #: the numbers of two of these moves: the best one, and the one that looks good or was made
    best: int
    obvious: int
    #: a move that gives away less than this counts as found
    slack: float
    #: by how much the best move is better than every other one
    margin: float
    #: why the best move is better, in one sentence, and for each move which of them applies; -1: none
    sentences: tuple[Sentence, ...]
    reasons: tuple[int, ...]
    #: null where the points are estimates
    difficulty: Difficulty | None
    habit: HabitInfo
    #: whether the points are exact; otherwise they are estimates
    exact: bool


class SeatPracticeInfo(msgspec.Struct, frozen=True):
    """What one seat can learn from a game: its figures, and its most expensive mistakes as puzzles."""

    figures: SeatPractice
    mistakes: tuple[PuzzleInfo, ...]


class PracticeInfo(msgspec.Struct, frozen=True):
    """What people can learn from a finished game."""

    game: str
    title: str
    players: int
    #: number of events copied from another game, from whose position this one began
    given: int
    #: whether the points are exact; otherwise they are estimates
    exact: bool
    #: the title that the result of a game for one has earned, where the game gives titles
    earned: str
    seats: tuple[SeatPracticeInfo, ...]


def puzzle_info(found: Puzzle) -> PuzzleInfo:
    """A puzzle as the browser draws it."""
    live = example_table("puzzle", found.game, found.seat)
    for event in found.match.events:
        live.apply(live.play(event))
    redactor, viewer = Redactor(live), Viewer((found.seat,))
    tokens = show(found.game.id).tokens
    touched = [tokens(move) for move in found.moves]
    # of moves that are touched alike a position has the first
    places = [place for place, own in enumerate(touched) if touched.index(own) == place]
    # every reason needs a new estimate, so only the move that was made has one
    said = [found.reason(place) if found.exact or place == found.obvious else None for place in places]
    sentences = {str(one): one for one in said if one is not None}
    game, events = found.game, [event.json() for event in found.match.events]
    return PuzzleInfo(
        id=fingerprint([game.id, game.players, game.options.json(), events])[:16],
        table=live.info(),
        entries=redactor.page(viewer, max(0, live.version - RECENT)).entries,
        position=redactor.position(viewer),
        points=tuple(found.points[place] for place in places),
        best=places.index(touched.index(touched[found.best])),
        obvious=places.index(touched.index(touched[found.obvious])),
        slack=puzzle_plan(found.game.id).slack,
        margin=found.margin,
        sentences=tuple(sentences.values()),
        reasons=tuple(-1 if one is None else [*sentences].index(str(one)) for one in said),
        difficulty=found.difficulty,
        habit=HabitInfo(found.habit.name, found.habit.slug, found.habit.when),
        exact=found.exact,
    )


def practice_info(record: Record, seats: Sequence[int], given: int = 0) -> PracticeInfo:
    """What these seats can learn from a finished game."""
    record.verify()
    match = Match(record.configured_game(), record.events)
    ledger = keep_ledger(match)
    figures = practice(match, ledger)
    return PracticeInfo(
        game=match.game.id,
        title=match.game.title,
        players=match.game.players,
        given=given,
        exact=ledger.exact,
        earned=str(marks(match.state).get("title", "")),
        seats=tuple(
            SeatPracticeInfo(
                figures[seat],
                tuple(puzzle_info(one) for one in mistakes(match, seat, MAX_MISTAKES, ledger)),
            )
            for seat in seats
        ),
    )
