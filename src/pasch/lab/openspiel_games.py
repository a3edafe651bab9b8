"""OpenSpiel: all games, registered as `python_pasch_GAME` when this module is imported.

    import pyspiel
    import pasch.lab.openspiel_games

    game = pyspiel.load_game("python_pasch_fiese15(players=2,gambler=true)")

Parameters are the number of players, the game's own options (a list is written `plans=[1 2 3]`),
`components` (a component file) and `utility`: `points`, what the score has grown by since the start, or
`win`, zero-sum: every loser pays 1, which the winners share. Utilities come at the end.

Chance nodes are explicit. A roll of indistinguishable dice, and any chance with at most 216 cases, is
one node whose outcomes are numbered as in `Chance.outcomes()`; everything else comes die by die and card by
card (`Chance.step`), the outcome's number being the face or card. Players see nothing of it before it is
complete.

Observers give strings and tensors of the current state: the view as JSON, and the vector of `pasch.lab.spaces`; without
public information the fields and numbers in which the view differs from that of a spectator. With perfect recall they
give strings only: all events as the seat saw them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import pyspiel

from pasch.core.chance import Chance, EqualDice, rolls
from pasch.core.errors import OptionError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame, all_games, find_part
from pasch.core.state import CHANCE, State
from pasch.lab.episode import check_reward, win_rewards
from pasch.lab.spaces import actions, layout, observe_view, score_range

PREFIX: Final = "python_pasch_"
#: a chance node with no more cases than this is one node
MAX_LISTED_CASES: Final = 6**3
#: the most outcomes that such a node has: six equal dice
MAX_LISTED_OUTCOMES: Final = len(rolls(6))
#: the maximal length reported for games without one: longer than any that will be seen
NO_LIMIT: Final = 10_000_000


# --- chance ---------------------------------------------------------------------------------------


@lru_cache(512)
def _listed(chance: Chance) -> tuple[tuple[Event, int], ...]:
    """All outcomes of a chance node that is not too large, with their cases; empty if it is."""
    small = chance.total <= MAX_LISTED_CASES or isinstance(chance, EqualDice)
    return chance.outcomes() if small else ()


def chance_actions(chance: Chance, outcome: Event) -> list[int]:
    """The numbers by which an outcome is chosen, for a record to be replayed: one, or one for each step."""
    for number, (event, _) in enumerate(_listed(chance)):
        if event == outcome:
            return [number]
    return list(chance.steps(outcome))


class HistoryNode(NamedTuple):
    """A node of the game tree: a state, or a state with part of its chance event's dice or cards drawn.

    Immutable, so that a deep copy, which OpenSpiel makes, can be the node itself.
    """

    state: State
    prefix: tuple[int, ...] = ()
    #: all so far
    events: tuple[Event, ...] = ()

    def __deepcopy__(self, memo: object) -> HistoryNode:
        return self

    def outcomes(self) -> list[tuple[int, int, int]]:
        """What chance may bring next: (action number, cases, total cases)."""
        chance = self.state.chance()
        step = [(number, cases) for number, (_, cases) in enumerate(_listed(chance))] or chance.step(
            self.prefix
        )
        total = sum(cases for _, cases in step)
        return [(number, cases, total) for number, cases in step]

    def after_chance(self, number: int) -> HistoryNode:
        """The node after a chance action: an outcome, or one step towards it."""
        chance = self.state.chance()
        if listed := _listed(chance):
            return self.after(listed[number][0])
        prefix = (*self.prefix, number)
        if chance.step(prefix):
            return self._replace(prefix=prefix)
        return self.after(chance.finish(prefix))

    def after(self, event: Event) -> HistoryNode:
        """The node after a complete event."""
        return HistoryNode(self.state.apply(event), (), (*self.events, event))


# --- observers ----------------------------------------------------------------------------------------


class Observer:
    """Conforms to OpenSpiel's PyObserver: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(self, game: Game[Any, Any], kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters; got {params}")
        self._public = kind.public_info
        self._recall = kind.perfect_recall
        self._private = kind.private_info
        self._everything = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        parts = () if self._recall else layout(game)
        ends = np.cumsum([0, *(part.size for part in parts)])
        self.tensor = np.zeros(ends[-1], np.float32)
        #: the parts of the tensor
        self.dict = {part.name: self.tensor[ends[n] : ends[n + 1]] for n, part in enumerate(parts)}

    def _viewer(self, player: int) -> int | None:
        return player if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None

    def _view(self, state: State, player: int) -> State:
        return state if self._everything else state.view(self._viewer(player))

    def _seen(self, events: Iterable[Event], player: int) -> list[Event]:
        viewer = self._viewer(player)
        seen = [(event, event if self._everything else event.view(viewer)) for event in events]
        return [known for event, known in seen if self._public or known != event.view(None)]

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what `player` knows; with perfect recall it is empty."""
        if self._recall:
            return
        self.tensor[:] = observe_view(self._view(state.state, player), player)
        if not self._public:
            # private information is what differs for a spectator
            self.tensor[self.tensor == observe_view(state.state.view(None), player)] = 0

    def string_from(self, state: Any, player: int) -> str:
        """What `player` knows, as JSON."""
        if self._recall:
            seen = [event.json() for event in self._seen(state.node.events, player)]
            return json.dumps({"player": player, "events": seen}, separators=(",", ":"))
        known, public = self._view(state.state, player).snapshot(), state.state.view(None).snapshot()
        if not self._public:
            known = {name: value for name, value in known.items() if value != public[name]}
        return json.dumps({"player": player, **known}, separators=(",", ":"))


# --- the game -------------------------------------------------------------------------------------


def _parameters(game: AnyGame) -> dict[str, Any]:
    """All parameters of a game with their defaults."""
    defaults: dict[str, Any] = {"players": max(2, game.seats[0]), "utility": "points", "components": ""}
    for spec in option_specs(game.Options):
        # OpenSpiel's own grammar knows no lists, and takes every comma for its own
        listed = spec.kind == "list"
        defaults[spec.name] = f"[{' '.join(map(str, spec.default))}]" if listed else spec.default
    return defaults


def _agree(game: AnyGame, params: Mapping[str, Any]) -> tuple[Game[Any, Any], bool]:
    """The game that the parameters choose, and whether wins are its utility."""
    chosen = _parameters(game) | dict(params)
    players, utility, components = (chosen.pop(name) for name in ("players", "utility", "components"))
    win = check_reward(utility, players, "utility")
    for spec in option_specs(game.Options):
        if spec.kind == "list":
            words = str(chosen[spec.name]).strip("[]").split()
            chosen[spec.name] = [int(word) if word.isdigit() else word for word in words]
    own = Path(components) if components else None
    return game.agree(players, chosen, components=own), win


def _type(game: AnyGame, *, win: bool = False) -> pyspiel.GameType:
    secret = any(event.view is not Event.view for event in game.events)
    information, utility = pyspiel.GameType.Information, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.id}",
        long_name=f"Pasch: {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if secret else information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if win else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _info(game: Game[Any, Any], win: bool) -> pyspiel.GameInfo:
    low, high = score_range(game)
    start = game.start()
    begun = start.scores()
    first = max(number for number, _, _ in HistoryNode(start).outcomes()) if start.actor == CHANCE else 0
    return pyspiel.GameInfo(
        num_distinct_actions=len(actions(game)),
        max_chance_outcomes=max(MAX_LISTED_OUTCOMES, first + 1),
        num_players=game.players,
        min_utility=-1.0 if win else float(low - max(begun)),
        max_utility=game.players - 1.0 if win else float(high - min(begun)),
        utility_sum=0.0 if win else None,
        max_game_length=NO_LIMIT,
    )


class SpielGame(pyspiel.Game):
    """A game of Pasch as an OpenSpiel game; each game has its own subclass."""

    rules: ClassVar[AnyGame]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.configured, self.win = _agree(self.rules, params or {})
        super().__init__(_type(self.rules, win=self.win), _info(self.configured, self.win), params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """The observer."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.configured, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        return NO_LIMIT


