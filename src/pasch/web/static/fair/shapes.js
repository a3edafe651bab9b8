// @ts-check
/**
 * The shape of each chance event of a record, from what the game states about itself (`pasch.core.shapes`), never from
 * what a receipt says: how many cases there were, and which case is which outcome. No rules are in here.
 *
 * @typedef {number | (string | {last: string})[]} Amount a number, or the path to it in the box
 * @typedef {{kind: "dice", least: Amount, most: Amount | null, names: string[], aside: string | null}} DiceShape
 * @typedef {{kind: "pile", box: string}} PileShape
 * @typedef {{kind: "turn", option: string}} TurnShape
 * @typedef {{kind: "pack", box: string, cards: number, shuffled: boolean}} PackShape
 * @typedef {DiceShape | PileShape | TurnShape | PackShape} Shape
 *
 * @typedef {object} Description
 * @property {string} game
 * @property {Record<string, any>} box the usual box
 * @property {{keys: string[], shape: Shape | null}[]} events all kinds of events, each with its keys in order
 *
 * @typedef {{number: number, field: string, kind: "dice", dice: number, apart: boolean, names?: string[]}} DiceChance
 * @typedef {{number: number, field: string, kind: "oneof", things: Record<string, any>[]}} OneOfChance
 * @typedef {{number: number, field: string, kind: "cards", pack: [number, number][], sizes: number[]}} CardsChance
 * @typedef {DiceChance | OneOfChance | CardsChance} Chance
 * @typedef {Record<string, any>} Event
 */

/** An event that this game does not have, or that no chance could have brought. */
export class Misshapen extends Error {}

/** @param {unknown} holds @returns {asserts holds} */
function demand(holds) {
  if (!holds) throw new Misshapen();
}

/**
 * Follow the events of a game. The function returned has to be called with all of them in order; it says what chance there
 * was (null for a move), or throws `Misshapen`.
 * @param {Description} description
 * @param {Record<string, any>} options the game's options, with a box of its own if there is one
 * @param {number} players
 * @returns {(number: number, event: Event) => Chance | null}
 */
export function follow(description, options, players) {
  const box = options.components ?? description.box;
  const kinds = new Map(description.events.map(({ keys, shape }) => [keys.join(" "), shape]));
  const asides = new Set(description.events.flatMap(({ shape }) => (shape?.kind === "dice" && shape.aside ? [shape.aside] : [])));
  /** by field, the value in the last event with it @type {Record<string, any>} */
  const last = {};
  /** by field, how many events with it there were @type {Record<string, number>} */
  const count = {};
  /** by field, the things of a pile that were drawn @type {Record<string, Set<number>>} */
  const drawn = {};
  /** by list of the box, the cards that are left @type {Record<string, Map<number, number>>} */
  const packs = {};
  /** @type {unknown} */
  let seat;
  let aside = new Set();

  /** @param {Amount} amount @returns {number} */
  function value(amount) {
    if (typeof amount === "number") return amount;
    return amount.reduce((/** @type {any} */ at, step) => (typeof step === "string" ? at?.[step] : at?.[last[step.last] - 1]), box);
  }

  /** @param {DiceShape} shape @param {any} roll */
  function dice(shape, roll) {
    const names = shape.names.filter((name) => Object.hasOwn(roll, name));
    const rolled = shape.names.length ? names.length : roll.length;
    demand(shape.names.length ? Object.keys(roll).length === rolled : Array.isArray(roll));
    demand(value(shape.least) <= rolled && rolled <= value(shape.most ?? shape.least));
    if (shape.aside) demand(names.length === shape.names.filter((name) => !aside.has(name)).length && !names.some((name) => aside.has(name)));
    return shape.names.length ? { kind: /** @type {const} */ ("dice"), dice: rolled, apart: true, names } : { kind: /** @type {const} */ ("dice"), dice: rolled, apart: false };
  }

  /** @param {PileShape} shape @param {string} field @param {number} thing */
  function pile(shape, field, thing) {
    const gone = (drawn[field] ??= new Set());
    const left = [...box[shape.box].keys()].filter((number) => !gone.has(number));
    demand(left.includes(thing));
    gone.add(thing);
    return { kind: /** @type {const} */ ("oneof"), things: left.map((number) => ({ [field]: number })) };
  }

  /** @param {PackShape} shape @param {any} cards one hand, or one for each seat @param {boolean} all */
  function pack(shape, cards, all) {
    if (shape.shuffled || !packs[shape.box]) packs[shape.box] = new Map(box[shape.box].map((/** @type {any} */ one) => [one.card, one.number]));
    const left = /** @type {Map<number, number>} */ (packs[shape.box]);
    const there = [...left].filter(([, many]) => many > 0).sort(([one], [other]) => one - other);
    /** @type {number[][]} */
    const hands = all ? cards : [cards];
    demand(Array.isArray(cards) && hands.every(Array.isArray) && (!all || hands.length === players));
    const sizes = hands.map((hand) => hand.length);
    demand(sizes.every((size) => size === shape.cards || (all && size === 0)));
    for (const card of hands.flat()) {
      const many = left.get(card) ?? 0;
      demand(many > 0);
      left.set(card, many - 1);
    }
    return { kind: /** @type {const} */ ("cards"), pack: there, sizes };
  }

  return (number, event) => {
    const shape = kinds.get(Object.keys(event).sort().join(" "));
    demand(shape !== undefined);
    if (event.seat !== seat) aside = new Set();
    seat = event.seat;
    const field = Object.keys(event).find((key) => key !== "seat") ?? "";
    /** @type {any} */
    let chance = null;
    if (shape?.kind === "dice") chance = dice(shape, event[field]);
    else if (shape?.kind === "pile") chance = pile(shape, field, event[field]);
    else if (shape?.kind === "pack") chance = pack(shape, event[field], !("seat" in event));
    else if (shape?.kind === "turn") {
      const things = options[shape.option];
      chance = { kind: "oneof", things: [{ [field]: things[(count[field] ?? 0) % things.length] }] };
    }
    for (const [name, value] of Object.entries(event)) {
      last[name] = value;
      count[name] = (count[name] ?? 0) + 1;
      if (asides.has(name)) value.forEach((/** @type {string} */ one) => aside.add(one));
    }
    return chance && { number, field, ...chance };
  };
}
