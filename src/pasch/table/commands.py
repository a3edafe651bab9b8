"""Validates commands: each becomes a `Change`, or is refused.

Nothing is changed here. The authority writes the change to the log and then applies it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from pasch.core.errors import EventError, PaschError
from pasch.core.fair import dice_key, rolled
from pasch.core.state import CHANCE
from pasch.players.base import player_names
from pasch.table import schema, tokens
from pasch.table.log import Change, LiveTable, TableState
from pasch.table.redact import Viewer, awaited
from pasch.table.refusals import Refusal

#: cached, so that it is not derived again for every roll of a table that is being played
_dice_key = lru_cache(maxsize=4096)(dice_key)


def roll(live: LiveTable, change: Change) -> Change:
    """A change and then what the dice or cards of Pasch bring."""
    after = change.after
    key = _dice_key(live.secrets.seed, live.dice_name, after.contributions, live.agreement.given)
    number = len(live.events) + len(change.events) + 1
    return change.play(rolled(key, number, after.state.chance()))


def roll_on(live: LiveTable, change: Change) -> Change:
    """A change followed by the rolls and cards that come automatically."""
    while change.after.chance_is_automatic:
        change = roll(live, change)
    return change


# --- playing ------------------------------------------------------------------------------------------


def _move(live: LiveTable, viewer: Viewer, command: schema.Move) -> Change:
    current = _playing(live)
    try:
        event = live.game.read_event(command.event)
    except EventError as error:
        raise Refusal.because("malformed", error) from None
    seat = event.seat
    if seat is None or seat not in viewer.seats:
        raise Refusal("not-yours", "this seat is not yours")
    if current.state.actor == CHANCE:
        raise Refusal("not-now", "the dice or cards come first")
    if not current.chairs[seat].person:
        raise Refusal("not-now", "the computer plays this seat at the moment")
    try:
        change = live.play(event)
    except PaschError as error:
        raise Refusal.because("illegal", error) from None
    # a requested roll is immediate; other dice and cards may wait, unless another person would have to wait too
    waits = (
        command.hold
        and not change.after.rolls_automatically
        and not live.must_agree().difference(viewer.seats)
    )
    return change if waits else roll_on(live, change)


def _go(live: LiveTable, viewer: Viewer, command: schema.Go) -> Change:
    _check_player(viewer)
    return roll_on(live, Change(_playing(live)))


def _undo(live: LiveTable, viewer: Viewer, command: schema.Undo) -> Change:
    _check_player(viewer)
    mine = viewer.seats
    current = _playing(live)
    mover = current.last_mover
    if mover is None or len(live.events) <= live.agreement.given:
        raise Refusal("not-now", "no move can be taken back now: dice were rolled or cards drawn since")
    asked = any(chair.undoes for chair in current.chairs)
    if not (asked or (mover in mine and command.agree)):
        raise Refusal("not-yours", "only the player who made the move may ask to take it back")
    others = live.must_agree().difference(mine)
    settled = command.agree and all(current.chairs[seat].undoes for seat in others)
    change = live.change("undo", seats=mine, agree=command.agree, settled=settled)
    return _non_move(live, change, *mine)


def _roll(live: LiveTable, viewer: Viewer, command: schema.Roll) -> Change:
    current = _playing(live)
    _check_awaited("roll", current, viewer)
    return roll_on(live, roll(live, Change(current)))


def _read(live: LiveTable, viewer: Viewer, command: schema.Read) -> Change:
    current = _playing(live)
    _check_awaited("read", current, viewer)
    try:
        return roll_on(live, live.play(current.state.chance().read(command.values)))
    except PaschError as error:
        raise Refusal.because("illegal", error) from None


def _playing(live: LiveTable) -> TableState:
    phase = live.current.phase
    if phase == "waiting":
        raise Refusal("not-now", "the game has not begun: somebody is still missing")
    if phase != "playing":
        raise Refusal("not-now", "the game is over")
    return live.current


def _check_awaited(what: str, current: TableState, viewer: Viewer) -> None:
    found = awaited(current, viewer)
    if found is None and current.state.actor == CHANCE:
        raise Refusal("not-yours", "these dice or cards are somebody else’s")
    if found != what:
        raise Refusal("not-now", "there is nothing to roll or draw now")


def command_keys(viewer: Viewer, command: schema.Command) -> list[str]:
    """The idempotency keys of a command: its id with each of its authors, which are seats, the maker or an invitation.

    It is stored under the first; a repetition is looked up under all of them.
    """
    if isinstance(command, schema.Sit):
        holders = ["i" + tokens.hash_token(command.invitation)[:32]]
    else:
        holders = [*map(str, viewer.seats), *(["maker"] if viewer.maker else [])]
    return [f"{holder}:{command.id}" for holder in holders]


# --- who sits where -----------------------------------------------------------------------------------


def _sit(live: LiveTable, viewer: Viewer, command: schema.Sit) -> Change:
    invited = tokens.hash_tokens([command.invitation])
    for seat, chair in enumerate(live.current.chairs):
        if not tokens.matches(invited, chair.invitation):
            continue
        if chair.kind != "open":
            raise Refusal("not-yours", "this invitation has been used, or the seat is taken")
        name = clean_name(command.name)
        token = tokens.seat_token(live.secrets.tokens, command.invitation, command.id)
        return roll_on(live, live.change("sit", seat=seat, name=name, token=tokens.hash_token(token)))
    raise Refusal("not-yours", "this is not an invitation to this table")


def _contribute(live: LiveTable, viewer: Viewer, command: schema.Contribute) -> Change:
    current, mine = live.current, viewer.seats
    _check_player(viewer)
    if current.dice == "real":
        raise Refusal("not-now", "this table plays with real dice: enter what they show")
    lacking = [seat for seat in mine if current.contributions[seat] is None]
    if current.phase != "waiting" or not lacking:
        raise Refusal("not-now", "nothing can be added to these dice any more")
    change = live.change("contribute", seats=lacking, contribution=command.contribution)
    return roll_on(live, change)


def _rename(live: LiveTable, viewer: Viewer, command: schema.Rename) -> Change:
    seat, name = command.seat, clean_name(command.name)
    _check_own(viewer, seat)
    return _non_move(live, live.change("name", seat=seat, name=name), seat)


def _hand_over(live: LiveTable, viewer: Viewer, command: schema.HandOver) -> Change:
    seat, level = command.seat, command.level
    _check_not_ended(live.current)
    if level not in player_names():
        raise Refusal("illegal", "there is no computer player {name!r}", name=level)
    if seat not in viewer.seats:
        return roll_on(live, _lend_absent(live, viewer, seat, level))
    return roll_on(live, _non_move(live, live.change("computer", seat=seat, level=level), seat))


def _lend_absent(live: LiveTable, viewer: Viewer, seat: int, level: str) -> Change:
    """The maker lets the computer play an open seat; a player, the seat of a person who has been away long enough."""
    if seat >= len(live.current.chairs) or not (viewer.maker or viewer.seats):
        raise Refusal("not-yours", "this seat is not yours")
    chair = live.current.chairs[seat]
    if chair.kind == "open" and viewer.maker:
        return live.change("computer", seat=seat, level=level)
    if not chair.person or seat in live.presence.online:
        raise Refusal("not-yours", "this seat is not yours")
    if live.presence.away(seat) == "short":
        wait = round(live.presence.limits.lend_after)
        raise Refusal(
            "not-now",
            "the computer may play for somebody only after they have been away for {wait} seconds",
            wait=wait,
        )
    return live.change("computer", seat=seat, level=live.agreement.stand_in, absent=True)


def _take_back(live: LiveTable, viewer: Viewer, command: schema.TakeBack) -> Change:
    seat = command.seat
    _check_own(viewer, seat)
    if live.current.chairs[seat].lender is None:
        raise Refusal("not-now", "you play this seat already")
    return roll_on(live, live.change("person", seat=seat))


def _set_coach(live: LiveTable, viewer: Viewer, command: schema.SetCoach) -> Change:
    _check_player(viewer)
    coach, others = command.coach, live.must_agree().difference(viewer.seats)
    settled = all(live.current.chairs[seat].wish == coach for seat in others)
    change = live.change("coach", seats=viewer.seats, coach=coach, settled=settled)
    return _non_move(live, change, *viewer.seats)


#: what people agree to together: the end of the game, and another game after it
NeedsAgreement = schema.Adjudicate | schema.Rematch


def all_agree(live: LiveTable, viewer: Viewer, command: NeedsAgreement) -> bool:
    """Whether with this command everybody agrees to the end, or to another game; Refusal if its author has no say."""
    if isinstance(command, schema.Adjudicate):
        _check_not_ended(live.current)
    elif not live.current.ended:
        raise Refusal("not-now", "the game is not over yet")
    elif live.current.next is not None:
        raise Refusal("not-now", "the next game has begun already")
    chairs, ends = live.current.chairs, isinstance(command, schema.Adjudicate)
    others = live.must_agree().difference(viewer.seats)
    agreed = command.agree and all(chairs[seat].ends if ends else chairs[seat].again for seat in others)
    if viewer.maker and not viewer.seats and not agreed:
        raise Refusal("not-now", "this happens only when all players agree")
    _check_player(viewer, maker=True)
    return agreed


def settle(live: LiveTable, command: NeedsAgreement, outcome: dict[str, Any]) -> Change:
    """The change once all have agreed, with the verdict or the next table."""
    return live.change("adjudicate" if isinstance(command, schema.Adjudicate) else "next", **outcome)


def _agree(live: LiveTable, viewer: Viewer, command: NeedsAgreement) -> Change:
    kind: schema.Kind = "end" if isinstance(command, schema.Adjudicate) else "again"
    change = live.change(kind, seats=viewer.seats, agree=command.agree)
    return _non_move(live, change, *viewer.seats)


def check_hint(live: LiveTable, viewer: Viewer) -> None:
    """Refuse hints to all but the seat that is to choose, and where they have not been agreed on."""
    if live.current.coach != "hints":
        raise Refusal("not-agreed", "hints have not been agreed on at this table")
    if live.state.actor not in viewer.seats or live.current.phase != "playing":
        raise Refusal("not-now", "it is not your turn to choose")


def check_preview(live: LiveTable, viewer: Viewer) -> None:
    """Refuse to say how the game would be decided: to those who do not decide about it, and at other times."""
    _playing(live)
    _check_player(viewer, maker=True)


def check_reaction(live: LiveTable, viewer: Viewer, command: schema.React) -> None:
    """Refuse a reaction for another's seat, or too soon after the last ones."""
    _check_own(viewer, command.seat)
    if not live.presence.take_reaction(command.seat):
        raise Refusal("too-fast", "too many reactions in a short time; wait a little")


