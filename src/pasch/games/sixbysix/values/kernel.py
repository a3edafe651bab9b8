"""6mal6, to be compiled: rounds played out, again and again, by a quick player.

A round is played by the game's rule functions, compiled with these: they say who lays, what may be laid, when cards are
drawn and how it ends. Each player has a share of the unknown cards of its own, which is the same whatever is laid:
cards hidden now, dealt or drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.philox import block
from pasch.core.rules import kernel
from pasch.core.state import OVER
from pasch.games.sixbysix.box import CARDS_PER_SEAT, DEALT, DRAWN
from pasch.games.sixbysix.rules import (
    DEAL,
    DRAW,
    MAX_IN_HAND,
    Config,
    SixBySix,
    begin_round,
    end_round,
    give,
    has_won,
    lay,
    lays,
    next_to_lay,
)
from pasch.games.sixbysix.settling import (
    FIELDS,
    FIRST,
    HIGHEST,
    RANK,
    RANKS,
    STREET,
    bonus_sum,
    street_worth,
)
from pasch.solve.records import record_type

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: states as compiled code takes them, whatever the number of players
STATE = record_type(SixBySix(2))
#: how often the rest of the game is played after the round of each world
GAMES = 8
#: how many rounds are played for practice, counted for each player; streets need less
PRACTICE = {False: 200_000, True: 60_000}
#: more than any worth of streets
CODES = RANK * 6
#: the quick player of estimates of chips counts its own only; that of chances to win wants more than the others have
RIVALRY = (0.0, 1.0)
#: how much the streets beside the best one count that can still come
FURTHER = 0.1


#: all single streets: place, first number, length, worth
STREETS = np.array(
    [
        (place, first, length, RANKS[length] * RANK + first * FIRST)
        for length in range(STREET, FIELDS + 1)
        for place in range(FIELDS - length + 1)
        for first in range(1, HIGHEST - length + 2)
    ]
)


# --- what practice has taught -----------------------------------------------------------------------


class Policy(NamedTuple):
    """What the quick player has learned from practice with this pack and number of players.

    k is the number of fields that a seat has empty, c a card, f a field counted from 0.
    """

    streets: bool
    #: how much the others' chips, on average over them, count against one's own
    rivalry: float
    #: fields: the chance that a field, empty now, will have a card of c or more: [k, f, c]
    reach: Floats
    #: what a field costs that is still empty, by the lowest card that others have there: [k, f, c]
    open_cost: Floats
    #: what the hand's best cards are good for: [k, place from the highest, c]
    hold: Floats
    #: the bonus to be expected: [k, own card on field 1, on field 6, highest sum that is complete]
    bonus: Floats
    #: streets: chips that a round brings with a row of this worth, by code
    result: Floats


class Learned(NamedTuple):
    """The tables of the policies for all numbers of players, each by RIVALRY, and what else the search reads."""

    reach: Floats
    open_cost: Floats
    hold: Floats
    bonus: Floats
    result: Floats
    #: rows with which rounds ended that the quick player played with itself: [players, round, player, field]
    ends: Ints
    #: in how many worlds all moves are tried, in how many the better half, and so on
    worlds: Ints


def policy_of(g: Config, v: Learned, players: int, which: int) -> Policy:
    """The quick player for this number of players, by its place in RIVALRY; with streets there is but one."""
    at, which = players - 2, 0 if g.streets else which
    return Policy(
        g.streets, RIVALRY[which], v.reach[at, which], v.open_cost[at, which], v.hold[at, which], v.bonus[at, which],
        v.result[at, which],
    )  # fmt: skip


# --- what a round is played with ---------------------------------------------------------------------


class Known(NamedTuple):
    """What a seat knows of a round."""

    #: the round, in which hands are empty that are not known; and how many cards they have, by seat
    state: NDArray[np.void]
    hidden: Ints
    #: the cards of which nobody knows where they are, one by one
    unseen: Ints


class Scratch(NamedTuple):
    """Buffers for rounds and for the rest of a game."""

    #: the round as it lies in a world, as it is played, and the rest of a game
    world: NDArray[np.void]
    state: NDArray[np.void]
    rest: NDArray[np.void]
    #: the unknown cards in the order of a world; by seat where its share of them begins, and which comes next
    cards: Ints
    share: Ints
    next: Ints
    random: Ints
    #: by seat how many fields are empty; the hand of the seat to lay, by card and from the highest card down
    empty: Ints
    hand: Ints
    held: Ints
    #: the moves as codes; by card what the rest of the hand is good for if it is laid; by field what it costs if empty
    codes: Any
    keep: Floats
    saved: Floats
    #: the streets that can still come, as numbers, and their hopes; the chance that a card comes: [empty fields, card]
    open: Ints
    hope: Floats
    coming: Floats


def new_scratch(g: Config, cards: int) -> Scratch:
    """Buffers for a game, of which this many cards are not known."""
    return Scratch(
        np.zeros(1, STATE),
        np.zeros(1, STATE),
        np.zeros(1, STATE),
        np.zeros(cards, np.int64),
        np.zeros(g.players, np.int64),
        np.zeros(g.players, np.int64),
        np.zeros(10, np.int64),
        np.zeros(g.players, np.int64),
        np.zeros(HIGHEST + 1, np.int64),
        np.zeros(CARDS_PER_SEAT, np.int64),
        np.zeros(FIELDS * HIGHEST, np.int64),
        np.zeros(HIGHEST + 1),
        np.zeros(FIELDS),
        np.zeros(len(STREETS), np.int64),
        np.zeros(len(STREETS)),
        np.zeros((FIELDS, HIGHEST + 1)),
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


def observe(s: Any, work: Scratch) -> None:
    """Look at a round in which somebody has to lay a card: the empty fields and its hand."""
    for player in range(s.playing):
        seat = s.order[player]
        work.empty[seat] = 0
        for place in range(FIELDS):
            work.empty[seat] += s.rows[seat][place] == 0
    work.hand[:] = 0
    for place in range(s.held[s.seat]):
        work.hand[s.hands[s.seat][place]] += 1


def lowest_beside(s: Any, seat: int, place: int) -> int:
    """The lowest card that others have on a field so far; 0 if nobody has one."""
    lowest = 0
    for player in range(s.playing):
        card = s.rows[s.order[player]][place]
        if s.order[player] != seat and card and (lowest == 0 or card < lowest):
            lowest = card
    return lowest


def highest_sum(s: Any, seat: int) -> int:
    """The highest sum of fields 1 and 6 that another has complete; 0 if nobody has."""
    highest = 0
    for player in range(s.playing):
        row = s.rows[s.order[player]]
        if s.order[player] != seat and row[0] and row[FIELDS - 1]:
            highest = max(highest, bonus_sum(row))
    return highest


def risk(policy: Policy, s: Any, work: Scratch, seat: int, place: int, card: int) -> float:
    """What this card on this field is likely to cost: nothing as soon as somebody lies lower.

    Who counts the others' chips would rather share being lowest than be it alone, which saves somebody else the price.
    """
    lowest, alone = 1.0, 1.0
    for player in range(s.playing):
        other = s.order[player]
        if other == seat:
            continue
        theirs = s.rows[other][place]
        if theirs == 0:
            reach = policy.reach[work.empty[other], place]
            lowest *= reach[card]
            alone *= reach[card + 1] if card < HIGHEST else 0.0
        elif theirs < card:
            return 0.0
        elif theirs == card:
            alone = 0.0
    return (place + 1) * (lowest + policy.rivalry * alone / (s.playing - 1))


def choose(g: Config, policy: Policy, s: Any, work: Scratch) -> int:
    """What the quick player lays, and where: of moves that promise equally much the lowest field, then card."""
    observe(s, work)
    row, left, hopes = s.rows[s.seat], work.empty[s.seat] - 1, 0
    if policy.streets:
        hopes = find_streets(policy, s, work, left)
    else:
        for place in range(FIELDS):
            if row[place] == 0:
                work.saved[place] = policy.open_cost[left, place, lowest_beside(s, s.seat, place)]
        value_the_rest(policy, work, left)
    bonus = policy.bonus[left, :, :, highest_sum(s, s.seat)]
    best, best_code = -np.inf, 0
    for number in range(lays(g, s, work.codes)):
        code = work.codes[number]
        card, place = code // FIELDS + 1, code % FIELDS
        if policy.streets:
            value = street_value(policy, s, work, hopes, left, place, card)
        else:
            value = work.saved[place] - risk(policy, s, work, s.seat, place, card) + work.keep[card]
            first = card if place == 0 else row[0]
            value += bonus[first, card if place == FIELDS - 1 else row[FIELDS - 1]]
        if value > best or (value == best and place < best_code % FIELDS):
            best, best_code = value, code
    return best_code


def value_the_rest(policy: Policy, work: Scratch, left: int) -> None:
    """For each card of the hand what the others are good for: of the best, one for each field."""
    held, size = work.held, 0
    for card in range(HIGHEST, 0, -1):
        for _ in range(work.hand[card]):
            held[size] = card
            size += 1
    before = 0.0
    for without in range(size):
        card = held[without]
        if without == 0 or card != held[without - 1]:
            work.keep[card] = before
            for place in range(without, min(left, size - 1)):
                work.keep[card] += policy.hold[left, place, held[place + 1]]
        if without < left:
            before += policy.hold[left, without, card]


def find_streets(policy: Policy, s: Any, work: Scratch, left: int) -> int:
    """Find the streets that can still come, and their hopes; how many there are."""
    row, coming, hopes = s.rows[s.seat], work.coming[left], 0
    for way in range(len(STREETS)):
        chance = policy.result[STREETS[way, 3]] - policy.result[0]
        for step in range(STREETS[way, 2]):
            there, card = row[STREETS[way, 0] + step], STREETS[way, 1] + step
            if there == 0:
                chance *= 1.0 if work.hand[card] else coming[card]
            elif there != card:
                chance = 0.0
                break
        if chance > 0.0:
            work.open[hopes], work.hope[hopes] = way, chance
            hopes += 1
    return hopes


def street_value(
    policy: Policy, s: Any, work: Scratch, hopes: int, left: int, place: int, card: int
) -> float:
    """The best street that is left to hope for if this card is laid there, and a little of the others."""
    row, hand, coming = s.rows[s.seat], work.hand, work.coming[left]
    if left == 0:
        before, row[place] = row[place], card
        worth = float(policy.result[street_worth(row)])
        row[place] = before
        return worth
    most, sum_ = 0.0, 0.0
    for number in range(hopes):
        way, chance = work.open[number], work.hope[number]
        start, first = STREETS[way, 0], STREETS[way, 1]
        end = start + STREETS[way, 2]
        if start <= place < end:
            if card - first != place - start:
                continue
        elif first <= card < first + end - start and row[start + card - first] == 0 and hand[card] == 1:
            chance *= coming[card]  # the street needs this card elsewhere
        most = max(most, chance)
        sum_ += chance
    return most + FURTHER * sum_


# --- a round --------------------------------------------------------------------------------------


def known_cards(g: Config, s: Any, seat: int) -> Known:
    """A round as a seat knows it, whether `s` is the true state or a view."""
    state, hidden = np.zeros(1, STATE), np.zeros(g.players, np.int64)
    state[0] = s
    if s.phase == DEAL:
        begin_round(g, state[0])
    copies = np.zeros(HIGHEST + 1, np.int64)
    for kind in range(HIGHEST):
        copies[kind + 1] = s.unseen[kind]
    for player in range(s.playing):
        other = s.order[player]
        if s.phase == DEAL:
            hidden[other] = DEALT
        elif other != seat or s.hands[other][0] < 0:
            hidden[other] = s.held[other]
            for place in range(MAX_IN_HAND):
                if s.hands[other][place] > 0:
                    copies[s.hands[other][place]] += 1
                state[0].hands[other][place] = 0
            state[0].held[other] = 0
    unseen, number = np.zeros(copies.sum(), np.int64), 0
    for card in range(HIGHEST + 1):
        for _ in range(copies[card]):
            unseen[number] = card
            number += 1
    return Known(state, hidden, unseen)


def expect_cards(known: Known, work: Scratch) -> int:
    """Find the chances of cards to come, and the shares of the unknown cards that come to light in this round.

    How many cards these are.
    """
    s, wanted = known.state[0], 0
    for card in range(1, HIGHEST + 1):
        number = 0
        for other in known.unseen:
            number += other == card
        none = 1.0
        for left in range(FIELDS):
            work.coming[left, card] = 1 - none
            for _ in range(DRAWN):
                none *= 1 - number / max(1, len(known.unseen))
    for player in range(s.playing):
        seat = s.order[player]
        work.share[seat] = wanted
        wanted += CARDS_PER_SEAT - s.held[seat]
        for place in range(FIELDS):
            wanted -= s.rows[seat][place] > 0
    return wanted


def lay_out(g: Config, known: Known, work: Scratch) -> None:
    """Make the round as it may be: hidden cards and later draws are those in `cards`."""
    work.world[0] = known.state[0]
    s = work.world[0]
    for player in range(s.playing):
        seat = s.order[player]
        work.next[seat] = work.share[seat]
        draw(g, s, seat, known.hidden[seat], work)


def draw(g: Config, s: Any, seat: int, number: int, work: Scratch) -> None:
    """Give a seat the next cards of its share."""
    for _ in range(number):
        give(g, s, seat, work.cards[work.next[seat]])
        work.next[seat] += 1


def draw_or_choose(g: Config, policy: Policy, s: Any, work: Scratch) -> int:
    """Let cards be drawn if that is due; then the quick player's move."""
    if s.phase == DRAW:
        draw(g, s, s.seat, DRAWN, work)
        next_to_lay(g, s)
    return choose(g, policy, s, work)


