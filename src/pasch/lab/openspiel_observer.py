"""Observers for OpenSpiel: strings and tensors of the current state, or with perfect recall.

Of the current state: the view as JSON, and the vector of `pasch.lab.observations`; without public information the
fields and numbers in which the view differs from that of a spectator. With perfect recall: all events as the seat saw
them. As a tensor that is available where the game's `recall.py` offers it: a game with secrets and a limited length.
Games with perfect information do not need it, and can be longer than any tensor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
import pyspiel

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.lab.observations import layout, observe_view


class Observer:
    """Conforms to OpenSpiel's PyObserver: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(self, game: Game[Any, Any], kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters; got {params}")
        self._game = game
        self._public = kind.public_info
        self._recall = kind.perfect_recall
        self._private = kind.private_info
        self._recaller = find_part(game.id, "recall")
        shapes = self._shapes()
        self.tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        #: the parts of the tensor, each in its shape
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
            start += prod(shape)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        if not self._recall:
            return {part.name: (part.size,) for part in layout(self._game)}
        return self._recaller.recall_shapes(self._game) if self._recaller else {}

    def _viewer(self, player: int) -> int | None:
        return player if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None

    def _view(self, state: State, player: int) -> State:
        everything = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        return state if everything else state.view(self._viewer(player))

    def _seen(self, events: Iterable[Event], player: int) -> list[Event]:
        everything = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        viewer = self._viewer(player)
        seen = [(event, event if everything else event.view(viewer)) for event in events]
        return [known for event, known in seen if self._public or known != event.view(None)]

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what `player` knows."""
        self.tensor.fill(0)
        if not self._recall:
            self.tensor[:] = observe_view(self._view(state.state, player), player)
            if not self._public:
                # what is private is what a spectator would see otherwise
                self.tensor[self.tensor == observe_view(state.state.view(None), player)] = 0
        elif self._recaller is not None:
            seen = self._seen(state.node.events, player)
            for name, index, number in self._recaller.recall(seen, player):
                self.dict[name][index] = number

    def string_from(self, state: Any, player: int) -> str:
        """What `player` knows, as JSON."""
        if self._recall:
            seen = [event.json() for event in self._seen(state.node.events, player)]
            return json.dumps({"player": player, "events": seen}, separators=(",", ":"))
        known, public = self._view(state.state, player).snapshot(), state.state.view(None).snapshot()
        if not self._public:
            known = {name: value for name, value in known.items() if value != public[name]}
        return json.dumps({"player": player, **known}, separators=(",", ":"))
