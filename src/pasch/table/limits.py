"""Every limit of a server, and the budgets of each address that everything a stranger causes is paid from.

An address has budgets of processor time, messages, new tables and bytes of the log. What is asked for is paid for
before it is done; who cannot pay is refused with `TooFast`. Long work and the jobs of helpers wait in lanes, in which
addresses take turns. docs/operating.md explains each limit.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import msgspec

from pasch.core.components import Components, check_printed_bounds
from pasch.core.errors import ComponentError
from pasch.core.game import Game
from pasch.table.refusals import Refusal
from pasch.table.schema import Command, Contribute, Move, Read, Roll, Sit, TakeBack

T = TypeVar("T")
Clock = Callable[[], float]

#: addresses remembered; beyond that the one idle longest is forgotten
MAX_ADDRESSES: Final = 50_000
#: the longest time after which a refused client is asked to try again, in seconds
MAX_RETRY_SECONDS: Final = 60
DAY: Final = 86_400
#: bytes of a custom box, as JSON: real boxes have less than a quarter of it
MAX_BOX_BYTES: Final = 16 * 1024


class Rate(msgspec.Struct, frozen=True):
    """The refill rate of a bucket in tokens per second, and its capacity."""

    second: float
    burst: float


class Price:
    """What things cost, in milliseconds of the server process's time: measured, and rounded up."""

    #: any request over HTTP: a file, a page, a refusal
    REQUEST = 1.0
    #: opening a WebSocket
    HANDSHAKE = 3.0
    #: a welcome: the whole position is made for this client
    WELCOME = 4.0
    #: a KiB of a request's body: read, checked, decoded
    BODY = 0.03
    #: making a table, on top of its body
    TABLE = 5.0
    #: checking a box for every number of players
    BOX = 20.0
    #: a puzzle, which a helper process makes: asking it and passing its answer on
    PUZZLE = 5.0
    #: an event of a game that is gone through: loaded, replayed, written down
    EVENT = 0.02
    #: a position of a replay
    POSITION = 0.05
    #: a KiB of an answer that is kept ready
    ANSWER = 0.01
    #: in messages: a welcome, each KiB of a box of one's own in it, and the sign of life that every page asks for every
    #: two seconds
    WELCOME_MESSAGES = 8.0
    BOX_MESSAGES = 0.25
    PING_MESSAGES = 0.2


class Retention(msgspec.Struct, frozen=True):
    """How many seconds tables are kept after their last entry; None: for ever."""

    #: not begun: a seat is still open or a contribution is missing
    waiting: int | None = 14 * DAY
    #: begun, and neither played to the end nor adjudicated
    unfinished: int | None = 180 * DAY
    finished: int | None = None


class Limits(msgspec.Struct, frozen=True):
    """The limits of a server."""

    #: what one address may cost, in milliseconds (`Price`); behind it there may be a whole family or school
    address: Rate = Rate(250, 4_000)
    #: the same for `/healthz` and `/metrics`, so that the operator can always reach them
    monitoring: Rate = Rate(20, 100)
    #: messages of all WebSockets of one address
    messages: Rate = Rate(200, 300)
    #: tables made from one address
    tables: Rate = Rate(0.2, 40)
    #: bytes written to the log for one address: 50 MB are more than a thousand of the longest usual games, and
    #: more than 200 MB are added every day
    log: Rate = Rate(2_500, 50 * 10**6)
    #: the debt in bytes above which also the games of an address that have begun have to wait
    reserve: int = 50 * 10**6
    #: bytes of the log beyond which nobody makes tables
    log_bytes: int = 10 * 10**9
    #: open WebSockets of one address
    address_websockets: int = 100
    #: open connections of all; fewer if the system allows the process fewer files. Requests beyond are refused
    connections: int = 10_000
    #: unsent bytes for one client before it is disconnected
    backlog: int = 256 * 1024
    #: consecutive messages above the rate before a connection is closed
    strikes: int = 50
    #: longest body of a request, in bytes: it may hold a game to continue
    body: int = 1024 * 1024
    #: bytes of bodies of one address that are being read at the same time
    bodies: int = 4 * 1024 * 1024
    #: seconds for the first message over a WebSocket
    hello_seconds: float = 10.0
    #: tables in memory at once
    live: int = 20_000
    #: of these, tables without a connection, kept for clients that return
    idle: int = 200
    #: entries of all idle tables together
    idle_entries: int = 50_000
    keep: Retention = Retention()
    #: whether the boxes of new tables may be larger than printed ones: on the user's own device
    large_boxes: bool = False
    #: absence after which the others may let the computer play for a person, in seconds
    lend_after: float = 60.0
    #: absence after which a person's agreement is no longer needed, in seconds
    gone_after: float = 15 * 60.0
    #: reactions of one seat
    reactions: Rate = Rate(0.25, 4)
    #: changes that are no moves (names, requests, handing over the seat) that the log accepts from one seat
    max_non_moves: int = 200


