"""6mal6 in the terminal: everybody's row, hand and chips, and the pot."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core.events import Event
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.events import Card, Deal, Draw, Hand
from pasch.games.sixbysix.rules import Position
from pasch.games.sixbysix.settling import FIELDS, deciding, dues, houses, street_worth
from pasch.terminal.board import seat_name, spaced, standing
from pasch.terminal.language import listed, shown, t, tn

# --- drawing --------------------------------------------------------------------------------------


def draw(state: Position) -> RenderableType:
    """The round and the pot, then a line for each seat: its fields, its chips and its hand."""
    decided, seats = deciding(state), range(state.game.players)

    def card(seat: int, place: int) -> str:
        return f"{state.rows[seat][place] or '.'}{'!' if (seat, place + 1) in decided else ' '}"

    fields = [(str(place + 1), [card(seat, place) for seat in seats]) for place in range(FIELDS)]
    chips = t("chips"), [*map(shown, state.chips)]
    hands = [_hand(state.hands[seat]) or ("" if seat in state.order else t("out")) for seat in seats]
    drawn = standing(state, *fields, chips, (t("hand"), hands))
    streets = state.game.options.streets
    legend = t("! in a street") if streets else t("! lowest on its field, had to pay")
    return Group(Text(_title(state)), drawn, Text(legend if decided else "", style="dim"))


def _title(state: Position) -> str:
    dealer = seat_name(state.order[-1])
    if state.over:
        said = t("The game is over after round {n}", n=state.rounds)
    elif state.phase == "deal":
        said = t("{name} deals round {n}", name=dealer, n=state.rounds + 1)
        if state.rounds:
            said = f"{t('Round {n} is settled', n=state.rounds)}; {said}"
    else:
        laid = state.laid - (state.phase == "draw")
        said = t(
            "Round {n}, pass {pass} of {all}; {name} dealt",
            **{"n": state.rounds + 1, "pass": laid // len(state.order) + 1, "all": FIELDS, "name": dealer},
        )
    return f"{said}; {t('in the pot: {chips}', chips=state.pot)}"


def _hand(hand: Hand) -> str:
    return spaced("??" if card is None else card for card in hand)


# --- words ----------------------------------------------------------------------------------------


def tell(state: Position, event: Event) -> str:
    """The event in words; after the last card of a round also how it is settled."""
    if isinstance(event, Deal):
        return _tell_deal(state, event)
    if isinstance(event, Draw):
        return t("{name} draws {cards}", name=seat_name(event.seat), cards=_cards(event.draw))
    assert isinstance(event, Card)
    after, who = state.apply(event), seat_name(event.seat)
    said = t("{name} lays {card} on field {field}", name=who, card=event.card, field=event.field)
    return said if after.rounds == state.rounds else f"{said}. {_tell_settling(state, after)}"


def _tell_deal(state: Position, event: Deal) -> str:
    number, who = state.rounds + 1, seat_name(state.order[-1])
    seen = [(seat, hand) for seat, hand in enumerate(event.deal) if hand and None not in hand]
    if not seen:
        return t("Round {n}: {name} deals {cards} cards to everybody", n=number, name=who, cards=DEALT)
    got = (t("{name} gets {cards}", name=seat_name(seat), cards=_cards(hand)) for seat, hand in seen)
    return f"{t('Round {n}: {name} deals', n=number, name=who)}; {', '.join(got)}"


def _cards(cards: Hand) -> str:
    return t("{n} cards", n=len(cards)) if None in cards else listed(map(str, cards))


def _tell_settling(before: Position, after: Position) -> str:
    said = [t("Round {n} is settled: {changes}", n=after.rounds, changes=_payments(before, after))]
    if before.game.options.streets:
        paid = houses(max(street_worth(after.rows[seat]) for seat in before.order))
        street = tn("a street for {n} chip", "a street for {n} chips", paid) if paid else t("no street")
        said[0] += f" ({street})"
    out = [seat for seat in before.order if not after.chips[seat]]
    if out:
        said.append(tn("{names} is out", "{names} are out", len(out), names=[*map(seat_name, sorted(out))]))
    said.append(t("In the pot: {chips}", chips=after.pot))
    return ". ".join(said)


def _payments(before: Position, after: Position) -> str:
    """Who pays and who takes, in the order of the seats."""
    round_ = before.game.options.streets, after.rows, before.order, len(before.order)
    paid, taken = [], []
    for seat in sorted(before.order):
        pays = min(dues(*round_, seat), before.chips[seat])
        takes = after.chips[seat] - before.chips[seat] + pays
        if pays:
            paid.append(t("{name} pays {chips}", name=seat_name(seat), chips=pays))
        if takes:
            taken.append(t("{name} takes {chips}", name=seat_name(seat), chips=takes))
    return ", ".join([*(paid or [t("nobody pays")]), *taken])


def heading(move: Event) -> str:
    """Moves are listed by the card."""
    assert isinstance(move, Card)
    return t("Lay the {card}", card=move.card)


def label(state: Position, move: Event) -> str:
    """The card, the field, and what the others have there."""
    assert isinstance(move, Card)
    there = [state.rows[seat][move.field - 1] for seat in state.order if seat != move.seat]
    said = t("{card} on field {field}", card=move.card, field=move.field)
    if not any(there):
        return said
    return t("{what} (there: {cards})", what=said, cards=spaced(sorted(filter(None, there))))


# --- reading real cards ---------------------------------------------------------------------------


def prompt(state: Position) -> str:
    """What to type for the cards that were dealt or drawn at the real table."""
    if state.phase != "deal":
        who = seat_name(state.seat)
        return t("The {n} cards that {name} draws, such as {example}", n=DRAWN, name=who, example="3 9")
    example = ", ".join(["3 9", "1 4", "7 7", "2 5", "8 6", "4 9"][: len(state.order)])
    names = ", ".join(map(seat_name, sorted(state.order)))
    return t("The cards dealt to {names}, such as {example}", names=names, example=example)
