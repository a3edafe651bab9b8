// Made by `make docs` from src/pasch/table/schema.py; edit that.

/**
 * What the computer has done on a seat since it was lent.
 */
export interface StandIn {
  /** the version at which the computer took over */
  since: number;
  /** the moves that it has made */
  moves: number;
  /** whether others lent the seat because its person was away */
  absent: boolean;
}

/**
 * One seat at the table.
 */
export interface Seat {
  seat: number;
  /** "here": a person at the device that made the table; "link": one who came by a link; "open": waits for one */
  kind: "computer"|"here"|"link"|"open";
  name: string;
  /** of a computer, its level */
  level: string|null;
  /** whether a client with this seat's token is connected */
  online: boolean;
  /** of a computer: it plays for a person, who may take the seat back */
  lent: boolean;
  /** the coach mode that this person has asked for, while not all have agreed to it yet */
  wish: "after"|"hints"|"moves"|"off"|null;
  /** whether this person has asked for the game to end now, while not all have agreed */
  ends: boolean;
  /** whether this person has asked for the last move to be taken back, while not all have agreed */
  undoes: boolean;
  /** whether this person has asked for another game after this one, while not all have agreed */
  again: boolean;
  /** of a person's seat, also of a lent one, how long nobody has been connected: "short"; "long": for a minute or more, so that the others may let the computer play; "gone": for a quarter of an hour or more, so that they agree to a coach, to the end or to another game without them; null: a client is connected */
  away: "gone"|"long"|"short"|null;
  /** of a lent seat, what the computer has done for its person */
  stand_in: StandIn|null;
  /** of a computer: a simpler player made its last move: its own values are not there yet, or the server was busy */
  simplified: boolean;
}

/**
 * What a game's rules declare of a field of the position, for drawing it.
 *
 * "set": each number is a bit mask of `size` things; "row", "table": of fixed length; "list": things that come and go.
 * `high` is the highest number that can occur, 0 if none is declared.
 */
export interface FieldKind {
  name: string;
  kind: "dice"|"list"|"number"|"row"|"set"|"table"|"word";
  by_seat: boolean;
  size: number;
  high: number;
}

/**
 * What every client may know about a table, except the game's position.
 */
export interface TableInfo {
  id: string;
  game: string;
  title: string;
  players: number;
  options: Record<string, any>;
  /** the box's data (fields, strips, plans …), for drawing; empty if this connection was sent it before, as `box` says */
  components: Record<string, any>;
  seats: Seat[];
  coach: "after"|"hints"|"moves"|"off";
  dice: "pasch"|"real";
  /** "waiting": a seat is open, or a contribution to the dice is missing; "adjudicated": ended early, by value */
  phase: "adjudicated"|"over"|"playing"|"waiting";
  /** when the table was made, seconds since 1970 */
  made: number;
  /** what the server has bound itself to before the first roll (see docs/fairness.md); null with real dice */
  commitment: string|null;
  /** what each person's browser has added to the dice, by seat */
  contributions: (string|null)[];
  /** number of events copied from another game, from whose position this one began */
  given: number;
  /** of a game of the day, the day: its dice are the same for everybody who plays it */
  day: string;
  /** the level of a computer that plays for an absent person */
  stand_in: string;
  /** the table at which the same people play again; the tokens of this one are good there, too */
  next: string|null;
  /** whether the box is not the one that Pasch knows */
  own_box: boolean;
  /** the hash of the box's data */
  box: string;
  /** the seats, open ones too, that have to agree before the coach changes, a move is undone or a game ends or begins */
  must_agree: number[];
  /** what the rules declare of the position's fields, for drawing a game that brings no board */
  fields: FieldKind[];
}

/**
 * A legal move and the tokens (a field, a die, a card) that a person touches to choose it.
 */
export interface Choice {
  event: Record<string, any>;
  tokens: string[];
  /** for each die on the table the face that this move uses it as, 0: not used; null: the game does not say */
  uses: number[]|null;
}

/**
 * What a person has to read off the real table: one value for each part.
 */
