"""The ledger: expectation + luck - costs = result, and every column means what it says."""

from __future__ import annotations

from typing import Any

import pytest

from pasch import Match, find_game
from pasch.coach.ledger import Ledger, accuracy, keep_ledger
from pasch.core.events import Roll
from pasch.core.rules import EQUAL
from pasch.solve.valuer import valuer
from tests.coach.games import EXACT, agree, case_name, play

SEATS = ("random", "perfect", "easy,random", "greedy,hard")
GAMES = 12

every_exact_game = pytest.mark.parametrize("case", EXACT, ids=case_name)


def ledgers(
    case: tuple[str, int, dict[str, Any]], seats: str, games: int = GAMES
) -> list[tuple[Match, Ledger]]:
    game = agree(case)
    matches = [play(game, seats, number) for number in range(games)]
    return [(match, keep_ledger(match)) for match in matches]


@pytest.mark.slow
@every_exact_game
@pytest.mark.parametrize("seats", SEATS)
def test_expectation_plus_luck_less_costs_is_the_result(case: Any, seats: str) -> None:
    for match, ledger in ledgers(case, seats):
        assert ledger.exact
        for seat in ledger.seats:
            assert abs(seat.account.estimates) < 1e-6
            assert seat.account.result == pytest.approx(match.state.scores()[seat.seat], abs=1e-6)
            if case[2].get("plan_choice") != "chosen":
                assert seat.account.others == pytest.approx(0, abs=1e-6), "nobody acts on another's score"
        for turn in ledger.turns:
            assert abs(turn.account.estimates) < 1e-6


@pytest.mark.slow
@every_exact_game
@pytest.mark.parametrize("seats", ["random", "easy"])
def test_no_move_is_better_than_the_best(case: Any, seats: str) -> None:
    for _, ledger in ledgers(case, seats, 4):
        assert min(entry.cost for entry in ledger.entries) >= 0
        for entry in ledger.entries:
            assert (entry.best is not None) == (entry.cost > EQUAL)


@pytest.mark.slow
@every_exact_game
def test_the_perfect_player_gives_nothing_away(case: Any) -> None:
    for _, ledger in ledgers(case, "perfect", 4):
        for seat in ledger.seats:
            assert seat.account.costs == pytest.approx(0, abs=1e-6)
            assert seat.mistakes == 0
            assert seat.accuracy is None or seat.accuracy == pytest.approx(100, abs=1e-4)
            assert seat.account.without_luck == pytest.approx(
                seat.account.expectation + seat.account.rounds + seat.account.others, abs=1e-6
            )


def test_net_luck_is_luck_less_the_tables_average() -> None:
    for _, ledger in ledgers(("lines", 2, {"plans": [1]}), "random", 3):
        assert sum(seat.net_luck for seat in ledger.seats) == pytest.approx(0, abs=1e-9)
        lucks = [seat.account.luck for seat in ledger.seats]
        assert ledger.seats[0].net_luck == pytest.approx((lucks[0] - lucks[1]) / 2)


def test_accuracy_is_100_without_costs_and_0_for_those_of_random_moves() -> None:
    assert accuracy(0.0, 5.0) == 100
    assert accuracy(1.0, 4.0) == 75
    assert accuracy(5.0, 5.0) == 0
    assert accuracy(9.0, 5.0) == 0, "worse than random is not below nothing"
    assert accuracy(0.0, 0.0) is None, "there was never anything to choose"


def test_random_cost_is_the_mean_over_the_moves() -> None:
    match = play(find_game("lines").agree(1), "random")
    values = valuer(match.game)
    for entry in keep_ledger(match).entries:
        if entry.kind == "move":
            worth = values.move_points(match.at(entry.number - 1))
            assert entry.random_cost == pytest.approx(max(worth) - sum(worth) / len(worth))


def test_a_round_of_unknown_number_is_staked_when_it_begins() -> None:
    match = play(find_game("lines").agree(2, {"plans": [1]}), "random")
    ledger = keep_ledger(match)
    rounds = [entry for entry in ledger.entries if "plan" in entry.event]
    assert ledger.start == (0.0, 0.0)
    assert all(entry.stakes[0] > 1 for entry in rounds)
    assert all(entry.luck == pytest.approx((0.0, 0.0), abs=1e-9) for entry in rounds)
    account = ledger.seats[0].account
    assert account.expectation == 0 and account.rounds == pytest.approx(len(rounds) * rounds[0].stakes[0])


@pytest.mark.slow
def test_turns_of_a_solitary_game_are_separate() -> None:
    match = play(find_game("joker1").agree(1, {"rounds": 3}), "perfect")
    turns = keep_ledger(match).turns
    assert len(turns) == 3
    assert [turn.first for turn in turns] == [1, *(turn.last + 1 for turn in turns[:-1])]
    assert turns[-1].last == len(match)


def test_in_shut_the_lines_a_turn_is_one_roll() -> None:
    match = play(find_game("lines").agree(2), "greedy")
    turns = keep_ledger(match).turns
    assert len(turns) == sum(isinstance(event, Roll) for event in match.events)


@pytest.mark.slow
def test_turns_add_up_to_the_game() -> None:
    match = play(find_game("joker2").agree(3, {"rounds": 2}), "greedy,random")
    ledger = keep_ledger(match)
    for seat in ledger.seats:
        own = [turn for turn in ledger.turns if turn.seat == seat.seat]
        assert len(own) == 2
        assert sum(turn.account.luck for turn in own) == pytest.approx(seat.account.luck)
        assert sum(turn.account.costs for turn in own) == pytest.approx(seat.account.costs)


def test_the_most_expensive_and_the_luckiest_come_first() -> None:
    ledger = keep_ledger(play(find_game("lines").agree(2), "random"))
    costs = [entry.cost for entry in ledger.expensive(5)]
    assert costs == sorted(costs, reverse=True) and costs[0] == max(entry.cost for entry in ledger.entries)
    assert {entry.seat for entry in ledger.expensive(3, seat=1)} == {1}
    luck = [entry.luck[0] for entry in ledger.entries]
    assert ledger.lucky(0)[0].luck[0] == max(luck) and ledger.unlucky(0)[0].luck[0] == min(luck)


def test_an_unfinished_game_has_a_ledger_too() -> None:
    whole = play(find_game("lines").agree(2), "random")
    part = whole.branch(len(whole) // 2)
    ledger = keep_ledger(part)
    assert len(ledger.entries) == len(part)
    assert all(abs(seat.account.estimates) < 1e-6 for seat in ledger.seats)