class SpielState(pyspiel.State):
    """A state of Pasch as an OpenSpiel state."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._win = game.win
        self.node = HistoryNode(game.configured.start())

    @property
    def state(self) -> State:
        """The state of Pasch; while a chance event is incomplete, the one before it."""
        return self.node.state

    def current_player(self) -> int:
        if self.state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.state.actor == CHANCE else self.state.actor

    def _legal_actions(self, player: int) -> list[int]:
        return actions(self.state.game).legal(self.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, cases / total) for number, cases, total in self.node.outcomes()]

    def _apply_action(self, action: int) -> None:
        if self.state.actor == CHANCE:
            self.node = self.node.after_chance(action)
        else:
            move = actions(self.state.game).move(action, self.state.actor)
            self.node = self.node.after(move)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return _text(actions(self.state.game).move(action, player))
        after = self.node.after_chance(action)
        return f"chance {action}" if after.prefix else _text(after.events[-1])

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that `player` cannot tell from this one: hidden information is redrawn.

        Only cards and dice that are hidden now are; games with secrets say how in their module `worlds`.
        """
        fresh = SpielState(self.get_game())
        events, state = self.node.events, self.state
        if state.view(player) != state:
            worlds = find_part(state.game.id, "worlds")
            if worlds is None:
                raise OptionError("{title} does not say how hidden things lie", title=state.game.title)
            events = worlds.resample(events, state, player, lambda below: int(sampler() * below))
        for event in events:
            chance = fresh.state.chance() if fresh.state.actor == CHANCE else None
            for number in chance_actions(chance, event) if chance else [actions(state.game).number(event)]:
                fresh.apply_action(number)
        for _ in self.node.prefix:  # no player has seen these
            outcomes = [number for number, cases, _ in fresh.node.outcomes() for _ in range(cases)]
            fresh.apply_action(outcomes[int(sampler() * len(outcomes))])
        return fresh

    def is_terminal(self) -> bool:
        return self.state.over

    def returns(self) -> list[float]:
        game, state = self.state.game, self.state
        if not state.over:
            return [0.0] * game.players
        if self._win:
            return list(win_rewards(state))
        return [float(now - then) for now, then in zip(state.scores(), game.start().scores(), strict=True)]

    def __str__(self) -> str:
        shown = json.dumps(self.state.snapshot(), separators=(",", ":"))
        return f"{shown} {self.node.prefix}" if self.node.prefix else shown


def _text(event: Event) -> str:
    return json.dumps(event.json(), separators=(",", ":"))


def register_games() -> None:
    """Register the games with `pyspiel.load_game`; importing this module does it."""
    for game in all_games():
        name = f"Spiel{game.__name__}"
        if name not in globals():
            # pickle looks the class up in this module; and OpenSpiel crashes at exit if the class it holds
            # has been freed before
            made = type(name, (SpielGame,), {"rules": game, "__module__": __name__})
            globals()[name] = made
            pyspiel.register_game(_type(game), made)


register_games()
