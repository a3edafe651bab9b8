// @ts-check
/**
 * Checks the dice of a game in the browser itself: is what the server sends now what this device saw before the first
 * roll, does the seed fit the seal, is our own contribution among those it was mixed with, and does every roll and card
 * follow from them? What a chance event looks like comes from the game's own statement (shapes.js), not from the
 * receipt.
 *
 * @typedef {object} Receipt
 * @property {"pasch-receipt/1"} format
 * @property {string} table
 * @property {"pasch" | "real" | "simulated"} dice
 * @property {string | null} commitment
 * @property {(string | null)[]} contributions
 * @property {string | null} seed
 * @property {number} given
 * @property {{game: string, players: number, options: Record<string, any>, events: Record<string, any>[]}} record
 *
 * @typedef {object} Agreed what was agreed before the first roll
 * @property {string} game
 * @property {number} players
 * @property {Record<string, any>} options all of them but the box
 * @property {Record<string, any>} components the box
 * @property {"pasch" | "real" | "simulated"} dice
 * @property {number} given
 *
 * @typedef {object} Seen what this device remembers of a table's dice
 * @property {string} [commitment] the seal, as we saw it before the first roll
 * @property {Agreed} [agreed] and what was agreed
 * @property {string} [contribution] what we add to the dice
 * @property {string} [id] begins the ids of the commands that add it
 * @property {number[]} [seats] the seats for which we have added it
 * @property {(string | null)[]} [others] what the server said first of what each seat adds
 * @property {number[]} [computers] the seats of computers before the first roll
 * @property {(Record<string, any> | null)[]} [events] the events as we saw them, the first one first; null if we did not
 *
 * @typedef {object} Circumstances what else is known of a table whose receipt is checked
 * @property {string} [table] its name, from its address
 * @property {string} [day] of a game of the day, the day: its dice follow from that
 * @property {number[]} [computers] the seats of computers, as the server says now
 *
 * @typedef {"table" | "dice" | "agreed" | "commitment" | "other" | "none" | "changed" | "seats" | "seed" | "computer" |
 *   "event" | "shape" | "roll"} Problem
 * @typedef {{problem: Problem, event: number | null}} Finding
 * @typedef {{rolls: number | null, findings: Finding[]}} Verdict `rolls`: how many were checked; null if that cannot
 *   be done here, because the game does not say what its chance events look like
 */
import { follow } from "./shapes.js";

/** @import { CardsChance, Chance, Description } from "./shapes.js" */

const utf8 = new TextEncoder();

/** Whether this page may use the browser's cryptography: over HTTPS, or on the machine itself. */
export function canCheck() {
  return Boolean(globalThis.crypto?.subtle);
}

/** A random contribution to the dice: 32 bytes, in hexadecimal. */
export function contribution() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function bytes(text) {
  const made = new Uint8Array(text.length / 2);
  for (let place = 0; place < made.length; place++) made[place] = parseInt(text.slice(2 * place, 2 * place + 2), 16);
  return made;
}

/** @param {Uint8Array<ArrayBuffer>} key */
function hmacKey(key) {
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** @param {CryptoKey} key @param {string} text */
async function hmac(key, text) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(text)));
}

/** What the server publishes of a seed before the first roll. @param {string} seed */
export async function commitment(seed) {
  const head = utf8.encode("pasch commitment/1\n");
  const whole = new Uint8Array([...head, ...bytes(seed)]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
}

/** The seed of the game of a day, which everybody can work out. @param {string} day @param {string} game */
export async function daySeed(day, game) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(`pasch day/1\n${day}\n${game}`))));
}

/**
 * The key of all dice and cards: the seed mixed with the table's name, how many events came from another game, and
 * what everybody added.
 * @param {string} seed
 * @param {string} table
 * @param {number} given
 * @param {(string | null)[]} contributions
 */
export async function diceKey(seed, table, given, contributions) {
  const lines = ["pasch dice/1", table, String(given), ...contributions.map((one) => one ?? "-")];
  return hmacKey(/** @type {Uint8Array<ArrayBuffer>} */ (await hmac(await hmacKey(bytes(seed)), lines.join("\n"))));
}

