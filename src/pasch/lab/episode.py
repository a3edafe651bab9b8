"""A game that an environment plays, with its chance events drawn from a key."""

from __future__ import annotations

from typing import Any

from pasch.core.errors import IllegalMove, OptionError
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.state import CHANCE, State
from pasch.lab.spaces import actions


class Episode:
    """One game that stops only where a seat has to choose, and at the end.

    Chance draws from stream 0 of the key, as in `pasch.players.arena`: the same key and the same choices give the
    same game here and there.
    """

    def __init__(self, game: Game[Any, Any], key: bytes, *, win: bool = False) -> None:
        self.match = Match(game)
        self._win = win
        self._dice = Stream(key, 0)
        #: what `rewards` has paid out
        self._paid = self._standing()
        self._play_chance()

    @property
    def state(self) -> State:
        return self.match.state

    def _play_chance(self) -> None:
        while self.state.actor == CHANCE:
            self.match.play(self.state.chance().sample(self._dice))

    def play(self, number: int) -> None:
        """Make the move with this action number and play the chance events after it.

        IllegalMove changes nothing.
        """
        if self.state.over:
            raise IllegalMove("over", "the game is over")
        self.match.play(actions(self.match.game).move(number, self.state.actor))
        self._play_chance()

    def rewards(self) -> tuple[float, ...]:
        """What each seat has got since the last call or the first event: points, or at the end its share of a win."""
        before, self._paid = self._paid, self._standing()
        return tuple(float(now - then) for now, then in zip(self._paid, before, strict=True))

    def _standing(self) -> tuple[float, ...]:
        return win_rewards(self.state) if self._win else self.state.scores()


def win_rewards(state: State) -> tuple[float, ...]:
    """What each seat gets for winning, zero-sum: every loser pays 1, the winners share it; 0 before the end."""
    players, winners = state.game.players, state.winners()
    if not winners:
        return (0.0,) * players
    share = (players - len(winners)) / len(winners)
    return tuple([share if seat in winners else -1.0 for seat in range(players)])


def check_reward(reward: str, players: int, what: str = "reward") -> bool:
    """Whether wins are rewarded; OptionError if it is neither `points` nor `win`, or no seat can win."""
    if reward not in ("points", "win"):
        raise OptionError("{what}: expected points or win, got {got!r}", what=what, got=reward)
    if reward == "win" and players == 1:
        raise OptionError("{what}: alone there is nobody to win against; play for points", what=what)
    return reward == "win"
