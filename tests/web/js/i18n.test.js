import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { list, number, say, setLanguage, t, tn } from "../../../src/pasch/web/static/app/i18n.js";

const GERMAN = {
  "{name} wins.": "{name} gewinnt.",
  "{n} chip": ["{n} Chip", "{n} Chips"],
  "{colour} shows {face}": "{colour} zeigt {face}",
  red: "rot",
  "there is no {name!r}": "{name} gibt es nicht",
  "a target is 1 to 6, not {got}": "eine Vorgabe ist 1 bis 6, nicht {got}",
};

const TWO = { one: 0, other: 1 };

beforeEach(() => setLanguage({ language: "de", languages: ["de", "en"], forms: TWO, templates: GERMAN }));

test("a template is looked up and filled, or shown in English", () => {
  assert.equal(t("{name} wins.", { name: "Anna" }), "Anna gewinnt.");
  assert.equal(t("{name} sleeps.", { name: "Anna" }), "Anna sleeps.");
  assert.deepEqual([1, 2].map((n) => tn("{n} die", "{n} dice", n)), ["1 die", "2 dice"]);
  // names that look like something else are only names
  assert.equal(t("{name} wins.", { name: "{name}" }), "{name} gewinnt.");
  for (const odd of ["constructor", "{toString}"]) assert.equal(t(odd), odd);
});

test("numbers choose their form", () => {
  assert.deepEqual([0, 1, 2].map((n) => tn("{n} chip", "{n} chips", n)), ["0 Chips", "1 Chip", "2 Chips"]);
});

test("languages may have other forms for other numbers", () => {
  const templates = { "{n} chip": ["{n} jeton", "{n} jetons"], "{n} chips": ["{n} jeton", "{n} jetons"] };
  setLanguage({ language: "fr", languages: ["fr"], forms: TWO, templates });
  assert.deepEqual([0, 1, 2, 1e6].map((n) => tn("{n} chip", "{n} chips", n)).map((text) => text.split(" ").at(-1)), ["jeton", "jeton", "jetons", "jetons"]);
  // the server has sent its own form of English
  assert.equal(say({ template: "{n} chips", details: { n: 0 } }), "0 jeton");
  const polish = ["{n} żeton", "{n} żetony", "{n} żetonów"];
  setLanguage({ language: "pl", languages: ["pl"], forms: { one: 0, few: 1, many: 2, other: 2 }, templates: { "{n} chip": polish } });
  assert.deepEqual([1, 3, 5, 22].map((n) => tn("{n} chip", "{n} chips", n)), ["1 żeton", "3 żetony", "5 żetonów", "22 żetony"]);
});

test("numbers and lists follow the language", () => {
  assert.equal(number(1234.5), "1.234,5");
  assert.equal(number(0.5, 2), "0,50");
  assert.equal(number(-3), "−3");
  assert.equal(list([1, 2, 3]), "1, 2 und 3");
  setLanguage({ language: "en", languages: ["en"], forms: TWO, templates: {} });
  assert.equal(number(1234.5), "1,234.5");
  assert.equal(list(["a", "b"]), "a and b");
});

test("a sentence of the server is shown with its words translated, and seats counted from 1", () => {
  const cases = [
    ["{colour} shows {face}", { colour: "red", face: 5 }, "Rot zeigt 5"], ["there is no {name!r}", { name: "x" }, "X gibt es nicht"],
    ["{name} wins.", undefined, "{name} gewinnt."], ["{colours}", { colours: ["red", "pink"] }, "Rot und pink"],
    ["{turn}, not {seat}", { turn: 0, seat: 2 }, "Seat 1, not Seat 3"], ["{seats}", { seats: [0, 2] }, "1 und 3"],
    // the place of a mistake in a box is shown in the form, not in the sentence
    ["{place}: a target is 1 to 6, not {got}", { place: "strips[3]", got: 7 }, "Eine Vorgabe ist 1 bis 6, nicht 7"],
  ];
  for (const [template, details, said] of cases) assert.equal(say({ template, details }), said);
});
