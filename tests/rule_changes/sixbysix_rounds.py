"""The values of 6mal6 play rounds out by the rules, also where a rule was changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.solve.proofs import walk

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.games.sixbysix.events import Deal, Draw
from pasch.games.sixbysix.rules import Position, SixBySix
from pasch.games.sixbysix.settling import FIELDS
from pasch.games.sixbysix.values import Values, kernel, search
from pasch.solve.records import record_of

#: in how many rounds, worlds and games that is checked
ROUNDS, WORLDS, GAMES = 40, 4, 3


def policy(values: Values, rival: bool = True) -> kernel.Policy:
    """The quick player inside the values, for all seats of the game: that of chances to win, or that of chips."""
    return kernel.policy_of(values.game.config, values.numbers(), values.game.players, int(rival))


def twin_round(known: Values, cards: Any) -> tuple[int, ...]:
    """A round by the rules of the game, each seat asking the quick player; `cards` as they come to it."""
    state = known.game.start()
    share = [list(map(int, cards[12 * seat : 12 * seat + 12])) for seat in range(len(state.chips))]

    def take(seat: int) -> tuple[int, ...]:
        return tuple(share[seat].pop(0) for _ in range(2))

    state = state.apply(Deal(tuple(take(seat) for seat in range(len(state.chips)))))
    while state.rounds == 0:
        if state.phase == "draw":
            state = state.apply(Draw(state.seat, take(state.seat)))
            continue
        g = known.game.config
        dealt = kernel.known_cards(g, record_of(known.game.start()), 0)
        work = kernel.new_scratch(g, len(dealt.unseen))
        kernel.expect_cards(dealt, work)
        code = kernel.choose(g, policy(known), state.unpack(), work)
        state = state.apply(state.moves()[state.codes().index(code)])
    assert isinstance(state, Position)
    return state.chips


def check_rounds(known: Values, worlds: int) -> None:
    """Rounds that are played out end as they do by the ordinary engine."""
    g, s = known.game.config, record_of(known.game.start())
    players, found = known.game.players, kernel.known_cards(g, s, 0)
    seed, chips = search.seed_of(found, 0), np.zeros((players, worlds, 2))
    nobody, only, work = np.array([-1]), np.arange(1), kernel.new_scratch(g, len(found.unseen))
    player, rest = policy(known), known.numbers().ends[:0]
    for seat in range(players):
        kernel.play_out(
            g, player, found, work, nobody, only, (0, worlds), seed, seat, rest, chips[seat : seat + 1]
        )
    for world in range(worlds):
        cards = found.unseen.copy()
        kernel.begin(work.random, seed, world)
        kernel.shuffle(work.random, cards, 12 * players)
        assert tuple(chips[:, world, 0]) == twin_round(known, cards), "values: a round"


def check(game: SixBySix) -> None:
    """Rounds that are played out, and what the last cards of rounds are worth: that is certain."""
    kernel.PRACTICE.update({False: ROUNDS, True: ROUNDS})
    known, generator = Values(game, WORLDS), KeyedGenerator(seed_key("last cards"))
    check_rounds(known, WORLDS)
    for state in [state for _ in range(GAMES) for state in walk(game, generator)]:
        assert isinstance(state, Position)
        if state.actor >= 0 and state.laid == FIELDS * len(state.order) - 1:
            brought = [state.apply(move).chips[state.seat] for move in state.moves()]
            assert known.move_points(state) == tuple(brought), "values: the last card"
