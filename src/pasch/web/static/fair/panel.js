// @ts-check
/** What people see of fair dice: the seal, doubts as soon as there are any, and the check after the game (docs/fairness.md). */
import { Refusal, chanceShapes, finished, orToast, untilReady } from "../app/api.js";
import * as device from "../app/device.js";
import { announce, toast } from "../app/frame.js";
import { list, t, tn } from "../app/i18n.js";
import { copyRow, saveFile } from "../app/share.js";
import { seatName } from "../table/people.js";
import { h } from "../vendor/preact.js";
import { canCheck, check, disputes } from "./verify.js";

/** @import { TableInfo } from "../app/types.js" */
/** @import { Child } from "../vendor/preact.js" */

/** @typedef {{kind: "good" | "bad" | "", text: string, more: string[]}} Verdict */

const MAX_LISTED = 10;

/** @param {string} text @param {string[]} more @returns {Verdict} */
const bad = (text, more = []) => ({ kind: "bad", text: `✗ ${text}`, more });

/** @param {Verdict} verdict @param {Record<string, unknown>} [attrs] */
const result = ({ kind, text, more }, attrs) => h("div", { class: `verdict ${kind}`, ...attrs }, h("strong", null, text), h("ul", null, more.filter(Boolean).map((one) => h("li", { key: one }, one))));

/** @param {string} text */
const note = (text) => h("p", { class: "muted small" }, text);

/** In red: what the server says of the dice is not what this device saw before; null if all is well. @param {TableInfo} info @param {string} [advice] */
export function doubts(info, advice = "") {
  const found = disputes(info, device.dice(info.id));
  return found.length ? result(bad(t("Something is wrong with these dice."), [...found.map((problem) => words({ problem, event: null })), advice]), { role: "alert" }) : null;
}

/** The seal and our own part of the dice, to be copied. @param {TableInfo} info @returns {Child[]} */
export function proofs(info) {
  const seen = device.dice(info.id);
  if (info.day) return [note(t("The dice of a game of the day follow from its date, so that everybody has the same. Nothing was sealed."))];
  return [
    copyRow(t("The server’s seal"), seen.commitment ?? info.commitment ?? ""),
    seen.contribution && copyRow(t("What this device adds"), seen.contribution),
    !device.keepsDice(info.id) && note(t("This browser stores nothing. To check the dice after leaving this page, copy the seal and your contribution from the menu.")),
    note(t("Compare the seal with the others at the table, too: it has to be the same for everybody.")),
    note(t("If lots were drawn for who begins, the server drew them; nothing proves how.")),
  ];
}

/** What was done before the first roll. @param {TableInfo} info @param {boolean} cards */
function explanation(info, cards) {
  if (info.day) return t("The dice of a game of the day follow from its date, so that everybody has the same. Your browser can work out every roll itself.");
  return cards
    ? t("Before the first card the server sealed how it shuffles, and every browser at the table added random numbers of its own. Now the seal is open, and your browser can work out every card itself.")
    : t("Before the first roll the server sealed its dice, and every browser at the table added random numbers of its own. Now the seal is open, and your browser can work out every roll itself.");
}

/**
 * The check after the game.
 * @param {string} id
 * @param {TableInfo} info
 * @param {boolean} cards whether the game is one of cards
 * @param {() => void} redraw
 * @returns {() => Child}
 */
export function fairCard(id, info, cards, redraw) {
  /** @type {Verdict | "checking" | null} */
  let verdict = null;
  const look = async () => {
    verdict = "checking";
    redraw();
    verdict = await judged(id, info);
    redraw();
    announce(verdict.text);
  };
  const real = info.dice === "real" && !device.dice(id).agreed;
  const save = () => h("button", { class: "button", type: "button", "data-key": "receipt", onClick: () => orToast(() => download(id, info.game)) }, t("Download the receipt"));
  return () =>
    h(
      "details",
      { class: "sheet fair", "data-key": "fair", open: doubts(info) ? true : undefined },
      h("summary", null, cards ? t("Were the cards fair?") : t("Were the dice fair?")),
      real
        ? h("div", { class: "stack" }, h("p", null, cards ? t("You dealt real cards. Pasch only wrote down what you read off them, so there is nothing to check.") : t("You rolled real dice. Pasch only wrote down what you read off them, so there is nothing to check.")), save())
        : h(
            "div",
            { class: "stack" },
            doubts(info),
            note(explanation(info, cards)),
            h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "check", onClick: look }, cards ? t("Check the cards") : t("Check the dice")), save()),
            h("div", { role: "status" }, verdict === "checking" ? h("p", { class: "muted" }, t("Checking …")) : verdict && result(verdict)),
            h(
              "details",
              { class: "small", "data-key": "proofs" },
              h("summary", null, t("What this device remembers, and what this page cannot check")),
              h(
                "div",
                { class: "stack" },
                proofs(info),
                note(t("This page checks that each roll and card follows from the seal and what was added, and that the game is the one this device saw. Whether every move kept to the rules, down to the number of dice rolled, only “pasch verify” can say, and it spares you from trusting this page:")),
                copyRow(t("Check the receipt offline"), command(id, info)),
              ),
            ),
          ),
    );
}

