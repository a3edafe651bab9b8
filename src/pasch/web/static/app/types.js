// @ts-check
// Made by `make docs` from src/pasch/table/schema.py; edit that.

/**
 * What the computer has done on a seat since it was lent.
 * @typedef {object} StandIn
 * @property {number} since the version at which the computer took over
 * @property {number} moves the moves that it has made
 * @property {boolean} absent whether others lent the seat because its person was away
 */

/**
 * One seat at the table.
 * @typedef {object} Seat
 * @property {number} seat
 * @property {"computer"|"here"|"link"|"open"} kind "here": a person at the device that made the table; "link": one who came by a link; "open": waits for one
 * @property {string} name
 * @property {string|null} level of a computer, its level
 * @property {boolean} online whether somebody with this seat's token is connected
 * @property {boolean} lent of a computer: it plays for a person, who may take the seat back
 * @property {"after"|"hints"|"moves"|"off"|null} wish the coach mode that this person has asked for, while not all have agreed to it yet
 * @property {boolean} ends whether this person has asked for the game to end now, while not all have agreed
 * @property {boolean} undoes whether this person has asked for the last move to be taken back, while not all have agreed
 * @property {boolean} again whether this person has asked for another game after this one, while not all have agreed
 * @property {"gone"|"long"|"short"|null} away of a person's seat, also of a lent one, how long nobody has been connected: "short"; "long": for a minute or more, so that the others may let the computer play; "gone": for a quarter of an hour or more, so that they agree to a coach, to the end or to another game without them; null: somebody is connected
 * @property {StandIn|null} stand_in of a lent seat, what the computer has done for its person
 * @property {boolean} simplified of a computer: a simpler player made its last move: its own values are not there yet, or the server was busy
 */

/**
 * What a game's rules declare of a field of the position, for drawing it.
 *
 * "set": each number is a bit mask of `size` things; "row", "table": of fixed length; "list": things that come and go.
 * `high` is the highest number that can occur, 0 if none is declared.
 * @typedef {object} FieldKind
 * @property {string} name
 * @property {"dice"|"list"|"number"|"row"|"set"|"table"|"word"} kind
 * @property {boolean} by_seat
 * @property {number} size
 * @property {number} high
 */

/**
 * What everybody may know of a table, apart from the game's position.
 * @typedef {object} TableInfo
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {number} players
 * @property {Object<string, any>} options
 * @property {Object<string, any>} components the box's data (fields, strips, plans …), for drawing; empty if this connection was sent it before, as `box` says
 * @property {Seat[]} seats
 * @property {"after"|"hints"|"moves"|"off"} coach
 * @property {"pasch"|"real"} dice
 * @property {"adjudicated"|"over"|"playing"|"waiting"} phase "waiting": a seat is open, or a contribution to the dice is missing; "adjudicated": ended early, by value
 * @property {number} made when the table was made, seconds since 1970
 * @property {string|null} commitment what the server has bound itself to before the first roll (see docs/fairness.md); null with real dice
 * @property {(string|null)[]} contributions what each person's browser has added to the dice, by seat
 * @property {number} given so many events came from another game, whose position this one began from
 * @property {string} day of a game of the day, the day: its dice are the same for everybody who plays it
 * @property {string} stand_in the level of a computer that plays for an absent person
 * @property {string|null} next the table at which the same people play again; the tokens of this one are good there, too
 * @property {boolean} own_box whether the box is not the one that Pasch knows
 * @property {string} box the hash of the box's data
 * @property {number[]} must_agree the seats, open ones too, that have to agree before the coach changes, a move is undone or a game ends or begins
 * @property {FieldKind[]} fields what the rules declare of the position's fields, for drawing a game that brings no board
 */

/**
 * A legal move and the tokens (a field, a die, a card) that a person touches to choose it.
 * @typedef {object} Choice
 * @property {Object<string, any>} event
 * @property {string[]} tokens
 * @property {number[]|null} uses for each die on the table the face that this move uses it as, 0: not used; null: the game does not say
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
 * @property {number} events how many events of the game led here: the number of the last one in the record
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
 * @property {number|null} undo the person's seat whose last move may still be taken back: neither dice nor cards have come since
 * @property {boolean} held whether dice or cards that come by themselves wait for this client's `go`, and the last move can be taken back
 */

