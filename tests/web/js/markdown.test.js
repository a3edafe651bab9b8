// @ts-check
/** The rules' Markdown as elements; a small stand-in for the browser's document is enough. */
import assert from "node:assert/strict";
import { test } from "node:test";

class Element {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    /** @type {any[]} */
    this.children = [];
  }
  setAttribute() {}
  /** @param {any[]} more */
  append(...more) {
    this.children.push(...more);
  }
  /** @returns {string} */
  toString() {
    return `<${this.tag}>${this.children.map(String).join("")}</${this.tag}>`;
  }
}
Object.assign(globalThis, { Node: Element, document: { createElement: (/** @type {string} */ tag) => new Element(tag) } });
const { markdown } = await import("../../../src/pasch/web/static/pages/markdown.js");

/** @param {string} text */
const html = (text) => markdown(text).map(String).join("");

test("a line of a paragraph that begins with a number and a dot is no list", () => {
  assert.equal(html("The 3 becomes a\n2. That is all."), "<p>The 3 becomes a 2. That is all.</p>");
  assert.equal(html("- The 3 becomes a\n  2. That is all.\n- Next"), "<ul><li>The 3 becomes a 2. That is all.</li><li>Next</li></ul>");
});

test("lists begin with 1. or a dash, at the start of a block or after a line", () => {
  assert.equal(html("1. one\n2. two"), "<ol><li>one</li><li>two</li></ol>");
  assert.equal(html("Then:\n1. one\n2. two"), "<p>Then:</p><ol><li>one</li><li>two</li></ol>");
  assert.equal(html("- a\n  - b\n- c"), "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
});