export interface Ask {
  /** what each part is: "die", a colour, "strip", "card"; for cards with its seat, as in "card 0" */
  parts: string[];
  /** the values that a part may have: faces, cards, or the numbers of the strips not drawn yet */
  values: number[];
}

/**
 * Where the game stands, as one client may know it.
 */
export interface Position {
  version: number;
  /** the number of events of the game so far: that of the last one in the record */
  events: number;
  /** the seat to choose; -1: dice or cards come next; -2: over */
  actor: number;
  /** the seat whose view this is; None: a spectator's */
  as_seat: number|null;
  /** the state's fields, for drawing */
  snapshot: Record<string, any>;
  /** what the drawing marks because of the rules (see `pasch.table.show`) */
  marks: Record<string, any>;
  scores: number[];
  winners: number[];
  /** the legal moves, if one of this client's seats is to choose */
  moves: Choice[];
  /** "roll": this client has to press for the roll; "read": it has to read the real dice */
  awaits: "read"|"roll"|null;
  /** the seat that is to roll, when dice come next */
  roller: number|null;
  ask: Ask|null;
  /** the person's seat whose last move may still be taken back: neither dice nor cards have come since */
  undo: number|null;
  /** whether dice or cards that come by themselves wait for this client's `go`, and the last move can be taken back */
  held: boolean;
}

/**
 * One line of the table's log, as one client may know it.
 */
export interface Entry {
  version: number;
  /** "event": of the game; the others change who sits where or how the table ends */
  kind: "adjudicate"|"again"|"coach"|"computer"|"contribute"|"end"|"event"|"name"|"next"|"person"|"sit"|"undo";
  /** of an event, its JSON as the record has it, less what this client must not know; "sit" and "name": seat, name; "contribute": seats, contribution; "computer": seat, level, and if a program that a user has written has lost its seat by it, `failed` ("error", "illegal", "slow", "gone"), and if others lent it because its person was away, `absent` (in older logs `by_maker`); "person": seat; "coach": seats, coach, settled (whether all have agreed now); "end" and "again": seats, agree; "undo": seats, agree, settled (the last event is taken back: the game continues without it); "adjudicate": winners, value (expected final score per seat or null), win (chances or null), by ("chances", "value" or "scores"); "next": table */
  body: Record<string, any>;
  /** whether a computer made this move for a person who was away */
  stand_in: boolean;
  /** the number of events of the game after it: of an event, its number in the record */
  events: number;
}

/**
 * An entry of the log, and the position after it.
 */
export interface Step {
  entry: Entry;
  position: Position;
}

/**
 * An English template, which is the key of the catalogues, and what fills its `{names}`.
 *
 * Details are numbers, words or lists of these: the renderer formats numbers for the
 * reader's language.
 */
export interface Sentence {
  template: string;
  details: Record<string, any>;
}

/**
 * What the coach says of one move or roll.
 */
export interface Judgement {
  version: number;
  seat: number;
  kind: "move"|"roll";
  /** of a move, what it gave away; of a roll, its luck, in points of expected score */
  points: number;
  best: Record<string, any>|null;
  sentences: Sentence[];
  exact: boolean;
}

/**
 * The first message: who is there, and which version was seen last. It may be repeated.
 *
 * Without a right to look it is refused as `not-yours`; the connection stays open, for `sit`.
 */
export interface Hello {
  type: "hello";
  /** the tokens this device holds for this table: of seats, the maker's, to watch, an unused invitation */
  tokens: string[];
  since?: number|null;
  /** the version of the protocol that the page was made for */
  protocol?: number;
}

/**
 * Ask for a sign of life, which is `pong`; a broken connection is noticed by its absence.
 */
export interface Ping {
  type: "ping";
}

/**
 * Make a move: an event as `moves` offered it.
 */
export interface Move {
  type: "move";
  id: string;
  version: number;
  event: Record<string, any>;
  /** dice and cards that come by themselves wait some seconds for `go`, if all people at the table sit at this device */
  hold?: boolean;
}

/**
 * Let the dice or cards come that wait because of `hold`.
 */
export interface Go {
  type: "go";
  id: string;
  version: number;
}

/**
 * Agree to take the last move back, for all your seats: the person who made it asks first.
 *
 * The move is taken back once every person has agreed who has not been away for a quarter of an hour. It is too
 * late when dice or cards have come since, or the game is over.
 */
