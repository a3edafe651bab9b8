// @ts-check
// Made by `make docs` from src/pasch/table/schema.py; edit that.

/**
 * One seat at the table.
 * @typedef {object} Seat
 * @property {number} seat
 * @property {"computer"|"here"|"link"|"open"} kind "here": a person at the device that made the table; "link": a person who came by a link; "open": waits for whoever opens the link; "computer"
 * @property {string} name
 * @property {string|null} level of a computer, its level
 * @property {boolean} online whether somebody with this seat's token is connected
 * @property {boolean} lent of a computer: it plays for a person, who may take the seat back
 * @property {"after"|"hints"|"moves"|"off"|null} wish the coach mode that this person has asked for, while not all have agreed to it yet
 */

/**
 * What everybody may know of a table, apart from the game's position.
 * @typedef {object} TableInfo
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {number} players
 * @property {Object<string, any>} options
 * @property {Object<string, any>} components the box's data (fields, strips, plans …), for drawing
 * @property {Seat[]} seats
 * @property {"after"|"hints"|"moves"|"off"} coach
 * @property {"pasch"|"real"} dice
 * @property {"adjudicated"|"over"|"playing"|"waiting"} phase "waiting": a seat is still open, or a person's contribution to the dice is missing; "adjudicated": ended early, decided by value
 * @property {number} made when the table was made, seconds since 1970
 * @property {string|null} commitment what the server has bound itself to before the first roll (see docs/fairness.md); null with real dice
 * @property {(string|null)[]} contributions what each person's browser has added to the dice, by seat
 * @property {number} given so many events came from another game, whose position this one began from
 */

/**
 * A legal move and the tokens (a field, a die, a card) that a person touches to choose it.
 * @typedef {object} Choice
 * @property {Object<string, any>} event
 * @property {string[]} tokens
 */

/**
 * What a person has to read off the real table: one value for each part.
 * @typedef {object} Ask
 * @property {string[]} parts what each part is: "die", a colour, "strip", "card"; for cards with its seat, as in "card 0"
 * @property {number[]} values the values that a part may have: faces, cards, or the numbers of the strips not drawn yet
 */

/**
 * Where the game stands, as one client may know it.
 * @typedef {object} Position
 * @property {number} version
 * @property {number} actor the seat to choose; -1: dice or cards come next; -2: over
 * @property {number|null} as_seat the seat whose view this is; None: a spectator's
 * @property {Object<string, any>} snapshot the state's fields, for drawing
 * @property {Object<string, any>} marks what the drawing marks because of the rules (see `pasch.table.show`)
 * @property {number[]} scores
 * @property {number[]} winners
 * @property {Choice[]} moves the legal moves, if one of this client's seats is to choose
 * @property {"read"|"roll"|null} awaits "roll": this client has to press for the roll; "read": it has to read the real dice
 * @property {number|null} roller the seat that is to roll, when dice come next
 * @property {Ask|null} ask
 */

/**
 * One line of the table's log, as one client may know it.
 * @typedef {object} Entry
 * @property {number} version
 * @property {"adjudicate"|"coach"|"computer"|"contribute"|"event"|"name"|"person"|"sit"} kind "event": of the game; the others change who sits where or how the table ends
 * @property {Object<string, any>} body of an event, its JSON as the record has it, less what this client must not know; "sit" and "name": seat, name; "contribute": seats, contribution; "computer": seat, level, and if a program that a user has written has lost its seat by it, `failed` ("error", "illegal", "slow", "gone"); "person": seat; "coach": seats, coach, settled (whether all have agreed now); "adjudicate": winners, value (expected final score per seat or null), win (chances or null), by ("chances", "value" or "scores")
 */

/**
 * An English template, which is the key of the catalogues, and what fills its `{names}`.
 *
 * Details are numbers, words or lists of these: whoever shows the sentence writes numbers as the
 * reader's language does.
 * @typedef {object} Sentence
 * @property {string} template
 * @property {Object<string, any>} details
 */

/**
 * What the coach says of one move or roll.
 * @typedef {object} Judgement
 * @property {number} version
 * @property {number} seat
 * @property {"move"|"roll"} kind
 * @property {number} points of a move, what it gave away; of a roll, its luck, in points of expected score
 * @property {Object<string, any>|null} best
 * @property {Sentence[]} sentences
 * @property {boolean} exact
 */

/**
 * The first message: who is there, and which version was seen last. It may be repeated.
 *
 * Without a right to look it is refused as `not-yours`; the connection stays open, for `sit`.
 * @typedef {object} Hello
 * @property {"hello"} type
 * @property {string[]} tokens the tokens this device holds for this table: of seats, the maker's, to watch, an unused invitation
 * @property {number|null} [since]
 */

/**
 * Make a move: an event as `moves` offered it.
 * @typedef {object} Move
 * @property {"move"} type
 * @property {string} id
 * @property {number} version
 * @property {Object<string, any>} event
 */

/**
 * Let Pasch roll the dice.
 * @typedef {object} Roll
 * @property {"roll"} type
 * @property {string} id
 * @property {number} version
 */

/**
 * The faces or cards that lie on the real table, in the order of `ask.parts`.
 * @typedef {object} Read
 * @property {"read"} type
 * @property {string} id
 * @property {number} version
 * @property {number[]} values
 */

/**
 * Take an open seat. The answer carries the seat's token; the connection has the seat at once.
 *
 * Its `version` does not matter, and it needs no `hello` before it.
 * @typedef {object} Sit
 * @property {"sit"} type
 * @property {string} id
 * @property {number} version
 * @property {string} invitation
 * @property {string} name
 */

