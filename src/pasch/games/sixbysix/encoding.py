"""6mal6 as numbers, for the research interfaces. Of hidden hands only their size is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pasch.core.encoding import ObservationPart, by_seat, one_hot, phase_part, turn, turn_part
from pasch.core.events import Event
from pasch.games.sixbysix.box import CARDS_PER_SEAT
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.games.sixbysix.rules import MOST_IN_HAND, PHASES, Agreed, Numbers, SixBySix, plays
from pasch.games.sixbysix.settling import FIELDS, HIGHEST


def moves(game: SixBySix) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for card in range(1, HIGHEST + 1):
        for field in range(1, FIELDS + 1):
            yield Card(0, card, field)


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    return code


def score_range(game: SixBySix) -> tuple[int, int]:
    """Numbers between which every score lies."""
    return 0, game.players * game.components.start.chips


def most_moves(game: SixBySix) -> int:
    """The most moves that a game can have."""
    return game.players * FIELDS * game.options.round_limit


def layout(game: SixBySix) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    n, most = game.players, max(game.pack)
    _, chips = score_range(game)
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("rounds", 1, 0, game.options.round_limit, "rounds settled"),
        ObservationPart("in", n, 0, 1, "by seat: it plays this round"),
        ObservationPart("dealer", n, 0, 1, "by seat: it deals, and comes last"),
        ObservationPart("chips", n, 0, chips, "by seat"),
        ObservationPart("pot", 1, 0, chips, "chips in the pot"),
        ObservationPart("laid", 1, 0, n * FIELDS, "cards laid in this round"),
        ObservationPart("hand", HIGHEST, 0, MOST_IN_HAND, "how many 1s, 2s … 9s are on the own hand"),
        ObservationPart("hands", n, 0, MOST_IN_HAND, "by seat: how many cards are on the hand"),
        ObservationPart("rows", n * FIELDS, 0, HIGHEST, "by seat: the cards on fields 1 to 6, or 0"),
        ObservationPart(
            "unseen", HIGHEST, 0, most, "how many 1s, 2s … 9s are in the pile or on hidden hands"
        ),
    )


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    n = g.players
    at = one_hot(out, 0, s.phase, 4)
    at = turn(out, at, s.actor, s.seat, seat, n)
    out[at] = s.rounds
    at += 1
    for step in range(n):
        out[at + step] = 1 if plays(s, (seat + step) % n) else 0
    at = one_hot(out, at + n, (s.order[s.playing - 1] - seat) % n, n)
    at = by_seat(out, at, s.chips, seat, n)
    out[at] = s.pot
    out[at + 1] = s.laid
    at += 2
    for kind in range(HIGHEST):
        out[at + kind] = 0
    for place in range(s.held[seat]):
        out[at + s.hands[seat][place] - 1] += 1
    at = by_seat(out, at + HIGHEST, s.held, seat, n)
    for step in range(n):
        for place in range(FIELDS):
            out[at + place] = s.rows[(seat + step) % n][place]
        at += FIELDS
    for kind in range(HIGHEST):
        out[at + kind] = s.unseen[kind]


def recall_shapes(game: SixBySix) -> dict[str, tuple[int, ...]]:
    rounds, seats = game.options.round_limit, game.players
    return {
        "player": (seats,),
        "cards": (rounds, CARDS_PER_SEAT),
        "lays": (rounds, seats * FIELDS, 2),
    }


def recall(events: Iterable[Event], seat: int) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """By round: the seat's own cards as they came, and all cards laid with their fields."""
    yield "player", (seat,), 1
    number, taken, laid = -1, 0, 0
    for event in events:
        own: tuple[int | None, ...] = ()
        if isinstance(event, Deal):
            number, taken, laid = number + 1, 0, 0
            own = event.deal[seat]
        elif isinstance(event, Draw) and event.seat == seat:
            own = event.draw
        elif isinstance(event, Card):
            yield "lays", (number, laid, 0), event.card
            yield "lays", (number, laid, 1), event.field
            laid += 1
        for card in own:
            yield "cards", (number, taken), card or 0
            taken += 1
