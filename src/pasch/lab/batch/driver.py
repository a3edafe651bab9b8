"""The compiled game loop, which is the same for every game, and where its random numbers come from.

A game's kernel (`pasch.lab.batch.<game>_kernel`) has the functions that stand below under "what a kernel
answers"; `bind` puts them into the loop. The state of a game is one row `s` of whole numbers: `s[0]` is the
actor as in `pasch.core.state` (a seat, CHANCE or OVER), the rest is the kernel's own business. `T` are
the game's rules and values as tables, which its module builds by asking the game's rules; the kernels
only look things up in them.

Numbers come from one of three sources, all without bias:

- a generator: xoshiro256**, whose four words are `mix(key[i] + mix(4 * number + i))` for the game with this
  number, `mix` being the last step of splitmix64 and `key` the SHA-256 of the seed. So a game follows from
  the seed and its number alone, however games are shared out.
- a tape: a list of given numbers in the order of their consumption.
- keys, by game: what `pasch.players.arena` would draw with them, for chance from the key itself by the
  number of the event, for each seat from a key of its own. Slower, and the very game that the engine plays.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.lab.batch.compiling import bare, inlined
from pasch.lab.batch.keyed import Words32, derive, prepare

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

#: kinds of players
RANDOM, GREEDY, LEVEL = 0, 1, 2
#: places in the counts that the loop returns
DECISIONS, CHANCES, DRAWN = 0, 1, 2
#: values closer than this are equal; the same as `pasch.players.levels.EQUAL`
EQUAL: Final = 1e-9
#: how fine the levels' chances are; a number of numba's own kind, so that it is not compiled for this one
FINEST: Final[Any] = np.int64(1 << 53)
#: from Python 3.12 on `sum` carries along what rounding loses, and the levels' players use `sum`
CAREFUL_SUMS: Final = sys.version_info >= (3, 12)


# --- what a kernel answers --------------------------------------------------------------------------


def reset(T: Any, s: Ints) -> None:
    """Make `s` the state before the first event."""
    raise NotImplementedError


def cases(T: Any, s: Ints) -> int:
    """How many equally likely cases the awaited chance event (or step of one) has."""
    raise NotImplementedError


def chance(T: Any, s: Ints, number: int) -> None:
    """Let this case happen; numbered as in `Chance.pick`."""
    raise NotImplementedError


def count(T: Any, s: Ints) -> int:
    """How many legal moves there are."""
    raise NotImplementedError


def move(T: Any, s: Ints, index: int) -> None:
    """Make the move with this number in the order of `State.moves`."""
    raise NotImplementedError


def scores(T: Any, s: Ints, out: Ints) -> None:
    """Write down every seat's score."""
    raise NotImplementedError


def greedy(T: Any, s: Ints) -> int:
    """The move that the greedy player makes."""
    raise NotImplementedError


def worths(T: Any, s: Ints, out: Floats) -> None:
    """Write down what each legal move is worth, as `Valuer.move_points` says."""
    raise NotImplementedError


@bare
def winners(T: Any, s: Ints, scores: Ints, out: NDArray[np.bool_]) -> None:
    """Write down who has won. A kernel has this only where it is not the highest score that decides."""
    best = scores[0]
    for score in scores:
        best = max(best, score)
    for seat in range(len(scores)):
        out[seat] = scores[seat] == best


def menu(T: Any, s: Ints, out: NDArray[np.int32]) -> None:
    """For each legal move write its number plus one where its number in `pasch.lab.actions` says.

    Only kernels of games that can be played alone have this, for the environments.
    """
    raise NotImplementedError


#: the names that `bind` takes from a kernel
ANSWERS: Final = (
    "reset", "cases", "chance", "count", "move", "scores", "winners", "greedy", "worths", "menu",
)  # fmt: skip


# --- numbers ----------------------------------------------------------------------------------------


class Source(NamedTuple):
    """Where numbers come from: the tape if it is not empty, the keys if there are any, or the generator."""

    #: the generator's key and its four words
    key: Words
    words: Words
    tape: Ints
    #: how many numbers of the tape have been used
    used: Ints
    #: by game and place, eight words each; place 0 is chance, place s + 1 is seat s
    keys: Words32
    #: by place: the pads of the game under way, and the events so far or the numbers drawn so far
    pads: Words32
    drawn: Ints
    #: for `keyed.derive` to write on
    work: Words32


