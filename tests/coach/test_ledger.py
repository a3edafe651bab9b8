"""The ledger: expectation + luck - costs = result, and every column means what it says."""

from __future__ import annotations

import pytest

from pasch import find_game
from pasch.coach.ledger import accuracy, keep_ledger
from pasch.core.events import Roll
from pasch.solve.valuer import valuer
from tests.coach.games import play


def test_a_game_is_summed_up_by_event_turn_and_seat() -> None:
    match = play(find_game("lines").agree(2), "random")
    values, ledger = valuer(match.game), keep_ledger(match)
    assert len(ledger.turns) == sum(isinstance(event, Roll) for event in match.events), "a turn is one roll"
    for entry in ledger.entries:
        if entry.kind == "move":
            worth = values.move_points(match.at(entry.number - 1))
            assert entry.random_cost == pytest.approx(max(worth) - sum(worth) / len(worth))
    costs = [entry.cost for entry in ledger.expensive(5)]
    assert costs == sorted(costs, reverse=True) and costs[0] == max(entry.cost for entry in ledger.entries)
    assert {entry.seat for entry in ledger.expensive(3, seat=1)} == {1}
    luck = [abs(entry.luck[0]) for entry in ledger.entries if entry.seat == 0]
    assert [abs(entry.luck[0]) for entry in ledger.rolls(0)] == sorted(luck, reverse=True)[:3]
    part = match.branch(len(match) // 2)
    unfinished = keep_ledger(part)
    assert unfinished.entries == ledger.entries[: len(part)]
    assert all(abs(seat.account.estimates) < 1e-6 for seat in unfinished.seats)


def test_accuracy_is_100_without_costs_and_0_for_those_of_random_moves() -> None:
    assert accuracy(0.0, 5.0) == 100
    assert accuracy(1.0, 4.0) == 75
    assert accuracy(5.0, 5.0) == 0
    assert accuracy(9.0, 5.0) == 0, "worse than random is not below nothing"
    assert accuracy(0.0, 0.0) is None, "there was never anything to choose"


def test_a_round_counts_from_its_beginning_where_their_number_is_open() -> None:
    match = play(find_game("lines").agree(2, {"plans": [1]}), "random")
    ledger = keep_ledger(match)
    rounds = [entry for entry in ledger.entries if "plan" in entry.event]
    assert ledger.start == (0.0, 0.0)
    assert all(entry.entering_expectation[0] > 1 for entry in rounds)
    assert all(entry.luck == pytest.approx((0.0, 0.0), abs=1e-9) for entry in rounds)
    account = ledger.seats[0].account
    assert account.expectation == 0 and account.rounds == pytest.approx(
        len(rounds) * rounds[0].entering_expectation[0]
    )


@pytest.mark.slow
def test_turns_add_up_to_the_game() -> None:
    match = play(find_game("joker2").agree(3, {"rounds": 2}), "greedy,random")
    ledger = keep_ledger(match)
    for seat in ledger.seats:
        own = [turn for turn in ledger.turns if turn.seat == seat.seat]
        assert len(own) == 2 and (own[0].last, own[1].last) < (own[1].first, len(match) + 1)
        assert sum(turn.account.luck for turn in own) == pytest.approx(seat.account.luck)
        assert sum(turn.account.costs for turn in own) == pytest.approx(seat.account.costs)
