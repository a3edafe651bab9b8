"""Who is helped next: fair, bounded, and nobody waits for ever. No process, thread or clock is involved."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pasch.table.fair_queue import FairQueue, Requester

#: an address, a table of it, and for how many seconds the job keeps a helper busy
Wishes = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz"), st.floats(0.0, 30.0)), min_size=1, max_size=60
)


class Job:
    """Something that waits."""

    def __init__(self, address: str, table: str = "t") -> None:
        self.requester, self.since = Requester(address, table), 0.0


def plenty(at_once: int = 100) -> FairQueue:
    return FairQueue(10_000, 10_000, at_once)


def test_the_tables_of_an_address_take_turns() -> None:
    queue = plenty()
    for table in ("busy", "busy", "busy", "busy", "other"):
        queue.add(Job("A", table))
    order = [now.requester.table for _ in range(5) if (now := queue.next())]
    assert order == ["busy", "other", "busy", "busy", "busy"]


def test_the_queue_is_bounded_for_all_and_for_each() -> None:
    queue = FairQueue(max_waiting=5, max_each=3, at_once=1)
    assert [queue.add(Job("A")) for _ in range(5)] == [True, True, True, False, False]
    assert [queue.add(Job("B")) for _ in range(3)] == [True, True, False]
    assert len(queue) == 5


def test_a_job_that_nobody_waits_for_is_dropped() -> None:
    queue = plenty()
    one, two = Job("A"), Job("A", "u")
    queue.add(one)
    queue.add(two)
    queue.remove(one)
    queue.remove(one)
    assert queue.next() is two and len(queue) == 0
    queue.remove(two)
    queue.done(two, 1.0)


def test_addresses_that_want_nothing_are_forgotten() -> None:
    queue = plenty()
    for number in range(50):
        queue.add(Job(f"address {number}"))
        now = queue.next()
        assert now is not None
        queue.done(now, 1.0)
    assert not queue._shares


@given(Wishes)
def test_nobody_is_helped_for_longer_than_one_job_more_than_another_who_waits(
    wishes: list[tuple[str, str, float]],
) -> None:
    """The whole point: as long as two addresses want something, what they get differs by a job at most."""
    queue, costs, used = plenty(), {}, dict.fromkeys("ABC", 0.0)
    longest = max(seconds for _, _, seconds in wishes)
    left = Counter(address for address, _, _ in wishes)
    for address, table, seconds in wishes:
        made = Job(address, table)
        queue.add(made)
        costs[id(made)] = seconds
    while (now := queue.next()) is not None:
        address = now.requester.address
        others = [used[other] for other in "ABC" if other != address and left[other]]
        assert not others or used[address] <= min(others) + longest + 0.1
        used[address] += costs[id(now)]
        left[address] -= 1
        queue.done(now, costs[id(now)])


@given(st.floats(0.0, 60.0), st.integers(1, 4), st.floats(0.1, 5.0))
def test_no_address_starves_while_new_ones_keep_coming(used: float, each_turn: int, seconds: float) -> None:
    """A stream of new addresses does not starve an address, however much service it has had."""
    queue = plenty()
    queue.add(Job("me"))
    queue.add(Job("another"))
    while (now := queue.next()) is not None and now.requester.address != "me":
        queue.done(now, seconds)
    assert now is not None
    queue.add(Job("another"))
    queue.done(now, used)
    mine, served = Job("me"), 0.0
    queue.add(mine)
    waiting = 2
    while served <= (used + 10 * seconds) * (waiting + 1):
        for _ in range(each_turn if waiting < 8 else 1):
            queue.add(Job(f"stranger {served} {waiting}"))
            waiting += 1
        now = queue.next()
        if now is mine:
            return
        assert now is not None
        waiting -= 1
        served += seconds
        queue.done(now, seconds)
    raise AssertionError("not helped")
