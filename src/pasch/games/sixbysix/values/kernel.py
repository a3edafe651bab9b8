"""6mal6, to be compiled: rounds played out, again and again, by a quick player.

A round is played by the game's rule functions, compiled with these: they say who lays, what may be laid, when cards are
drawn and how it ends. What the quick player looks at is copied from the state before each of its choices (`observe`);
there players are counted in the order of the round, so that player 0 lays the first card.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.philox import block
from pasch.core.rules import lean
from pasch.games.sixbysix.box import CARDS_PER_SEAT, DRAWN
from pasch.games.sixbysix.rules import (
    DEAL,
    DRAW,
    MAX_IN_HAND,
    Config,
    SixBySix,
    begin_round,
    code_of,
    draws_after,
    give,
    has_won,
    is_over,
    lay,
    lays,
    next_to_lay,
    seat_to_lay,
)
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, bonus_sum, settle, street_worth
from pasch.games.sixbysix.values.tables import Floats, Ints, Policy, ways
from pasch.solve.records import record_type

#: states as compiled code takes them, whatever the number of players
STATE = record_type(SixBySix(2))
#: how many single streets there are
WAYS = len(ways())
#: how much the streets beside the best one count that can still come
FURTHER = 0.1


class Known(NamedTuple):
    """What is known of the cards of a round, by player in the order of the round."""

    #: cards known to be on the hands: [player, card]
    hands: Ints
    #: how many cards of each hand are not known
    hidden: Ints
    #: the cards of which nobody knows where they are, one by one
    unseen: Ints


class Scratch(NamedTuple):
    """Room for one round, so that none has to be made for each."""

    #: the round that is played, the seats in its order; by player where its share of the cards begins, and which of
    #: them comes next
    state: NDArray[np.void]
    order: Ints
    share: Ints
    next: Ints
    #: what the quick player looks at: rows and how many fields are empty, by player; its hand, by card
    rows: Ints
    empty: Ints
    hand: Ints
    #: the moves as codes, and by code whether it is one of them
    codes: Any
    legal: NDArray[np.bool_]
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


def room(players: int, cards: int) -> Scratch:
    """Room for a round of so many players, of which so many cards are not known."""
    return Scratch(
        np.zeros(1, STATE),
        np.arange(players),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros((players, FIELDS), np.int64),
        np.zeros(players, np.int64),
        np.zeros(HIGHEST + 1, np.int64),
        np.zeros(FIELDS * HIGHEST, np.int64),
        np.zeros(FIELDS * HIGHEST, np.bool_),
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


def risk(policy: Policy, work: Scratch, player: int, place: int, card: int) -> float:
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


def choose_by_fields(policy: Policy, work: Scratch, player: int) -> tuple[int, int]:
    """The card and the place that promise most: what they cost now, and what the rest is good for."""
    rows, row, waiting = work.rows, work.rows[player], work.waiting
    left = work.empty[player] - 1
    kinds = _value_the_rest(policy, work, work.hand, left)
    bonus = policy.bonus[left, :, :, highest_sum(rows, player)]
    first, last = row[0], row[FIELDS - 1]
    best, best_card, best_place = -np.inf, 0, 0
    for place in range(FIELDS):
        if not may_be_laid_on(work, place):
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
            if not work.legal[code_of(card, place)]:
                continue
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


def _value_the_rest(policy: Policy, work: Scratch, hand: Ints, left: int) -> int:
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


def choose_by_streets(policy: Policy, work: Scratch, player: int) -> tuple[int, int]:
    """The card and the place that keep the best street in sight, and a little of the others."""
    hand, row = work.hand, work.rows[player]
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
        for card in range(1, HIGHEST + 1):
            if not work.legal[code_of(card, place)]:
                continue
            if left == 0:
                before, row[place] = row[place], card
                value = policy.result[street_worth(row)]
                row[place] = before
            else:
                value = _prospect(policy, work, hopes, player, place, card)
            if value > best:
                best, best_card, best_place = value, card, place
    return best_card, best_place


def _prospect(policy: Policy, work: Scratch, hopes: int, player: int, place: int, card: int) -> float:
    """The streets that are left to hope for if this card is laid there."""
    row, hand, streets = work.rows[player], work.hand, policy.ways
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


def expect_cards(work: Scratch, unseen: Ints) -> None:
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


def share_out(g: Config, s: Any, known: Known, work: Scratch) -> int:
    """Find the shares of the unknown cards that come to light until the end of the round; how many these are.

    Each player has one of its own, which is the same whatever is laid: cards hidden now, dealt or drawn.
    """
    wanted = 0
    for player in range(s.playing):
        work.order[player], work.share[player] = s.order[player], wanted
        wanted += known.hidden[player]
        if s.phase == DRAW and s.seat == s.order[player]:
            wanted += DRAWN
        for laid in range(s.laid, FIELDS * s.playing):
            if (
                draws_after(laid + 1, s.playing)
                and seat_to_lay(s.order, s.playing, laid) == s.order[player]
            ):
                wanted += DRAWN
    return wanted


def lay_out(g: Config, start: Any, known: Known, cards: Ints, work: Scratch) -> None:
    """Make the round as it may be the one that is played: hidden cards and later draws are those in `cards`."""
    work.state[0] = start
    s = work.state[0]
    for player in range(s.playing):
        seat = s.order[player]
        work.next[player] = work.share[player]
        for place in range(MAX_IN_HAND):
            s.hands[seat][place] = 0
        s.held[seat] = 0
        for card in range(1, HIGHEST + 1):
            for _ in range(known.hands[player, card]):
                give(g, s, seat, card)
        draw(g, s, player, known.hidden[player], cards, work)
    if s.phase == DEAL:
        begin_round(g, s)


def draw(g: Config, s: Any, player: int, number: int, cards: Ints, work: Scratch) -> None:
    """Give a player the next cards of its share."""
    for _ in range(number):
        give(g, s, work.order[player], cards[work.next[player]])
        work.next[player] += 1


def player_of(work: Scratch, seat: int) -> int:
    """Where in the order of the round a seat comes."""
    player = 0
    while work.order[player] != seat:
        player += 1
    return player


def observe(g: Config, s: Any, work: Scratch) -> int:
    """Look at a round in which somebody has to lay a card: who that is."""
    for player in range(len(work.order)):
        row = s.rows[work.order[player]]
        for place in range(FIELDS):
            work.rows[player, place] = row[place]
        work.empty[player] = empty_fields(work.rows[player])
    work.hand[:] = 0
    for place in range(s.held[s.seat]):
        work.hand[s.hands[s.seat][place]] += 1
    work.legal[:] = False
    for number in range(lays(g, s, work.codes)):
        work.legal[work.codes[number]] = True
    return player_of(work, s.seat)


def may_be_laid_on(work: Scratch, place: int) -> bool:
    """Whether some card may be laid on a field."""
    for card in range(1, HIGHEST + 1):
        if work.legal[code_of(card, place)]:
            return True
    return False


def choose(policy: Policy, work: Scratch, player: int) -> tuple[int, int]:
    """What the quick player lays, and where."""
    if policy.streets:
        return choose_by_streets(policy, work, player)
    return choose_by_fields(policy, work, player)


def play_round(g: Config, policy: Policy, cards: Ints, work: Scratch) -> None:
    """Play the rest of a round, everybody being a quick player; then it is settled."""
    s = work.state[0]
    rounds = s.rounds
    while s.rounds == rounds:
        if s.phase == DRAW:
            draw(g, s, player_of(work, s.seat), DRAWN, cards, work)
            next_to_lay(g, s)
        else:
            card, place = choose(policy, work, observe(g, s, work))
            lay(g, s, code_of(card, place))


# --- the two questions ----------------------------------------------------------------------------


@lean
def play_out(
    g: Config, policy: Policy, start: Any, known: Known, work: Scratch, codes: Ints, which: Ints,
    worlds: tuple[int, int], seed: int, out: Any,
) -> None:  # fmt: skip
    """How the round ends after each of these moves in each of these worlds.

    A world is one way in which the hidden cards may lie; it is the same for all moves. `which` are the
    numbers of the moves to try; a code below 0 is none: the quick player chooses for everybody.
    `out` gets, for each move and world, all chips after the round and what is in the pot.
    """
    cards = work.cards
    expect_cards(work, known.unseen)
    wanted = share_out(g, start, known, work)
    for world in range(worlds[0], worlds[1]):
        for place in range(len(cards)):
            cards[place] = known.unseen[place]
        begin(work.random, seed, world)
        shuffle(work.random, cards, wanted)
        for move in which:
            lay_out(g, start, known, cards, work)
            s = work.state[0]
            if codes[move] >= 0:
                lay(g, s, codes[move])
            if s.rounds == start.rounds:
                play_round(g, policy, cards, work)
            for player in range(len(work.order)):
                out[move, world, player] = s.chips[work.order[player]]
            out[move, world, len(work.order)] = s.pot


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
