// @ts-check
/** The part of Markdown that the rules are written in, as elements: headings, paragraphs, lists, tables. */
import { h } from "../vendor/preact.js";

/** @import { Child } from "../vendor/preact.js" */

/** how a list begins in the middle of a text: a line that happens to begin with "2." is none */
const BEGINS = /^(?:[-*]|1\.)\s/;

/** Bold, italic and code within a line. @param {string} text @returns {Child[]} */
export function inline(text) {
  /** @type {Child[]} */
  const found = [];
  let end = 0;
  for (const match of text.matchAll(/\*\*(.+?)\*\*|`([^`]+)`|\*([^*\s][^*]*?)\*/g)) {
    found.push(text.slice(end, match.index));
    const [whole, bold, code, italic] = match;
    if (bold !== undefined) found.push(h("strong", null, inline(bold)));
    else if (code !== undefined) found.push(h("code", null, code));
    else found.push(h("em", null, inline(italic ?? "")));
    end = match.index + whole.length;
  }
  found.push(text.slice(end));
  return found;
}

/** @param {string} row */
function cells(row) {
  return row.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** @param {string[]} lines */
function table([head = "", , ...rows]) {
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "group" },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, cells(head).map((cell) => (cell ? h("th", { scope: "col" }, inline(cell)) : h("td", null))))),
      h("tbody", null, rows.map((row) => h("tr", null, cells(row).map((cell) => h("td", null, inline(cell)))))),
    ),
  );
}

/**
 * A list; lines that are indented belong to the item before them, and may be a list of their own.
 * @param {string[]} lines
 * @returns {object}
 */
function listOf(lines) {
  /** @type {string[][]} */
  const items = [];
  for (const line of lines) {
    const start = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (start) items.push([start[1] ?? ""]);
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ""));
  }
  const tag = /^\d/.test(lines[0] ?? "") ? "ol" : "ul";
  return h(tag, null, items.map((item) => h("li", null, itemOf(item))));
}

/** @param {string[]} item @returns {Child[]} */
function itemOf(item) {
  const inner = item.findIndex((line, place) => place > 0 && BEGINS.test(line));
  if (inner < 0) return inline(item.map((line) => line.trim()).join(" "));
  return [...inline(item.slice(0, inner).map((line) => line.trim()).join(" ")), listOf(item.slice(inner))];
}

/** @param {string} text @returns {any[]} elements, with their type and props */
export function markdown(text) {
  return text.trim().split(/\n\s*\n/).flatMap((block) => {
    const lines = block.split("\n").filter((line) => line.trim());
    const first = lines[0] ?? "";
    const heading = /^(#{1,3})\s+(.*)$/.exec(first);
    if (heading) {
      const tag = /** @type {"h1" | "h2" | "h3"} */ (`h${heading[1]?.length}`);
      const rest = lines.slice(1).join("\n");
      return [h(tag, null, inline(heading[2] ?? "")), ...(rest ? markdown(rest) : [])];
    }
    if (first.startsWith("|")) return [table(lines)];
    if (/^(?:[-*]|\d+\.)\s/.test(first)) return [listOf(lines)];
    const start = lines.findIndex((line) => BEGINS.test(line));
    if (start > 0) return [h("p", null, inline(lines.slice(0, start).join(" "))), listOf(lines.slice(start))];
    return [h("p", null, inline(lines.join(" ")))];
  });
}
