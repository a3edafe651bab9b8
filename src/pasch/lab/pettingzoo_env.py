"""PettingZoo: all games, with any number of players, as AEC environments.

    from pasch.lab.pettingzoo_env import env

    table = env("sixbysix", players=4, streets=True)

Agents are `player_0`, `player_1` … by seat. An observation holds `observation` (what the seat may know) and
`action_mask`, as in PettingZoo's classic games; `pasch.lab.spaces` says what their numbers mean. The reward is the
increase of the score, or with `reward="win"` a win at the end, zero-sum. `reset(seed=s)` derives dice and cards from
the key `seed_key(s)`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pasch.core.chance import seed_key
from pasch.core.registry import find_game
from pasch.lab.episode import Episode, check_reward
from pasch.lab.gymnasium_env import VERSION, render
from pasch.lab.spaces import actions, bounds, observe

Observation = dict[str, Any]


def env(game: str, players: int = 2, **options: Any) -> AECEnv:
    """The environment with PettingZoo's usual guards: an illegal move ends the game and costs a point."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(game, players, **options), illegal_reward=-1)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's environments are named so
    """The environment itself. An illegal move raises IllegalMove and changes nothing.

    A seat that is out of the game stays among the agents until the end without being selected again.
    """

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        render_mode: str | None = None,
        components: str | Path | None = None,
        reward: Literal["points", "win"] = "points",
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = find_game(game).agree(players, options, components=components)
        modes = ["ansi", "rgb_array"]
        self.metadata = {
            "render_modes": modes,
            "render_fps": 1,
            "name": f"pasch_{game}_v{VERSION}",
            "is_parallelizable": False,
        }
        if render_mode not in (None, *modes):
            gymnasium.logger.warn(f"pasch_{game} has no render_mode {render_mode!r}: nothing will be drawn")
        self.render_mode = render_mode
        self._win = check_reward(reward, players)
        self._actions = actions(self.game)
        self._generator: np.random.Generator | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = bounds(self.game)
        size = len(self._actions)
        seen = spaces.Box(low, high, dtype=np.float32), spaces.Box(0, 1, (size,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen[0], "action_mask": seen[1]})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Without a seed its key is drawn from a generator that the last seed began."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(seed)
        key = seed_key(seed) if seed is not None else self._generator.bytes(32)
        self.episode = Episode(self.game, key, win=self._win)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._select()

    def step(self, action: int | None) -> None:
        """Make a move and play the chance events up to the next decision."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.episode.play(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.episode.rewards(), strict=True))
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        """Select the agent to move; at the end all agents are terminated."""
        state = self.episode.state
        self.terminations = dict.fromkeys(self.agents, state.over)
        if not state.over:
            self.agent_selection = self.possible_agents[state.actor]

    def observe(self, agent: str) -> Observation:
        seat, state = self._seats[agent], self.episode.state
        return {"observation": observe(state, seat), "action_mask": self._actions.mask(state, seat)}

    def render(self) -> Any:
        """The board as the selected seat sees it: as text, or as pixels in the render mode `rgb_array`."""
        if self.render_mode is None:
            return None
        return render(self.episode.state.view(self._seats[self.agent_selection]), self.render_mode)