@inlined
def mix(z: Any) -> Any:
    """The last step of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@bare
def begin(source: Source, game: int, number: int) -> None:
    """Set the source to the beginning of the game in this row, which has this number."""
    for i in range(4):
        source.words[i] = mix(source.key[i] + mix(np.uint64(4) * np.uint64(number) + np.uint64(i)))
    if len(source.keys):
        for place in range(len(source.pads)):
            prepare(source.keys[game, place], source.pads[place], source.work)
            source.drawn[place] = 0


@inlined
def _turned(word: Any, by: int) -> Any:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@inlined
def next_word(words: Words) -> Any:
    """The next 64 bits of xoshiro256**."""
    a, b, c, d = words[0], words[1], words[2], words[3]
    found = _turned(b * np.uint64(5), 7) * np.uint64(9)
    c ^= a
    d ^= b
    words[0] = a ^ d
    words[1] = b ^ c
    words[2] = c ^ (b << np.uint64(17))
    words[3] = _turned(d, 45)
    return found


@inlined
def below(words: Words, n: int) -> int:
    """A whole number below n (at most 2^53), all equally likely."""
    wanted = np.uint64(n)
    if wanted <= np.uint64(0xFFFFFFFF):
        # a 32-bit fraction times n; the fractions that would favour some numbers are thrown away
        product = (next_word(words) >> np.uint64(32)) * wanted
        low = product & np.uint64(0xFFFFFFFF)
        if low < wanted:
            unfair = (np.uint64(0x100000000) - wanted) % wanted
            while low < unfair:
                product = (next_word(words) >> np.uint64(32)) * wanted
                low = product & np.uint64(0xFFFFFFFF)
        return np.int64(product >> np.uint64(32))  # type: ignore[return-value]
    found = next_word(words) >> np.uint64(11)
    while found >= np.uint64(FINEST) // wanted * wanted:
        found = next_word(words) >> np.uint64(11)
    return np.int64(found % wanted)  # type: ignore[return-value]


@inlined
def draw(source: Source, place: int, n: int) -> int:
    """The next whole number below n, for chance (place 0) or for a seat (place seat + 1)."""
    if len(source.tape):
        return _from_tape(source, n)
    if len(source.keys):
        # the number of the event that is about to happen, or of the seat's next draw
        number = source.drawn[place] + 1
        if place:
            source.drawn[place] = number
        return derive(source.pads[place], number, n, source.work)
    return below(source.words, n) if n > 1 else 0


@bare
def _from_tape(source: Source, n: int) -> int:
    at = source.used[0]
    if at >= len(source.tape):
        raise IndexError("the tape ends before the game does")
    number = source.tape[at]
    if number < 0 or number >= n:
        raise ValueError("a number of the tape is too high here")
    source.used[0] = at + 1
    return int(number)


# --- the levels' way of choosing --------------------------------------------------------------------


@bare
def summed(numbers: Floats, n: int) -> float:
    """Add the first n numbers up as Python's `sum` does."""
    total, lost = 0.0, 0.0
    for i in range(n):
        after = total + numbers[i]
        if CAREFUL_SUMS:
            if abs(total) >= abs(numbers[i]):
                lost += (total - after) + numbers[i]
            else:
                lost += (numbers[i] - after) + total
        total = after
    return total + lost


@bare
def by_worth(source: Source, seat: int, worth: Floats, n: int, temperature: float, absurd: float) -> int:
    """What `pasch.players.levels.LevelPlayer` chooses of n moves that are worth so much."""
    if n == 1:
        return 0
    best = worth[0]
    for i in range(1, n):
        best = max(best, worth[i])
    if temperature <= 0:
        for i in range(n):
            if worth[i] >= best - EQUAL:
                return i
    chances = worth
    for i in range(n):
        cost = best - worth[i]
        chances[i] = np.exp(-cost / temperature) if cost <= absurd else 0.0
    total = summed(chances, n)
    likeliest = 0
    for i in range(n):
        chances[i] /= total
        if chances[i] > chances[likeliest]:
            likeliest = i
    if chances[likeliest] == 1.0:
        return likeliest
    drawn = draw(source, seat + 1, FINEST) / FINEST
    for i in range(n):
        drawn -= chances[i]
        if drawn < 0:
            return i
    return likeliest


# --- the loop ---------------------------------------------------------------------------------------


class Seats(NamedTuple):
    """Who plays: by seat, the kind of player and its temperature; and the bound for the absurd."""

    kind: Ints
    temperature: Floats
    absurd: float