# --- the two questions ----------------------------------------------------------------------------


@kernel
def play_out(
    g: Config,
    policy: Policy,
    known: Known,
    work: Scratch,
    codes: Ints,
    which: Ints,
    worlds: tuple[int, int],
    seed: int,
    me: int,
    ends_of_rounds: Ints,
    out: Floats,
) -> None:
    """What a seat has after each of these moves in each of these worlds.

    A world is one way in which the hidden cards may lie; it is the same for all moves. `which` are the
    numbers of the moves to try; a code below 0 is none: the quick player chooses for everybody.
    `out` gets, for each move and world, the chips after the round, or with `ends_of_rounds` what the rest of the game
    brings, see `play_rest`.
    """
    start, wanted = known.state[0], expect_cards(known, work)
    for world in range(worlds[0], worlds[1]):
        for place in range(len(work.cards)):
            work.cards[place] = known.unseen[place]
        begin(work.random, seed, world)
        shuffle(work.random, work.cards, wanted)
        lay_out(g, known, work)
        for move in which:
            work.state[0] = work.world[0]
            s = work.state[0]
            for player in range(start.playing):
                seat = start.order[player]
                work.next[seat] = work.share[seat] + known.hidden[seat]
            if codes[move] >= 0:
                lay(g, s, codes[move])
            while s.rounds == start.rounds:
                lay(g, s, draw_or_choose(g, policy, s, work))
            if len(ends_of_rounds):
                rest = play_rest(g, ends_of_rounds, s, work, seed, world, me)
                out[move, world, 0], out[move, world, 1] = rest
            else:
                out[move, world, 0] = s.chips[me]


def play_rest(
    g: Config, ends_of_rounds: Ints, s: Any, work: Scratch, seed: int, world: int, me: int
) -> tuple[float, float]:
    """How often a seat is among the winners, and with how many chips, after a round that ended so.

    The rest of each game is made of rounds that the quick player has played with itself, who sits
    where being drawn by lot: `ends_of_rounds` has their rows by number of players. In a world, equal ends of a round
    are followed by the same games.
    """
    won, final = 0.0, 0.0
    for game in range(GAMES):
        # other numbers than those that shuffle the worlds
        begin(work.random, seed, (1 << 32) + world * GAMES + game)
        work.rest[0] = s
        rest = work.rest[0]
        while rest.actor != OVER:
            which, turn = below(work.random, ends_of_rounds.shape[1]), below(work.random, rest.playing)
            for place in range(rest.playing):
                end = ends_of_rounds[rest.playing, which, (place + turn) % rest.playing]
                for field in range(FIELDS):
                    rest.rows[rest.order[place]][field] = end[field]
            end_round(g, rest)
        won += has_won(rest.order, rest.playing, rest.chips, me) / GAMES
        final += rest.chips[me] / GAMES
    return won, final
