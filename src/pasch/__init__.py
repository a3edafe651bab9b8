"""Pasch: six small games, their exact rules, records, values and computer players.

>>> import pasch
>>> match = pasch.new("joker1", players=1, rounds=1)
>>> print(match.play({"seat": 0, "roll": [1, 2, 4]}).moves()[0])
Player 1: push (1) (2) (4)
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pasch.core import VERSION, drawing

__version__ = VERSION

# the public names, listed once: type checkers import them here, programs when they first use one (`__getattr__`), so
# that `import pasch` and `pasch --help` stay quick
if TYPE_CHECKING:
    from pasch.coach.ledger import Account as Account
    from pasch.coach.ledger import Ledger as Ledger
    from pasch.coach.ledger import LedgerEntry as LedgerEntry
    from pasch.coach.ledger import LedgerTurn as LedgerTurn
    from pasch.coach.ledger import SeatLedger as SeatLedger
    from pasch.coach.ledger import keep_ledger as keep_ledger
    from pasch.core.chance import Cards as Cards
    from pasch.core.chance import Chance as Chance
    from pasch.core.chance import ColouredDice as ColouredDice
    from pasch.core.chance import EqualDice as EqualDice
    from pasch.core.chance import Generator as Generator
    from pasch.core.chance import OneOf as OneOf
    from pasch.core.chance import rolls as rolls
    from pasch.core.components import Components as Components
    from pasch.core.errors import ArgumentError as ArgumentError
    from pasch.core.errors import ComponentError as ComponentError
    from pasch.core.errors import EventError as EventError
    from pasch.core.errors import Illegal as Illegal
    from pasch.core.errors import IllegalMove as IllegalMove
    from pasch.core.errors import IllegalOutcome as IllegalOutcome
    from pasch.core.errors import OptionError as OptionError
    from pasch.core.errors import PaschError as PaschError
    from pasch.core.errors import PositionError as PositionError
    from pasch.core.errors import RecordError as RecordError
    from pasch.core.errors import UnknownGame as UnknownGame
    from pasch.core.errors import UnknownPlayer as UnknownPlayer
    from pasch.core.events import Event as Event
    from pasch.core.events import NamedRoll as NamedRoll
    from pasch.core.events import Roll as Roll
    from pasch.core.events import SeatEvent as SeatEvent
    from pasch.core.game import Game as Game
    from pasch.core.match import Match as Match
    from pasch.core.match import new as new
    from pasch.core.nodes import ChanceNode as ChanceNode
    from pasch.core.nodes import Choice as Choice
    from pasch.core.nodes import Dice as Dice
    from pasch.core.nodes import InTurn as InTurn
    from pasch.core.nodes import NamedDice as NamedDice
    from pasch.core.nodes import Pile as Pile
    from pasch.core.options import Options as Options
    from pasch.core.philox import game_key as game_key
    from pasch.core.position import Bits as Bits
    from pasch.core.position import BySeat as BySeat
    from pasch.core.position import Number as Number
    from pasch.core.position import Rolled as Rolled
    from pasch.core.position import Row as Row
    from pasch.core.position import Table as Table
    from pasch.core.position import UpTo as UpTo
    from pasch.core.receipt import Finding as Finding
    from pasch.core.receipt import Receipt as Receipt
    from pasch.core.receipt import ReceiptError as ReceiptError
    from pasch.core.record import Record as Record
    from pasch.core.record import read_records as read_records
    from pasch.core.registry import all_games as all_games
    from pasch.core.registry import find_game as find_game
    from pasch.core.registry import game_ids as game_ids
    from pasch.core.rolls import FIRST_ROLL as FIRST_ROLL
    from pasch.core.rolls import ROLL_NUMBERS as ROLL_NUMBERS
    from pasch.core.rolls import ROLLS as ROLLS
    from pasch.core.shapes import DiceShape as DiceShape
    from pasch.core.shapes import PackShape as PackShape
    from pasch.core.shapes import PileShape as PileShape
    from pasch.core.shapes import TurnShape as TurnShape
    from pasch.core.state import CHANCE as CHANCE
    from pasch.core.state import OVER as OVER
    from pasch.core.state import State as State
    from pasch.lab.batch import Batch as Batch
    from pasch.lab.batch import BatchResult as BatchResult
    from pasch.lab.batch import NoBatch as NoBatch
    from pasch.lab.batch import batch as batch
    from pasch.lab.score_statistics import GameStatistics as GameStatistics
    from pasch.lab.score_statistics import ScoreStatistics as ScoreStatistics
    from pasch.lab.simulation import Simulation as Simulation
    from pasch.lab.simulation import simulate as simulate
    from pasch.lab.spaces import Actions as Actions
    from pasch.lab.spaces import ObservationPart as ObservationPart
    from pasch.lab.spaces import actions as actions
    from pasch.lab.spaces import bounds as bounds
    from pasch.lab.spaces import layout as layout
    from pasch.lab.spaces import observe as observe
    from pasch.lab.spaces import regrets as regrets
    from pasch.lab.tournament_statistics import TournamentStatistics as TournamentStatistics
    from pasch.lab.tournament_statistics import tournament as tournament
    from pasch.lab.work import parallel_map as parallel_map
    from pasch.players.arena import play_game as play_game
    from pasch.players.base import Player as Player
    from pasch.players.base import player as player
    from pasch.players.base import player_names as player_names
    from pasch.solve import Explanation as Explanation
    from pasch.solve import explain as explain
    from pasch.solve import value as value
    from pasch.solve import values as values
    from pasch.solve.valuer import Exact as Exact
    from pasch.solve.valuer import MoveValue as MoveValue
    from pasch.solve.valuer import Value as Value
    from pasch.solve.valuer import Valuer as Valuer
    from pasch.solve.valuer import valuer as valuer

drawing.find_drawer = partial(import_module, "pasch.terminal.drawing")
drawing.find_writer = partial(import_module, "pasch.core.notation")


@cache
def homes() -> dict[str, str]:
    """The public names with the modules they come from, as listed above."""
    import ast
    from importlib.resources import files

    tree = ast.parse(files("pasch").joinpath("__init__.py").read_bytes())
    listed = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in listed.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(homes())
    if name.startswith("__") or name not in homes():
        raise AttributeError(f"module 'pasch' has no attribute {name!r}")
    import_module("pasch.core.game")  # types of other modules name its class
    thing = getattr(import_module(homes()[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *homes()})
