// @ts-check
/** What people see of fair dice: the seal, doubts as soon as there are any, and the check after the game (docs/fairness.md). */
import { Refusal, chanceShapes, receipt as askReceipt } from "../app/api.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { canCheck, check, disputes } from "./verify.js";
import { announce, toast } from "../app/frame.js";
import { list, t, tn } from "../app/i18n.js";
import { seatName } from "../table/play.js";
import { copyRow } from "../app/share.js";

/** @typedef {import("../app/types.js").TableInfo} TableInfo */

const AGAIN = 2000;
const MOST_LISTED = 10;

/**
 * In red: what the server says of the dice is not what this device saw before; null if all is well.
 * @param {TableInfo} info
 * @param {string} [advice]
 */
export function doubts(info, advice = "") {
  const found = disputes(info, device.dice(info.id));
  if (!found.length) return null;
  const said = bad(t("Something is wrong with these dice."), [...found.map((problem) => words({ problem, event: null })), advice]);
  said.setAttribute("role", "alert");
  return said;
}

/** The seal and our own part of the dice, to be copied. @param {TableInfo} info */
export function proofs(info) {
  const seen = device.dice(info.id);
  return [
    copyRow(t("The server’s seal"), seen.commitment ?? info.commitment ?? ""),
    seen.contribution && copyRow(t("What this device adds"), seen.contribution),
    !device.keepsDice(info.id) && note(t("This browser stores nothing. To check the dice after leaving this page, copy the seal and your contribution from the menu.")),
    note(t("Compare the seal with the others at the table, too: it has to be the same for everybody.")),
    note(t("If lots were drawn for who begins, the server drew them; nothing proves how.")),
  ];
}

/** @param {string} text */
function note(text) {
  return h("p", { class: "muted small" }, text);
}

/**
 * @param {string} id
 * @param {TableInfo} info
 * @param {boolean} cards whether the game is one of cards
 */
export function fairCard(id, info, cards) {
  /** @param {...(import("../app/dom.js").Child | import("../app/dom.js").Child[])} content */
  const card = (...content) => h("section", { class: "card stack fair" }, h("h2", null, cards ? t("Were the cards fair?") : t("Were the dice fair?")), ...content);
  const verdict = h("div", { role: "status" });
  const save = h("button", { class: "button", type: "button", "data-key": "receipt", onclick: () => download(id, info.game) }, t("Download the receipt"));
  const seen = device.dice(id);
  if (info.dice === "real" && !seen.agreed) {
    const real = cards
      ? t("You dealt real cards. Pasch only wrote down what you read off them, so there is nothing to check.")
      : t("You rolled real dice. Pasch only wrote down what you read off them, so there is nothing to check.");
    return card(h("p", null, real), h("div", { class: "row" }, save));
  }
  const look = async () => {
    verdict.replaceChildren(h("p", { class: "muted" }, t("Checking …")));
    const said = await judged(id, info);
    verdict.replaceChildren(said);
    announce(said.querySelector("strong")?.textContent ?? "");
  };
  return card(
    doubts(info),
    note(
      cards
        ? t("Before the first card the server sealed how it shuffles, and every browser at the table added random numbers of its own. Now the seal is open, and your browser can work out every card itself.")
        : t("Before the first roll the server sealed its dice, and every browser at the table added random numbers of its own. Now the seal is open, and your browser can work out every roll itself."),
    ),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "check", onclick: look }, cards ? t("Check the cards") : t("Check the dice")), save),
    verdict,
    h(
      "details",
      { class: "small", "data-key": "proofs" },
      h("summary", null, t("What this device remembers, and what this page cannot check")),
      h(
        "div",
        { class: "stack" },
        proofs(info),
        note(t("This page checks that each roll and card follows from the seal and what was added, and that the game is the one this device saw. Whether every move kept to the rules, down to the number of dice rolled, only “pasch verify” can say, and it spares you from trusting this page:")),
        copyRow(t("Check the receipt offline"), offline(id, info)),
      ),
    ),
  );
}

/**
 * The command that checks the receipt with what this device remembers.
 * @param {string} id
 * @param {TableInfo} info
 */
function offline(id, info) {
  const { commitment, contribution, seats, others } = device.dice(id);
  const told = commitment ? ` --commitment ${commitment}` : "";
  const added = info.seats.map(({ seat }) => (seats?.includes(seat) ? contribution : others?.[seat]));
  return `pasch verify --receipt ${fileName(id, info.game)}${told}${added.map((one, seat) => (one ? ` --contribution ${seat}=${one}` : "")).join("")}`;
}

