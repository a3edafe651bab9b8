"""6mal6: the search over what a seat can know.

Worlds are drawn in which the cards that the seat does not know lie somehow, and in each of them the rest of
the round is played out by the quick player. All moves are tried in the same worlds, so that luck does not
decide between them; after a quarter and after half of the worlds the worse half of them is given up.
What is told of a move given up is its difference to the best one in the worlds that they share.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pasch.core.events import Event
from pasch.games.sixbysix import EMPTY, HIDDEN, HIGHEST, Card, Row, SixBySix, SixBySixState
from pasch.solve.sixbysix_tables import Floats, Ints, Policy, learned, rounds_of
from pasch.solve.valuer import Report

#: of the worlds, how many all moves are tried in, how many the better half, and so on
SHARES = (1 / 4, 1 / 2, 1)
#: how often the rest of the game is played after the round of each world; with streets, after each end
GAMES, GAMES_WITH_STREETS = 8, 128

#: a card and the place that it is laid on, counted from 0
Lay = tuple[int, int]
#: nobody chooses: the quick player decides for everybody
WAIT: tuple[Lay, ...] = ((0, 0),)


class Knowledge(NamedTuple):
    """What one seat knows of a round; players are counted in the round's order."""

    #: the seat's place in the round
    me: int
    chips: tuple[int, ...]
    pot: int
    #: rounds settled
    rounds: int
    laid: int
    rows: tuple[Row, ...]
    #: the cards that are known, and how many are not
    hands: tuple[tuple[int, ...], ...]
    hidden: tuple[int, ...]
    #: who has laid and is to draw, or -1
    drawing: int
    unseen: tuple[int, ...]

    def seed(self) -> int:
        """A number that follows from what the seat knows of the others and which cards it has got.

        Where its own cards lie does not matter, so that all its moves lead into the same worlds.
        """
        others = [row for player, row in enumerate(self.rows) if player != self.me]
        own = sorted(card for card in (*self.hands[self.me], *self.rows[self.me]) if card)
        known = repr((self.me, self.chips, self.pot, self.rounds, others, own, self.unseen))
        return int.from_bytes(hashlib.sha256(known.encode()).digest()[:7], "big")


def know(state: SixBySixState, seat: int) -> Knowledge:
    """What a seat that is in knows of a state."""
    view, order = state.view(seat), state.order
    hands: list[tuple[int | None, ...]] = [view.hands[other] for other in order]
    rows = [view.rows[other] for other in order]
    drawing = -1
    if view.phase == "deal":
        hands, rows = [HIDDEN for _ in order], [EMPTY for _ in order]
    elif view.phase == "draw":
        drawing = order.index(view.seat)
        if view.seat not in view.sees:
            # cards that will be hidden may as well have been drawn already
            hands[drawing], drawing = hands[drawing] + HIDDEN, -1
    return Knowledge(
        order.index(seat),
        tuple(view.chips[other] for other in order),
        view.pot,
        view.rounds,
        view.laid,
        tuple(rows),
        tuple(tuple(card for card in hand if card is not None) for hand in hands),
        tuple(hand.count(None) for hand in hands),
        drawing,
        view.unseen,
    )


def lays(moves: Sequence[Event]) -> tuple[Lay, ...]:
    """The moves as the search wants them; `WAIT` if there are none."""
    found = []
    for move in moves:
        assert isinstance(move, Card)
        found.append((move.card, move.field - 1))
    return tuple(found) or WAIT


class Estimate(NamedTuple):
    """What moves are worth, in one measure or several."""

    #: by move and measure; the first measure decides which move is best
    values: tuple[tuple[float, ...], ...]
    #: the standard error of the best move's first measure
    error: float

    @property
    def best(self) -> tuple[float, ...]:
        return max(self.values, key=lambda measures: measures[0])


#: what ends of rounds (chips and pot by world) are worth to the seat; with the number of the first world
Measure = Callable[[Ints, int], Floats]


