// @ts-check
/** QR codes, drawn here so that no link leaves the device. */
import { h } from "../vendor/preact.js";
import { encode } from "../vendor/uqr.js";

/** more characters than a camera reads off a screen */
const MAX_CHARACTERS = 300;

/**
 * The QR code of a text as a drawing, with the margin that cameras need; null if the text is too long.
 * @param {string} text
 * @param {string} label
 */
export function qrDrawing(text, label) {
  if (text.length > MAX_CHARACTERS) return null;
  const { data, size } = encode(text, { ecc: "L", border: 4 });
  const d = data.flatMap((line, row) => line.flatMap((dark, column) => (dark ? [`M${column} ${row}h1v1h-1z`] : []))).join("");
  return h(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    // black on white in the dark, too: cameras expect it
    h("path", { fill: "#fff", d: `M0 0h${size}v${size}H0z` }),
    h("path", { fill: "#000", d }),
  );
}