class TooFast(Refusal):
    """A budget of an address is spent."""

    #: when to try again, in seconds
    after = 1


def too_fast(seconds: float = 1) -> TooFast:
    """The refusal of what an address cannot pay now; it can after this time."""
    refusal = TooFast("too-fast", "too many requests; wait a little")
    refusal.after = max(1, math.ceil(min(seconds, MAX_RETRY_SECONDS)))
    return refusal


class Busy(TooFast):
    """Too much waits already."""


def busy() -> Busy:
    """The refusal of a job when too many others wait."""
    return Busy("too-fast", "there is too much to work out just now; try again in a moment")


def stopping() -> Refusal:
    """The refusal of whatever is asked for when the server is stopping."""
    return Refusal("storage", "the server is stopping; try again in a moment")


def address_key(address: str) -> str:
    """The name under which an address is counted: itself, or for IPv6 its /64 network, which is one household."""
    try:
        read = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(read, IPv6Address):
        return str(read)
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return f"{IPv6Address(int(read) >> 64 << 64)}/64"


class RateLimiter:
    """One token bucket per address: filled at a steady rate, emptied by payments. What is below zero is a debt."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        #: the tokens of each address at its last payment, and the time of it; the address idle longest comes first
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def level(self, address: str) -> float:
        """The number of tokens of an address; a negative one is a debt."""
        known = self._buckets.get(address)
        if known is None:
            return self._rate.burst
        self._buckets.move_to_end(address)
        level, at = known
        # a clock that jumps back must not empty the bucket
        return min(level + max(0.0, self._clock() - at) * self._rate.second, self._rate.burst)

    def charge(self, address: str, cost: float) -> None:
        """Take tokens of an address for work that is done, even if that leaves a debt."""
        self._keep(address, self.level(address) - cost)

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Try to take tokens of an address; return whether there were enough."""
        level = self.level(address)
        if level >= cost:
            self._keep(address, level - cost)
        return level >= cost

    def spend(self, address: str, cost: float = 1.0) -> None:
        """Consume tokens of an address; TooFast if there are not enough.

        What costs more than half of what the bucket holds is begun when it is half full, and may leave a debt.
        """
        level = self.level(address)
        lacking = min(cost, self._rate.burst / 2) - level
        if lacking > 0:
            raise too_fast(lacking / self._rate.second if self._rate.second else MAX_RETRY_SECONDS)
        self._keep(address, level - cost)

    def _keep(self, address: str, level: float) -> None:
        self._buckets[address] = level, self._clock()
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)


# --- lanes --- -------------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """The bounds of a lane. Of several places one is always kept free for other addresses."""

    #: jobs that are done at the same time
    places: int
    #: jobs that wait, of all addresses and of one
    max_waiting: int
    max_each: int
    #: the time limit for each, in seconds
    seconds: float


class _Share:
    """The places of one address in a lane, and the lock under which one of its jobs waits for one of all places."""

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(max(1, places - 1))
        self.next = asyncio.Lock()


class Lane:
    """Jobs of one kind, whose addresses take turns."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._closed = False
        self._places = asyncio.Semaphore(bounds.places)
        self._shares: WeakValueDictionary[str, _Share] = WeakValueDictionary()
        #: the number of jobs that wait, by address
        self._waiting: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._waiting.total()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it; Busy if too much waits already."""
        if self._closed:
            raise stopping()
        if self.waiting >= self.bounds.max_waiting or self._waiting[address] >= self.bounds.max_each:
            raise busy()
        share = self._shares.setdefault(address, _Share(self.bounds.places))
        async with AsyncExitStack() as held:
            self._waiting[address] += 1
            try:
                await held.enter_async_context(share.places)
                async with share.next:
                    await held.enter_async_context(self._places)
            finally:
                self._waiting -= Counter([address])  # addresses without jobs are dropped
            if self._closed:
                raise stopping()
            yield

    def close(self) -> None:
        """Refuse all further jobs; those that wait are refused when their turn comes."""
        self._closed = True


# --- budgets --- -----------------------------------------------------------------------------------------