/**
 * The number below `total` that the key gives to an event; candidates that are too large are thrown away, so that
 * every number is equally likely.
 * @param {CryptoKey} key
 * @param {number} number
 * @param {bigint} total
 */
export async function derive(key, number, total) {
  const bits = total > 1n ? (total - 1n).toString(2).length : 0;
  const blocks = Math.max(1, Math.ceil(bits / 256));
  for (let attempt = 0; ; attempt++) {
    let stream = "";
    for (let block = 0; block < blocks; block++) stream += hex(await hmac(key, `${number}/${attempt}/${block}`));
    const candidate = BigInt(`0x${stream}`) >> BigInt(blocks * 256 - bits);
    if (candidate < total) return candidate;
  }
}

/** How many equally likely cases there are. @param {Chance} chance */
export function total(chance) {
  if (chance.kind === "dice") return 6n ** BigInt(chance.dice);
  if (chance.kind === "oneof") return BigInt(chance.things.length);
  const wanted = sum(chance.sizes);
  let there = BigInt(sum(chance.pack.map(([, many]) => many)));
  let ways = 1n;
  for (let drawn = 0; drawn < wanted; drawn++) ways *= there--;
  return ways;
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((one, other) => one + other, 0);
}

/** What a case is: faces, cards, or one of several events. @param {Chance} chance @param {bigint} number @returns {unknown} */
export function outcome(chance, number) {
  if (chance.kind === "oneof") return chance.things[Number(number)];
  if (chance.kind === "cards") return deal(chance, number);
  const faces = [];
  // the first die is the most significant digit
  for (let die = 0; die < chance.dice; die++, number /= 6n) faces.unshift(Number(number % 6n) + 1);
  return chance.apart ? faces : faces.sort(ascending);
}

/** @param {CardsChance} chance @param {bigint} number */
function deal(chance, number) {
  const left = chance.pack.map(([card, many]) => ({ card, many }));
  let there = BigInt(sum(left.map(({ many }) => many)));
  return chance.sizes.flatMap((size) => {
    const hand = [];
    for (let drawn = 0; drawn < size; drawn++, there--) {
      let place = Number(number % there);
      number /= there;
      for (const kind of left) {
        if (place < kind.many) {
          kind.many -= 1;
          hand.push(kind.card);
          break;
        }
        place -= kind.many;
      }
    }
    return hand.sort(ascending);
  });
}

/** @param {number} one @param {number} other */
function ascending(one, other) {
  return one - other;
}

/** The same of an event as it was written down. @param {Chance} chance @param {Record<string, any>} event @returns {unknown} */
function written(chance, event) {
  if (chance.kind === "oneof") return event;
  const value = event[chance.field];
  if (chance.kind === "dice" && chance.names) {
    return Object.keys(value).length === chance.names.length ? chance.names.map((name) => value[name]) : null;
  }
  // where the order has no meaning, each game writes its own
  if (chance.kind === "dice") return chance.apart ? value : [...value].sort(ascending);
  const hands = Array.isArray(value[0]) ? value : [value];
  return hands.flatMap((/** @type {number[]} */ hand) => [...hand].sort(ascending));
}

/** JSON in one order only, for comparing. @param {unknown} value @returns {string} */
function plain(value) {
  return JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
}

/**
 * What a server says of a table's dice now, against what this device remembers of them.
 * @param {{commitment: string | null, contributions: (string | null)[], agreed: Agreed}} claimed
 * @param {Seen} seen
 * @param {boolean} begun whether the dice are mixed, so that every contribution has to be there
 * @returns {Problem[]}
 */
export function compare({ commitment, contributions, agreed }, seen, begun) {
  /** @type {Problem[]} */
  const found = [];
  if (seen.agreed && seen.agreed.dice !== agreed.dice) found.push("dice");
  else if (seen.agreed && !sameAgreement(seen.agreed, agreed)) found.push("agreed");
  if (seen.commitment && seen.commitment !== commitment) found.push("commitment");
  const added = seen.seats?.map((seat) => contributions[seat] ?? null) ?? [];
  if (added.some((one) => one !== null && one !== seen.contribution)) found.push("other");
  if (begun && added.includes(null)) found.push("none");
  // exchanged when ours was known, it could be chosen so that the dice please
  const exchanged = seen.others?.some((one, seat) => one && !seen.seats?.includes(seat) && one !== contributions[seat]);
  if (exchanged) found.push("changed");
  if (seen.computers?.some((seat) => contributions[seat])) found.push("computer");
  return found;
}

