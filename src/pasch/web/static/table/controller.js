// @ts-check
/**
 * A table: its state, what the server says about it, and the commands of the people at this device. No DOM: the view draws
 * `model()`, tests read it. A lesson, a puzzle and a finished game are tables whose `send` nobody but the page answers.
 *
 * @typedef {import("../app/types.js").React["reaction"]} Reaction
 * @typedef {{type: string} & Record<string, unknown>} Command
 *
 * @typedef {object} Means what a table needs from outside
 * @property {import("../app/api.js").GameInfo} game
 * @property {import("../board/model.js").Board} board
 * @property {() => number} now
 * @property {(command: Command & {version: number}) => Promise<import("./socket.js").Answer>} send
 * @property {() => void} changed something has to be drawn
 * @property {() => {pace: keyof typeof import("./timeline.js").PACES, wait: boolean, still: boolean, hidden: boolean, small: boolean}} viewing
 * @property {(table: string) => void} moveToTable the same people play at another table
 * @property {(text: string) => void} tell something that is not about a move was refused
 * @property {(what: "touch" | "no") => void} [sound]
 *
 * @typedef {{positions: Position[], moments: import("./score_pad.js").Moment[]}} Memory
 * @typedef {ReturnType<ReturnType<typeof createTable>["model"]>} Model
 */
import { GUARD_MS } from "../app/frame.js";
import { say } from "../app/i18n.js";
import { possible, ready, withToken } from "./choose.js";
import { isOver, sayAt, tellingOf } from "./people.js";
import { PACES, flush, shownAt, skip, stage, turnOf } from "./timeline.js";

/** @import { Choice, Entry, FromServer, Judgement, Position } from "../app/types.js" */
/** @import { Step } from "./timeline.js" */

/** how many entries are asked for at once, and how many lines are shown at first */
const ENTRIES_PER_REQUEST = 100;
const LOG_LINES = 40;
/** how long a reaction is seen, in milliseconds */
const REACTION_MS = 4_000;
/** a touch of the same thing so soon after another is a double tap */
const DOUBLE_TAP_MS = 350;
/** how many positions are kept for a page that is loaded again */
const KEPT_POSITIONS = 40;
/** @type {Choice[]} */
const NO_MOVES = [];
/** commands that are for the position on the screen */
const AT_POSITION = new Set(["move", "roll", "read"]);

