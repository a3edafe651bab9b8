// @ts-check
/**
 * Choosing a move by touching its parts. Each legal move is a set of tokens; what was touched narrows the
 * moves down to those that contain it. Pure functions, no rules: everything follows from the list of moves.
 */

/** @import { Choice } from "../app/types.js" */

/** The moves that contain everything chosen. @param {readonly Choice[]} moves @param {ReadonlySet<string>} chosen */
export function remaining(moves, chosen) {
  return moves.filter((move) => [...chosen].every((token) => move.tokens.includes(token)));
}

/** The kind of a token: "card" of "card:9". @param {string} token */
export function kind(token) {
  return token.split(":", 1)[0] ?? token;
}

/**
 * Whether a token is a whole move, which needs no confirming: one without a value, as "pass", or what to do next.
 * @param {string} token
 */
export function atOnce(token) {
  return !token.includes(":") || kind(token) === "next";
}

/**
 * Whether a move never has two tokens of this kind, so that touching another one means to change one's mind.
 * @param {readonly Choice[]} moves
 * @param {string} which
 */
function onlyOne(moves, which) {
  return moves.every((move) => move.tokens.filter((token) => kind(token) === which).length <= 1);
}

/**
 * What is chosen after touching a token; null if no move contains it together with the rest.
 * @param {readonly Choice[]} moves
 * @param {ReadonlySet<string>} chosen
 * @param {string} token
 * @returns {Set<string> | null}
 */
export function withToken(moves, chosen, token) {
  if (chosen.has(token)) return new Set([...chosen].filter((one) => one !== token));
  const added = new Set([...chosen, token]);
  if (remaining(moves, added).length) return added;
  if (!onlyOne(moves, kind(token))) return null;
  // another card instead of the one chosen before; keep of the rest what still goes with it
  const changed = new Set([token]);
  for (const one of chosen) {
    if (kind(one) !== kind(token) && remaining(moves, new Set([...changed, one])).length) changed.add(one);
  }
  return remaining(moves, changed).length ? changed : null;
}

/**
 * Every token that could be touched next, those chosen included.
 * @param {readonly Choice[]} moves
 * @param {ReadonlySet<string>} chosen
 * @returns {Set<string>}
 */
export function possible(moves, chosen) {
  const tokens = new Set(moves.flatMap((move) => move.tokens));
  return new Set([...tokens].filter((token) => withToken(moves, chosen, token)));
}

/**
 * The moves that pass where there is something else to do: nothing is touched for them, or a word of their own.
 * @param {readonly Choice[]} moves
 * @returns {Choice[]}
 */
export function passes(moves) {
  const passing = moves.filter(({ tokens: [first, ...more] }) => first === undefined || (!more.length && !first.includes(":")));
  return passing.length < moves.length ? passing : [];
}

/**
 * The move that could be made now: the one that is exactly what was chosen, or the only one left.
 * @param {readonly Choice[]} moves
 * @param {ReadonlySet<string>} chosen
 * @returns {Choice | null}
 */
export function ready(moves, chosen) {
  const left = remaining(moves, chosen);
  if (left.length === 1 && (chosen.size || moves.length === 1)) return left[0] ?? null;
  return left.find((move) => move.tokens.length === chosen.size) ?? null;
}