/**
 * Add to the dice, for all seats of one's own that have not yet; the first roll waits for everybody's.
 *
 * It has to be made at random after the table's `commitment` was seen. Its `version` does not matter.
 * @typedef {object} Contribute
 * @property {"contribute"} type
 * @property {string} id
 * @property {number} version
 * @property {string} contribution
 */

/**
 * Change a name of one's own.
 * @typedef {object} Rename
 * @property {"name"} type
 * @property {string} id
 * @property {number} version
 * @property {number} seat
 * @property {string} name
 */

/**
 * Let the computer play a seat of one's own (the maker of a table: any absent person's) from now on.
 * @typedef {object} HandOver
 * @property {"computer"} type
 * @property {string} id
 * @property {number} version
 * @property {number} seat
 * @property {string} level
 */

/**
 * Play a seat that one handed over oneself again.
 * @typedef {object} TakeBack
 * @property {"person"} type
 * @property {string} id
 * @property {number} version
 * @property {number} seat
 */

/**
 * End an abandoned game now, decided by the value of the position (the table's maker only).
 * @typedef {object} Adjudicate
 * @property {"adjudicate"} type
 * @property {string} id
 * @property {number} version
 */

/**
 * Agree to a coach mode, for all seats of one's own; it changes once every person has agreed to it.
 * @typedef {object} SetCoach
 * @property {"coach"} type
 * @property {string} id
 * @property {number} version
 * @property {"after"|"hints"|"moves"|"off"} coach
 */

/**
 * Ask for the values of one's moves.
 * @typedef {object} Hint
 * @property {"hint"} type
 * @property {string} id
 * @property {number} version
 */

/**
 * Ask why what was touched is not possible.
 * @typedef {object} Why
 * @property {"why"} type
 * @property {string} id
 * @property {number} version
 * @property {string[]} tokens
 */

/**
 * The answer to `hello`: everything needed to draw the table, and the entries missed.
 * @typedef {object} Welcome
 * @property {"welcome"} type
 * @property {TableInfo} table
 * @property {number[]} yours the seats whose tokens this client showed
 * @property {number[]} invited the open seats to which its invitations invite
 * @property {boolean} maker whether this client made the table
 * @property {Position} position
 * @property {Entry[]} entries all entries after `since` (all of them if it was not given)
 * @property {Judgement[]} judgements
 */

/**
 * New entries, and the position after them.
 * @typedef {object} Update
 * @property {"update"} type
 * @property {Entry[]} entries
 * @property {Position} position
 */

/**
 * Who sits where has changed, or who is connected.
 * @typedef {object} Table
 * @property {"table"} type
 * @property {TableInfo} table
 */

/**
 * The command was carried out; it is in the log.
 * @typedef {object} Accepted
 * @property {"accepted"} type
 * @property {string} id
 * @property {number} version
 * @property {number|null} seat of `sit`: the seat and its token
 * @property {string|null} token
 */

/**
 * The command changed nothing.
 * @typedef {object} Refused
 * @property {"refused"} type
 * @property {string|null} id
 * @property {"full"|"illegal"|"malformed"|"no-table"|"not-agreed"|"not-found"|"not-now"|"not-ready"|"not-yours"|"old-version"|"storage"|"too-fast"|"too-large"} code
 * @property {Sentence} reason
 * @property {number|null} version
 */

/**
 * The answer to `hint`: each move with its value, best first.
 * @typedef {object} Advice
 * @property {"advice"} type
 * @property {string} id
 * @property {number} version
 * @property {Object<string, any>[]} moves each with event, points (the mover's expected final score) and win (its chance to win, or null)
 * @property {Sentence[]} sentences
 * @property {boolean} exact
 */

/**
 * The answer to `why`.
 * @typedef {object} Because
 * @property {"because"} type
 * @property {string} id
 * @property {Sentence} reason
 */

/**
 * What the coach says of the last events.
 * @typedef {object} Coached
 * @property {"coached"} type
 * @property {Judgement[]} judgements
 */

/**
 * Who shall sit on a seat of a new table.
 * @typedef {object} SeatWish
 * @property {"computer"|"here"|"link"} kind
 * @property {string} [name]
 * @property {string|null} [level]
 */

/**
 * `POST /api/tables`: make a table.
 * @typedef {object} NewTable
 * @property {string} game
 * @property {SeatWish[]} seats
 * @property {Object<string, any>} [options]
 * @property {"after"|"hints"|"moves"|"off"} [coach]
 * @property {"pasch"|"real"} [dice]
 * @property {Object<string, any>[]} [events] start from these events, to try something from a position of another game
 * @property {boolean} [draw_lots] seat 0 is drawn by lot among the seats; otherwise they stay as given
 */

/**
 * Its answer. Tokens are shown this once.
 * @typedef {object} MadeTable
 * @property {string} id
 * @property {Object<string, string>} seats the token of each seat of kind "here", by its number
 * @property {Object<string, string>} invitations the invitation for each seat of kind "link", by its number
 * @property {string} watch lets its holder watch
 * @property {string} maker proves who made the table
 */

/** @typedef {Hello|Move|Roll|Read|Sit|Contribute|Rename|HandOver|TakeBack|Adjudicate|SetCoach|Hint|Why} FromBrowser */
/** @typedef {Welcome|Update|Table|Accepted|Refused|Advice|Because|Coached} FromServer */

export {};
