"""Gymnasium: many games for one player side by side, compiled.

    import gymnasium
    import pasch.lab.gymnasium_env

    envs = gymnasium.make_vec("pasch/fiese15-v0", num_envs=1024)

Everything is as in as many environments of `pasch.lab.gymnasium_env` in a `SyncVectorEnv`: actions,
observations, rewards, masks, and the dice of every seed. The games are played compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pasch.core.chance import seed_key
from pasch.core.errors import OptionError
from pasch.core.philox import KEY_BYTES
from pasch.core.state import OVER
from pasch.lab.actions import actions, phase_offsets
from pasch.lab.batch import compiled_loop
from pasch.lab.gymnasium_env import solo_game
from pasch.lab.observations import bounds
from pasch.lab.spaces import observe_records
from pasch.solve.records import arrays, records

Matrix = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: in place of an action: begin anew
ANEW = -1


class PaschVectorEnv(VectorEnv[Matrix, Ints, npt.NDArray[Any]]):
    """So many games of one kind; `options` are the game's own.

    `infos["action_mask"]` and `action_masks()` tell the legal actions. One that is not legal changes
    nothing and is rewarded with minus `penalty`; `infos["illegal"]` says in which games. A game that is
    over begins anew with the next step, whatever is chosen then.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        components: str | Path | None = None,
        penalty: float = 0.0,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise OptionError("render_mode: games side by side are not drawn")
        self.game = solo_game(game, components, options)
        self._advance = compiled_loop("advance", type(self.game))
        self._config = arrays(self.game.config)
        self._start = records(self.game, 1)
        self.num_envs = num_envs
        self._penalty = penalty
        self.single_action_space = spaces.Discrete(len(actions(self.game)))
        self.single_observation_space = spaces.Box(*bounds(self.game), dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._rows = self._new_rows()
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        #: the score that rewards have been told of
        self._told = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def _new_rows(self) -> Any:
        from pasch.lab.loop import Rows

        n = self.num_envs
        return Rows(
            states=records(self.game, n),
            keys=np.zeros((n, 4), np.int64),
            blocks=np.zeros((n, 1), np.int64),
            left=np.zeros((n, 1), np.int64),
            words=np.zeros((n, 1, 4), np.int64),
            offsets=phase_offsets(self.game),
            menu=np.zeros((n, len(actions(self.game))), np.int64),
            score=np.zeros(n, np.int64),
            refused=np.zeros(n, np.bool_),
            codes=np.zeros(self.game.max_moves, np.int64),
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Matrix, dict[str, Any]]:
        """Begin all games anew: with a whole number as seed, game i with the seed that is higher by i."""
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + row for row in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise OptionError("seed: {got} seeds for {wanted} games", got=len(seeds), wanted=self.num_envs)
        for row, own in enumerate(seeds):
            if own is not None:
                self._generators[row], _ = seeding.np_random(own)
            self._take_key(row, None if own is None else seed_key(own))
        self._told[:] = 0
        self._advance(self._config, self._start, self._rows, np.full(self.num_envs, ANEW))
        # a game that is over before the first choice says so at the next step
        self._over = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Any) -> tuple[Matrix, npt.NDArray[Any], Bools, Bools, dict[str, Any]]:
        """Make a move in every game and roll until there is something to choose again."""
        anew = self._over
        chosen = np.where(anew, ANEW, np.asarray(actions, np.int64))
        # a negative action is not legal, whatever it means to the kernel
        chosen[(chosen < 0) & ~anew] = len(self._rows.menu[0])
        for row in np.flatnonzero(anew):
            self._take_key(int(row), None)
        self._told[anew] = 0
        self._advance(self._config, self._start, self._rows, chosen)
        refused = self._rows.refused.copy()
        rewards = np.where(anew, 0, self._rows.score - self._told) - refused * self._penalty
        self._told[~anew] = self._rows.score[~anew]
        self._over = (self._rows.states["actor"] == OVER) & ~anew
        never = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, self._over.copy(), never, self._infos(refused)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """By game a one for each action that is a legal move now."""
        legal: npt.NDArray[np.bool_] = self._rows.menu > 0
        return legal.astype(np.int8)

    def _take_key(self, row: int, key: bytes | None) -> None:
        """What the dice of the next game in a row follow from; without a key it is drawn."""
        if key is None:
            generator = self._generators[row]
            if generator is None:
                generator, _ = seeding.np_random(None)
                self._generators[row] = generator
            key = generator.bytes(32)
        self._rows.keys[row] = np.frombuffer(key[:KEY_BYTES], "<u4")

    def _observations(self) -> Matrix:
        return observe_records(self.game, self._rows.states, 0)

    def _infos(self, refused: Bools) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": every,
            "score": self._rows.score.copy(),
            "_score": every.copy(),
            "illegal": refused,
            "_illegal": every.copy(),
        }