def play(
    T: Any,
    seats: Seats,
    source: Source,
    first: int,
    s: Ints,
    worth: Floats,
    trace: Ints,
    results: Ints,
    won: NDArray[np.bool_],
    counts: Ints,
) -> None:
    """Play the games from number `first` on, one for each row of `results` and of `won`.

    `s` and `worth` are to be written on. Seat and move of each decision go into the rows of `trace` as
    far as there are any.
    """
    for game in range(len(results)):
        begin(source, game, first + game)
        reset(T, s)
        while s[0] != OVER:
            seat = s[0]
            if seat == CHANCE:
                chance(T, s, draw(source, 0, cases(T, s)))
                counts[CHANCES] += 1
                source.drawn[0] += 1
                continue
            kind = seats.kind[seat]
            n = count(T, s)
            if kind == RANDOM:
                index = draw(source, seat + 1, n)
            elif kind == GREEDY:
                index = greedy(T, s)
            else:
                index = 0
                if n > 1:
                    worths(T, s, worth)
                    index = by_worth(source, seat, worth, n, seats.temperature[seat], seats.absurd)
            at = counts[DECISIONS]
            if at < len(trace):
                trace[at, 0] = seat
                trace[at, 1] = index
            move(T, s, index)
            counts[DECISIONS] = at + 1
            source.drawn[0] += 1
        scores(T, s, results[game])
        winners(T, s, results[game], won[game])
    counts[DRAWN] = source.used[0]


# --- games side by side, somebody else choosing ------------------------------------------------------


class Rows(NamedTuple):
    """Games of one seat under way, one in each row."""

    states: Ints
    #: what the dice follow from (see `keyed`), and how many events there have been
    keys: Words32
    pads: Words32
    events: Ints
    #: by action: the number of the move plus one, 0 for what is not legal
    menu: NDArray[np.int32]
    #: the score now
    score: Ints
    #: the last action was refused
    refused: NDArray[np.bool_]
    work: Words32


def advance(T: Any, rows: Rows, chosen: Ints) -> None:
    """Make the action chosen in each game, or begin it anew if that is negative; then let chance act.

    An action that is not legal changes nothing.
    """
    for row in range(len(chosen)):
        s, action = rows.states[row], chosen[row]
        rows.refused[row] = False
        if action < 0:
            prepare(rows.keys[row], rows.pads[row], rows.work)
            rows.events[row] = 0
            reset(T, s)
        elif action < rows.menu.shape[1] and rows.menu[row, action] > 0:
            move(T, s, np.int64(rows.menu[row, action] - 1))  # type: ignore[arg-type]
            rows.events[row] += 1
        else:
            rows.refused[row] = True
            continue
        while s[0] == CHANCE:
            rows.events[row] += 1
            chance(T, s, derive(rows.pads[row], rows.events[row], cases(T, s), rows.work))
        rows.menu[row, :] = 0
        if s[0] != OVER:
            menu(T, s, rows.menu[row])
        scores(T, s, rows.score[row : row + 1])


# --- putting a kernel into the loop ------------------------------------------------------------------


@bare
def no_worths(T: Any, s: Ints, out: Floats) -> None:
    """In place of `worths` where nobody asks for it."""
    raise ValueError("nobody should ask for values here")


def bind(function: Callable[..., Any], kernel: ModuleType, *, values: bool = True) -> Any:
    """`function` of this module, compiled with the answers of a kernel in place of the names above.

    Without `values` moves are not valued, which in some games takes long to compile.

    numba keeps compiled code for the next process as long as the function's own file is unchanged. Here
    the code depends on other files too, so a digest of these is part of the name.
    """
    names = {**function.__globals__, **_answers(kernel)}
    if not values:
        names["worths"] = no_worths
    bound = FunctionType(function.__code__, names, function.__name__)
    game = kernel.__name__.rpartition(".")[2]
    bound.__qualname__ = f"{function.__name__}_{game}_{_digest(kernel)}{'' if values else '_simple'}"
    bound.__module__ = __name__
    return bare(bound)


def _answers(kernel: ModuleType) -> dict[str, Any]:
    own = {name: getattr(kernel, name, None) for name in ANSWERS}
    return {name: answer for name, answer in own.items() if answer is not None}


def _digest(kernel: ModuleType) -> str:
    """Of the sources of everything compiled that a kernel uses, and of this module."""
    sources: dict[str, bytes] = {}
    waiting = {kernel.__name__, __name__}
    while waiting:
        module = sys.modules[waiting.pop()]
        sources[module.__name__] = Path(module.__file__ or "").read_bytes()
        used = {thing.py_func.__module__ for thing in vars(module).values() if hasattr(thing, "py_func")}
        waiting |= used - set(sources)
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(sources[name])
    return digest.hexdigest()[:12]
