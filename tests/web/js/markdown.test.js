// The rules' Markdown as a tree of what is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { markdown } from "../../../src/pasch/web/static/pages/markdown.js";

function written(child) {
  if (Array.isArray(child)) return child.map(written).join("");
  return child?.type ? `<${child.type}>${written(child.props.children)}</${child.type}>` : String(child ?? "");
}
const html = (text) => written(markdown(text));

test("a line of a paragraph that begins with a number and a dot is no list", () => {
  assert.equal(html("The 3 becomes a\n2. That is all."), "<p>The 3 becomes a 2. That is all.</p>");
  assert.equal(html("- The 3 becomes a\n  2. That is all.\n- Next"), "<ul><li>The 3 becomes a 2. That is all.</li><li>Next</li></ul>");
});

test("lists begin with 1. or a dash, at the start of a block or after a line", () => {
  assert.equal(html("1. one\n2. two"), "<ol><li>one</li><li>two</li></ol>");
  assert.equal(html("Then:\n1. one\n2. two"), "<p>Then:</p><ol><li>one</li><li>two</li></ol>");
  assert.equal(html("- a\n  - b\n- c"), "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
});
