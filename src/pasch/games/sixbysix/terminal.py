"""6mal6 in the terminal: everybody's row, hand and chips, and the pot."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core.events import Event
from pasch.games.sixbysix.events import Card, Deal, Draw, Hand
from pasch.games.sixbysix.rules import Position
from pasch.games.sixbysix.settling import FIELDS, deciding
from pasch.terminal.board import seat_name, spaced, standing
from pasch.terminal.language import listed, shown, t

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
        seen = enumerate(event.deal)
        hands = [f"{seat_name(seat)} {_cards(hand)}" for seat, hand in seen if hand and None not in hand]
        return (
            t("The cards are dealt: {hands}", hands="; ".join(hands)) if hands else t("The cards are dealt")
        )
    who = seat_name(state.seat)
    if isinstance(event, Draw):
        if None in event.draw:
            return t("{name} draws two cards", name=who)
        return t("{name} draws {cards}", name=who, cards=_cards(event.draw))
    assert isinstance(event, Card)
    after = state.apply(event)
    said = t("{name} lays {card} on field {field}", name=who, card=event.card, field=event.field)
    if after.rounds == state.rounds:
        return said
    gains = [(seat, after.chips[seat] - state.chips[seat]) for seat in sorted(state.order)]
    changes = listed(f"{seat_name(seat)} {gain:+}" for seat, gain in gains)
    return t("{what}. The round is settled: {changes}", what=said, changes=changes)


def _cards(cards: Hand) -> str:
    return listed(map(str, cards))


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
    seats = sorted(state.order) if state.phase == "deal" else [state.seat]
    example = ", ".join(["3 9", "1 4", "7 7", "2 5", "8 6", "4 9"][: len(seats)])
    names = ", ".join(map(seat_name, seats))
    return t("Two cards each for {names}, such as {example}", names=names, example=example)
