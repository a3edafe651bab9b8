"""What OpenSpiel's players see of a game: strings and tensors, of the moment or with perfect recall.

Of the moment: the view as JSON, and the vector of `pasch.lab.observations`. With perfect recall: all
events as that seat was told of them. As a tensor that exists in 6mal6 only, the one game with secrets and
with a last round: each round's own cards in the order in which they came, and all cards laid with their
fields. The other games have perfect information, and can be longer than any tensor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyspiel

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.games.sixbysix import CARDS_PER_SEAT, FIELDS, Card, Deal, Draw, SixBySix
from pasch.lab.encoders import encoder
from pasch.lab.observations import layout


def provides_recall(game: str) -> bool:
    """Whether a game has secrets, and so a tensor with perfect recall."""
    return game == SixBySix.id


class Observer:
    """Conforms to OpenSpiel's PyObserver: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(self, game: Game[Any, Any], kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters; got {params}")
        if not kind.public_info:
            raise ValueError("there are no observations without what is public")
        self._game = game
        self._recall = kind.perfect_recall
        self._private = kind.private_info
        #: the names, sizes and shapes of what is told
        pieces = self._pieces()
        self.tensor = np.zeros(sum(size for _, size, _ in pieces), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, size, shape in pieces:
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def _pieces(self) -> list[tuple[str, int, tuple[int, ...]]]:
        if not self._recall:
            return [(part.name, part.size, (part.size,)) for part in layout(self._game)]
        if not isinstance(self._game, SixBySix):
            return []
        rounds, seats = self._game.options.round_limit, self._game.players
        cards, lays = rounds * CARDS_PER_SEAT, rounds * seats * FIELDS
        return [
            ("player", seats, (seats,)),
            ("cards", cards, (rounds, CARDS_PER_SEAT)),
            ("lays", lays * 2, (rounds, seats * FIELDS, 2)),
        ]

    def _viewer(self, player: int) -> int | None:
        return player if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None

    def _view(self, state: State, player: int) -> State:
        everything = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        return state if everything else state.view(self._viewer(player))

    def _told(self, events: Iterable[Event], player: int) -> list[Event]:
        if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return list(events)
        viewer = self._viewer(player)
        return [event.view(viewer) for event in events]

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what `player` knows."""
        self.tensor.fill(0)
        if not self._recall:
            view = self._view(state.state, player)
            self.tensor[:] = np.fromiter(encoder(self._game.id).encode(view, player), np.float32)
        elif self.dict:
            self._recollect(self._told(state.position.events(), player), player)

    def _recollect(self, events: list[Event], player: int) -> None:
        """All rounds of 6mal6 as `player` remembers them."""
        self.dict["player"][player] = 1
        rounds, taken, laid = -1, 0, 0
        for event in events:
            if isinstance(event, Deal):
                rounds, taken, laid = rounds + 1, 0, 0
            if isinstance(event, Card):
                self.dict["lays"][rounds, laid] = event.card, event.field
                laid += 1
            for card in _own_cards(event, player):
                self.dict["cards"][rounds, taken] = card or 0
                taken += 1

    def string_from(self, state: Any, player: int) -> str:
        """What `player` knows, as JSON."""
        if self._recall:
            told = [event.json() for event in self._told(state.position.events(), player)]
            return json.dumps({"player": player, "events": told}, separators=(",", ":"))
        view = self._view(state.state, player)
        return json.dumps({"player": player, **view.snapshot()}, separators=(",", ":"))


def _own_cards(event: Event, player: int) -> tuple[int | None, ...]:
    if isinstance(event, Deal):
        return event.deal[player]
    return event.draw if isinstance(event, Draw) and event.seat == player else ()
