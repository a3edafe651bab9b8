"""Who is helped next: fair, bounded, and nobody waits for ever. No process, thread or clock is involved."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pasch.table.scheduling import WAITED_LONG, Asker, FairQueue, Job, Lane, Schedule

#: an address, a table of it, and for how many seconds the job keeps a helper busy
Wishes = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz"), st.floats(0.0, 30.0)), min_size=1, max_size=60
)


def job(address: str, table: str = "t", lane: str = "short") -> Job:
    return Job(Asker(address, table), lane)


def plenty(at_once: int = 100) -> FairQueue:
    return FairQueue(10_000, 10_000, at_once)


def test_a_thousand_jobs_of_one_address_delay_another_by_none_but_those_begun() -> None:
    queue = plenty()
    for number in range(1000):
        queue.add(job("flood", f"table {number}"))
    begun = [queue.next() for _ in range(2)]
    stranger = job("stranger")
    queue.add(stranger)
    for one in begun:
        assert one is not None
        queue.done(one, 0.1)
    assert queue.next() is stranger


def test_thirty_seven_tables_of_one_address_share_what_one_gets() -> None:
    """A stranger who asks again as soon as answered gets half of one process, not one part in 38."""
    queue, served = plenty(), Counter[str]()
    for number in range(37):
        queue.add(job("many", f"table {number}"))
    queue.add(job("one"))
    for _ in range(100):
        now = queue.next()
        assert now is not None
        served[now.asker.address] += 1
        queue.done(now, 0.1)
        queue.add(job(now.asker.address, now.asker.table))
    assert abs(served["many"] - served["one"]) <= 1


def test_who_takes_longer_comes_less_often() -> None:
    queue, used = plenty(), Counter[str]()
    for address in ("slow", "quick"):
        queue.add(job(address))
    for _ in range(200):
        now = queue.next()
        assert now is not None
        seconds = 3.0 if now.asker.address == "slow" else 0.1
        used[now.asker.address] += round(seconds * 10)
        queue.done(now, seconds)
        queue.add(job(now.asker.address))
    # not quite half each: who asks for the next thing only when answered has no credit meanwhile
    assert used["slow"] <= 1.5 * used["quick"] and used["quick"] <= 1.5 * used["slow"]


def test_the_tables_of_an_address_take_turns() -> None:
    queue = plenty()
    for table in ("busy", "busy", "busy", "busy", "other"):
        queue.add(job("A", table))
    order = [now.asker.table for _ in range(5) if (now := queue.next())]
    assert order == ["busy", "other", "busy", "busy", "busy"]


def test_the_queue_is_bounded_for_all_and_for_each() -> None:
    queue = FairQueue(most=5, most_each=3, at_once=1)
    assert [queue.add(job("A")) for _ in range(5)] == [True, True, True, False, False]
    assert [queue.add(job("B")) for _ in range(3)] == [True, True, False]
    assert len(queue) == 5


def test_one_address_does_not_have_all_processes() -> None:
    queue = plenty(at_once=1)
    queue.add(job("A"))
    queue.add(job("A"))
    first = queue.next()
    assert first is not None and queue.next() is None
    queue.add(job("B"))
    other = queue.next()
    assert other is not None and other.asker.address == "B"
    queue.done(first, 1.0)
    assert queue.next() is not None


def test_a_job_that_nobody_waits_for_is_dropped() -> None:
    queue = plenty()
    one, two = job("A"), job("A", "u")
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
        queue.add(job(f"address {number}"))
        now = queue.next()
        assert now is not None
        queue.done(now, 1.0)
    assert not queue._shares


@given(Wishes)
def test_everything_queued_is_done_once(wishes: list[tuple[str, str, float]]) -> None:
    queue, waiting, costs = plenty(), [], {}
    for address, table, seconds in wishes:
        made = job(address, table)
        assert queue.add(made)
        waiting.append(made)
        costs[made] = seconds
    done = []
    while (now := queue.next()) is not None:
        done.append(now)
        queue.done(now, costs[now])
    assert len(done) == len(waiting) and set(done) == set(waiting) and len(queue) == 0


@given(Wishes)
def test_nobody_is_helped_for_longer_than_one_job_more_than_another_who_waits(
    wishes: list[tuple[str, str, float]],
) -> None:
    """The whole point: as long as two addresses want something, what they get differs by a job at most."""
    queue, costs, used = plenty(), {}, dict.fromkeys("ABC", 0.0)
    longest = max(seconds for _, _, seconds in wishes)
    left = Counter(address for address, _, _ in wishes)
    for address, table, seconds in wishes:
        made = job(address, table)
        queue.add(made)
        costs[made] = seconds
    while (now := queue.next()) is not None:
        address = now.asker.address
        others = [used[other] for other in "ABC" if other != address and left[other]]
        assert not others or used[address] <= min(others) + longest + 0.1
        used[address] += costs[now]
        left[address] -= 1
        queue.done(now, costs[now])


@given(st.floats(0.0, 60.0), st.integers(1, 4), st.floats(0.1, 5.0))
def test_no_address_starves_while_new_ones_keep_coming(used: float, each_turn: int, seconds: float) -> None:
    """Strangers who come anew all the time do not keep an address waiting for ever, whatever it had before."""
    queue = plenty()
    queue.add(job("me"))
    queue.add(job("another"))
    while (now := queue.next()) is not None and now.asker.address != "me":
        queue.done(now, seconds)
    assert now is not None
    queue.add(job("another"))
    queue.done(now, used)
    mine, served = job("me"), 0.0
    queue.add(mine)
    waiting = 2
    while served <= (used + 10 * seconds) * (waiting + 1):
        for _ in range(each_turn if waiting < 8 else 1):
            queue.add(job(f"stranger {served} {waiting}"))
            waiting += 1
        now = queue.next()
        if now is mine:
            return
        assert now is not None
        waiting -= 1
        served += seconds
        queue.done(now, seconds)
    raise AssertionError("not helped")


# --- lanes ------------------------------------------------------------------------------------------

LANES = {"short": Lane(100, 100, 10, 1.0), "long": Lane(100, 100, 10, 10.0)}


def test_short_jobs_come_before_long_ones_and_some_never_do_long_ones() -> None:
    schedule = Schedule(LANES)
    long, short = job("A", lane="long"), job("B")
    assert schedule.add(long, 0.0) and schedule.add(short, 0.0)
    assert schedule.waiting() == {"short": 1, "long": 1}
    assert schedule.next(("short", "long"), 0.0) is short
    assert schedule.next(("short",), 100.0) is None
    assert schedule.next(("short", "long"), 0.0) is long
    schedule.done(long, 1.0)
    schedule.done(short, 1.0)


def test_a_long_job_is_not_kept_waiting_by_short_ones_for_ever() -> None:
    schedule = Schedule(LANES)
    long = job("A", lane="long")
    schedule.add(long, 0.0)
    for number in range(50):
        schedule.add(job(f"address {number}"), 0.0)
    now = 0.0
    while (begun := schedule.next(("short", "long"), now)) is not long:
        assert begun is not None and now < WAITED_LONG
        schedule.done(begun, 0.5)
        now += 0.5


def test_what_is_removed_from_a_lane_is_not_begun() -> None:
    schedule = Schedule(LANES)
    long = job("A", lane="long")
    schedule.add(long, 0.0)
    schedule.remove(long)
    assert schedule.next(("short", "long"), 100.0) is None
