"""Games whose dice follow from a key as at a table, for the tests of receipts."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from pasch.core.fair import rolled
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.state import CHANCE


def play_fairly(game: Game[Any, Any], key: bytes, given: Iterable[Any] = ()) -> Match:
    """A game of random moves after `given` events; what chance brings as event n follows from the key and n."""
    match, random = Match(game, given), Random(0)
    while not match.state.over:
        state = match.state
        if state.actor == CHANCE:
            match.play(rolled(key, len(match) + 1, state.chance()))
        else:
            match.play(random.choice(state.moves()))
    return match
