// @ts-check
/**
 * After the game: what was luck and what was skill, and the game again, forwards and back.
 */
import { Refusal, game as askGame, record as askRecord, replay as askReplay, report as askReport } from "../app/api.js";
import { loadBoard } from "../board/load.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { fairCard } from "../fair/panel.js";
import { link, toast } from "../app/frame.js";
import { list, number, t, tn, word } from "../app/i18n.js";
import { onlyMine, whoIs } from "../table/play.js";
import { mistakesCard } from "./practice.js";
import { againLink } from "../table/rematch.js";
import { sections } from "./sections.js";
import { replayer } from "./replay.js";

/** @typedef {import("../table/steps.js").ReplayPage} ReplayPage */

const AGAIN = 2500;

/** @type {import("../app/main.js").Page} */
export async function reportPage(main, id) {
  const replay = await askReplay(id, -1);
  const { table: info } = replay;
  const game = await askGame(info.game);
  const board = await loadBoard(game);
  const yours = Object.keys(device.table(id)?.tokens ?? {}).map(Number);
  const name = (/** @type {number} */ seat) => whoIs({ info, yours }, seat);
  const coach = h("div", { class: "stack" });
  const again = replayer(replay, (from) => askReplay(id, from), game, board, device.table(id)?.tokens ?? {});
  main.replaceChildren(
    h("h1", null, title(replay, name, onlyMine({ yours }))),
    scores(replay, name),
    h("div", { class: "report" }, coach, again.element),
    fairCard(id, info, game.has_secrets),
    h(
      "div",
      { class: "row ways-on" },
      againLink(id, info.game),
      h("button", { class: "button", type: "button", onclick: () => download(id, info.game) }, t("Download the record")),
      link("/", { class: "button" }, t("To the games")),
    ),
  );

  let gone = false;
  /** @type {number | undefined} */
  let waiting;
  const ask = async () => {
    try {
      const found = await askReport(id);
      if (gone) return;
      if (found) {
        again.judge(found);
        coach.replaceChildren(...sections(found, name, again));
        mistakesCard(id).then((card) => card && coach.append(card));
        return;
      }
      waiting = window.setTimeout(ask, AGAIN);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const why = error.status === 501 ? t("The coach cannot say anything about this game yet.") : error.message;
      coach.replaceChildren(h("section", { class: "card muted" }, why));
    }
  };
  coach.replaceChildren(h("section", { class: "card", role: "status" }, t("The coach is still calculating. You can look at the game meanwhile.")));
  ask();
  return () => {
    gone = true;
    clearTimeout(waiting);
    again.stop();
  };
}

/**
 * @param {ReplayPage} replay
 * @param {(seat: number) => string} name
 * @param {number | null} mine
 */
function title(replay, name, mine) {
  const last = replay.steps.at(-1)?.position;
  const winners = (last?.winners ?? []).map(name);
  if (replay.table.players === 1) return tn("{n} point", "{n} points", last?.scores[0] ?? 0);
  if (!winners.length) return word(replay.table.title);
  if (winners.length === 1 && last?.winners[0] === mine) return t("You win!");
  return winners.length > 1 ? t("{names} win together.", { names: list(winners) }) : t("{name} wins.", { name: winners[0] ?? "" });
}

/**
 * @param {ReplayPage} replay
 * @param {(seat: number) => string} name
 */
function scores(replay, name) {
  const last = replay.steps.at(-1)?.position;
  return h(
    "p",
    { class: "row" },
    h("span", { class: "muted" }, word(replay.table.title)),
    replay.table.seats.map((_, seat) => h("span", { class: last?.winners.includes(seat) ? "tag good" : "tag" }, t("{name}: {points}", { name: name(seat), points: number(last?.scores[seat] ?? 0) }))),
  );
}

/**
 * @param {string} id
 * @param {string} game
 */
async function download(id, game) {
  try {
    const record = await askRecord(id);
    const url = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: "application/json" }));
    h("a", { href: url, download: `${game}-${id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }
}
