"""6mal6 in the terminal: everybody's row, hand and chips, and the pot."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.events import Card, Deal, Draw, Hand
from pasch.games.sixbysix.rules import SixBySix, SixBySixState
from pasch.games.sixbysix.settling import FIELDS, Settlement, houses, payers, street_worth, streets
from pasch.terminal.words import seat_name


def _mine(state: State) -> tuple[SixBySixState, SixBySix]:
    assert isinstance(state, SixBySixState) and isinstance(state.game, SixBySix)
    return state, state.game


# --- drawing --------------------------------------------------------------------------------------


def draw(state: State) -> RenderableType:
    """The round and the pot, then a line for each seat: its fields, its chips and its hand."""
    state, game = _mine(state)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("field")
    for field in range(1, FIELDS + 1):
        table.add_column(str(field), justify="right")
    table.add_column("chips", justify="right")
    table.add_column("hand")
    marked = _marked(state, game)
    for seat, row in enumerate(state.rows):
        here = seat == state.seat and state.phase in ("card", "draw")
        won = seat in state.winners()
        table.add_row(
            ">" if here else "*" if won else "",
            seat_name(seat),
            *(f"{card or '.'}{'!' if (seat, p) in marked else ' '}" for p, card in enumerate(row)),
            str(state.chips[seat]),
            _hand(state.hands[seat]) or ("" if seat in state.order else "out"),
            style="bold" if here or won else "",
        )
    return Group(Text(_title(state)), table, *_legend(game, marked))


def _title(state: SixBySixState) -> str:
    pot = f"in the pot: {state.pot}"
    if state.over:
        return f"The game is over after round {state.rounds}; {pot}"
    if state.phase == "deal":
        settled = f"Round {state.rounds} is settled; " if state.rounds else ""
        return f"{settled}{seat_name(state.dealer)} deals round {state.rounds + 1}; {pot}"
    laid = state.laid - (state.phase == "draw")
    number = laid // len(state.order) + 1
    return f"Round {state.rounds + 1}, pass {number} of {FIELDS}; {seat_name(state.dealer)} dealt; {pot}"


def _hand(hand: Hand) -> str:
    return " ".join("??" if card is None else str(card) for card in hand)


def _marked(state: SixBySixState, game: SixBySix) -> set[tuple[int, int]]:
    """Seat and place of the cards that decided the round just settled: the lowest, or the streets."""
    played = [seat for seat, row in enumerate(state.rows) if all(row)]
    if state.phase not in ("deal", "over") or not played:
        return set()
    if game.options.streets:
        return {(seat, place) for seat in played for run in streets(state.rows[seat]) for place in run}
    return {(played[row], field - 1) for row, field in payers([state.rows[seat] for seat in played])}


def _legend(game: SixBySix, marked: set[tuple[int, int]]) -> list[Text]:
    if not marked:
        return []
    return [
        Text("! in a street" if game.options.streets else "! lowest on its field, had to pay", style="dim")
    ]


# --- words ----------------------------------------------------------------------------------------


def tell(state: State, event: Event) -> str:
    """The event in words; after the last card of a round also how it is settled."""
    state, game = _mine(state)
    if isinstance(event, Deal):
        return _tell_deal(state, event)
    if isinstance(event, Draw):
        return f"{seat_name(event.seat)} draws {_cards(event.draw)}"
    assert isinstance(event, Card)
    said = f"{seat_name(event.seat)} lays {_a(event.card)} on field {event.field}"
    after = state.apply(event)
    return said if after.rounds == state.rounds else f"{said}. {_tell_settling(state, after, game)}"


def _tell_deal(state: SixBySixState, event: Deal) -> str:
    said = f"Round {state.rounds + 1}: {seat_name(state.dealer)} deals"
    shown = [(seat, hand) for seat, hand in enumerate(event.deal) if hand and None not in hand]
    if not shown:
        return f"{said} {DEALT} cards to everybody"
    return f"{said}; " + ", ".join(f"{seat_name(seat)} gets {_cards(hand)}" for seat, hand in shown)


def _a(card: int) -> str:
    return f"an {card}" if card == 8 else f"a {card}"


def _cards(cards: Hand) -> str:
    return f"{len(cards)} cards" if None in cards else " and ".join(map(str, cards))


def _tell_settling(before: SixBySixState, after: SixBySixState, game: SixBySix) -> str:
    rows = [after.rows[seat] for seat in before.order]
    settled = game.settle(rows, [before.chips[seat] for seat in before.order], before.pot)
    said = [f"Round {after.rounds} is settled: {_payments(before, settled)}"]
    if game.options.streets:
        paid = houses(max(map(street_worth, rows)))
        said[0] += f" ({paid} houses)" if paid else " (no street)"
    out = [seat for seat in before.order if not after.chips[seat]]
    if out:
        said.append(f"{_names(out)} {'is' if len(out) == 1 else 'are'} out")
    said.append(f"In the pot: {after.pot}")
    return ". ".join(said)


def _payments(before: SixBySixState, settled: Settlement) -> str:
    """Who pays and who takes, in the order of the seats."""
    by_seat = sorted(zip(before.order, settled.paid, settled.taken, strict=True))
    paid = [f"{seat_name(seat)} pays {chips}" for seat, chips, _ in by_seat if chips]
    taken = [f"{seat_name(seat)} takes {chips}" for seat, _, chips in by_seat if chips]
    return ", ".join([*(paid or ["nobody pays"]), *taken])


def _names(seats: list[int]) -> str:
    return " and ".join(map(seat_name, sorted(seats)))


def heading(move: Event) -> str:
    """Moves are listed by the card."""
    assert isinstance(move, Card)
    return f"Lay {_a(move.card)}"


def label(state: State, move: Event) -> str:
    """The card, the field, and what the others have there."""
    state, _ = _mine(state)
    assert isinstance(move, Card)
    there = [state.rows[seat][move.field - 1] for seat in state.order if seat != move.seat]
    others = f" (there: {' '.join(map(str, sorted(filter(None, there))))})" if any(there) else ""
    return f"{move.card} on field {move.field}{others}"


# --- reading real cards ---------------------------------------------------------------------------


def prompt(state: State) -> str:
    """What to type for the cards that were dealt or drawn at the real table."""
    state, _ = _mine(state)
    if state.phase != "deal":
        return f"The {DRAWN} cards that {seat_name(state.seat)} draws, such as 3 9"
    example = ", ".join(["3 9", "1 4", "7 7", "2 5", "8 6", "4 9"][: len(state.order)])
    return f"The cards dealt to {', '.join(map(seat_name, sorted(state.order)))}, such as {example}"


def read_outcome(state: State, text: str) -> Event:
    """The deal or draw that was typed; every digit is a card."""
    state, game = _mine(state)
    wanted = DEALT * len(state.order) if state.phase == "deal" else DRAWN
    digits = re.sub(r"[\s,;/|]", "", text)
    if not re.fullmatch(r"[1-9]*", digits) or len(digits) != wanted:
        raise EventError("expected {wanted} cards, each from 1 to 9", wanted=wanted)
    cards = list(map(int, digits))
    if state.phase != "deal":
        return Draw(state.seat, tuple(cards))
    hands: list[tuple[int, ...]] = [()] * game.players
    for place, seat in enumerate(sorted(state.order)):
        hands[seat] = tuple(cards[DEALT * place : DEALT * (place + 1)])
    return Deal(tuple(hands))