/** @param {Agreed} seen @param {Agreed} claimed */
function sameAgreement(seen, claimed) {
  // options that a later version of the game has got since are no change of what was agreed
  const options = Object.fromEntries(Object.keys(seen.options).map((name) => [name, claimed.options[name]]));
  return plain(seen) === plain({ ...claimed, options });
}

/** What was agreed at a table. @param {import("../app/types.js").TableInfo} info @returns {Agreed} */
export function agreement({ game, players, options, components, dice, given }) {
  return { game, players, options, components, dice, given: given ?? 0 };
}

/** What is wrong with what a server says of a table. @param {import("../app/types.js").TableInfo} info @param {Seen} seen */
export function disputes(info, seen) {
  const claimed = { commitment: info.commitment ?? null, contributions: info.contributions ?? [], agreed: agreement(info) };
  return compare(claimed, seen, info.phase !== "waiting");
}

/**
 * Whether an event is the one that was seen; what was hidden then may be anything.
 * @param {unknown} seen
 * @param {unknown} written
 * @returns {boolean}
 */
function same(seen, written) {
  if (Array.isArray(seen) && Array.isArray(written)) {
    return seen.length === written.length && seen.every((one, place) => one === null || same(one, written[place]));
  }
  if (seen && written && typeof seen === "object" && typeof written === "object") {
    const names = Object.keys(seen);
    return names.length === Object.keys(written).length && names.every((name) => same(Reflect.get(seen, name), Reflect.get(written, name)));
  }
  return seen === written;
}

/**
 * Check a receipt against what this device has seen and what the game states about its chance events.
 * @param {Receipt} receipt
 * @param {Seen} seen
 * @param {Description | null} description
 * @param {Circumstances} [known]
 * @returns {Promise<Verdict>}
 */
export async function check(receipt, seen, description, known = {}) {
  /** @type {Finding[]} */
  const findings = [];
  /** @param {Problem} problem @param {number | null} [event] */
  const find = (problem, event = null) => findings.push({ problem, event });
  const { seed, dice, given, contributions, record } = receipt;
  const { components, ...options } = record.options;
  const box = components ?? description?.box ?? seen.agreed?.components;
  const agreed = { game: record.game, players: record.players, options, components: box, dice, given };
  const table = known.day ? `day-${known.day}` : known.table;
  if (table !== undefined && table !== receipt.table) find("table");
  if (known.day && seed !== (await daySeed(known.day, record.game))) find("seed");
  for (const problem of compare({ ...receipt, agreed }, seen, true)) find(problem);
  if (dice !== "pasch" && !seen.agreed) find("dice");
  if (contributions.length !== record.players) find("seats");
  if (!seen.computers && known.computers?.some((seat) => contributions[seat])) find("computer");
  seen.events?.forEach((event, place) => {
    // what was seen happened, in this order, whatever the receipt says
    if (event && !same(event, record.events[place])) find("event", place + 1);
  });
  if (!seed || (await commitment(seed)) !== receipt.commitment) find("seed");
  if (!description || !seed) return { rolls: null, findings };
  const key = await diceKey(seed, receipt.table, given, contributions);
  const chanceOf = follow(description, record.options, record.players);
  let rolls = 0;
  for (const [place, event] of record.events.entries()) {
    const number = place + 1;
    let chance;
    try {
      chance = chanceOf(number, event);
    } catch {
      // the game has no such event, so nobody can say what comes after it
      find("shape", number);
      break;
    }
    if (!chance || number <= given) continue;
    rolls += 1;
    const right = outcome(chance, await derive(key, number, total(chance)));
    if (plain(written(chance, event)) !== plain(right)) find("roll", number);
  }
  return { rolls, findings };
}
