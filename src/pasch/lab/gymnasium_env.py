"""Gymnasium: all games, alone or against computer players.

    import gymnasium
    import pasch.lab.gymnasium_env

    env = gymnasium.make("pasch/fiese15-v0", gambler=True)
    race = gymnasium.make("pasch/fiese15-v0", opponents=("greedy", "easy"))

An action is the number of a move (`pasch.lab.actions`), an observation a vector (`pasch.lab.observations`),
the reward the increase of the score. The environment rolls the dice and moves the opponents: `reset(seed=s)`
derives them from the key `seed_key(s)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from pasch.core.chance import seed_key
from pasch.core.errors import IllegalMove, OptionError
from pasch.core.game import Game
from pasch.core.philox import Stream
from pasch.core.registry import all_games, find_game, game_ids
from pasch.lab.actions import Mask, actions
from pasch.lab.episode import Episode, describe
from pasch.lab.observations import Vector, bounds, observe
from pasch.players.base import player

#: the seat that learns; opponents have the others
SEAT = 0


def solo_game(game: str, components: str | Path | None, options: dict[str, Any]) -> Game[Any, Any]:
    """The game as agreed with one player; OptionError if it cannot be played alone."""
    if game not in solo_games():
        find_game(game)
        raise OptionError(
            "{game} cannot be played alone; these can: {names}",
            game=game,
            names=", ".join(solo_games()),
        )
    own = None if components is None else Path(components)
    return find_game(game).agree(1, options, components=own)


def solo_games() -> tuple[str, ...]:
    """The names of the games that one can play alone."""
    return tuple(game.id for game in all_games() if 1 in game.seats)


class PaschEnv(gymnasium.Env[Vector, np.int64]):
    """One game for one seat; `options` are the game's own.

    `opponents` are names of computer players for the other seats: by default nobody, or as many greedy
    ones as the game needs.

    An illegal action changes nothing and is rewarded with minus `penalty`; `info["illegal"]` says why.
    `info["action_mask"]` and `action_masks()` give the legal ones.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        components: str | Path | None = None,
        penalty: float = 0.0,
        opponents: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError("render_mode: expected ansi, not {got!r}", got=render_mode)
        found, own = find_game(game), None if components is None else Path(components)
        others = ("greedy",) * (found.seats[0] - 1) if opponents is None else tuple(opponents)
        self.game = found.agree(1 + len(others), options, components=own)
        self._opponents = [player(name) for name in others]
        self.render_mode = render_mode
        self._penalty = penalty
        self._actions = actions(self.game)
        self.action_space = spaces.Discrete(len(self._actions))
        self.observation_space = spaces.Box(*bounds(self.game), dtype=np.float32)
        self._begin(seed_key(0))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin a new game. Without a seed its key is drawn from `np_random`."""
        super().reset(seed=seed)
        self._begin(seed_key(seed) if seed is not None else self.np_random.bytes(32))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Vector, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make a move, and let dice and opponents go on until there is something to choose again."""
        illegal: dict[str, str] = {}
        penalty = 0.0
        try:
            self.episode.play(int(action))
            self._let_others_play()
        except IllegalMove as error:
            illegal, penalty = {"illegal": error.reason}, self._penalty
        reward = self.episode.rewards()[SEAT] - penalty
        over = self.episode.state.over
        return self._observation(), float(reward), over, False, self._info() | illegal

    def _begin(self, key: bytes) -> None:
        self.episode = Episode(self.game, key)
        # as in `pasch.players.arena`: no seat disturbs another's luck
        self._luck = [Stream(key, seat + 1) for seat in range(self.game.players)]
        self._let_others_play()

    def _let_others_play(self) -> None:
        while (seat := self.episode.state.actor) > SEAT:
            move = self._opponents[seat - 1].choose(self.episode.state.view(seat), self._luck[seat])
            self.episode.play(self._actions.number(move))

    def action_masks(self) -> Mask:
        """A one for each action that is a legal move now."""
        return self._actions.mask(self.episode.state, SEAT)

    def render(self) -> str | None:
        """The position as text, in the render mode `ansi`."""
        return describe(self.episode.state) if self.render_mode == "ansi" else None

    def _observation(self) -> Vector:
        return observe(self.episode.state, SEAT)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "score": self.episode.state.scores()[SEAT]}


def register_envs() -> None:
    """Register the environments with `gymnasium.make`; importing this module does it."""
    for game in game_ids():
        name = f"pasch/{game}-v0"
        if name not in gymnasium.registry:
            alone = game in solo_games()
            gymnasium.register(
                name,
                entry_point=f"{__name__}:PaschEnv",
                vector_entry_point="pasch.lab.vector_env:PaschVectorEnv" if alone else None,
                kwargs={"game": game},
            )


register_envs()