export interface Undo {
  type: "undo";
  id: string;
  version: number;
  /** false: the move stands */
  agree?: boolean;
}

/**
 * Let Pasch roll the dice.
 */
export interface Roll {
  type: "roll";
  id: string;
  version: number;
}

/**
 * The faces or cards that lie on the real table, in the order of `ask.parts`.
 */
export interface Read {
  type: "read";
  id: string;
  version: number;
  values: number[];
}

/**
 * Take an open seat. The answer carries the seat's token; the connection has the seat immediately.
 *
 * Its `version` does not matter, and it needs no `hello` before it.
 */
export interface Sit {
  type: "sit";
  id: string;
  version: number;
  invitation: string;
  name: string;
}

/**
 * Add to the dice, for all your seats that have not yet; the first roll waits for everybody's.
 *
 * It has to be made at random after the table's `commitment` was seen. Its `version` does not matter.
 */
export interface Contribute {
  type: "contribute";
  id: string;
  version: number;
  contribution: string;
}

/**
 * Change one of your names.
 */
export interface Rename {
  type: "name";
  id: string;
  version: number;
  seat: number;
  name: string;
}

/**
 * Let the computer play one of your seats from now on.
 *
 * The maker of a table may also do this with an open seat; every player may do it with the seat of a person who has
 * been away for a minute, where the computer plays at the table's level (`stand_in`).
 */
export interface HandOver {
  type: "computer";
  id: string;
  version: number;
  seat: number;
  level: string;
}

/**
 * Play a seat that one handed over oneself again.
 */
export interface TakeBack {
  type: "person";
  id: string;
  version: number;
  seat: number;
}

/**
 * Agree to end the game now, decided by the value of the position, for all your seats.
 *
 * It ends once every person has agreed who has not been away for a quarter of an hour; if there is no such
 * person, the table's maker may end it. When a person moves instead, all agreements lapse.
 */
export interface Adjudicate {
  type: "adjudicate";
  id: string;
  version: number;
  /** false takes one's agreement back */
  agree?: boolean;
}

/**
 * Ask how the game would be decided if it ended now.
 */
export interface Preview {
  type: "preview";
  id: string;
  version: number;
}

/**
 * Agree to play again when the game is over, for all your seats.
 *
 * Once every person has agreed who has not been away for a quarter of an hour, there is a new table with the
 * same seats, options and levels, for which the tokens of this one are good; `TableInfo.next` names it.
 */
export interface Rematch {
  type: "rematch";
  id: string;
  version: number;
  /** false takes one's agreement back */
  agree?: boolean;
}

/**
 * Show those who play a reaction. It is no part of the log. Its `version` does not matter.
 */
export interface React {
  type: "react";
  id: string;
  version: number;
  seat: number;
  reaction: "bravo"|"hello"|"laugh"|"luck"|"moment"|"oh-no";
}

/**
 * Agree to a coach mode, for all your seats; it changes once every person has agreed to it.
 */
export interface SetCoach {
  type: "coach";
  id: string;
  version: number;
  coach: "after"|"hints"|"moves"|"off";
}

/**
 * Ask for older entries of the log: the last ones below the version `before`. Its `version` does not matter.
 */
export interface Earlier {
  type: "earlier";
  id: string;
  version: number;
  before: number;
  count?: number;
}

/**
 * Ask for the values of one's moves.
 */
export interface Hint {
  type: "hint";
  id: string;
  version: number;
}

/**
 * Ask why what was touched is not possible.
 */
export interface Why {
  type: "why";
  id: string;
  version: number;
  tokens: string[];
}

/**
 * The answer to `hello`: everything needed to draw the table, and the latest entries.
 */
export interface Welcome {
  type: "welcome";
  table: TableInfo;
  /** the seats whose tokens this client showed */
  yours: number[];
  /** the open seats to which its invitations invite */
  invited: number[];
  /** whether this client made the table */
  maker: boolean;
  position: Position;
  /** the latest entries after `since` */
  entries: Entry[];
  /** the version of the first; if it is above `since` + 1, ask for what is missing with `earlier` */
  first: number;
  /** what the coach has said of these */
  judgements: Judgement[];
}

