import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { qrCode } from "../../../src/pasch/web/static/app/qr.js";

const TEXT = `http://192.168.1.23:8615/t/AbC_d-eF12#invite=${"xY9_-zQ".repeat(40)}`;
const rows = (grid) => grid.map((line) => line.map(Number).join(""));

/** what another encoder, the Python package qrcode 8.2, makes of the first letters of the text with a mask */
const KNOWN = [
  [1, 1, "b171c55d0b6d4aab"], [17, 1, "f4236e851ba408a8"], [18, 2, "543c6c112ac5df57"], [30, 6, "ca7259d3d31e51e2"],
  [53, 5, "e08b5f047a63f3cf"], [60, 0, "6400d6e9ced8285b"], [60, 3, "a2417bfc0211255f"], [78, 6, "02683c05a265c1f9"],
  [90, 2, "5461e4f638b205c3"], [106, 2, "00a7262fc10c2521"], [134, 6, "3367db193cd6fa30"], [150, 4, "f12f1b1250e3258a"],
  [150, 5, "4aa0c0afdc3fe80e"], [150, 7, "9bbf4522c9a22721"], [154, 2, "fbf07c27051c9846"], [192, 0, "f7cf5cb4cbeb9acd"],
  [210, 2, "cb1742209f1194c2"], [230, 6, "b175d9633c9d8dd9"],
];

test("codes of every version are the same as another encoder's", () => {
  for (const [length, mask, hash] of KNOWN) {
    const made = createHash("sha256").update(rows(qrCode(TEXT.slice(0, length), mask)).join("\n")).digest("hex");
    assert.equal(made.slice(0, 16), hash, `${length} ${mask}`);
  }
});

test("the mask is one of the eight, and the same each time", () => {
  const chosen = rows(qrCode(TEXT.slice(0, 90)));
  const masked = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => rows(qrCode(TEXT.slice(0, 90), mask)).join());
  assert.ok(masked.includes(chosen.join()));
  assert.deepEqual(rows(qrCode(TEXT.slice(0, 90))), chosen);
});

test("what does not fit has no code", () => {
  assert.equal(qrCode(TEXT.slice(0, 231)), null);
  assert.equal(qrCode("ä".repeat(116)), null);
});
