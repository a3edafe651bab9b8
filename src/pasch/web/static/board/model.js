// @ts-check
/**
 * What a game's board is drawn from, and what its board.js may export. A board draws and says; it keeps no state, and
 * never touches the page.
 *
 * @typedef {import("../vendor/preact.js").Child} Child
 *
 * @typedef {object} Roll a roll that is being shown: dice in the air, or lying where they lost the turn
 * @property {Record<string, any>} event
 * @property {number} landed how many of its dice rest, in the order in which the board draws those of this roll; the
 *   faces of the others must not be in the drawing, in no attribute and no label
 * @property {boolean} rests whether all of them do
 * @property {Position | null} [after] the position it led to, once they do
 *
 * @typedef {object} Happening an event, and the positions before and after it; null where they are not known
 * @property {Record<string, any>} event
 * @property {Position | null} before
 * @property {Position | null} after
 *
 * @typedef {object} BoardModel
 * @property {Record<string, any>} state the position's fields, as its rules declare them
 * @property {Record<string, any>} before those of the position before: what differs has just been placed
 * @property {Record<string, any>} marks what the rules mark in this position
 * @property {Record<string, any>} box
 * @property {Record<string, any>} options
 * @property {readonly import("../app/types.js").FieldKind[]} fields what the rules declare of the state's fields; [] if not known
 * @property {number} seats how many
 * @property {number[]} scores
 * @property {number[]} winners
 * @property {number} turn the seat whose turn it is, to choose or to roll; -1 if nobody's
 * @property {boolean} over
 * @property {Roll | null} roll
 * @property {Happening[]} recent what happened in this turn, or in the last one while the next has not begun to act, oldest
 *   first: the computer's last roll and what it did with it
 * @property {{event: Record<string, any>, beat: number, beats: number, after: Position} | null} story an event that is shown
 *   in several beats (see `beats`); `state` is then the position before it, `after` the one it led to
 * @property {number | null} chooser the seat that chooses on this device; null: nothing can be touched
 * @property {boolean} awaits whether this device is to roll
 * @property {Choice[]} moves the legal moves of the chooser
 * @property {ReadonlySet<string>} chosen the tokens touched so far
 * @property {ReadonlySet<string>} possible the tokens that could be touched next
 * @property {string[]} tokens all tokens of the moves, except those that buttons offer
 * @property {Choice | null} choice the move that was touched completely
 * @property {number[] | null} uses what each die is used as by what was touched
 * @property {boolean} small whether the screen is small
 * @property {(seat: number) => string} name for sentences about third persons
 * @property {(seat: number) => string} who "You" or the name, where no sentence follows
 * @property {(seat: number) => boolean} you whether a sentence about this seat says "you"
 * @property {(seat: number) => Child} portrait a seat's picture: its chip, or a computer's face
 * @property {(seat: number) => string} role what a seat is besides its name, as in "computer"; "" for people
 * @property {(token: string, label: string) => Record<string, any>} touch attributes that make an element a control, or
 *   a drawing with a name where nothing can be touched: `h("g", { ...touch("keep:red", label) })`; they include `class`
 *
 * @typedef {Happening & {name: string, you: boolean, box: Record<string, any>, options: Record<string, any>,
 *   position: Position, who: (seat: number) => string, isYou: (seat: number) => boolean}} Telling what a sentence is made of:
 *   `name` and `you` are those of the event's seat, `position` is the one on the table
 *
 * @typedef {object} BoxForm one's own box while it is entered
 * @property {(place: string, label: string, colour?: string) => Child} cell the field for what stands at a place: "chips.number"
 * @property {(place: string, value: unknown) => void} set
 *
 * @typedef {object} Board
 * @property {(model: BoardModel) => Child} board what all share; may be null where each seat has its own
 * @property {(model: BoardModel) => Child} zone what lies below the board: dice, hand, cup or story; default: the dice in a row
 * @property {((model: BoardModel, seat: number) => Child) | null} seatBoard what a seat has in front of it; null: nothing
 * @property {((model: BoardModel, seat: number) => Child) | null} smallBoard the same for the rail where there are more than two
 * @property {((model: BoardModel) => Child) | null} reference a reference card for the rail
 * @property {(model: BoardModel) => boolean} wide whether the game needs a wide mat: the log is folded
 * @property {Record<string, (telling: Telling) => string>} sentences an event in words, by the field that names its kind;
 *   "" for all others
 * @property {Record<string, (telling: Telling) => string | {text: string, sub: string}>} labels a move on its button, by kind;
 *   `sub` is a small line below
 * @property {Record<string, (telling: Telling) => string>} shorts a move as a caption beside a name: "5×3"; default: its label
 * @property {(model: BoardModel) => Record<string, string>} prompts what to do, by phase; "roll" and "" for all others
 * @property {(model: BoardModel) => Record<string, string>} notes a small line below that, by phase
 * @property {(model: BoardModel) => Record<string, string>} needs what the primary action says while something is missing
 * @property {(model: BoardModel) => string} where how far the game is, beside its title; "" if nothing is to be said
 * @property {(model: BoardModel) => string} earned what a finished game for one says of its player; ""
 * @property {(model: BoardModel, seat: number) => string} seatNote a small line beside a seat; ""
 * @property {(model: BoardModel) => string} storyButton the label of the button that continues with the next beat
 * @property {(model: BoardModel) => Record<string, string>} chances what the button says that lets chance happen, by phase
 * @property {() => Record<string, string>} nouns names of options, of their values ("option=value"), of parts of box and score,
 *   of what is read off the real table, and of titles
 * @property {(telling: Telling) => number[]} beats of an event that is shown in several steps, how long each takes in
 *   milliseconds; Infinity: until it is touched; usually []
 * @property {(model: BoardModel, part: string, value: number) => Child} face what can be read off the real table; null: the usual
 * @property {(part: string, value: number) => string} faceName the same in words
 * @property {((state: Record<string, any>) => number) | null} scorePad where scores are written down round by round: the number
 *   of the round being played, from 0; `box.rounds` is how many there are
 * @property {"chip" | "slide" | "card" | "die"} placing what a move sounds like
 * @property {string[]} growing lists of the box that may have more or fewer entries
 * @property {(place: string, value: any, form: BoxForm) => Child} [boxPart] a part of the box as it is printed, with a field
 *   where each number stands; the place is one as "rows" or "strips[0]"; null: a row of fields
 * @property {(box: Record<string, any>) => void} [boxChanged] keeps what follows from what was typed
 * @property {(option: string, value: any, box: Record<string, any>) => Child} [picture] one of an option's values, small; null: its name
 */

/** @import { Choice, Position } from "../app/types.js" */

export {};
