// The texts of the browser client, found in the modules given: prints JSON with the templates of t() and tn(), those
// that cannot be read because they are no literals, and visible literals that go through neither.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import ts from "typescript";

const found = { templates: [], unreadable: [], outside: [] };

/** attributes that people see or hear */
const SPOKEN = new Set(["aria-label", "aria-valuetext", "title", "placeholder", "alt"]);
/** functions that show text, and which of their arguments it is */
const SHOWS = { toast: [0], announce: [0], dialog: [0], touchable: [2], words: [2], shared: [0] };
/** from which argument on these make text nodes of strings */
const MAKES = { h: 2, svg: 2, link: 2 };
/** the name of the program is the same in every language */
const NAMES = new Set(["Pasch"]);

/** The literals that an expression may come to. */
function literals(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...literals(node.left), ...literals(node.right)].filter(() => !isComparison(node));
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(literals);
  return [];
}

function isComparison(node) {
  return node.operatorToken.getText().includes("=");
}

/** A condition before && shows nothing. */
function visible(node) {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return visible(node.right);
  return literals(node).filter((text) => /\p{L}{2}/u.test(text) && !NAMES.has(text.replace(/[^\p{L}]+/gu, "")));
}

function look(file, source, node) {
  const where = () => `${relative(".", file)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const name = node.expression.text;
    if (name === "t" || name === "tn") template(node, name, file, where());
    const at = SHOWS[name] ?? [];
    const shown = at.flatMap((place) => (node.arguments[place] ? visible(node.arguments[place]) : []));
    const made = name in MAKES ? node.arguments.slice(MAKES[name]).flatMap(visible) : [];
    found.outside.push(...[...shown, ...made].map((text) => `${where()}: ${text}`));
  }
  if (ts.isPropertyAssignment(node) && SPOKEN.has(node.name.text ?? "")) {
    found.outside.push(...visible(node.initializer).map((text) => `${where()}: ${text}`));
  }
  if (ts.isBinaryExpression(node) && /\.(textContent|innerText|title)$/.test(node.left.getText(source)) && isComparison(node)) {
    found.outside.push(...visible(node.right).map((text) => `${where()}: ${text}`));
  }
  ts.forEachChild(node, (child) => look(file, source, child));
}

function template(node, name, file, where) {
  const [one, other] = node.arguments;
  if (!ts.isStringLiteral(one) || (name === "tn" && !ts.isStringLiteral(other))) {
    found.unreadable.push(`${where}: ${one.getText()}`);
  } else {
    found.templates.push({ one: one.text, other: name === "tn" ? other.text : null, file });
  }
}

for (const file of process.argv.slice(2)) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  look(file, source, source);
}
console.log(JSON.stringify(found));
