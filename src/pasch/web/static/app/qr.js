// @ts-check
/**
 * QR codes, drawn here so that no link leaves the device. Bytes at the lowest level of error correction, versions 1 to 9:
 * up to 230 of them, which any link to a table has room in (ISO/IEC 18004).
 */
import { h } from "../vendor/preact.js";

/** of each version: data codewords, error correction codewords of a block, blocks, the middle alignment pattern */
const VERSIONS = [
  [19, 7, 1, 0], [34, 10, 1, 0], [55, 15, 1, 0], [80, 20, 1, 0], [108, 26, 1, 0],
  [136, 18, 2, 0], [156, 20, 2, 22], [194, 24, 2, 24], [232, 30, 2, 26],
];

/** which modules each mask inverts @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The product of two numbers of the field with 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The error correction codewords of a block (Reed-Solomon). @param {number[]} block @param {number} size */
function correction(block, size) {
  const divisor = [...Array(size - 1).fill(0), 1];
  for (let step = 0, root = 1; step < size; step++, root = times(root, 2)) {
    for (let at = 0; at < size; at++) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  /** @type {number[]} */
  const rest = Array(size).fill(0);
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((one, at) => { rest[at] = (rest[at] ?? 0) ^ times(one, factor); });
  }
  return rest;
}

/** Bits with the check bits of a cyclic code behind them. @param {number} bits @param {number} generator @param {number} size */
function checked(bits, generator, size) {
  let rest = bits << size;
  for (let bit = 31 - Math.clz32(rest); bit >= size; bit--) if ((rest >> bit) & 1) rest ^= generator << (bit - size);
  return (bits << size) | rest;
}

/** All codewords of a text, blocks interleaved. @param {Uint8Array} bytes @param {number[]} version */
function codewords(bytes, [room = 0, size = 0, count = 1]) {
  // byte mode, the length, the bytes, and the end of the text: each shifted by half a byte
  const halves = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: room }, (_, at) =>
    2 * at < halves.length ? ((halves[2 * at] ?? 0) << 4) | (halves[2 * at + 1] ?? 0) : (at - halves.length / 2) % 2 ? 0x11 : 0xec,
  );
  const length = room / count;
  const blocks = Array.from({ length: count }, (_, at) => data.slice(at * length, (at + 1) * length));
  const checks = blocks.map((block) => correction(block, size));
  const interleaved = (/** @type {number[][]} */ rows) => (rows[0] ?? []).flatMap((_, at) => rows.map((row) => row[at] ?? 0));
  return [...interleaved(blocks), ...interleaved(checks)];
}

/**
 * The modules of the QR code of a text, true for dark ones; null if it is too long.
 * @param {string} text
 * @param {number} [mask] 0 to 7; otherwise the one that is read best
 * @returns {boolean[][] | null}
 */
export function qrCode(text, mask) {
  const bytes = new TextEncoder().encode(text);
  const number = VERSIONS.findIndex(([room = 0]) => bytes.length + 2 <= room) + 1;
  if (!number) return null;
  const version = VERSIONS[number - 1] ?? [];
  const words = codewords(bytes, version);
  if (mask !== undefined) return drawn(number, version[3] ?? 0, words, mask);
  const every = MASKS.map((_, one) => drawn(number, version[3] ?? 0, words, one));
  return every.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/**
 * @param {number} version
 * @param {number} middle
 * @param {number[]} words
 * @param {number} mask
 */
function drawn(version, middle, words, mask) {
  const size = 17 + 4 * version;
  /** @type {(boolean | undefined)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ dark) => {
    const line = grid[row];
    if (line && column >= 0 && column < size) line[column] = dark;
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  // rings around the middles of the finder patterns, and of the alignment patterns
  const rings = (/** @type {number} */ row, /** @type {number} */ column, /** @type {number} */ radius, /** @type {number} */ light) => {
    for (let dr = -radius; dr <= radius; dr++) {
      for (let dc = -radius; dc <= radius; dc++) {
        const ring = Math.max(Math.abs(dr), Math.abs(dc));
        set(row + dr, column + dc, ring !== light && ring !== 4);
      }
    }
  };
  const last = size - 7;
  const places = version === 1 ? [] : middle ? [6, middle, last] : [6, last];
  for (const row of places) {
    for (const column of places) if (!([row, column].includes(6) && row + column !== 6 + middle)) rings(row, column, 2, 1);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(row ?? 0, column ?? 0, 4, 2);
  const format = checked(8 | mask, 0x537, 10) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = ((format >> bit) & 1) === 1;
    if (bit < 8) {
      set(bit < 6 ? bit : bit + 1, 8, dark);
      set(8, size - 1 - bit, dark);
    } else {
      set(8, bit === 8 ? 7 : 14 - bit, dark);
      set(size - 15 + bit, 8, dark);
    }
  }
  set(size - 8, 8, true);
  const info = checked(version, 0x1f25, 12);
  for (let bit = 0; version >= 7 && bit < 18; bit++) {
    const dark = ((info >> bit) & 1) === 1;
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(far, near, dark);
    set(near, far, dark);
  }
  // the codewords, in columns of two from the right, up and down in turn
  let bit = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step++) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row]?.[column] !== undefined) continue;
        const dark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        set(row, column, dark !== MASKS[mask]?.(row, column));
        bit += 1;
      }
    }
  }
  return /** @type {boolean[][]} */ (grid);
}

/** How hard a code is to read, by the standard's four rules. @param {boolean[][]} grid */
function penalty(grid) {
  const size = grid.length;
  const columns = grid.map((_, column) => grid.map((row) => row[column] ?? false));
  let points = 0;
  for (const line of [...grid, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    // looks like a finder pattern; the same zeros may belong to two of them
    points += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let row = 1; row < size; row++) {
    for (let column = 1; column < size; column++) {
      const dark = grid[row]?.[column];
      if (dark === grid[row - 1]?.[column] && dark === grid[row]?.[column - 1] && dark === grid[row - 1]?.[column - 1]) points += 3;
    }
  }
  const share = (20 * grid.flat().filter(Boolean).length) / (size * size);
  return points + 10 * Math.floor(Math.abs(share - 10));
}

/**
 * The QR code of a text as a drawing, with the margin that cameras need; null if the text is too long.
 * @param {string} text
 * @param {string} label
 */
export function qrDrawing(text, label) {
  const grid = qrCode(text);
  if (!grid) return null;
  const d = grid.flatMap((line, row) => line.flatMap((dark, column) => (dark ? [`M${column + 4} ${row + 4}h1v1h-1z`] : []))).join("");
  const size = grid.length + 8;
  return h(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    // black on white in the dark, too: cameras expect it
    h("path", { fill: "#fff", d: `M0 0h${size}v${size}H0z` }),
    h("path", { fill: "#000", d }),
  );
}
