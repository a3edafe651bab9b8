import assert from "node:assert/strict";
import { test } from "node:test";
import { qrDrawing } from "../../../src/pasch/web/static/app/qr.js";

const LINK = "http://192.168.1.23:8615/t/AbC_d-eF12#invite=xY9_-zQ";

test("a link becomes a labelled drawing with the margin that cameras need", () => {
  const { props } = qrDrawing(LINK, "the link");
  assert.equal(props["aria-label"], "the link");
  const size = Number(props.viewBox.split(" ")[2]);
  const cells = [...props.children[1].props.d.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)]);
  assert.ok(cells.flat().every((at) => at >= 4 && at < size - 4));
  // the corner that every code has
  assert.ok([4, 5, 6, 7, 8, 9, 10].every((x) => cells.some(([column, row]) => column === x && row === 4)));
});

test("what no camera would read has no code", () => {
  assert.equal(qrDrawing("x".repeat(301), ""), null);
});