/** The command that checks the receipt with what this device remembers. @param {string} id @param {TableInfo} info */
function command(id, info) {
  const { commitment, contribution, seats, others } = device.dice(id);
  const added = info.seats.map(({ seat }) => (seats?.includes(seat) ? contribution : others?.[seat]));
  return `pasch verify --receipt ${fileName(id, info.game)}${commitment ? ` --commitment ${commitment}` : ""}${added.map((one, seat) => (one ? ` --contribution ${seat}=${one}` : "")).join("")}`;
}

/** @param {string} id @param {string} game */
const fileName = (id, game) => `${game}-${id}.receipt.json`;

/** @param {string} id @param {TableInfo} info @returns {Promise<Verdict>} */
async function judged(id, info) {
  if (!canCheck()) return bad(t("This browser can check dice only over HTTPS, or on the machine that serves the table."));
  try {
    const receipt = await finished(id, "receipt", "?coach=no");
    if (receipt?.format !== "pasch-receipt/1") throw new Error("no receipt");
    const seen = { ...device.dice(id), events: device.events(id) };
    const shapes = await chanceShapes(seen.agreed?.game ?? receipt.record.game);
    const computers = info.seats.filter((seat) => seat.kind === "computer" && !seat.lent).map((seat) => seat.seat);
    const added = info.seats.filter((seat) => receipt.contributions[seat.seat]).map((seat) => seatName(info, seat.seat));
    const { rolls, findings } = await check(receipt, seen, shapes, { table: id, day: info.day, computers });
    if (findings.length) return bad(t("Something is wrong with these dice."), findings.slice(0, MAX_LISTED).map(words));
    const witnessed = seen.events.filter(Boolean).length;
    const sealed = [
      seen.commitment ? t("The seal is the one that this device saw before the first roll.") : t("This device was not there before the first roll, so it cannot say whether the seal is the same as then."),
      seen.contribution ? t("What this device added to the dice is included.") : "",
      added.length ? t("Random numbers added by: {names}", { names: list(added) }) : t("Nobody had anything to add."),
    ];
    const more = [
      ...(info.day ? [t("The dice are those of this day.")] : sealed),
      witnessed ? t("The receipt has the events that this device saw: {n} of {all}.", { n: witnessed, all: receipt.record.events.length }) : "",
      receipt.given ? tn("{n} event came from another game and was not checked.", "{n} events came from another game and were not checked.", receipt.given) : "",
    ];
    if (rolls === null) return { kind: "", text: t("Only “pasch verify” can check the rolls of this game."), more };
    return { kind: "good", text: `✓ ${tn("{n} roll is exactly as it should be.", "All {n} rolls and cards are exactly as they should be.", rolls)}`, more };
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    return bad(error instanceof Refusal ? error.message : t("The receipt cannot be read."));
  }
}

/** @param {import("./verify.js").Finding} finding */
function words({ problem, event }) {
  const n = event ?? 0;
  switch (problem) {
    case "table": return t("The receipt is for another table.");
    case "dice": return t("Pasch was supposed to roll the dice at this table. Now it is claimed that it did not.");
    case "agreed": return t("The game, its options or its box are not those that this device saw before the first roll.");
    case "commitment": return t("The seal is not the one that this device saw before the first roll.");
    case "other": return t("Something else is in the place of what this device added to the dice.");
    case "none": return t("What this device added to the dice is missing.");
    case "changed": return t("What somebody else had added to the dice has been replaced since.");
    case "seats": return t("There are more or fewer contributions to the dice than seats.");
    case "seed": return t("The opened seal does not match what was sealed.");
    case "computer": return t("Somebody added to the dice for a computer, which has nothing to add.");
    case "event": return t("Event {n} is not what this device saw during the game.", { n });
    case "shape": return t("Event {n} cannot happen in this game. What follows it was not checked.", { n });
    case "roll": return t("Event {n} should have come out differently.", { n });
  }
}

/** @param {string} id @param {string} game */
async function download(id, game) {
  const ask = () => finished(id, "receipt");
  const receipt = await ask();
  if (!receipt) toast(t("The coach is still calculating; the receipt follows."));
  saveFile(fileName(id, game), receipt ?? (await untilReady(ask)));
}