/**
 * One line of the table's log, as one client may know it.
 * @typedef {object} Entry
 * @property {number} version
 * @property {"adjudicate"|"again"|"coach"|"computer"|"contribute"|"end"|"event"|"name"|"next"|"person"|"sit"|"undo"} kind "event": of the game; the others change who sits where or how the table ends
 * @property {Object<string, any>} body of an event, its JSON as the record has it, less what this client must not know; "sit" and "name": seat, name; "contribute": seats, contribution; "computer": seat, level, and if a program that a user has written has lost its seat by it, `failed` ("error", "illegal", "slow", "gone"), and if others lent it because its person was away, `absent` (in older logs `by_maker`); "person": seat; "coach": seats, coach, settled (whether all have agreed now); "end" and "again": seats, agree; "undo": seats, agree, settled (the last event is taken back: the game goes on as if it had not been); "adjudicate": winners, value (expected final score per seat or null), win (chances or null), by ("chances", "value" or "scores"); "next": table
 * @property {boolean} stand_in whether a computer made this move for a person who was away
 * @property {number} events how many events of the game there are after it: of an event, its number in the record
 */

/**
 * An entry of the log, and the position after it.
 * @typedef {object} Step
 * @property {Entry} entry
 * @property {Position} position
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
 * @property {number} [protocol] the version of the protocol that the page was made for
 */

/**
 * Ask for a sign of life, which is `pong`; a broken connection is noticed by its absence.
 * @typedef {object} Ping
 * @property {"ping"} type
 */

/**
 * Make a move: an event as `moves` offered it.
 * @typedef {object} Move
 * @property {"move"} type
 * @property {string} id
 * @property {number} version
 * @property {Object<string, any>} event
 * @property {boolean} [hold] dice and cards that come by themselves wait some seconds for `go`, if all people at the table sit at this device
 */

/**
 * Let the dice or cards come that wait because of `hold`.
 * @typedef {object} Go
 * @property {"go"} type
 * @property {string} id
 * @property {number} version
 */

/**
 * Agree to take the last move back, for all seats of one's own: first whoever made it has to ask.
 *
 * It happens once every person has agreed who has not been away for a quarter of an hour. Where dice or cards
 * have come since, or the game is over, it is too late.
 * @typedef {object} Undo
 * @property {"undo"} type
 * @property {string} id
 * @property {number} version
 * @property {boolean} [agree] false: the move stands
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
 * Let the computer play a seat of one's own from now on.
 *
 * The maker of a table may also do this with an open seat; everybody who plays may do it, at the agreed level
 * (`stand_in`), with that of somebody who has been away for a minute.
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
 * Agree to end the game now, decided by the value of the position, for all seats of one's own.
 *
 * It ends once every person has agreed who has not been away for a quarter of an hour; if there is no such
 * person, the table's maker may end it. When a person moves instead, all agreements lapse.
 * @typedef {object} Adjudicate
 * @property {"adjudicate"} type
 * @property {string} id
 * @property {number} version
 * @property {boolean} [agree] false takes one's agreement back
 */

/**
 * Ask how the game would be decided if it ended now.
 * @typedef {object} Preview
 * @property {"preview"} type
 * @property {string} id
 * @property {number} version
 */

/**
 * Agree to play again when the game is over, for all seats of one's own.
 *
 * Once every person has agreed who has not been away for a quarter of an hour, there is a new table with the
 * same seats, options and levels, for which the tokens of this one are good; `TableInfo.next` names it.
 * @typedef {object} Rematch
 * @property {"rematch"} type
 * @property {string} id
 * @property {number} version
 * @property {boolean} [agree] false takes one's agreement back
 */

