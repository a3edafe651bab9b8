"""A state: one position of one game, immutable and hashable."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pasch.core import drawing
from pasch.core.chance import Chance
from pasch.core.errors import Illegal, IllegalMove, IllegalOutcome, OptionError, PaschError
from pasch.core.events import Event, plain
from pasch.core.rules import most_moves, rule_functions

if TYPE_CHECKING:
    from pasch.core.game import Game

#: `state.actor` when the state waits for dice or cards
CHANCE: Final = -1
#: `state.actor` when the game is over
OVER: Final = -2


class State(msgspec.Struct, frozen=True):
    """One position. Everything that players share or hide is in here, nothing elsewhere.

    A game's own state adds its fields (whole numbers, strings, tuples and small structs of these) and
    answers `moves`, `chance`, `apply` and `scores`; with secrets also `view`.
    """

    game: Game[Any, Any]
    #: the seat that is to choose, or CHANCE, or OVER
    actor: int

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if own := vars(cls).get("view"):
            cls.view = _with_check(own)  # type: ignore[method-assign, assignment]

    def moves(self) -> tuple[Event, ...]:
        """What the seat to move may do; empty when it is nobody's turn."""
        raise NotImplementedError

    def chance(self) -> Chance:
        """What chance may bring. Only when `actor` is CHANCE."""
        raise NotImplementedError

    def apply(self, event: Event) -> State:
        """The state after a move or an outcome; raise Illegal if the rules forbid it."""
        raise NotImplementedError

    def refusal(self, event: Event) -> PaschError | None:
        """What the rules say against an event; None if they allow it."""
        try:
            self.apply(event)
        except PaschError as error:
            return error
        return None

    @property
    def mover(self) -> int | None:
        """The seat that chooses next, or whose dice or cards come; None if they are nobody's."""
        if self.actor != CHANCE:
            return None if self.actor == OVER else self.actor
        return getattr(self.chance().pick(0), "seat", None)

    def scores(self) -> tuple[int, ...]:
        """Each seat's score so far."""
        raise NotImplementedError

    def winners(self) -> tuple[int, ...]:
        """The seats that have won, ascending; empty while the game goes on."""
        if self.actor != OVER:
            return ()
        scores = self.scores()
        best = max(scores)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    def numbers(self) -> Any:
        """This state as named numbers, for the game's rule functions (see `pasch.core.rules`); a new object."""
        raise NotImplementedError

    def codes(self, s: Any = None) -> list[int]:
        """The legal moves as the rule functions write them, in the order of `moves()`; `s` are the state's numbers."""
        functions = rule_functions(type(self.game))
        if functions is None:
            raise NotImplementedError
        if self.actor < 0:
            return []
        agreed = self.game.agreed
        out = [0] * most_moves(self.game)
        return out[: functions.moves(agreed, s or self.numbers(), out)]

    def view(self, seat: int | None) -> State:
        """This state as `seat` (None: a spectator) may know it, secrets replaced by None."""
        check_seat(self.game, seat)
        return self

    def snapshot(self) -> dict[str, Any]:
        """The state as plain JSON values, which `Game.read_state` reads back; the game itself is left out."""
        return {name: plain(getattr(self, name)) for name in self.__struct_fields__ if name != "game"}

    def notation(self) -> str:
        """This position as one line that `State.parse` reads; `pasch.core.notation` describes it."""
        return drawing.find_writer().write_position(self)

    @staticmethod
    def parse(text: str) -> State:
        """The position that a line describes, of any game; PositionError says what is wrong with it."""
        found: State = drawing.find_writer().read_position(text)
        return found

    def read(self, text: str) -> Event:
        """The move or outcome written as `Event.notation` writes it, of the seat whose turn it is."""
        found: Event = drawing.find_writer().read_event(self, text)
        return found

    def __str__(self) -> str:
        """The board as the terminal draws it, without colours."""
        return drawing.find_drawer().text(self)

    def _repr_svg_(self) -> str:
        """The same board as a picture, for notebooks."""
        return drawing.find_drawer().svg(self)

    def misplaced(self, event: Event) -> Illegal:
        """Why `event` cannot happen now, whatever it contains."""
        if self.actor == OVER:
            return IllegalMove("over", "the game is over")
        seat = event.seat
        if self.actor == CHANCE:
            return self._awaited()
        if seat is not None and seat != self.actor:
            return IllegalMove("turn", "it is {turn}’s turn, not {seat}’s", turn=self.actor, seat=seat)
        wanted = sorted({" and ".join(sorted(type(m).keys() - {"seat"})) for m in self.moves()})
        return IllegalMove(
            "order",
            "that is not what {turn} has to choose now",
            turn=self.actor,
            detail=f"expected {' or '.join(wanted)}",
        )

    def _awaited(self) -> Illegal:
        example = self.chance().pick(0)
        rule, expected = "waiting for chance", " and ".join(sorted(type(example).keys() - {"seat"}))
        detail = f"expected {expected}"
        if example.seat is None:
            return IllegalOutcome(rule, "first the dice or cards have to come", detail=detail)
        return IllegalOutcome(
            rule, "first {turn}’s dice or cards have to come", turn=example.seat, detail=detail
        )


def check_seat(game: Game[Any, Any], seat: int | None) -> None:
    """Raise OptionError unless the game has this seat; None is a spectator."""
    if seat is not None and not 0 <= seat < game.players:
        raise OptionError("seat: expected 0 to {most}, got {got}", most=game.players - 1, got=repr(seat))


def _with_check(view: Callable[[Any, int | None], State]) -> Callable[[Any, int | None], State]:
    """A game's own `view` that refuses seats that the game does not have."""

    @wraps(view)
    def checked(self: State, seat: int | None) -> State:
        check_seat(self.game, seat)
        return view(self, seat)

    return checked