def _non_move(live: LiveTable, change: Change, *seats: int) -> Change:
    """A change that is no move; none if the table stays as it is, Refusal if these seats have made enough of them."""
    if change.after == live.current:
        return Change(live.current)
    if any(live.non_moves[seat] >= live.presence.limits.max_non_moves for seat in seats):
        raise Refusal("not-now", "names and wishes of this seat have changed often enough in this game")
    return change


def _check_player(viewer: Viewer, maker: bool = False) -> None:
    """Refuse what only players may do; with `maker` the maker of the table may do it, too."""
    if not viewer.seats and not (maker and viewer.maker):
        raise Refusal("not-yours", "only players may do this")


def _check_own(viewer: Viewer, seat: int) -> None:
    if seat not in viewer.seats:
        raise Refusal("not-yours", "this seat is not yours")


def _check_not_ended(current: TableState) -> None:
    if current.ended:
        raise Refusal("not-now", "the game is over")


#: what makes one emoji of several, and belongs to the letters of some languages
_JOINER: Final = "\u200d"


def clean_name(written: str, *, empty: bool = False) -> str:
    """A person's name with single spaces; refused if it is not printable or, unless allowed, empty."""
    name = " ".join(written.split())
    visible = name.replace(_JOINER, "")
    if not visible.isprintable() or not (visible or empty):
        raise Refusal("malformed", "a name needs at least one character, and no invisible ones")
    return name


_DECIDERS: dict[type[schema.Command], Callable[[LiveTable, Viewer, Any], Change]] = {
    schema.Move: _move,
    schema.Go: _go,
    schema.Undo: _undo,
    schema.Roll: _roll,
    schema.Read: _read,
    schema.Sit: _sit,
    schema.Contribute: _contribute,
    schema.Rename: _rename,
    schema.HandOver: _hand_over,
    schema.TakeBack: _take_back,
    schema.SetCoach: _set_coach,
    schema.Adjudicate: _agree,
    schema.Rematch: _agree,
}


def decide(live: LiveTable, viewer: Viewer, command: schema.Command) -> Change:
    """The change that a command makes; Refusal if it is not allowed."""
    return _DECIDERS[type(command)](live, viewer, command)
