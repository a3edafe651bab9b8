// @ts-check
/**
 * Creates elements. Children that are strings become text nodes, so nothing a player types is ever read as
 * markup.
 *
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Record<string, unknown>} Attrs attributes; names that start with "on" are listeners; true sets an
 *   attribute without a value; false, null and undefined leave it out; `style` is an object of CSS properties
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Attrs} attrs
 */
function setAttributes(element, attrs) {
  for (const [name, value] of Object.entries(attrs)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "style" && typeof value === "object") {
      // through the CSSOM: the content security policy forbids style attributes
      const { style } = /** @type {HTMLElement | SVGElement} */ (element);
      for (const [property, text] of Object.entries(/** @type {object} */ (value))) {
        style.setProperty(property, String(text));
      }
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function appendAll(element, children) {
  for (const child of children.flat()) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attrs | null} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attrs, ...children) {
  const element = document.createElement(tag);
  if (attrs) setAttributes(element, attrs);
  appendAll(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attrs | null} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attrs, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  if (attrs) setAttributes(element, attrs);
  appendAll(element, children);
  return element;
}

/**
 * A selector that finds an element again after it was redrawn; null if nothing identifies it.
 * @param {Element} element
 */
function selectorOf(element) {
  for (const name of ["data-key", "data-token", "id"]) {
    const value = element.getAttribute(name);
    if (value) return `[${name}="${CSS.escape(value)}"]`;
  }
  return null;
}

/**
 * Put other children into an element, and give the keyboard's focus back to the control that had it.
 * Controls are known by data-key, data-token or id; one that is gone or disabled leaves the focus to `otherwise`.
 * @param {Element} parent
 * @param {(Child | Child[])[]} children
 * @param {() => HTMLElement | null} [otherwise]
 */
export function replace(parent, children, otherwise) {
  const active = document.activeElement;
  const had = active && active !== document.body && parent.contains(active) ? active : null;
  const name = had && selectorOf(had);
  const scope = had?.closest("[data-scope]");
  const within = scope ? `[data-scope="${CSS.escape(scope.getAttribute("data-scope") ?? "")}"] ` : "";
  parent.replaceChildren();
  appendAll(parent, children);
  if (!had) return;
  const found = name && (parent.querySelector(within + name) ?? parent.querySelector(name));
  // what is disabled cannot have the focus, and it would be lost
  const again = found && !found.matches(":disabled") && found;
  const target = /** @type {HTMLElement | SVGElement | null} */ (again || otherwise?.() || null);
  target?.focus({ preventScroll: true });
}