#: long work: more at once would only take turns in one interpreter
WORK: Final = Bounds(places=2, max_waiting=10_000, max_each=7, seconds=math.inf)
#: processor time of this thread; a browser has no such clock and needs none
_thread_time: Clock = getattr(time, "thread_time", time.monotonic)
#: commands that advance a game. A game has a limited number of them, and its table has been charged for, so they are
#: accepted from an address that has used up its share of the log
PLAYING: tuple[type[Command], ...] = (Move, Roll, Read, Sit, Contribute, TakeBack)


class Budgets:
    """The budgets of all addresses, the size of the log, and the long work that is paid for."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self.processor = RateLimiter(limits.address, clock)
        self.monitoring = RateLimiter(limits.monitoring, clock)
        self.messages = RateLimiter(limits.messages, clock)
        self.tables = RateLimiter(limits.tables, clock)
        self._log = RateLimiter(limits.log, clock)
        #: the log's size when last measured, and the bytes written since
        self.log_size = 0
        #: how many bytes of bodies may still be read at the same time
        self._bodies = RateLimiter(Rate(0, limits.bodies), clock)
        self._work = Lane(WORK)

    @contextmanager
    def reading(self, address: str) -> Iterator[Callable[[int], None]]:
        """Count the bytes of a body while it is read; the yielded function pays for each chunk."""
        counted = 0

        def count(size: int) -> None:
            nonlocal counted
            if not self._bodies.take(address, size):
                raise too_fast()
            counted += size
            self.processor.spend(address, Price.BODY * size / 1024)

        try:
            yield count
        finally:
            self._bodies.charge(address, -counted)

    async def run(self, address: str, price: float, work: Callable[[], T]) -> T:
        """The result of long work, done in a thread in turn; the address is charged for it.

        CPU time beyond the price is charged afterwards.
        """
        self.processor.spend(address, price)
        async with self._work.turn(address):
            result, used = await asyncio.to_thread(_timed, work)
        self.processor.charge(address, max(0.0, used * 1000 - price))
        return result

    # An address that has used up its share of the log makes no more tables and does nothing that can be repeated
    # without end; games that have begun continue until it owes the reserve.

    @property
    def log_full(self) -> bool:
        """Whether the log is too large for further tables."""
        return self.log_size >= self.limits.log_bytes

    def charge_log(self, address: str, size: int) -> None:
        """Count the bytes written to the log on behalf of an address."""
        self.log_size += size
        self._log.charge(address, size)

    def can_write(self, address: str, begun: bool = False) -> bool:
        """Whether something is left of an address's share or, for a game that has begun, of its reserve."""
        return self._log.level(address) > (-self.limits.reserve if begun else 0)

    def check_table(self, address: str) -> None:
        """Raise Refusal if the log or the address's share is too full for a new table."""
        if self.log_full:
            raise Refusal("full", "there is no room for more games here; those that have begun continue")
        self.check_write(address)

    def check_write(self, address: str, command: Command | None = None) -> None:
        """Refuse a new table, or a command, that an address cannot pay for."""
        if not self.can_write(address, begun=isinstance(command, PLAYING)):
            raise Refusal("too-fast", "your address has used up its share of the disk; try again later")


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result of some work, and the processor time that it took."""
    begun = _thread_time()
    return work(), _thread_time() - begun


# --- custom boxes: those of strangers are no larger than a printed one may be ------------------------


def custom_box(game: Game[Any, Any]) -> Components | None:
    """The custom box of a game; None if it has the usual one."""
    box: Components | None = getattr(game.options, "components", None)
    return box


def check_box(box: Components) -> None:
    """Raise ComponentError, naming the place, if a box is larger than those of new tables."""
    check_size(box)
    check_printed_bounds(box)


def check_size(written: Any) -> None:
    """Raise ComponentError if a box, or the options of a table with it, has too many bytes."""
    if len(msgspec.json.encode(written)) > MAX_BOX_BYTES:
        raise ComponentError("the file", "a custom box has at most {most} bytes", most=MAX_BOX_BYTES)


def is_too_large(game: Game[Any, Any]) -> bool:
    """Whether a game has a custom box that is larger than those of new tables.

    Such a table is an older version's, or on a device of one's own. It stays as it is; no values are built for it, and
    it has no rematch on a server.
    """
    box = custom_box(game)
    try:
        if box is not None:
            check_box(box)
    except ComponentError:
        return True
    return False


@lru_cache(maxsize=64)
def box_hash(box: Components) -> str:
    """The name of a box, by which a client knows whether it has it."""
    return sha256(msgspec.json.encode(box)).hexdigest()[:16]
