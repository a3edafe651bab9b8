"""New tables: from a request, and for a rematch of the same people."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from pasch.core.errors import ComponentError, PaschError
from pasch.core.fair import commitment, day_seed
from pasch.core.registry import find_game
from pasch.players.base import player_names
from pasch.store.base import LogEntry
from pasch.table import tokens
from pasch.table.commands import clean_name, roll_on
from pasch.table.limits import check_box, check_size, custom_box, is_too_large
from pasch.table.log import Agreement, Chair, Change, LiveTable
from pasch.table.refusals import Refusal
from pasch.table.schema import MAX_GIVEN, CoachMode, MadeTable, NewTable, SeatRequest


def new_table(
    request: NewTable, bots: tuple[str, ...], made: int, large_boxes: bool = False
) -> tuple[LiveTable, MadeTable]:
    """The requested table, before its first event, and its tokens; Refusal if the request is not valid.

    With `large_boxes` its box may be larger than a printed one.
    """
    if len(request.events) > MAX_GIVEN:
        raise Refusal("too-large", "a table begins with at most {most} events", most=MAX_GIVEN)
    seats = list(request.seats)
    if request.draw_lots:
        secrets.SystemRandom().shuffle(seats)
    if not large_boxes:
        _refuse_large(check_size, request.options)
    try:
        game = find_game(request.game).agree(len(seats), request.options)
    except PaschError as error:
        raise Refusal.because("illegal", error) from None
    box = custom_box(game)
    if box is not None and not large_boxes:
        _refuse_large(check_box, box)
    if request.stand_in not in player_names():
        raise Refusal("illegal", "there is no computer player {name!r}", name=request.stand_in)
    chairs, seat_tokens, invitations = _chairs(seats, bots)
    coach, chairs = _coach(request.coach, chairs)
    watch, maker = tokens.new_token(), tokens.new_token()
    table, secret = secrets.token_urlsafe(9), tokens.Secrets.new()
    if request.day:
        if [seat.kind for seat in seats] != ["here"] or request.dice != "pasch" or request.events:
            raise Refusal(
                "illegal", "the game of the day is played alone, from its start, with the dice of Pasch"
            )
        secret = secret._replace(seed=day_seed(request.day, game.id))
    agreement = Agreement(
        game=game.id,
        options=game.options.json(),
        chairs=chairs,
        coach=coach,
        dice=request.dice,
        made=made,
        watch=tokens.hash_token(watch),
        maker=tokens.hash_token(maker),
        commitment=commitment(secret.seed) if request.dice == "pasch" else None,
        given=len(request.events),
        stand_in=request.stand_in,
        day=request.day,
    )
    return LiveTable(table, agreement, game, secret), MadeTable(
        table, seat_tokens, invitations, watch, maker
    )


def _refuse_large(check: Callable[[Any], None], box: Any) -> None:
    try:
        check(box)
    except ComponentError as error:
        raise Refusal.because("too-large", error) from None


def begin(live: LiveTable, events: tuple[dict[str, Any], ...]) -> list[LogEntry]:
    """The log lines of the events that a new table begins with, and of the automatic rolls after them."""
    try:
        for written in events:
            live.apply(live.play(live.game.read_event(written)))
    except PaschError as error:
        template = "number {number} of the moves and rolls that the table begins with is not possible"
        raise Refusal("illegal", template, number=live.version + 1, detail=error.reason) from None
    live.apply(roll_on(live, Change(live.current)))
    return [LogEntry(line.encode()) for line in live.lines]


def _chairs(
    seats: list[SeatRequest], bots: tuple[str, ...]
) -> tuple[tuple[Chair, ...], dict[str, str], dict[str, str]]:
    """The chairs, and the tokens and invitations that belong to them, by the seat's number."""
    chairs: list[Chair] = []
    seat_tokens: dict[str, str] = {}
    invitations: dict[str, str] = {}
    for number, seat in enumerate(seats):
        name = clean_name(seat.name, empty=True)
        if seat.kind == "computer":
            if seat.level in bots:
                name = name or seat.level
            elif seat.level not in player_names():
                raise Refusal("illegal", "there is no computer player {name!r}", name=seat.level)
            chairs.append(Chair(kind="computer", name=name, level=seat.level))
        elif seat.kind == "here":
            token = seat_tokens[str(number)] = tokens.new_token()
            chairs.append(Chair(kind="here", name=name, token=tokens.hash_token(token)))
        else:
            token = invitations[str(number)] = tokens.new_token()
            chairs.append(Chair(kind="open", name=name, invitation=tokens.hash_token(token)))
    return tuple(chairs), seat_tokens, invitations


def _coach(requested: CoachMode, chairs: tuple[Chair, ...]) -> tuple[CoachMode, tuple[Chair, ...]]:
    """The initial coach mode: hints are for all or for none, so people who join by a link are asked."""
    if requested != "hints" or not any(chair.kind == "open" for chair in chairs):
        return requested, chairs
    asked = (
        msgspec.structs.replace(chair, wish=requested) if chair.kind == "here" else chair
        for chair in chairs
    )
    return "after", tuple(asked)


def rematch(live: LiveTable, made: int) -> LiveTable:
    """The next table of the same people, before its first event: the same seats, options, levels and coach.

    Tokens are kept as hashes only, and these are taken over: who has a seat here has it there, too.
    """
    if is_too_large(live.game):
        raise Refusal("too-large", "this box is larger than those of new tables, so there is no rematch")
    table, secret = secrets.token_urlsafe(9), tokens.Secrets.new()
    agreement = msgspec.structs.replace(
        live.agreement,
        chairs=tuple(_chair_again(live, seat) for seat in range(len(live.current.chairs))),
        coach=live.current.coach,
        made=made,
        commitment=commitment(secret.seed) if live.agreement.dice == "pasch" else None,
        given=0,
        day="",
    )
    return LiveTable(table, agreement, live.game, secret)


def _chair_again(live: LiveTable, seat: int) -> Chair:
    """Who sits there next: the same one, or the computer for a person who is away and was not waited for."""
    chair, initial = live.current.chairs[seat], live.agreement.chairs[seat]
    if not chair.owned:
        # a program that has failed may try again
        level = initial.level if initial.kind == "computer" else chair.level
        return Chair(kind="computer", name=chair.name, level=level)
    person: Literal["here", "link"] = "here" if "here" in (chair.kind, chair.lender) else "link"
    away = live.presence.away(seat)
    if away == "gone" or (away is not None and chair.lender is not None):
        level = chair.level or live.agreement.stand_in
        return Chair(kind="computer", name=chair.name, level=level, lender=person, token=chair.token)
    return Chair(kind=person, name=chair.name, token=chair.token)
