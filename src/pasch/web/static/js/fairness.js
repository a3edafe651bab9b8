// @ts-check
/** The card that checks the dice of a finished game in the browser and shows the result; see docs/fairness.md. */
import { Refusal, receipt as askReceipt } from "./api.js";
import * as device from "./device.js";
import { h } from "./dom.js";
import { canCheck, check } from "./fair.js";
import { announce, toast } from "./frame.js";
import { list, t, tn } from "./i18n.js";
import { seatName } from "./play.js";

const AGAIN = 2000;
const MOST_LISTED = 10;

/**
 * @param {string} id
 * @param {import("./types.js").TableInfo} info
 */
export function fairCard(id, info) {
  const verdict = h("div", { role: "status" });
  const save = h("button", { class: "button", type: "button", "data-key": "receipt", onclick: () => download(id, info.game) }, t("Download the receipt"));
  if (info.dice === "real") {
    return card(h("p", null, t("You rolled real dice. Pasch only wrote down what you read off them, so there is nothing to check.")), h("div", { class: "row" }, save));
  }
  const look = async () => {
    verdict.replaceChildren(h("p", { class: "muted" }, t("Checking …")));
    const said = await judged(id, info);
    verdict.replaceChildren(said);
    announce(said.querySelector("strong")?.textContent ?? "");
  };
  return card(
    h("p", { class: "muted small" }, t("Before the first roll the server sealed its dice, and every browser at the table added random numbers of its own. Now the seal is open, and your browser can work out every roll itself.")),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "check", onclick: look }, t("Check the dice")), save),
    verdict,
    h("p", { class: "muted small" }, t("If you do not want to trust this page either, check the receipt offline with “pasch verify --receipt”.")),
  );
}

/** @param {...import("./dom.js").Child} content */
function card(...content) {
  return h("section", { class: "card stack fair" }, h("h2", null, t("Were the dice fair?")), ...content);
}

/**
 * @param {string} id
 * @param {import("./types.js").TableInfo} info
 * @returns {Promise<HTMLElement>}
 */
async function judged(id, info) {
  if (!canCheck()) return bad(t("This browser can check dice only over HTTPS, or on the machine that serves the table."), []);
  try {
    const receipt = await askReceipt(id, false);
    if (!receipt) throw new Error("no receipt");
    const { commitment, contribution } = device.table(id) ?? {};
    const computers = info.seats.filter((seat) => seat.kind === "computer" && !seat.lent).map((seat) => seat.seat);
    /** @type {import("./fair.js").Seen} */
    const seen = { commitment, contribution, computers };
    const added = info.seats.filter((seat) => receipt.contributions[seat.seat]).map((seat) => seatName(info, seat.seat));
    const { rolls, findings } = await check(receipt, seen);
    if (findings.length) return bad(t("Something is wrong with these dice."), findings.slice(0, MOST_LISTED).map(words));
    return good(tn("{n} roll is as it had to come.", "All {n} rolls and cards are as they had to come.", rolls), [
      seen.commitment ? t("The seal is the one that this device saw before the first roll.") : t("This device was not there before the first roll, so it cannot say whether the seal is the same as then."),
      seen.contribution ? t("What this device added to the dice is in them.") : "",
      added.length ? t("Added to by: {names}", { names: list(added) }) : t("Nobody had anything to add."),
      receipt.given ? tn("{n} event came from another game and was not checked.", "{n} events came from another game and were not checked.", receipt.given) : "",
    ]);
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    return bad(error instanceof Refusal ? error.message : t("The receipt cannot be read."), []);
  }
}

/** @param {import("./fair.js").Finding} finding */
function words({ problem, event }) {
  const n = event ?? 0;
  switch (problem) {
    case "seed": return t("What was in the seal is not what had been sealed.");
    case "commitment": return t("The seal is not the one that this device saw before the first roll.");
    case "contribution": return t("What this device added to the dice is missing.");
    case "computer": return t("Somebody added to the dice for a computer, which has nothing to add.");
    case "roll": return t("Event {n} had to come otherwise.", { n });
    case "missing": return t("Nobody says how event {n} came about.", { n });
  }
}

/**
 * @param {string} text
 * @param {string[]} more
 */
function good(text, more) {
  return h("div", { class: "verdict good" }, h("strong", null, `✓ ${text}`), h("ul", null, more.filter(Boolean).map((one) => h("li", null, one))));
}

/**
 * @param {string} text
 * @param {string[]} more
 */
function bad(text, more) {
  return h("div", { class: "verdict bad" }, h("strong", null, `✗ ${text}`), h("ul", null, more.map((one) => h("li", null, one))));
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
    h("a", { href: url, download: `${game}-${id}.receipt.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }
}
