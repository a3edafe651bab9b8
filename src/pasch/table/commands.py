"""What each command does, or why it is refused. Nothing here changes anything: steps are only proposed.

The authority writes the steps to the log and then takes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from pasch.core.errors import EventError, PaschError
from pasch.core.fair import dice_key, rolled
from pasch.core.state import CHANCE
from pasch.table import schema, seats
from pasch.table.computers import levels
from pasch.table.log import Course, Standing, Step, change, play
from pasch.table.redact import Eyes, what_awaits
from pasch.table.schema import Code
from pasch.table.seats import Secrets
from pasch.table.touch import read


class Refusal(PaschError):
    """A command is refused, with the code that the client is told."""

    def __init__(self, code: Code, template: str, **details: Any) -> None:
        self.code = code
        super().__init__(template, **details)

    @classmethod
    def because(cls, code: Code, error: PaschError) -> Refusal:
        return cls(code, error.template, **error.details)


class Decision(msgspec.Struct, frozen=True):
    """What a command would do."""

    steps: list[Step]
    #: who gave the command: a seat, the maker, an invitation. Ids of commands are told apart by it
    holder: str
    seat: int | None = None
    token: str | None = None


class Asking(msgspec.Struct, frozen=True):
    """A command with all that is needed to decide it."""

    course: Course
    secrets: Secrets
    eyes: Eyes
    #: the seats of which somebody is connected
    online: frozenset[int]


#: of the tables that are being played, so that it is not worked out anew for every roll
_dice_key = lru_cache(maxsize=4096)(dice_key)


def next_roll(course: Course, standing: Standing, seed: bytes, number: int) -> Step:
    """What the dice or cards of Pasch bring as event `number`, counted from 1."""
    key = _dice_key(seed, course.id, standing.contributions, course.agreement.given)
    return play(standing, rolled(key, number, standing.state.chance()))


def automatic(course: Course, standing: Standing, seed: bytes, number: int) -> list[Step]:
    """The rolls and cards that come without anybody pressing for them, event `number` being the first.

    Those are nobody's, a computer's, or follow directly on a person's own move. With real dice only what
    can come in one way comes by itself.
    """
    steps: list[Step] = []
    while standing.state.actor == CHANCE and standing.phase == "playing":
        if standing.dice == "real":
            if standing.state.chance().total > 1:
                break
        else:
            roller = standing.roller
            if roller is not None and standing.chairs[roller].person and not standing.rolls_on:
                break
        steps.append(next_roll(course, standing, seed, number + len(steps)))
        standing = steps[-1].after
    return steps


def followed(asking: Asking, first: Step) -> list[Step]:
    """A step together with what follows it by itself."""
    course = asking.course
    number = len(course.events) + 1 + (first.event is not None)
    return [first, *automatic(course, first.after, asking.secrets.seed, number)]


# --- playing ------------------------------------------------------------------------------------------


def _move(asking: Asking, command: schema.Move) -> Decision:
    standing = _playing(asking.course)
    try:
        event = asking.course.game.read_event(command.event)
    except EventError as error:
        raise Refusal.because("malformed", error) from None
    seat = getattr(event, "seat", None)
    if seat not in asking.eyes.seats:
        raise Refusal("not-yours", "this seat is not yours")
    if standing.state.actor == CHANCE:
        raise Refusal("not-now", "first the dice or cards have to come")
    if not standing.chairs[seat].person:
        raise Refusal("not-now", "the computer plays this seat at the moment")
    try:
        step = play(standing, event)
    except PaschError as error:
        raise Refusal.because("illegal", error) from None
    return Decision(followed(asking, step), str(seat))


def _roll(asking: Asking, command: schema.Roll) -> Decision:
    standing = _playing(asking.course)
    _await("roll", asking)
    number = len(asking.course.events) + 1
    step = next_roll(asking.course, standing, asking.secrets.seed, number)
    return Decision(followed(asking, step), str(standing.roller))


def _read(asking: Asking, command: schema.Read) -> Decision:
    standing = _playing(asking.course)
    _await("read", asking)
    try:
        step = play(standing, read(standing.state, command.values))
    except PaschError as error:
        raise Refusal.because("illegal", error) from None
    seats = asking.eyes.seats
    holder = standing.roller if standing.roller in seats else seats[0] if seats else "maker"
    return Decision(followed(asking, step), str(holder))


def _playing(course: Course) -> Standing:
    phase = course.standing.phase
    if phase == "waiting":
        raise Refusal("not-now", "the game has not begun: somebody is still missing")
    if phase != "playing":
        raise Refusal("not-now", "the game is over")
    return course.standing


def _await(what: str, asking: Asking) -> None:
    standing, dice = asking.course.standing, asking.course.agreement.dice
    awaited = what_awaits(standing, dice, asking.eyes, standing.roller)
    if awaited == what:
        return
    if standing.state.actor != CHANCE:
        raise Refusal("not-now", "no dice or cards come now")
    if awaited == "read":
        raise Refusal("not-now", "this table plays with real dice: read them off")
    if awaited == "roll":
        raise Refusal("not-now", "this table plays with the dice of Pasch: let it roll")
    raise Refusal("not-yours", "these dice or cards are another's")


# --- who sits where -----------------------------------------------------------------------------------


def _sit(asking: Asking, command: schema.Sit) -> Decision:
    invited = seats.hashes([command.invitation])
    for seat, chair in enumerate(asking.course.standing.chairs):
        if not seats.fits(invited, chair.invitation):
            continue
        if chair.kind != "open":
            raise Refusal("not-yours", "this invitation has been used, or the seat is taken")
        name = _name(command.name)
        token = seats.seat_token(asking.secrets.tokens, command.invitation, command.id)
        step = change(asking.course.standing, "sit", seat=seat, name=name, token=seats.hashed(token))
        return Decision(followed(asking, step), invitation_holder(command), seat, token)
    raise Refusal("not-yours", "this is no invitation to this table")


def invitation_holder(command: schema.Sit) -> str:
    """By what the ids of those who come with an invitation are told apart."""
    return "i" + seats.hashed(command.invitation)[:32]


def _contribute(asking: Asking, command: schema.Contribute) -> Decision:
    standing, mine = asking.course.standing, asking.eyes.seats
    if not mine:
        raise Refusal("not-yours", "only those who play add to the dice")
    if standing.dice == "real":
        raise Refusal("not-now", "this table plays with real dice: read them off")
    lacking = [seat for seat in mine if standing.contributions[seat] is None]
    if standing.phase != "waiting" or not lacking:
        raise Refusal("not-now", "nothing can be added to these dice any more")
    step = change(standing, "contribute", seats=lacking, contribution=command.contribution)
    return Decision(followed(asking, step), str(lacking[0]))


def _rename(asking: Asking, command: schema.Rename) -> Decision:
    seat = command.seat
    _own(asking, seat)
    step = change(asking.course.standing, "name", seat=seat, name=_name(command.name))
    return Decision([step], str(seat))


def _hand_over(asking: Asking, command: schema.HandOver) -> Decision:
    seat, standing = command.seat, asking.course.standing
    _not_ended(standing)
    if seat in asking.eyes.seats:
        holder = str(seat)
    elif not asking.eyes.maker or seat >= len(standing.chairs):
        raise Refusal("not-yours", "this seat is not yours")
    elif seat in asking.online:
        raise Refusal("not-yours", "somebody sits there and is connected")
    elif standing.chairs[seat].kind == "computer":
        raise Refusal("not-now", "the computer plays this seat already")
    else:
        holder = "maker"
    if command.level not in levels():
        raise Refusal("illegal", "there is no computer player {name!r}", name=command.level)
    step = change(standing, "computer", seat=seat, level=command.level)
    return Decision(followed(asking, step), holder)


def _take_back(asking: Asking, command: schema.TakeBack) -> Decision:
    seat, standing = command.seat, asking.course.standing
    _own(asking, seat)
    if standing.chairs[seat].lender is None:
        raise Refusal("not-now", "you play this seat already")
    return Decision(followed(asking, change(standing, "person", seat=seat)), str(seat))


def _set_coach(asking: Asking, command: schema.SetCoach) -> Decision:
    standing = asking.course.standing
    mine = [seat for seat in asking.eyes.seats if standing.chairs[seat].person]
    if not mine:
        raise Refusal("not-yours", "only those who play decide about the coach")
    settled = all(
        seat in mine or chair.wish == command.coach or chair.kind == "computer"
        for seat, chair in enumerate(standing.chairs)
    )
    step = change(standing, "coach", seats=mine, coach=command.coach, settled=settled)
    return Decision([step], str(mine[0]))


def check_adjudicate(asking: Asking) -> None:
    """Whether the game may be ended early: by the maker, and only if nobody else is there to play on."""
    if not asking.eyes.maker:
        raise Refusal("not-yours", "only whoever made the table may end the game")
    _not_ended(asking.course.standing)
    if asking.online - set(asking.eyes.seats):
        raise Refusal("not-now", "others are still there to play on")


def adjudicated(asking: Asking, verdict: dict[str, Any]) -> Decision:
    """The end of an abandoned game, with what the coach found."""
    check_adjudicate(asking)
    return Decision([change(asking.course.standing, "adjudicate", **verdict)], "maker")


def _own(asking: Asking, seat: int) -> None:
    if seat not in asking.eyes.seats:
        raise Refusal("not-yours", "this seat is not yours")


def _not_ended(standing: Standing) -> None:
    if standing.phase in ("over", "adjudicated"):
        raise Refusal("not-now", "the game is over")


def _name(written: str) -> str:
    name = " ".join(written.split())
    if not name or not name.isprintable():
        raise Refusal("malformed", "a name has letters, and no signs that cannot be seen")
    return name


C = TypeVar("C", bound=schema.Command)
_DECIDERS: dict[type[schema.Command], Callable[[Asking, Any], Decision]] = {
    schema.Move: _move,
    schema.Roll: _roll,
    schema.Read: _read,
    schema.Sit: _sit,
    schema.Contribute: _contribute,
    schema.Rename: _rename,
    schema.HandOver: _hand_over,
    schema.TakeBack: _take_back,
    schema.SetCoach: _set_coach,
}


def decide(asking: Asking, command: schema.Command) -> Decision:
    """What a command would do; Refusal says why it must not."""
    return _DECIDERS[type(command)](asking, command)
