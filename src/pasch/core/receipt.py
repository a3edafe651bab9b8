"""Receipts: a finished game together with all that its dice followed from, in the format `pasch-receipt/1`.

`Receipt.of` writes one, `Receipt.findings` says what is wrong with one. The coach's numbers are recomputed
elsewhere (`pasch.coach.figures`), because that needs values.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

import msgspec

from pasch.core.chance import Chance
from pasch.core.errors import PaschError, RecordError
from pasch.core.events import Event
from pasch.core.fair import Contributions, commitment, dice_key, rolled
from pasch.core.game import Game
from pasch.core.philox import Stream
from pasch.core.record import Record, parse
from pasch.core.state import CHANCE, State

FORMAT: Final = "pasch-receipt/1"
#: the table of a simulated game is named so, with the number of the game behind it
SIMULATED: Final = "game-"

Dice = Literal["pasch", "real", "simulated"]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, msgspec.Meta(ge=0)]


def fingerprint(data: Any) -> str:
    """The SHA-256 of JSON values, written in one way only."""
    written = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(written.encode()).hexdigest()


class RulesHash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a game, as a hash."""

    game: str
    version: int
    #: of the game, the version of its rules, the number of players, the options and the box's data
    hash: Hex

    @classmethod
    def of(cls, game: Game[Any, Any]) -> Self:
        box = msgspec.to_builtins(game.components)
        hashed = [game.id, game.rules_version, game.players, game.options.hashed(), box]
        return cls(game.id, game.rules_version, fingerprint(hashed))


class Finding(NamedTuple):
    """A problem found in a receipt."""

    #: the event's number, counted from 1; None where no single event is to blame
    event: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.event is None else f"event {self.event}: {self.reason}"


class Memory(NamedTuple):
    """What a player noted about a game's dice before the first roll."""

    commitment: str | None = None
    #: pairs (seat, or None for any seat; contribution)
    contributions: tuple[tuple[int | None, str], ...] = ()


NO_MEMORY: Final = Memory()


