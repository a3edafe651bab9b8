"""Values of 6mal6: the kernels play by the rules, a seat uses only what it knows, and searching pays.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of the search.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

import msgspec
import numpy as np
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE
from pasch.games.sixbysix.events import Deal
from pasch.games.sixbysix.rules import Position, SixBySix
from pasch.games.sixbysix.settling import settle
from pasch.games.sixbysix.values import Values, kernel, search
from pasch.players.base import player
from pasch.solve.records import record_of
from tests.rule_changes.sixbysix_rounds import check_rounds
from tests.solve.proofs import walk

pytestmark = pytest.mark.usefixtures("little_practice")


@cache
def values(players: int = 3, streets: bool = False, worlds: int = 64) -> Values:
    found = Values(SixBySix.agree(players, {"streets": streets}), worlds)
    found.prepare()
    return found


def after(game: SixBySix, seed: object, steps: int) -> Position:
    """The position after a number of steps by chance, or the end of the game."""
    *_, state = islice(walk(game, KeyedGenerator(seed_key(seed))), steps + 1)
    assert isinstance(state, Position)
    return state


def decision(game: SixBySix, seed: object, steps: int) -> Position:
    """The first position after a number of steps in which a seat has to lay a card."""
    states = islice(walk(game, KeyedGenerator(seed_key(seed))), steps, None)
    return next(state for state in states if isinstance(state, Position) and state.actor >= 0)


VARIANTS = [pytest.param(False, id="fields"), pytest.param(True, id="streets")]

# --- the kernels play by the rules ----------------------------------------------------------------


@pytest.mark.parametrize("streets", VARIANTS)
def test_rounds_are_played_out_by_the_rules(streets: bool) -> None:
    check_rounds(values(3, streets), 12)


def test_the_rest_of_a_game_ends_as_the_rules_say() -> None:
    """Of rounds in which the first row pays 15 and takes 5, and the second pays 7."""
    rows = np.zeros((3, 1, 2, 6), np.int64)
    rows[2, 0] = [[9, 1, 1, 1, 1, 9], [9, 2, 2, 2, 2, 1]]

    game = SixBySix.agree(2, {"round_limit": 1})
    state, work = record_of(game.start()), kernel.new_scratch(game.config, 0)
    state.chips[:2] = 30
    asked = game.config, rows, state, work, 5, 0
    won, final = zip(*(kernel.play_rest(*asked, seat) for seat in (0, 1)), strict=True)
    # both pay 1; fields 2 to 5 cost the first row 14, field 6 the other 6; who has which row is drawn
    assert sum(won) == 1 and 0 < won[0] < 1
    assert abs(sum(final) - (30 - 15 + 5 + 30 - 7)) < 1e-9


def with_other_hidden_cards(state: Position, seat: int) -> Position:
    """The same to this seat: the others' cards go under the pile, and they get the pile's highest ones."""
    unseen = [card for card, number in enumerate(state.view(seat).unseen, 1) for _ in range(number)]
    hands = [*state.hands]
    for other in {*range(3)} - {seat}:
        hands[other] = tuple(sorted([unseen.pop() for _ in hands[other]]))
    left = tuple(unseen.count(card) for card in range(1, 10))
    return msgspec.structs.replace(state, hands=tuple(hands), unseen=left)


@pytest.mark.parametrize("streets", VARIANTS)
def test_a_seat_uses_only_what_it_knows(streets: bool) -> None:
    game = SixBySix.agree(3, {"streets": streets})
    changed = 0
    for steps in (4, 12, 24):
        state = decision(game, f"known {steps}", steps)
        seat = state.seat
        other = with_other_hidden_cards(state, seat)
        changed += other.hands != state.hands and other.unseen != state.unseen
        assert other.view(seat) == state.view(seat)
        one, two = Values(game, 32), Values(game, 32)
        assert one.move_points(state) == two.move_points(other) == two.move_points(state.view(seat))
        assert one.moves(state) == two.moves(other)
        assert one.points(state)[seat] == two.points(other)[seat]
    assert changed


# --- the ledger -----------------------------------------------------------------------------------


@pytest.mark.parametrize("streets", VARIANTS)
def test_points_are_those_of_the_best_move_before_and_after_it(streets: bool) -> None:
    known = values(3, streets)
    for seed in range(4):
        state = decision(known.game, seed, 6 + 7 * seed)
        seat, points = state.seat, known.move_points(state)
        assert known.points(state)[seat] == max(points)
        best = state.apply(state.moves()[points.index(max(points))])
        assert known.points(best)[seat] == max(points)


def test_between_rounds_and_at_the_end_points_are_chips() -> None:
    known = values(3)
    assert known.points(known.game.start()) == (25.0, 25.0, 25.0)
    state = after(known.game, "end", 100_000)
    assert state.over
    assert known.points(state) == state.chips
    worth = known.worth(state)
    assert worth.win == tuple(float(seat in state.winners()) for seat in range(3))
    assert worth.exact.win and not known.exact.win


def test_luck_averages_zero_before_a_draw() -> None:
    known = values(3, worlds=512)
    state = after(known.game, "luck", 20)
    assert state.phase == "draw"
    seat, chance = state.seat, state.chance()
    now, mean = known.points(state), 0.0
    for outcome, cases in chance.outcomes():
        entering, points = (
            known.entering_expectation(state, outcome),
            known.points(state.apply(outcome)),
        )
        # what the next seat gains by thinking is no luck
        gained = known.corrections(state, outcome)
        changes = zip(points, now, entering, gained, strict=True)
        luck = [new - old - entered - thought for new, old, entered, thought in changes]
        assert [luck[other] for other in range(3) if other != seat] == pytest.approx([0, 0], abs=1e-9)
        mean += luck[seat] * cases / chance.total
    error = known.worth(state).error
    assert error is not None
    assert abs(mean) < 4 * error


def test_what_a_round_brings_begins_to_count_with_its_deal() -> None:
    known = values(3, worlds=512)
    start = known.game.start()
    deal = start.chance().sample(KeyedGenerator(seed_key("deal")))
    entering_expectation = known.entering_expectation(start, deal)
    # the quick player's own rounds, played with other cards, say what a round brings; slips in practice cost more
    rounds = []
    for rows in known.numbers().ends[3]:
        chips = np.array([25] * 3)
        settle(False, known.game.config.bonus, rows, range(3), 3, chips, 25)
        rounds.append(chips - 25)
    brings = np.mean(rounds)
    assert np.mean(entering_expectation) == pytest.approx(brings, abs=2.0)


# --- all kinds of games ---------------------------------------------------------------------------


def test_every_number_of_players_is_known_and_seats_may_be_out() -> None:
    known = values(6, worlds=16)
    start = known.game.start()
    for chips in ((25,) * 6, (25, 0, 3, 0, 0, 40), (0, 9, 0, 9, 0, 0)):
        order = tuple(seat for seat in range(6) if chips[seat])
        state = msgspec.structs.replace(
            start, chips=chips, pot=150 - sum(chips), order=order, seat=order[0]
        )
        before = known.worth(state)
        assert before.turn is None and before.win is not None
        assert 0.5 < sum(before.win) < 1.6
        state = state.apply(state.chance().sample(KeyedGenerator(seed_key(chips))))
        worth, moves = known.worth(state), known.moves(state)
        assert worth.win is not None and worth.value is not None and worth.turn is not None
        for seat in set(range(6)) - set(order):
            assert worth.win[seat] == worth.value[seat] == 0
        assert [entry.move for entry in moves] == list(state.moves())
        assert all(entry.win is not None and 0 <= entry.win <= 1 for entry in moves)
        assert worth.turn == max(entry.turn for entry in moves if entry.turn is not None)


def test_own_components_get_tables_of_their_own() -> None:
    default = SixBySix(2)
    box = msgspec.structs.replace(
        default.components, bonus=msgspec.structs.replace(default.components.bonus, chips=20)
    )
    game = SixBySix(2, msgspec.structs.replace(default.options, components=box))
    known = Values(game, 64)
    assert not known.ready
    known.prepare()
    assert known.ready and Values(game).ready
    # who has the bonus in sight wants it more
    assert known.points(game.start()) == (25.0, 25.0)
    deal = Deal(((9, 9), (1, 1)))
    high = known.points(game.start().apply(deal))[0]
    assert high > values(2).points(default.start().apply(deal))[0] + 4


@pytest.mark.parametrize("streets", VARIANTS)
def test_compiled_and_plain_search_find_the_same(streets: bool) -> None:
    known = Values(SixBySix.agree(3, {"streets": streets}), 8)
    for steps in (14, 26):
        state = decision(known.game, f"plain {steps}", steps)
        codes = np.array(state.codes())
        out = np.zeros(len(codes))
        search.move_values(known.game.config, known.numbers(), record_of(state), codes, len(codes), out)
        assert known.move_points(state) == tuple(out)


@pytest.mark.parametrize("streets", VARIANTS)
def test_moves_that_end_alike_are_followed_by_the_same_games(streets: bool) -> None:
    """What a move is worth does not depend on what it is compared with."""
    known = values(3, streets)
    state = decision(known.game, "alike", 26)
    codes = tuple(state.codes())[:2]
    assert len(codes) == 2
    together = known._search(state.view(state.seat), state.seat, codes, True).values
    alone = [known._search(state.view(state.seat), state.seat, (code,), True).values[0] for code in codes]
    assert np.allclose(together, alone, atol=1e-9)


# --- strength -------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_searching_brings_more_chips_than_the_greedy_player_gets() -> None:
    """The same rounds twice, the seat in question searching or being greedy too."""
    known, greedy = values(3), player("greedy")

    def chips(number: int, searching: bool) -> int:
        state, generator = known.game.start(), KeyedGenerator(seed_key(number))
        seat = number % 3
        while state.rounds == 0:
            if state.actor == CHANCE:
                state = state.apply(state.chance().sample(generator))
            elif searching and state.actor == seat:
                points = known.move_points(state)
                state = state.apply(state.moves()[points.index(max(points))])
            else:
                state = state.apply(greedy.choose(state.view(state.actor), generator))
        return state.chips[seat]

    gains = np.array([chips(number, True) - chips(number, False) for number in range(60)])
    assert gains.mean() > 2 * gains.std() / len(gains) ** 0.5
