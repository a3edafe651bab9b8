"""Dice that can be proved fair: one seed, what the players added to it, and everything that follows.

The side that rolls draws a secret seed and publishes its `commitment` before anything else. Each
person then adds a contribution. From the seed, the table's name and the contributions in the order of the
seats follows one key (`dice_key`), and from the key every roll and shuffle (`pasch.core.chance.derive`
with the event's number in the record, counted from 1). When the seed is shown at the end, everybody can
do the sum.

A game in the terminal is the same without contributions; simulated games have a generator of their own
(`pasch.core.philox`). docs/fairness.md explains it to players, with what it does not prove.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final

from pasch.core.chance import Chance, derive
from pasch.core.errors import PaschError
from pasch.core.events import Event

#: the length of a seed and of a contribution, in bytes
SEED_BYTES: Final = 32

_TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: how commitments, contributions and seeds are written
HEX: Final = re.compile(r"[0-9a-f]{64}")

#: what each person's browser has added, by seat, in hexadecimal; None where there is none
Contributions = Sequence[str | None]


def commitment(seed: bytes) -> str:
    """What may be shown of a seed: it fits no other seed and does not reveal it."""
    return hashlib.sha256(b"pasch commitment/1\n" + _whole(seed)).hexdigest()


def dice_key(seed: bytes, table: str, contributions: Contributions, given: int = 0) -> bytes:
    """The key from which all dice and cards of a game follow.

    `given` is the number of events taken from another game; with it in the key, no one can claim later that
    a roll was one of them.
    """
    if not _TABLE.fullmatch(table):
        raise PaschError("{table!r} is not the name of a table", table=table)
    for contribution in contributions:
        if contribution is not None and not HEX.fullmatch(contribution):
            raise PaschError("a contribution is 64 hexadecimal digits, not {got!r}", got=contribution)
    # one line each: nothing in a line can look like the end of it, so no two games are written alike
    lines = ["pasch dice/1", table, str(given), *(contribution or "-" for contribution in contributions)]
    return hmac.digest(_whole(seed), "\n".join(lines).encode(), "sha256")


#: the fixed contribution of all seats in a game of the day, whose dice must not change
NOTHING_ADDED: Final = "0" * 2 * SEED_BYTES


def day_table(day: str) -> str:
    """The name of the table in the dice of a game of the day, on every server."""
    return f"day-{day}"


def day_seed(day: str, game: str) -> bytes:
    """The seed of the game of a day, which is public: all players get the same dice."""
    return hashlib.sha256(f"pasch day/1\n{day}\n{game}".encode()).digest()


def rolled(key: bytes, number: int, chance: Chance) -> Event:
    """What chance brings as event `number` (counted from 1) of the game with this key."""
    return chance.pick(derive(key, number, chance.total))


def _whole(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise PaschError("a seed has {wanted} bytes, not {got}", wanted=SEED_BYTES, got=len(seed))
    return seed
