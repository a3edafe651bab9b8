"""6mal6 as numbers. Of hidden hands only their size is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.events import Event
from pasch.games.sixbysix import DEALT, DRAWN, FIELDS, HIGHEST, Card, SixBySix, SixBySixState
from pasch.lab.encoders import Part, counts, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("deal", "card", "draw", "over")
CARDS: Final = range(1, HIGHEST + 1)
#: a hand before the last card is laid: dealt, and after each of five cards two for one
MOST_IN_HAND: Final = DEALT + (DRAWN - 1) * (FIELDS - 1)


def moves(game: SixBySix) -> Iterator[Event]:
    for card in CARDS:
        for field in range(1, FIELDS + 1):
            yield Card(0, card, field)


def score_range(game: SixBySix) -> tuple[int, int]:
    return 0, game.players * game.components.start.chips


def most_moves(game: SixBySix) -> int:
    return game.players * FIELDS * game.options.round_limit


def layout(game: SixBySix) -> tuple[Part, ...]:
    n, most = game.players, max(game.pack)
    _, chips = score_range(game)
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("rounds", 1, 0, game.options.round_limit, "rounds settled"),
        Part("in", n, 0, 1, "by seat: it plays this round"),
        Part("dealer", n, 0, 1, "by seat: it deals, and comes last"),
        Part("chips", n, 0, chips, "by seat"),
        Part("pot", 1, 0, chips, "chips in the pot"),
        Part("laid", 1, 0, n * FIELDS, "cards laid in this round"),
        Part("hand", HIGHEST, 0, MOST_IN_HAND, "how many 1s, 2s … 9s are on the own hand"),
        Part("hands", n, 0, MOST_IN_HAND, "by seat: how many cards are on the hand"),
        Part("rows", n * FIELDS, 0, HIGHEST, "by seat: the cards on fields 1 to 6, or 0"),
        Part("unseen", HIGHEST, 0, most, "how many 1s, 2s … 9s are in the pile or on hidden hands"),
    )


def encode(view: SixBySixState, seat: int) -> list[int]:
    n = view.game.players
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        view.rounds,
        *turned([int(other in view.order) for other in range(n)], seat),
        *turned(one_hot(view.dealer, range(n)), seat),
        *turned(view.chips, seat),
        view.pot,
        view.laid,
        *counts([card or 0 for card in view.hands[seat]], CARDS),
        *turned(tuple(map(len, view.hands)), seat),
        *(card for row in turned(view.rows, seat) for card in row),
        *view.unseen,
    ]
