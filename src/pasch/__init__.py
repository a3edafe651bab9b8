"""Pasch: six small games, their exact rules, records, values and computer players.

>>> import pasch
>>> match = pasch.new("joker1", players=1, rounds=1)
>>> print(match.play({"seat": 0, "roll": [1, 2, 4]}).moves()[0])
Player 1: push (1) (2) (4)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pasch.core import drawing

__version__ = "0.1.0"

#: the public names by the module they come from; each is imported when it is first used, so that `import pasch` and
#: `pasch --help` stay quick
_NAMES: Final = {
    "core.registry": "find_game all_games game_ids",
    "core.match": "new Match",
    "core.game": "Game",
    "core.options": "Options",
    "core.components": "Components",
    "core.state": "State CHANCE OVER",
    "core.events": "Event SeatEvent",
    "core.chance": "Chance EqualDice ColouredDice OneOf Cards Generator rolls",
    "core.shapes": "DiceShape PackShape PileShape TurnShape",
    "core.record": "Record",
    "core.receipt": "Receipt Finding ReceiptError",
    "core.errors": "PaschError UnknownGame OptionError ComponentError EventError "
    "Illegal IllegalMove IllegalOutcome RecordError UnknownPlayer",
    "solve": "value values",
    "solve.valuer": "valuer Valuer Worth MoveWorth Exact",
    "solve.exact": "explore Graph Solution",
    "coach.ledger": "keep_ledger Ledger LedgerEntry LedgerTurn SeatLedger Account",
    "players.base": "player player_names choose Player",
    "players.arena": "play_game",
    "core.philox": "game_key",
    "lab.simulation": "simulate Simulation",
    "lab.score_statistics": "GameStatistics ScoreStatistics",
    "lab.batch": "batch Batch Played NoBatch",
    "lab.actions": "actions Actions",
    "lab.observations": "observe layout bounds",
    "core.encoding": "ObservationPart",
    "lab.work": "parallel_map",
}
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names.split()}

if TYPE_CHECKING:
    from pasch.coach.ledger import Account, Ledger, LedgerEntry, LedgerTurn, SeatLedger, keep_ledger
    from pasch.core.chance import Cards, Chance, ColouredDice, EqualDice, Generator, OneOf, rolls
    from pasch.core.components import Components
    from pasch.core.encoding import ObservationPart
    from pasch.core.errors import (
        ComponentError,
        EventError,
        Illegal,
        IllegalMove,
        IllegalOutcome,
        OptionError,
        PaschError,
        RecordError,
        UnknownGame,
        UnknownPlayer,
    )
    from pasch.core.events import Event, SeatEvent
    from pasch.core.game import Game
    from pasch.core.match import Match, new
    from pasch.core.options import Options
    from pasch.core.philox import game_key
    from pasch.core.receipt import Finding, Receipt, ReceiptError
    from pasch.core.record import Record
    from pasch.core.registry import all_games, find_game, game_ids
    from pasch.core.shapes import DiceShape, PackShape, PileShape, TurnShape
    from pasch.core.state import CHANCE, OVER, State
    from pasch.lab.actions import Actions, actions
    from pasch.lab.batch import Batch, NoBatch, Played, batch
    from pasch.lab.observations import bounds, layout, observe
    from pasch.lab.score_statistics import GameStatistics, ScoreStatistics
    from pasch.lab.simulation import Simulation, simulate
    from pasch.lab.work import parallel_map
    from pasch.players.arena import play_game
    from pasch.players.base import Player, choose, player, player_names
    from pasch.solve import value, values
    from pasch.solve.exact import Graph, Solution, explore
    from pasch.solve.valuer import Exact, MoveWorth, Valuer, Worth, valuer

__all__ = [
    "CHANCE",
    "OVER",
    "Account",
    "Actions",
    "Batch",
    "Cards",
    "Chance",
    "ColouredDice",
    "ComponentError",
    "Components",
    "DiceShape",
    "EqualDice",
    "Event",
    "EventError",
    "Exact",
    "Finding",
    "Game",
    "GameStatistics",
    "Generator",
    "Graph",
    "Illegal",
    "IllegalMove",
    "IllegalOutcome",
    "Ledger",
    "LedgerEntry",
    "LedgerTurn",
    "Match",
    "MoveWorth",
    "NoBatch",
    "ObservationPart",
    "OneOf",
    "OptionError",
    "Options",
    "PackShape",
    "PaschError",
    "PileShape",
    "Played",
    "Player",
    "Receipt",
    "ReceiptError",
    "Record",
    "RecordError",
    "ScoreStatistics",
    "SeatEvent",
    "SeatLedger",
    "Simulation",
    "Solution",
    "State",
    "TurnShape",
    "UnknownGame",
    "UnknownPlayer",
    "Valuer",
    "Worth",
    "actions",
    "all_games",
    "batch",
    "bounds",
    "choose",
    "explore",
    "find_game",
    "game_ids",
    "game_key",
    "keep_ledger",
    "layout",
    "new",
    "observe",
    "parallel_map",
    "play_game",
    "player",
    "player_names",
    "rolls",
    "simulate",
    "value",
    "valuer",
    "values",
]


def _terminal_drawing() -> drawing.Drawer:
    from pasch.terminal import drawing as in_terminal

    return in_terminal


drawing.find_drawer = _terminal_drawing


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pasch' has no attribute {name!r}")
    thing = getattr(import_module(f"pasch.{_HOMES[name]}"), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