class ReceiptError(PaschError):
    """The input is not a receipt."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt as it is written. Nothing in here has been checked yet."""

    format: Literal["pasch-receipt/1"] = FORMAT
    table: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
    #: "real": people rolled real dice and dealt real cards, so that nothing was derived; "simulated": the game with
    #: the number in `table`, counted from 0, of the simulation with this seed (`pasch.core.philox`)
    dice: Dice
    #: the commitment to the seed, published before the first roll
    commitment: Hex | None
    #: what each person's browser added, by seat
    contributions: list[Hex | None]
    seed: Hex | None
    #: this many events came from another game, whose position this one began from
    given: Count
    #: "adjudicated": the game was ended early, by `verdict`
    ended: Literal["over", "adjudicated"]
    verdict: dict[str, Any] | None
    rules: RulesHash
    #: of each event that the dice or cards of Pasch brought: its number, and how a case becomes an outcome
    chance: list[dict[str, Any]]
    #: the coach's figures (see `pasch.coach.figures`); None if it was not asked
    coach: dict[str, Any] | None
    #: in the format `pasch/1`
    record: dict[str, Any]

    @classmethod
    def of(
        cls,
        game: Game[Any, Any],
        events: Iterable[Event],
        *,
        table: str,
        dice: Dice,
        seed: bytes,
        contributions: Contributions,
        given: int = 0,
        verdict: Mapping[str, Any] | None = None,
        coach: Mapping[str, Any] | None = None,
    ) -> Self:
        """The receipt of a game that has ended."""
        events = list(events)
        state, described = game.start(), []
        for number, event in enumerate(events, 1):
            if state.actor == CHANCE and dice != "real":
                described.append(_described(number, state.chance()))
            state = state.apply(event)
        derived = dice != "real"
        return cls(
            table=table,
            dice=dice,
            commitment=commitment(seed) if derived else None,
            contributions=list(contributions),
            seed=seed.hex() if derived else None,
            given=given,
            ended="over" if verdict is None else "adjudicated",
            verdict=None if verdict is None else dict(verdict),
            rules=RulesHash.of(game),
            chance=described,
            coach=None if coach is None else dict(coach),
            record=msgspec.structs.asdict(Record.of(game, events, state)),
        )

    def to_json(self) -> str:
        """One line, without the line's end."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, written: str | bytes) -> Self:
        """Read what `to_json` wrote; ReceiptError if it is something else."""
        try:
            return msgspec.convert(parse(written), cls, strict=True)
        except (RecordError, msgspec.ValidationError, RecursionError) as error:
            raise ReceiptError("this is not a receipt", detail=str(error)) from None

    def game_record(self) -> Record:
        """The record inside, read as strictly as any other; RecordError if it is none."""
        return Record.from_plain(self.record)

    def findings(self, memory: Memory = NO_MEMORY) -> list[Finding]:
        """Everything that is wrong, the coach's numbers aside; an empty list if every roll follows.

        With a player's notes on the dice: also every difference between the receipt and these notes.
        """
        found = list(self._forgotten(memory))
        try:
            record = self.game_record()
            game = record.configured_game()
        except RecordError as error:
            return [*found, Finding(error.event, error.reason)]
        return [*found, *self._rules(game), *self._secrets(game), *self._events(record)]

    def _forgotten(self, memory: Memory) -> Iterator[Finding]:
        if memory.commitment is not None and self.commitment is None:
            yield Finding(None, "commitment: there is none, although you saw one before the first roll")
        elif memory.commitment not in (None, self.commitment):
            yield Finding(None, "commitment: it is not the one that you saw before the first roll")
        for seat, contribution in memory.contributions:
            said = ""
            if seat is None:
                if contribution not in self.contributions:
                    said = f"yours, {contribution[:8]}…, is not among them"
            elif seat >= len(self.contributions):
                said = f"there is no seat {seat}"
            elif self.contributions[seat] is None:
                said = f"seat {seat} has added nothing, although you say it has"
            elif self.contributions[seat] != contribution:
                said = f"that of seat {seat} is not the one you gave"
            if said:
                yield Finding(None, f"contributions: {said}")

    def _rules(self, game: Game[Any, Any]) -> Iterator[Finding]:
        ours = RulesHash.of(game)
        if self.rules.version != ours.version and self.rules.game == ours.game:
            yield Finding(None, f"rules: version {self.rules.version}, but this Pasch has {ours.version}")
        elif self.rules != ours:
            yield Finding(None, "rules: their hash does not fit the game, its options and its box")

    def _secrets(self, game: Game[Any, Any]) -> Iterator[Finding]:
        if len(self.contributions) != game.players:
            yield Finding(None, "contributions: there has to be one, or null, for each seat")
        if self.dice == "real":
            if self.seed is not None or self.commitment is not None:
                yield Finding(None, "seed: with real dice there is none")
        elif self.seed is None or self.commitment is None:
            yield Finding(None, "seed: it and the commitment have to be there")
        elif commitment(bytes.fromhex(self.seed)) != self.commitment:
            yield Finding(None, "seed: it is not the one that was committed to before the first roll")
        if self.dice == "simulated":
            # otherwise a receipt could claim to be simulated, and its dice would ignore the contributions
            if self._game_number() is None:
                yield Finding(None, f"table: that of a simulated game is {SIMULATED} and its number")
            if any(self.contributions):
                yield Finding(None, "contributions: nobody adds to the dice of a simulation")

    def _game_number(self) -> int | None:
        """Which game of a simulation this is; None if the table's name does not say it."""
        prefix, number = self.table[: len(SIMULATED)], self.table[len(SIMULATED) :]
        if prefix != SIMULATED or not number.isdecimal() or int(number) >= 1 << 64:
            return None
        return int(number)

    def _dice(self) -> Callable[[int, Chance], Event] | None:
        """What chance brings as the event with this number, asked in the order of the events."""
        if self.dice == "real" or self.seed is None:
            return None
        seed = bytes.fromhex(self.seed)
        if self.dice == "simulated":
            number = self._game_number()
            if number is None:
                return None
            stream = Stream(seed[:8] + number.to_bytes(8, "little"), 0)
            return lambda number, chance: chance.sample(stream)
        key = dice_key(seed, self.table, self.contributions, self.given)
        return lambda number, chance: rolled(key, number, chance)

    def _events(self, record: Record) -> Iterator[Finding]:
        """Each roll and card against what follows from the seed, as far as the rules can be followed."""
        dice, state = self._dice(), record.configured_game().start()
        described = {entry["number"]: entry for entry in self.chance if type(entry.get("number")) is int}
        if len(described) != len(self.chance):
            yield Finding(None, "chance: an event is described twice, or without its number")
        if self.given > len(record.events):
            yield Finding(None, "given: the record has fewer events")
        try:
            for number, (event, after) in enumerate(record.replay(), 1):
                if state.actor == CHANCE and self.dice != "real":
                    chance = state.chance()
                    if described.pop(number, None) != _described(number, chance):
                        yield Finding(number, "its chances are described otherwise than the rules say")
                    right = dice(number, chance) if dice is not None and number > self.given else event
                    if event != right:
                        written, derived = json.dumps(event.fields()), json.dumps(right.fields())
                        yield Finding(number, f"{written} was written, but {derived} follows from the seed")
                state = after
        except RecordError as error:
            yield Finding(error.event, error.reason)
            return
        for extra in described:
            yield Finding(None, f"chance: event {extra} is described, but chance had no part in it")
        yield from self._end(record, state)

    def _end(self, record: Record, state: State) -> Iterator[Finding]:
        if self.ended == "over":
            if self.verdict is not None:
                yield Finding(None, "verdict: a game that was played to its end needs none")
            try:
                record.check_end(state)
            except RecordError as error:
                yield Finding(error.event, error.reason)
            return
        if state.over:
            yield Finding(None, "ended: the game was played to its end, so nobody had to decide it")
        if self.verdict is None:
            yield Finding(None, "verdict: it is missing")
        if record.scores != list(state.scores()) or record.winners:
            yield Finding(None, "scores: they are not those of this position")


def _described(number: int, chance: Chance) -> dict[str, Any]:
    """How a case of this chance becomes the event with this number, so that no rules are needed for it."""
    example = chance.pick(0).json()
    field = next(name for name in example if name != "seat")
    described = {"number": number, "field": field, **chance.described()}
    if isinstance(example[field], dict):
        # dice with colours are written by their names, in this order
        described["names"] = list(example[field])
    return described