/** @param {string} id @param {string} game */
function fileName(id, game) {
  return `${game}-${id}.receipt.json`;
}

/**
 * @param {string} id
 * @param {TableInfo} info
 * @returns {Promise<HTMLElement>}
 */
async function judged(id, info) {
  if (!canCheck()) return bad(t("This browser can check dice only over HTTPS, or on the machine that serves the table."), []);
  try {
    const receipt = await askReceipt(id, false);
    if (receipt?.format !== "pasch-receipt/1") throw new Error("no receipt");
    const seen = { ...device.dice(id), events: device.events(id) };
    const shapes = await chanceShapes(seen.agreed?.game ?? receipt.record.game);
    const computers = info.seats.filter((seat) => seat.kind === "computer" && !seat.lent).map((seat) => seat.seat);
    const added = info.seats.filter((seat) => receipt.contributions[seat.seat]).map((seat) => seatName(info, seat.seat));
    const { rolls, findings } = await check(receipt, seen, shapes, { table: id, computers });
    if (findings.length) return bad(t("Something is wrong with these dice."), findings.slice(0, MOST_LISTED).map(words));
    const witnessed = seen.events.filter(Boolean).length;
    const more = [
      seen.commitment ? t("The seal is the one that this device saw before the first roll.") : t("This device was not there before the first roll, so it cannot say whether the seal is the same as then."),
      seen.contribution ? t("What this device added to the dice is in them.") : "",
      witnessed ? t("The receipt has the events that this device saw: {n} of {all}.", { n: witnessed, all: receipt.record.events.length }) : "",
      added.length ? t("Added to by: {names}", { names: list(added) }) : t("Nobody had anything to add."),
      receipt.given ? tn("{n} event came from another game and was not checked.", "{n} events came from another game and were not checked.", receipt.given) : "",
    ];
    if (rolls === null) return result("", t("Only “pasch verify” can check the rolls of this game."), more);
    return result("good", `✓ ${tn("{n} roll is as it had to come.", "All {n} rolls and cards are as they had to come.", rolls)}`, more);
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    return bad(error instanceof Refusal ? error.message : t("The receipt cannot be read."), []);
  }
}

/** @param {import("./verify.js").Finding} finding */
function words({ problem, event }) {
  const n = event ?? 0;
  switch (problem) {
    case "table": return t("The receipt is for another table.");
    case "dice": return t("Pasch was to roll the dice at this table. Now it is said that it did not.");
    case "agreed": return t("The game, its options or its box are not those that this device saw before the first roll.");
    case "commitment": return t("The seal is not the one that this device saw before the first roll.");
    case "other": return t("Something else stands in the place of what this device added to the dice.");
    case "none": return t("What this device added to the dice is missing.");
    case "changed": return t("What somebody else had added to the dice has been exchanged since.");
    case "seats": return t("There are more or fewer contributions to the dice than seats.");
    case "seed": return t("What was in the seal is not what had been sealed.");
    case "computer": return t("Somebody added to the dice for a computer, which has nothing to add.");
    case "event": return t("Event {n} is not what this device saw during the game.", { n });
    case "shape": return t("Event {n} cannot happen in this game. What follows it was not checked.", { n });
    case "roll": return t("Event {n} had to come otherwise.", { n });
  }
}

/**
 * @param {"good" | "bad" | ""} kind
 * @param {string} text
 * @param {string[]} more
 */
function result(kind, text, more) {
  return h("div", { class: `verdict ${kind}` }, h("strong", null, text), h("ul", null, more.filter(Boolean).map((one) => h("li", null, one))));
}

/**
 * @param {string} text
 * @param {string[]} more
 */
function bad(text, more) {
  return result("bad", `✗ ${text}`, more);
}

/**
 * @param {string} id
 * @param {string} game
 */
async function download(id, game) {
  try {
    let receipt = await askReceipt(id, true);
    if (!receipt) toast(t("The coach is still calculating; the receipt follows."));
    while (!receipt) {
      await new Promise((done) => setTimeout(done, AGAIN));
      receipt = await askReceipt(id, true);
    }
    const url = URL.createObjectURL(new Blob([JSON.stringify(receipt)], { type: "application/json" }));
    h("a", { href: url, download: fileName(id, game) }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }
}