/** @param {string} id @param {Means} means */
export function createTable(id, { game, board, now, send, changed, viewing, moveToTable, tell, sound = () => {} }) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {Entry[]} */
  let entries = [];
  /** the version from which on we have them */
  let first = 1;
  /** what was on the table after a version, as far as we know it @type {Map<number, Position>} */
  const positions = new Map();
  /** how the rounds went, for the pad @type {import("./score_pad.js").Moment[]} */
  let moments = [];
  /** @type {Judgement[]} */
  let judgements = [];
  /** @type {number[]} */
  let mySeats = [];
  /** @type {number[]} */
  let invited = [];
  let maker = false;
  let busy = false;
  let asking = false;
  /** why the last touch was not possible */
  let refusal = "";
  let chosen = /** @type {Set<string>} */ (new Set());
  /** @type {(number | null)[]} */
  let readings = [];
  /** whose board somebody looks at @type {number | "all" | null} */
  let looking = null;
  /** whether the large board stays one's own */
  let followMine = false;
  /** the person round this screen who has said "it's me" @type {number | null} */
  let shownTo = null;
  /** @type {import("../app/types.js").Advice | null} */
  let advice = null;
  /** how the game would be decided, asked for a number of events */
  let verdict = /** @type {{events: number, found: import("../app/types.js").Verdict | null, asked: boolean}} */ ({ events: -1, found: null, asked: false });
  /** @type {Map<number, {reaction: Reaction, until: number}>} */
  const reactions = new Map();
  let lines = LOG_LINES;
  /** the version since which something was missed that has to be shown @type {number | null} */
  let missed = null;
  /** the versions since which a computer played for us, as far as that need not be said */
  const dismissed = new Set();
  /** the version whose waiting dice were let go */
  let released = -1;
  /** what the controls offer, and since when */
  let offer = { key: "", since: -Infinity };
  /** what `choosing` found last */
  let offering = { moves: /** @type {Choice[] | null} */ (null), touched: chosen, found: { possible: /** @type {Set<string>} */ (new Set()), choice: /** @type {Choice | null} */ (null) } };
  let lastTouch = { token: "", at: -Infinity };

  const last = () => /** @type {Step} */ (steps.at(-1));
  const shown = () => shownAt(steps, now());

  /** What can be touched and made, worked out once for what was touched. @param {Choice[]} moves @param {Set<string>} touched */
  function choosing(moves, touched) {
    if (offering.moves !== moves || offering.touched !== touched) offering = { moves, touched, found: { possible: possible(moves, touched), choice: ready(moves, touched) } };
    return offering.found;
  }

  /** What a sentence about an event is made of. @param {Record<string, any>} event @param {Position | null} [before] @param {Position | null} [after] */
  const telling = (event, before = null, after = null) => tellingOf({ info: last().info, mySeats }, event, { before, after, position: last().position });

  /** @param {Pick<Step, "entry" | "position" | "info">} step @param {boolean} [past] whether it was over before we looked */
  function append(step, past = false) {
    const { entry, position } = step;
    const before = steps.at(-1)?.position ?? position;
    const { hidden, pace, wait, still } = viewing();
    const arrived = past || hidden ? -Infinity : now();
    const backlog = steps.length ? endOfAll() - now() : 0;
    const beats = entry?.kind === "event" && !past ? board.beats(telling(entry.body, before, position)) : [];
    const staged = past || hidden ? { phases: [], lost: false } : stage(step, before, { pace, wait, still, mySeats, beats, backlog });
    steps.push({ ...step, arrived, ...staged });
    remember(position);
    if (position.version === before.version && steps.length > 1) return;
    if (position.as_seat !== shownTo) shownTo = null;
    // the view of all boards stays until it is one's turn
    if (looking !== "all" || mySeats.includes(turnOf(position))) looking = null;
    [chosen, refusal, busy, readings, advice] = [new Set(), "", false, [], null];
  }

  /** @param {Position} position */
  function remember(position) {
    const { version, snapshot, scores, actor } = position;
    positions.set(version, position);
    if (!board.scorePad || version <= (moments.at(-1)?.version ?? -1)) return;
    const [round, seat] = actor === -2 ? [-1, -1] : [board.scorePad(snapshot), snapshot.seat ?? turnOf(position)];
    // one for each turn: where it began
    const begun = moments.at(-1);
    if (begun?.round !== round || begun.seat !== seat) moments.push({ version, round, seat, scores });
  }

  /** When everything that has arrived will have been shown. */
  function endOfAll() {
    let free = -Infinity;
    for (const step of steps) free = Math.max(step.arrived, free) + step.phases.reduce((sum, { length }) => sum + (length < Infinity ? length : 0), 0);
    return free;
  }

  /** @param {Judgement[]} more */
  function addJudgements(more) {
    const fresh = new Set(more.map((one) => `${one.version} ${one.kind}`));
    judgements = [...judgements.filter((one) => !fresh.has(`${one.version} ${one.kind}`)), ...more].sort((a, b) => a.version - b.version);
  }

  /** @type {{[T in FromServer["type"]]?: (message: Extract<FromServer, {type: T}>) => void}} */
  const handlers = {
    welcome({ table: info, position, entries: news, ...message }) {
      if (info.next) return moveToTable(info.next);
      ({ yours: mySeats, invited, maker } = message);
      const known = entries.at(-1)?.version ?? 0;
      // so much was missed that there is a gap: what was before it is asked for again when somebody wants to see it
      if (message.first > known + 1 || !entries.length) [entries, judgements, first, lines] = [[], [], message.first, LOG_LINES];
      entries.push(...news.filter(({ version }) => version > known));
      addJudgements(message.judgements);
      const before = steps.at(-1)?.position.version;
      const events = news.filter(({ kind, version }) => kind === "event" && version > known);
      const [only] = events;
      // what is being shown continues; of what was missed a single event can still be shown
      if (only && events.length === 1 && before === only.version - 1 && position.version === only.version) append({ entry: only, info, position });
      else {
        append({ entry: null, info, position }, true);
        if (before !== position.version) flush(steps);
      }
      released = -1;
    },
    update({ steps: news }) {
      for (const { entry, position } of news) {
        if (position.version <= last().position.version) continue;
        entries.push(entry);
        append({ entry, position, info: last().info });
      }
      const gone = takenBack(entries);
      judgements = judgements.filter(({ version }) => !gone.has(version));
    },
    // in its turn: that the game is over must not be said before its last event was shown
    table({ table: info }) {
      if (info.next) return moveToTable(info.next);
      append({ entry: null, info, position: last().position });
    },
    coached: (message) => addJudgements(message.judgements),
    reacted: ({ seat, reaction }) => void reactions.set(seat, { reaction, until: now() + REACTION_MS }),
    refused: ({ reason }) => tell(say(reason)),
  };

  /** Send a command; what the server refuses is said, and nothing has changed. @param {Command} wish */
  async function command(wish) {
    if (busy) return false;
    busy = true;
    changed();
    const answer = await send({ ...wish, version: last().position.version });
    // once it is done, the old position is no longer there to act on
    busy = answer.type === "accepted" && AT_POSITION.has(wish.type) && answer.version > last().position.version;
    if (answer.type === "refused" && answer.code !== "old-version") refusal = sayAt(last().info, answer.reason);
    changed();
    return answer.type === "accepted";
  }

  /** Whether what is offered counts yet: it was seen, and nothing else is being shown. An earlier touch continues it. */
  function offered() {
    const { settled } = shown();
    if (!settled) commands.skip();
    return settled && now() - offer.since >= GUARD_MS;
  }

  /** The parts that are read off the real table together: of hidden cards those of one seat, otherwise all. */
  function readingParts() {
    const parts = last().position.ask?.parts ?? [];
    const part = parts[Math.max(0, readings.length - 1)] ?? "";
    const [, seat] = part.split(" ");
    const places = parts.flatMap((one, at) => (!game.has_secrets || one === part ? [at] : []));
    const missing = places.filter((at) => (readings[at] ?? null) === null);
    return { parts, places, missing, seat: game.has_secrets && seat !== undefined ? Number(seat) : null };
  }

  /** Whose cards are to be seen next: of the seat that reads them off the real table, or whose turn it is. */
  function cardsOf() {
    const { position } = last();
    return (position.awaits === "read" ? readingParts().seat : null) ?? position.as_seat;
  }

  /** Whether the next person round this screen has to say first that it is them. */
  function needsHandover() {
    const people = mySeats.filter((seat) => last().info.seats[seat]?.kind !== "computer");
    const seat = cardsOf();
    return game.has_secrets && people.length > 1 && seat !== null && people.includes(seat) && shownTo !== seat && !isOver(last().info);
  }

  const commands = {
    command,
    redraw: changed,
    /** @param {string} token */
    async touch(token) {
      if (!shown().settled) return commands.skip();
      if (busy) return;
      const { moves, version } = last().position;
      // the second half of a double tap does not undo the first
      if (chosen.has(token) && token === lastTouch.token && now() - lastTouch.at < DOUBLE_TAP_MS) return;
      lastTouch = { token, at: now() };
      const next = withToken(moves, chosen, token);
      sound(next ? "touch" : "no");
      if (next) [chosen, refusal] = [next, ""];
      else {
        const answer = await send({ type: "why", version, tokens: [...chosen, token] });
        if (version === last().position.version && (answer.type === "because" || answer.type === "refused")) refusal = sayAt(last().info, answer.reason);
      }
      changed();
    },
    /** Choose all parts of a move. @param {Choice} choice */
    choose(choice) {
      [chosen, refusal] = [new Set(choice.tokens), ""];
      changed();
    },
    undo() {
      [chosen, refusal] = [new Set([...chosen].slice(0, -1)), ""];
      changed();
    },
    clear() {
      [chosen, readings, refusal] = [new Set(), [], ""];
      changed();
    },
    /** @param {Choice} choice */
    move(choice) {
      if (offered()) command({ type: "move", event: choice.event, hold: true });
    },
    roll() {
      if (offered()) command({ type: "roll" });
    },
    async takeBack() {
      // a double tap on what stood there before
      if (now() - offer.since < GUARD_MS) return;
      // the dice that wait for us shall not come now
      released = last().position.version;
      flush(steps);
      await command({ type: "undo" });
    },
    /** Go on with what is being shown. @param {boolean} [all] of a story, to its end */
    skip(all = false) {
      skip(steps, now(), mySeats, all === true);
      changed();
    },
    /** Read the next part off the real table; touches may come faster than drawings. @param {number} value */
    read(value) {
      const { places, missing: [place] } = readingParts();
      if (busy || place === undefined) return;
      sound("touch");
      readings = Array.from({ length: (places.at(-1) ?? 0) + 1 }, (_, at) => (at === place ? value : readings[at] ?? null));
      refusal = "";
      changed();
    },
    /** @param {number} place */
    unread(place) {
      readings = readings.map((value, at) => (at === place ? null : value));
      changed();
    },
    async confirmRead() {
      if (!offered()) return;
      if (readings.length < (last().position.ask?.parts.length ?? 0)) {
        // the next hand is another person's
        [readings, shownTo] = [[...readings, null], null];
        return changed();
      }
      if (await command({ type: "read", values: readings })) return;
      // nobody sees another's hand to put it right, so all are read again; a single one is kept
      if (!readingParts().places.includes(0)) readings = [];
      changed();
    },
    /** Show a seat's board large, or all of them; null: as usual again. @param {number | "all" | null} seat */
    look(seat) {
      looking = seat;
      changed();
    },
    /** @param {boolean} mine */
    follow(mine) {
      [followMine, looking] = [mine, null];
      changed();
    },
    itsMe() {
      if (!offered()) return;
      shownTo = cardsOf();
      changed();
    },
    /** Show older lines. */
    async earlier() {
      lines += LOG_LINES;
      if (first > 1 && entries.length < lines) {
        const answer = await send({ type: "earlier", version: last().position.version, before: first, count: ENTRIES_PER_REQUEST });
        // nothing else may have been put in front of them meanwhile
        if (answer.type === "entries" && (answer.entries.at(-1)?.version ?? 0) < first) {
          entries.unshift(...answer.entries);
          ({ first } = answer);
          addJudgements(answer.judgements);
        } else if (answer.type === "refused") tell(say(answer.reason));
      }
      changed();
    },
    /** Ask how the game would be decided if it ended now, once for a position; the model has it then. */
    async preview() {
      const { events } = last().position;
      if (verdict.events === events && (verdict.asked || verdict.found)) return;
      verdict = { events, found: null, asked: true };
      // a wish that has just been noted makes the version an old one: its own news has come before the refusal
      for (let asked = -1; last().position.version > asked; ) {
        asked = last().position.version;
        const answer = await send({ type: "preview", version: asked });
        if (answer.type === "verdict") verdict.found = answer;
        if (answer.type !== "refused" || answer.code !== "old-version") break;
      }
      verdict.asked = false;
      changed();
    },
    /** @param {number} seat @param {Reaction} reaction */
    async react(seat, reaction) {
      const answer = await send({ type: "react", version: 0, seat, reaction });
      if (answer.type === "refused") tell(say(answer.reason));
    },
    async hint() {
      // values that have to be worked out take some seconds
      asking = true;
      changed();
      const answer = await send({ type: "hint", version: last().position.version });
      asking = false;
      if (answer.type === "advice") [advice, refusal] = [answer, ""];
      else if (answer.type === "refused") refusal = sayAt(last().info, answer.reason);
      changed();
    },
    /** Take the seat that we are invited to. @param {string} invitation @param {string} name */
    sit: (invitation, name) => send({ type: "sit", version: last().position.version, invitation, name }),
    /** @param {number} version */
    dismiss(version) {
      dismissed.add(version);
      changed();
    },
    /** What was missed since a version; null: it was read. @param {number | null} version */
    miss(version) {
      missed = version;
      changed();
    },
  };

  return {
    commands,
    /** Whether there is anything to be drawn. */
    begun: () => steps.length > 0,
    /** @param {FromServer} message */
    receive(message) {
      if (!steps.length && message.type !== "welcome") return;
      /** @type {((message: any) => void) | undefined} */ (handlers[message.type])?.(message);
      changed();
    },
    /** What a page that is loaded again could not know any more. @returns {Memory} */
    memory: () => ({ positions: [...positions.values()].slice(-KEPT_POSITIONS), moments }),
    /** Take over what was known before the page was loaded again. @param {Memory} known */
    recall(known) {
      for (const position of known.positions) if (!positions.has(position.version)) positions.set(position.version, position);
      const [oldest] = moments;
      moments = [...known.moments.filter(({ version }) => !oldest || version < oldest.version), ...moments];
      changed();
    },
    /** Nobody looks: what happens need not be shown later. */
    hide: () => flush(steps),
    /** The version seen last, which is sent to the server. */
    since: () => entries.at(-1)?.version ?? null,
    /** Do what is due by now; the time when something is due next. */
    tick() {
      if (!steps.length) return Infinity;
      const time = now();
      for (const [seat, { until }] of reactions) if (until <= time) reactions.delete(seat);
      const { settled, until } = shown();
      const { position } = last();
      if (settled && position.held && released !== position.version) {
        released = position.version;
        send({ type: "go", version: position.version });
      }
      const guard = offer.since + GUARD_MS;
      return Math.min(until, guard > time ? guard : Infinity, ...[...reactions.values()].map((one) => one.until));
    },
    /** Everything that is to be drawn now. */
    model() {
      const at = shown();
      const { info, settled, version } = at;
      const { position: latest } = last();
      const covered = needsHandover();
      const free = settled && !covered;
      const moves = free ? latest.moves : NO_MOVES;
      const key = `${latest.version} ${settled} ${covered} ${[...chosen]} ${readings.length}`;
      if (key !== offer.key) offer = { key, since: now() };
      return {
        id, game, board, commands, info, position: at.position, shown: at, moves, mySeats, invited, maker, busy, asking, refusal, chosen, readings, looking, followMine,
        covered, cardsOf: cardsOf(), readingParts: readingParts(), advice: advice?.version === latest.version ? advice : null, verdict: verdict.events === latest.events ? verdict : null,
        reactions, missed, dismissed, judgements, first, lines, positions, moments, telling,
        small: viewing().small,
        pace: PACES[viewing().pace],
        turn: isOver(info) ? -1 : turnOf(at.position),
        awaits: free ? latest.awaits : null,
        ...choosing(moves, chosen),
        /** whether what is offered was not seen for long enough to count */
        guarded: now() - offer.since < GUARD_MS,
        over: at.position.actor === -2 || isOver(info),
        entries: version === Infinity ? entries : entries.filter((entry) => entry.version <= version),
      };
    },
  };
}

/**
 * The versions of the events that were taken back: each such line cuts the last event before it.
 * @param {readonly Entry[]} entries
 */
export function takenBack(entries) {
  /** @type {number[]} */
  const events = [];
  const gone = new Set();
  for (const { kind, version, body } of entries) {
    if (kind === "event") events.push(version);
    else if (kind === "undo" && body.settled) gone.add(events.pop());
  }
  return gone;
}
