// @ts-check
/**
 * Checks the dice of a finished game in the browser itself: does the seed fit what the server had bound itself to,
 * is our own contribution among those it was mixed with, and does every roll and card follow from them?
 * No rules are needed for it: the receipt says of each event how a number becomes dice or cards.
 *
 * @typedef {{number: number, field: string, kind: "dice", dice: number, apart: boolean, names?: string[]}} DiceChance
 * @typedef {{number: number, field: string, kind: "oneof", things: Record<string, any>[]}} OneOfChance
 * @typedef {{number: number, field: string, kind: "cards", pack: [number, number][], sizes: number[]}} CardsChance
 * @typedef {DiceChance | OneOfChance | CardsChance} Chance
 *
 * @typedef {object} Receipt
 * @property {"pasch-receipt/1"} format
 * @property {string} table
 * @property {"pasch" | "real"} dice
 * @property {string | null} commitment
 * @property {(string | null)[]} contributions
 * @property {string | null} seed
 * @property {number} given
 * @property {Chance[]} chance
 * @property {{events: Record<string, any>[]}} record
 *
 * @typedef {object} Seen what this device remembers from before the first roll
 * @property {string | null} [commitment]
 * @property {string | null} [contribution]
 * @property {number[]} [computers] the seats of computers, which have nothing to add
 *
 * @typedef {"seed" | "commitment" | "contribution" | "computer" | "roll" | "missing"} Problem
 * @typedef {{problem: Problem, event: number | null}} Finding
 * @typedef {{rolls: number, findings: Finding[]}} Verdict
 */

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

/**
 * @param {CryptoKey} key
 * @param {string} text
 */
async function hmac(key, text) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(text)));
}

/** What the server publishes of a seed before the first roll. @param {string} seed */
export async function commitment(seed) {
  const head = utf8.encode("pasch commitment/1\n");
  const whole = new Uint8Array([...head, ...bytes(seed)]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
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

/**
 * What a case is: faces, cards, or one of several events.
 * @param {Chance} chance
 * @param {bigint} number
 * @returns {unknown}
 */
export function outcome(chance, number) {
  if (chance.kind === "oneof") return chance.things[Number(number)];
  if (chance.kind === "cards") return deal(chance, number);
  const faces = [];
  // the first die is the most significant digit
  for (let die = 0; die < chance.dice; die++, number /= 6n) faces.unshift(Number(number % 6n) + 1);
  return chance.apart ? faces : faces.sort(ascending);
}

/**
 * @param {CardsChance} chance
 * @param {bigint} number
 */
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

/**
 * The same of an event as it was written down.
 * @param {Chance} chance
 * @param {Record<string, any>} event
 * @returns {unknown}
 */
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
 * Check a receipt; what this device has seen before the first roll is compared with it.
 * @param {Receipt} receipt
 * @param {Seen} [seen]
 * @returns {Promise<Verdict>}
 */
export async function check(receipt, seen = {}) {
  /** @type {Finding[]} */
  const findings = [];
  const { seed } = receipt;
  if (!seed || (await commitment(seed)) !== receipt.commitment) findings.push({ problem: "seed", event: null });
  if (seen.commitment && seen.commitment !== receipt.commitment) findings.push({ problem: "commitment", event: null });
  if (seen.contribution && !receipt.contributions.includes(seen.contribution)) findings.push({ problem: "contribution", event: null });
  // whoever knows the seed could choose the dice with a contribution made after all others
  if (seen.computers?.some((seat) => receipt.contributions[seat])) findings.push({ problem: "computer", event: null });
  if (!seed) return { rolls: 0, findings };
  const key = await diceKey(seed, receipt.table, receipt.given, receipt.contributions);
  const described = new Map(receipt.chance.map((one) => [one.number, one]));
  const fields = new Set(receipt.chance.map((one) => one.field));
  let rolls = 0;
  for (const [place, event] of receipt.record.events.entries()) {
    const number = place + 1;
    if (number <= receipt.given) continue;
    const chance = described.get(number);
    if (!chance) {
      // a roll that nobody describes would be one that nobody checks
      if (Object.keys(event).some((field) => fields.has(field))) findings.push({ problem: "missing", event: number });
      continue;
    }
    rolls += 1;
    const right = outcome(chance, await derive(key, number, total(chance)));
    if (!(chance.field in event) || plain(written(chance, event)) !== plain(right)) findings.push({ problem: "roll", event: number });
  }
  return { rolls, findings };
}