/**
 * Show those who play a reaction. It is no part of the log. Its `version` does not matter.
 * @typedef {object} React
 * @property {"react"} type
 * @property {string} id
 * @property {number} version
 * @property {number} seat
 * @property {"bravo"|"hello"|"laugh"|"luck"|"moment"|"oh-no"} reaction
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
 * Ask for older entries of the log: the last ones below the version `before`. Its `version` does not matter.
 * @typedef {object} Earlier
 * @property {"earlier"} type
 * @property {string} id
 * @property {number} version
 * @property {number} before
 * @property {number} [count]
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
 * The answer to `hello`: everything needed to draw the table, and the latest entries.
 *
 * These and those of `earlier` do not hold what was superseded before the next event: of a seat's names
 * only the last, of the computer's coming and going only what is.
 * @typedef {object} Welcome
 * @property {"welcome"} type
 * @property {TableInfo} table
 * @property {number[]} yours the seats whose tokens this client showed
 * @property {number[]} invited the open seats to which its invitations invite
 * @property {boolean} maker whether this client made the table
 * @property {Position} position
 * @property {Entry[]} entries the latest entries after `since`
 * @property {number} first the version from which on they were chosen; if it is above `since` + 1, ask for what is missing with `earlier`
 * @property {Judgement[]} judgements what the coach has said of these
 */

/**
 * The answer to `earlier`.
 * @typedef {object} Entries
 * @property {"entries"} type
 * @property {string} id
 * @property {Entry[]} entries
 * @property {number} first the version from which on they were chosen; 1: there is nothing earlier
 * @property {Judgement[]} judgements
 */

/**
 * What has happened: each new entry with the position after it.
 * @typedef {object} Update
 * @property {"update"} type
 * @property {Step[]} steps
 * @property {string|null} answers of the client whose command this was, the command's id
 */

/**
 * Who sits where has changed, or who is connected.
 * @typedef {object} Table
 * @property {"table"} type
 * @property {TableInfo} table
 */

/**
 * The command has changed nothing, or it is in the log; see `update`.
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
 * @property {"full"|"illegal"|"malformed"|"no-table"|"not-agreed"|"not-found"|"not-now"|"not-ready"|"not-yours"|"old-page"|"old-version"|"storage"|"too-fast"|"too-large"} code
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
 * The answer to `preview`: how the game would be decided, by what everybody can see.
 * @typedef {object} Verdict
 * @property {"verdict"} type
 * @property {string} id
 * @property {number} version
 * @property {number[]} winners
 * @property {number[]|null} value expected final score per seat, if it is known
 * @property {number[]|null} win chance to win per seat, if it is known
 * @property {"chances"|"scores"|"value"} by what decides: the chances to win, the expected final scores, or the scores as they stand
 */

/**
 * Somebody who plays shows a reaction.
 * @typedef {object} Reacted
 * @property {"reacted"} type
 * @property {number} seat
 * @property {"bravo"|"hello"|"laugh"|"luck"|"moment"|"oh-no"} reaction
 */

/**
 * The answer to `ping`.
 * @typedef {object} Pong
 * @property {"pong"} type
 */

/**
 * Who shall sit on a seat of a new table.
 * @typedef {object} SeatRequest
 * @property {"computer"|"here"|"link"} kind
 * @property {string} [name]
 * @property {string|null} [level]
 */

/**
 * `POST /api/tables`: make a table.
 * @typedef {object} NewTable
 * @property {string} game
 * @property {SeatRequest[]} seats
 * @property {Object<string, any>} [options]
 * @property {"after"|"hints"|"moves"|"off"} [coach]
 * @property {"pasch"|"real"} [dice]
 * @property {Object<string, any>[]} [events] start from these events (4000 at most), to try something from a position of another game
 * @property {boolean} [draw_lots] seat 0 is drawn by lot among the seats; otherwise they stay as given
 * @property {string} [stand_in] the level of a computer that plays for an absent person
 * @property {string} [day] play the game of this day, as 2026-12-24, alone: its dice are the same for everybody
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

/** @typedef {Hello|Ping|Move|Go|Undo|Roll|Read|Sit|Contribute|Rename|HandOver|TakeBack|Adjudicate|Preview|Rematch|React|SetCoach|Earlier|Hint|Why} FromBrowser */
/** @typedef {Welcome|Entries|Update|Table|Accepted|Refused|Advice|Because|Coached|Verdict|Reacted|Pong} FromServer */

export {};
