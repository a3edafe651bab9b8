"""6mal6, to be compiled: rounds played out, again and again, by a quick player.

Players are counted in the order of the round, so that player 0 lays the first card. Hands are numbers of
cards by value. What is rule comes from the game's rule functions, compiled with these.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pasch.core.philox import block
from pasch.core.rules import lean
from pasch.games.sixbysix.box import CARDS_PER_SEAT, DRAWN
from pasch.games.sixbysix.rules import draws_after, has_won, is_over, seat_to_lay
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, bonus_sum, settle, street_worth
from pasch.games.sixbysix.values.tables import Floats, Ints, Policy, ways

#: how many single streets there are
WAYS = len(ways())
#: how much the streets beside the best one count that can still come
FURTHER = 0.1


class KnownRound(NamedTuple):
    """A round under way, as far as it is known."""

    rows: Ints
    #: cards known to be on the hands: [player, card]
    hands: Ints
    #: how many cards of each hand are not known
    hidden: Ints
    #: the cards of which nobody knows where they are, one by one
    unseen: Ints
    laid: int
    #: the player who has laid and is to draw, or -1
    drawing: int
    chips: Ints
    pot: int
    #: chips for the highest sum of fields 1 and 6
    bonus: int


class Work(NamedTuple):
    """Room for one round, so that none has to be made for each."""

    rows: Ints
    #: how many fields are empty, by player
    empty: Ints
    hands: Ints
    next: Ints
    #: the seats are the players here, in their order; and who lays each card of the round
    order: Ints
    turns: Ints
    chips: Ints
    #: the hand from the highest card down
    held: Ints
    #: the values of the hand from the highest down, and what the rest is good for if such a card is laid
    kinds: Ints
    keep: Floats
    #: how many fields those have empty who have one field empty
    waiting: Ints
    #: the streets that can still come, as numbers, and their hopes
    open: Ints
    hope: Floats
    #: streets: the chance that a card will still come: [empty fields, card]
    coming: Floats
    #: the pile of a world, and the generator that shuffles it
    cards: Ints
    random: Ints


def room(players: int, cards: int) -> Work:
    """Room for a round of so many players, of which so many cards are not known."""
    return Work(
        np.zeros((players, FIELDS), np.int64),
        np.zeros(players, np.int64),
        np.zeros((players, HIGHEST + 1), np.int64),
        np.zeros(players, np.int64),
        np.arange(players),
        turns_of(players),
        np.zeros(players, np.int64),
        np.zeros(CARDS_PER_SEAT, np.int64),
        np.zeros(HIGHEST, np.int64),
        np.zeros(HIGHEST),
        np.zeros(players, np.int64),
        np.zeros(WAYS, np.int64),
        np.zeros(WAYS),
        np.zeros((FIELDS, HIGHEST + 1)),
        np.zeros(cards, np.int64),
        np.zeros(10, np.int64),
    )


def turns_of(players: int) -> Ints:
    """Who lays each card of a round."""
    order, turns = np.arange(players), np.zeros(FIELDS * players, np.int64)
    for laid in range(len(turns)):
        turns[laid] = seat_to_lay(order, players, laid)
    return turns


class Rest(NamedTuple):
    """Room for the rest of a game, and what comes out: by player how often it wins, and its chips in the end."""

    #: seats that are out have no chips
    chips: Ints
    seats: Ints
    rows: Ints
    random: Ints
    won: Floats
    final: Floats


def room_for_rest(seats: int, players: int) -> Rest:
    """Room for games of so many seats, so many of which are still in."""
    return Rest(
        np.zeros(seats, np.int64),
        np.zeros(players, np.int64),
        np.zeros((players, FIELDS), np.int64),
        np.zeros(10, np.int64),
        np.zeros(players),
        np.zeros(players),
    )


# --- chance ---------------------------------------------------------------------------------------


def begin(state: Ints, seed: int, number: int) -> None:
    """A generator of its own for each number: Philox, whose key is the seed and whose upper counter is the number.

    Its state: the four words of that, blocks made, words left of the last block, and these words.
    """
    state[0], state[1] = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF
    state[2], state[3] = number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF
    state[4] = state[5] = 0


def below(state: Ints, stop: int) -> int:
    """A whole number from 0 to stop - 1."""
    if state[5] == 0:
        made = block(int(state[0]), int(state[1]), int(state[4]), 0, int(state[2]), int(state[3]))
        for place in range(4):
            state[6 + place] = made[place]
        state[4] += 1
        state[5] = 4
    state[5] -= 1
    return (int(state[6 + state[5]]) * int(stop)) >> 32 & 0xFFFFFFFF


def shuffle(state: Any, cards: Ints, wanted: int) -> None:
    """Bring the first `wanted` cards into a random order, drawn from all of them."""
    for place in range(wanted):
        other = place + below(state, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]


# --- the quick player -----------------------------------------------------------------------------


def empty_fields(row: Ints) -> int:
    """How many fields of a row are empty."""
    number = 0
    for place in range(FIELDS):
        number += row[place] == 0
    return number


def lowest_beside(rows: Ints, player: int, place: int) -> int:
    """The lowest card that others have on a field so far; 0 if nobody has one."""
    lowest = 0
    for other in range(len(rows)):
        card = rows[other, place]
        if other != player and card and (lowest == 0 or card < lowest):
            lowest = card
    return lowest


def highest_sum(rows: Ints, player: int) -> int:
    """The highest sum of fields 1 and 6 that another has complete; 0 if nobody has."""
    highest = 0
    for other in range(len(rows)):
        if other != player and rows[other, 0] and rows[other, FIELDS - 1]:
            highest = max(highest, bonus_sum(rows[other]))
    return highest


def risk(policy: Policy, work: Work, player: int, place: int, card: int) -> float:
    """What this card on this field is likely to cost: nothing as soon as somebody lies lower.

    Who counts the others' chips would rather share being lowest than be it alone, which saves somebody else the price.
    """
    rows, lowest, alone = work.rows, 1.0, 1.0
    for other in range(len(rows)):
        if other == player:
            continue
        theirs = rows[other, place]
        if theirs == 0:
            reach = policy.reach[work.empty[other], place]
            lowest *= reach[card]
            alone *= reach[card + 1] if card < HIGHEST else 0.0
        else:
            lowest *= theirs >= card
            alone *= theirs > card
    return (place + 1) * (lowest + policy.rivalry * alone / (len(rows) - 1))


def choose_by_fields(policy: Policy, work: Work, player: int) -> tuple[int, int]:
    """The card and the place that promise most: what they cost now, and what the rest is good for."""
    rows, row, waiting = work.rows, work.rows[player], work.waiting
    left = work.empty[player] - 1
    kinds = _value_the_rest(policy, work, work.hands[player], left)
    bonus = policy.bonus[left, :, :, highest_sum(rows, player)]
    first, last = row[0], row[FIELDS - 1]
    best, best_card, best_place = -np.inf, 0, 0
    for place in range(FIELDS):
        if row[place]:
            continue
        lowest, empty = 0, 0
        for other in range(len(rows)):
            if other != player:
                theirs = rows[other, place]
                if theirs == 0:
                    waiting[empty] = work.empty[other]
                    empty += 1
                elif lowest == 0 or theirs < lowest:
                    lowest = theirs
        saved = policy.open_cost[left, place, lowest]
        for kind in range(kinds - 1, -1, -1):
            # as `risk` has it
            card, risk = work.kinds[kind], 0.0
            if lowest == 0 or card <= lowest:
                risk = 1.0
                for other in range(empty):
                    risk *= policy.reach[waiting[other], place, card]
            if card < HIGHEST and (lowest == 0 or card < lowest):
                alone = policy.rivalry / (len(rows) - 1)
                for other in range(empty):
                    alone *= policy.reach[waiting[other], place, card + 1]
                risk += alone
            value = saved - (place + 1) * risk + work.keep[kind]
            if place == 0:
                value += bonus[card, last]
            elif place == FIELDS - 1:
                value += bonus[first, card]
            else:
                value += bonus[first, last]
            if value > best:
                best, best_card, best_place = value, card, place
    return best_card, best_place


def _value_the_rest(policy: Policy, work: Work, hand: Ints, left: int) -> int:
    """For each value of the hand what the other cards are good for: as many of the best as there are fields."""
    held, size, kinds = work.held, 0, 0
    for card in range(HIGHEST, 0, -1):
        for _ in range(hand[card]):
            held[size] = card
            size += 1
    before = 0.0
    for without in range(size):
        card = held[without]
        if without == 0 or card != held[without - 1]:
            value = before
            for place in range(without, min(left, size - 1)):
                value += policy.hold[left, place, held[place + 1]]
            work.kinds[kinds], work.keep[kinds] = card, value
            kinds += 1
        if without < left:
            before += policy.hold[left, without, card]
    return kinds


def choose_by_streets(policy: Policy, work: Work, player: int) -> tuple[int, int]:
    """The card and the place that keep the best street in sight, and a little of the others."""
    hand, row = work.hands[player], work.rows[player]
    left = work.empty[player] - 1
    streets, coming, hopes = policy.ways, work.coming[left], 0
    for way in range(len(streets)):
        chance = policy.result[streets[way, 3]] - policy.result[0]
        for step in range(streets[way, 2]):
            there, card = row[streets[way, 0] + step], streets[way, 1] + step
            if there == 0:
                chance *= 1.0 if hand[card] else coming[card]
            elif there != card:
                chance = 0.0
                break
        if chance > 0.0:
            work.open[hopes], work.hope[hopes] = way, chance
            hopes += 1
    best, best_card, best_place = -np.inf, 0, 0
    for place in range(FIELDS):
        if row[place]:
            continue
        for card in range(1, HIGHEST + 1):
            if not hand[card]:
                continue
            if left == 0:
                row[place] = card
                value = policy.result[street_worth(row)]
                row[place] = 0
            else:
                value = _prospect(policy, work, hopes, player, place, card)
            if value > best:
                best, best_card, best_place = value, card, place
    return best_card, best_place


def _prospect(policy: Policy, work: Work, hopes: int, player: int, place: int, card: int) -> float:
    """The streets that are left to hope for if this card is laid there."""
    row, hand, streets = work.rows[player], work.hands[player], policy.ways
    coming = work.coming[work.empty[player] - 1]
    most, sum_ = 0.0, 0.0
    for number in range(hopes):
        way, chance = work.open[number], work.hope[number]
        start, first = streets[way, 0], streets[way, 1]
        end = start + streets[way, 2]
        if start <= place < end:
            if card - first != place - start:
                continue
        elif first <= card < first + end - start and row[start + card - first] == 0 and hand[card] == 1:
            chance *= coming[card]  # the street needs this card elsewhere
        most = max(most, chance)
        sum_ += chance
    return most + FURTHER * sum_


# --- a round --------------------------------------------------------------------------------------


def expect_cards(work: Work, unseen: Ints) -> None:
    """For each number of draws to come, the chance that one of them is this card."""
    for card in range(1, HIGHEST + 1):
        number = 0
        for other in unseen:
            number += other == card
        none = 1.0
        for left in range(FIELDS):
            work.coming[left, card] = 1 - none
            for _ in range(DRAWN):
                none *= 1 - number / max(1, len(unseen))


def wanted_cards(position: KnownRound) -> int:
    """How many unknown cards come to light until the end of the round: hidden now, or drawn."""
    players = len(position.rows)
    wanted = 0
    for player in range(players):
        wanted += position.hidden[player] + DRAWN * max(0, empty_fields(position.rows[player]) - 1)
    return wanted + (DRAWN if position.drawing >= 0 else 0)


def lay_out(position: KnownRound, cards: Ints, work: Work) -> None:
    """The round as it may be: hidden cards and later draws are those in `cards`.

    Each player has a share of `cards` of its own, which is the same whatever is laid.
    """
    share = 0
    for player in range(len(position.rows)):
        for place in range(FIELDS):
            work.rows[player, place] = position.rows[player, place]
        work.empty[player] = empty_fields(position.rows[player])
        for card in range(HIGHEST + 1):
            work.hands[player, card] = position.hands[player, card]
        work.next[player] = share
        take(work, cards, player, position.hidden[player])
        share += position.hidden[player] + DRAWN * max(0, work.empty[player] - 1)
        if position.drawing == player:
            take(work, cards, player, DRAWN)
            share += DRAWN


def take(work: Work, cards: Ints, player: int, number: int) -> None:
    """Give a player the next cards of its share."""
    for _ in range(number):
        work.hands[player, cards[work.next[player]]] += 1
        work.next[player] += 1


def choose(policy: Policy, work: Work, player: int) -> tuple[int, int]:
    """What the quick player lays, and where."""
    if policy.streets:
        return choose_by_streets(policy, work, player)
    return choose_by_fields(policy, work, player)


def lay(work: Work, cards: Ints, player: int, card: int, place: int, laid: int) -> None:
    """Lay a card, the `laid`-th of the round, and draw for it."""
    work.rows[player, place] = card
    work.empty[player] -= 1
    work.hands[player, card] -= 1
    if draws_after(laid, len(work.rows)):
        take(work, cards, player, DRAWN)


def play_round(policy: Policy, work: Work, cards: Ints, laid: int) -> None:
    """The rest of a round, everybody being a quick player."""
    while laid < FIELDS * len(work.rows):
        player = work.turns[laid]
        card, place = choose(policy, work, player)
        laid += 1
        lay(work, cards, player, card, place, laid)


# --- the two questions ----------------------------------------------------------------------------


@lean
def play_out(
    policy: Policy, position: KnownRound, work: Work, moves: Ints, which: Ints, worlds: tuple[int, int],
    seed: int, out: Any,
) -> None:  # fmt: skip
    """How the round ends after each of these moves in each of these worlds.

    A world is one way in which the hidden cards may lie; it is the same for all moves. `which` are the
    numbers of the moves to try; a move is card and place, or card 0 where the quick player chooses for
    everybody. `out` gets, for each move and world, all chips after the round and what is in the pot.
    """
    players, cards = len(position.rows), work.cards
    expect_cards(work, position.unseen)
    wanted = wanted_cards(position)
    for world in range(worlds[0], worlds[1]):
        for place in range(len(cards)):
            cards[place] = position.unseen[place]
        begin(work.random, seed, world)
        shuffle(work.random, cards, wanted)
        for move in which:
            lay_out(position, cards, work)
            laid = position.laid
            if moves[move, 0]:
                player = work.turns[laid]
                laid += 1
                lay(work, cards, player, moves[move, 0], moves[move, 1], laid)
            play_round(policy, work, cards, laid)
            for player in range(players):
                work.chips[player] = position.chips[player]
            out[move, world, players] = settle(
                policy.streets, position.bonus, work.rows, work.order, players, work.chips, position.pot
            )
            for player in range(players):
                out[move, world, player] = work.chips[player]


@lean
def finish(
    g: Any,
    ends_of_rounds: Any,
    ends: Any,
    played: int,
    games: int,
    first: int,
    seed: int,
    rest: Rest,
) -> None:
    """How often each player is among the winners, and with how many chips, after a round that ended so.

    The rest of each game is made of rounds that the quick player has played with itself, who sits
    where being drawn by lot: `ends_of_rounds` has their rows by number of players. `ends` is what `play_out` found
    for one move in one world; `first` numbers the games: ends with the same number are followed by the same games.
    """
    players = len(ends) - 1
    chips, seats, rows = rest.chips, rest.seats, rest.rows
    for player in range(players):
        rest.won[player] = rest.final[player] = 0.0
    for game in range(games):
        begin(rest.random, seed, first + game)
        pot, number, still_in = ends[players], played, players
        for player in range(players):
            chips[player] = ends[player]
            seats[player] = player
        while not is_over(g, chips, number):
            still_in = 0
            for player in range(players):
                if chips[player] > 0:
                    seats[still_in] = player
                    still_in += 1
            which, turn = below(rest.random, ends_of_rounds.shape[1]), below(rest.random, still_in)
            for place in range(still_in):
                end = ends_of_rounds[still_in, which, (place + turn) % still_in]
                for field in range(FIELDS):
                    rows[seats[place], field] = end[field]
            pot = settle(g.streets, g.bonus, rows, seats, still_in, chips, pot)
            number += 1
        for player in range(players):
            rest.won[player] += has_won(seats, still_in, chips, player) / games
            rest.final[player] += chips[player] / games
