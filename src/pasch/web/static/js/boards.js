// @ts-check
/**
 * The drawing of each game, loaded when it is needed.
 *
 * @typedef {import("./touch.js").Ctx} Ctx
 * @typedef {import("./types.js").Position} Position
 * @typedef {object} Board
 * @property {(ctx: Ctx, seat: number) => SVGElement} seatBoard one seat's board
 * @property {(ctx: Ctx) => Element | null} common what all share: strip, plan, pot, the dice on the table
 * @property {(ctx: Ctx, event: Record<string, any>, before: Position | null, after: Position | null) => string} tell
 *   an event in words, with the positions before and after it if they are known
 * @property {(ctx: Ctx, event: Record<string, any>) => string} label a move in words
 * @property {() => SVGElement} thumb a small drawing
 * @property {(part: string) => string} partLabel what to read off the real table
 * @property {(ctx: Ctx, strip: number) => SVGElement} [stripDrawing] a strip to recognise among others
 */

/** @param {string} game @returns {Promise<Board>} */
export function loadBoard(game) {
  return import(`./boards/${game}.js`);
}