class Search:
    """Searches in games as agreed."""

    def __init__(self, game: SixBySix, worlds: int, report: Report) -> None:
        self.game, self.worlds = game, worlds
        most, kept = game.players, {}
        self._policies: dict[int, Policy] = {}
        for players in range(2, most + 1):
            report((players - 2) / (most - 1), f"practice with {players} players")
            self._policies[players], kept[players] = learned(game, players)
        self._rounds = rounds_of(kept, most)
        report(1.0, "ready")

    def chips(self, known: Knowledge, moves: tuple[Lay, ...]) -> Estimate:
        """The seat's expected chips at the end of the round."""
        me = slice(known.me, known.me + 1)
        return self._search(known, moves, lambda ends, begin: ends[:, me].astype(np.float64))

    def outlook(self, known: Knowledge, moves: tuple[Lay, ...]) -> Estimate:
        """The seat's chance to win the game, and its expected final chips."""
        if not self.game.options.streets:
            return self._search(known, moves, lambda ends, begin: self._finished(known, ends, begin, GAMES))
        # with streets rounds end in few ways, so that each of them can be looked at closely
        seen: dict[tuple[int, ...], list[float]] = {}

        def measure(ends: Ints, begin: int) -> Floats:
            wanted: list[tuple[int, ...]] = [tuple(end) for end in ends.tolist()]
            if new := sorted(set(wanted) - seen.keys()):
                found = self._finished(known, np.array(new), None, GAMES_WITH_STREETS)
                seen.update(zip(new, found.tolist(), strict=True))
            return np.array([seen[end] for end in wanted])

        return self._search(known, moves, measure)

    def _finished(self, known: Knowledge, ends: Ints, begin: int | None, games: int) -> Floats:
        """The seat's chance to win and its expected final chips after rounds that ended so.

        `begin` is the number of the first world; None: all ends are followed by the same games.
        """
        from pasch.solve.sixbysix_kernel import finish

        worlds = np.zeros(len(ends), np.int64) if begin is None else begin + np.arange(len(ends))
        # other numbers than those that shuffled the worlds
        first = (1 << 32) + worlds * games
        limit, won, final = self.game.options.round_limit, *np.empty((2, len(ends), len(known.chips)))
        finish(self._rounds, ends, known.rounds + 1, limit, games, first, known.seed(), won, final)
        return np.stack([won[:, known.me], final[:, known.me]], axis=1)

    def _search(self, known: Knowledge, moves: tuple[Lay, ...], measure: Measure) -> Estimate:
        from pasch.solve.sixbysix_kernel import play_out, room

        players, seed = len(known.chips), known.seed()
        position, policy, work = self._position(known), self._policies[players], room(players)
        ends = np.zeros((len(moves), self.worlds, players + 1), np.int64)
        found: list[Floats] = [np.zeros((0, 0)) for _ in moves]
        tried, done, best = np.arange(len(moves)), 0, 0
        for share in SHARES if len(moves) > 1 else (1,):
            until = max(1, round(self.worlds * share))
            play_out(policy, position, work, np.array(moves), tried, (done, until), seed, ends)
            for move in tried:
                more = measure(ends[move, done:until], done)
                found[move] = np.concatenate([found[move], more]) if done else more
            done = until
            means = np.array([found[move][:, 0].mean() for move in tried])
            order = tried[np.argsort(-means, kind="stable")]
            best = int(order[0])
            tried = np.sort(order[: max(2, (len(order) + 1) // 2)])
        return _told(found, best)

    def _position(self, known: Knowledge) -> Any:
        from pasch.solve.sixbysix_kernel import Position

        hands = np.zeros((len(known.hands), HIGHEST + 1), np.int64)
        for player, hand in enumerate(known.hands):
            for card in hand:
                hands[player, card] += 1
        return Position(
            np.array(known.rows),
            hands,
            np.array(known.hidden),
            np.repeat(np.arange(1, HIGHEST + 1), known.unseen),
            known.laid,
            known.drawing,
            np.array(known.chips),
            known.pot,
            self.game.components.bonus.chips,
        )


def _told(found: list[Floats], best: int) -> Estimate:
    """The best move's mean over all worlds, and from it the others' differences where they were tried."""
    top, mean = found[best], found[best].mean(axis=0)
    values = tuple(
        tuple((mean if move == best else mean + (own - top[: len(own)]).mean(axis=0)).tolist())
        for move, own in enumerate(found)
    )
    return Estimate(values, float(top[:, 0].std() / len(top) ** 0.5))