/**
 * The answer to `earlier`.
 */
export interface Entries {
  type: "entries";
  id: string;
  entries: Entry[];
  /** the version of the first; 1: there is nothing earlier */
  first: number;
  judgements: Judgement[];
}

/**
 * What has happened: each new entry with the position after it.
 */
export interface Update {
  type: "update";
  steps: Step[];
  /** of the client whose command this was, the command's id */
  answers: string|null;
}

/**
 * Who sits where has changed, or who is connected.
 */
export interface Table {
  type: "table";
  table: TableInfo;
}

/**
 * The command has changed nothing, or it is in the log; see `update`.
 */
export interface Accepted {
  type: "accepted";
  id: string;
  version: number;
  /** of `sit`: the seat and its token */
  seat: number|null;
  token: string|null;
}

/**
 * The command changed nothing.
 */
export interface Refused {
  type: "refused";
  id: string|null;
  code: "full"|"illegal"|"malformed"|"no-table"|"not-agreed"|"not-found"|"not-now"|"not-ready"|"not-yours"|"old-page"|"old-version"|"storage"|"too-fast"|"too-large";
  reason: Sentence;
  version: number|null;
}

/**
 * The answer to `hint`: each move with its value, best first.
 */
export interface Advice {
  type: "advice";
  id: string;
  version: number;
  /** each with event, points (the mover's expected final score) and win (its chance to win, or null) */
  moves: Record<string, any>[];
  sentences: Sentence[];
  exact: boolean;
}

/**
 * The answer to `why`.
 */
export interface Because {
  type: "because";
  id: string;
  reason: Sentence;
}

/**
 * What the coach says of the last events.
 */
export interface Coached {
  type: "coached";
  judgements: Judgement[];
}

/**
 * The answer to `preview`: how the game would be decided, by what everybody can see.
 */
export interface Verdict {
  type: "verdict";
  id: string;
  version: number;
  winners: number[];
  /** expected final score per seat, if it is known */
  value: number[]|null;
  /** chance to win per seat, if it is known */
  win: number[]|null;
  /** what decides: the chances to win, the expected final scores, or the scores as they stand */
  by: "chances"|"scores"|"value";
}

/**
 * A player shows a reaction.
 */
export interface Reacted {
  type: "reacted";
  seat: number;
  reaction: "bravo"|"hello"|"laugh"|"luck"|"moment"|"oh-no";
}

/**
 * The answer to `ping`.
 */
export interface Pong {
  type: "pong";
}

/**
 * Who shall sit on a seat of a new table.
 */
export interface SeatRequest {
  kind: "computer"|"here"|"link";
  name?: string;
  level?: string|null;
}

/**
 * `POST /api/tables`: make a table.
 */
export interface NewTable {
  game: string;
  seats: SeatRequest[];
  options?: Record<string, any>;
  coach?: "after"|"hints"|"moves"|"off";
  dice?: "pasch"|"real";
  /** start from these events (4000 at most), to try something from a position of another game */
  events?: Record<string, any>[];
  /** seat 0 is drawn by lot among the seats; otherwise they stay as given */
  draw_lots?: boolean;
  /** the level of a computer that plays for an absent person */
  stand_in?: string;
  /** play the game of this day, as 2026-12-24, alone: its dice are the same for everybody */
  day?: string;
}

/**
 * Its answer. Tokens are shown this once.
 */
export interface MadeTable {
  id: string;
  /** the token of each seat of kind "here", by its number */
  seats: Record<string, string>;
  /** the invitation for each seat of kind "link", by its number */
  invitations: Record<string, string>;
  /** lets its holder watch */
  watch: string;
  /** proves who made the table */
  maker: string;
}

export type FromBrowser = Hello | Ping | Move | Go | Undo | Roll | Read | Sit | Contribute | Rename | HandOver | TakeBack | Adjudicate | Preview | Rematch | React | SetCoach | Earlier | Hint | Why;
export type FromServer = Welcome | Entries | Update | Table | Accepted | Refused | Advice | Because | Coached | Verdict | Reacted | Pong;
