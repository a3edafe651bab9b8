"""A state: one position of one game, immutable and hashable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import msgspec

from pasch.core import drawing
from pasch.core.chance import Chance
from pasch.core.errors import ArgumentError, Illegal, IllegalMove, IllegalOutcome, PaschError
from pasch.core.events import Event, SeatEvent, plain
from pasch.core.rules import highest

if TYPE_CHECKING:
    from pasch.core.game import Game

#: `state.actor` when the state waits for dice or cards
CHANCE: Final = -1
#: `state.actor` when the game is over
OVER: Final = -2


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One position. Everything that players share or hide is in here, nothing elsewhere.

    A game's `Position` declares its fields (`pasch.core.position`), `phase` and `seat` first. From the declaration it
    follows what moves and chances there are, what an event leads to and why one is refused. With secrets it also
    answers `view`.
    """

    game: Game[Any, Any]
    #: the seat that is to choose, or CHANCE, or OVER
    actor: int

    if TYPE_CHECKING:
        phase: Any
        seat: Any

    #: the class of `s`, and the declared fields in their order
    Numbers: ClassVar[type]
    fields: ClassVar[tuple[Any, ...]]
    #: whether `Numbers` follows from the position's own fields
    derived: ClassVar[bool] = False

    @classmethod
    def phases(cls) -> tuple[str, ...]:
        """The words of `phase`, in the order of their numbers in `s`."""
        words: tuple[str, ...] = cls.fields[0].words
        return words

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    def unpack(self) -> Any:
        """This position as `s`, numbers and rows for the rule functions; a new object."""
        raise NotImplementedError

    def pack(self, s: Any) -> Self:
        """The position described by `s`."""
        raise NotImplementedError

    def codes(self, s: Any = None) -> list[int]:
        """The codes of the legal moves, as the phase's `moves` writes them. Not to be changed."""
        game = self.game
        state, codes, _ = game.listed
        if state is self:
            return codes
        if self.actor < 0:
            return []
        choice, spare = game.choices[self.phase], [] if s else [self.unpack()]
        out = [0] * choice.most
        codes = out[: choice.node.moves(game.config, s or spare[0], out)]
        # a move is usually made right after the moves were listed
        game.listed = self, codes, iter(spare)
        return codes

    def allows(self, code: int, s: Any) -> bool:
        """Whether a move is legal that `moves` does not write: only in views with hidden hands."""
        return False

    def moves(self) -> tuple[Event, ...]:
        """The legal moves of the seat to move; empty when no seat is to move."""
        if self.actor < 0:
            return ()
        choice = self.game.choices[self.phase]
        events = choice.of_seat[self.actor][0]
        return events if choice.node.free else tuple([events[code] for code in self.codes()])

    def chance(self) -> Chance:
        """What chance may bring. Only when `actor` is CHANCE."""
        if self.actor != CHANCE:
            raise ValueError("chance is not to come now")
        found: Chance = self.game.chances[self.phase].chance(self)
        return found

    @property
    def mover(self) -> int | None:
        """The seat that chooses next, or whose dice or cards come; None if they belong to no seat."""
        if self.actor >= 0:
            return self.actor
        if self.actor == OVER or not issubclass(self.game.chances[self.phase].event, SeatEvent):
            return None
        seat: int = self.seat
        return seat

    def scores(self) -> tuple[int, ...]:
        """Each seat's score so far."""
        scores = type(self.game).scores
        if isinstance(scores, str):
            row: tuple[int, ...] = getattr(self, scores)
            return row
        out = [0] * self.game.players
        scores(self.game.config, self.unpack(), out)
        return tuple(out)

    def winners(self) -> tuple[int, ...]:
        """The seats that have won, ascending; empty until the game is over."""
        if self.actor != OVER:
            return ()
        winners, scores, won = type(self.game).winners, self.scores(), [False] * self.game.players
        if winners is None:
            highest(scores, len(won), won)
        else:
            winners(self.game.config, self.unpack(), scores, won)
        return tuple([seat for seat, has_won in enumerate(won) if has_won])

    def apply(self, event: Event) -> Self:
        """The state after a move or an outcome; raise Illegal if the rules forbid it."""
        game, actor = self.game, self.actor
        if actor >= 0:
            choice = game.choices[self.phase]
            node, code = choice.node, choice.of_seat[actor][1].get(event)
            listed, _, spare = game.listed
            # the first caller after listing the moves takes the `s` left from it
            s = (next(spare, None) if listed is self else None) or self.unpack()
            # what `moves` writes is legal and nothing else; `why_not` only explains
            if code is None or not (node.free or code in self.codes(s) or self.allows(code, s)):
                if type(event) not in node.events or event.seat != actor:
                    raise self.misplaced(event)
                if node.why_not is None:
                    raise IllegalMove("move", "that is not possible now")
                raise node.why_not(self, event, code)
            node.then(game.config, s, code)
            return self.pack(s)
        comes = game.chances.get(self.phase) if actor == CHANCE else None
        if comes is None or type(event) is not comes.event or event.seat not in (None, self.seat):
            raise self.misplaced(event)
        s = self.unpack()
        comes.apply(game.config, s, self, event)
        return self.pack(s)

    def refusal(self, event: Event) -> PaschError | None:
        """The error for an event that the rules forbid; None if they allow it."""
        try:
            self.apply(event)
        except PaschError as error:
            return error
        return None

    def view(self, seat: int | None) -> State:
        """This state as `seat` (None: a spectator) may know it, secrets replaced by None.

        A game with secrets calls this first, which refuses seats that there are not.
        """
        most = self.game.players - 1
        if seat is not None and not 0 <= seat <= most:
            raise ArgumentError("seat: expected 0 to {most}, got {got}", most=most, got=repr(seat))
        return self

    def snapshot(self) -> dict[str, Any]:
        """The state as plain JSON values, which `Game.read_state` reads back; the game itself is left out."""
        return {name: plain(getattr(self, name)) for name in self.__struct_fields__ if name != "game"}

    def notation(self) -> str:
        """This position as one line that `State.parse` reads; `pasch.core.notation` describes it."""
        return str(drawing.find_writer().write_position(self))

    @staticmethod
    def parse(text: str) -> State:
        """The position that a line describes, of any game; PositionError if it is not valid."""
        found: State = drawing.find_writer().read_position(text)
        return found

    def read(self, text: str) -> Event:
        """The move or outcome written as `Event.notation` writes it, of the seat whose turn it is."""
        found: Event = drawing.find_writer().read_event(self, text)
        return found

    def __str__(self) -> str:
        """The board as the terminal draws it, without colours."""
        return str(drawing.find_drawer().text(self))

    def _repr_svg_(self) -> str:
        """The same board as a picture, for notebooks."""
        return str(drawing.find_drawer().svg(self))

    def misplaced(self, event: Event) -> Illegal:
        """Why `event` cannot happen now, regardless of its contents."""
        if self.actor == OVER:
            return IllegalMove("over", "the game is over")
        if self.actor == CHANCE:
            expected = sorted(self.game.chances[self.phase].event.keys() - {"seat"})
            rule, detail = "waiting for chance", f"expected {' and '.join(expected)}"
            if self.mover is None:
                return IllegalOutcome(rule, "the dice or cards come first", detail=detail)
            said = "{turn}’s dice or cards come first"
            return IllegalOutcome(rule, said, turn=self.mover, detail=detail)
        if event.seat not in (None, self.actor):
            said = "it is {turn}’s turn, not {seat}’s"
            return IllegalMove("turn", said, turn=self.actor, seat=event.seat)
        wanted = sorted({" and ".join(sorted(type(m).keys() - {"seat"})) for m in self.moves()})
        detail = f"expected {' or '.join(wanted)}"
        said = "that is not what {turn} has to choose now"
        return IllegalMove("order", said, turn=self.actor, detail=detail)
