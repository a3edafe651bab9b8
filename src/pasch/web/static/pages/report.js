// @ts-check
/** After the game: what was luck and what were moves, the moves that cost most, and the game again. */
import { Refusal, finished, orToast, untilReady } from "../app/api.js";
import { currentQuery, pageAddress } from "../app/addresses.js";
import * as device from "../app/device.js";
import { announce, icon, link } from "../app/frame.js";
import { number, t, tn, word } from "../app/i18n.js";
import { mount } from "../app/mount.js";
import { saveFile } from "../app/share.js";
import { setShell } from "../app/shell.js";
import { use } from "../board/pieces.js";
import { fairCard } from "../fair/panel.js";
import { resultText } from "../table/people.js";
import { h } from "../vendor/preact.js";
import { loadFinished } from "./finished.js";
import { learnFrom } from "./practice.js";
import { createReplay } from "./replay.js";
import { dearest, lanes, moves } from "./sections.js";
import { averageLuck, headline } from "./verdict.js";

/** @import { Finished } from "./finished.js" */

/** @type {import("../app/main.js").Page} */
export async function reportPage(main, id) {
  const game = await loadFinished(id);
  /** @type {{report: import("./sections.js").Report | null, why: string, mistakes: number, replay: boolean}} */
  const state = { report: null, why: "", mistakes: 0, replay: currentQuery().has("at") };
  const redraw = () => page.redraw();
  const replay = createReplay(game, { redraw, close: () => show(null) });
  const fair = fairCard(id, game.info, game.game.has_secrets, redraw);
  /** Show the game after this many events, or the report. @param {number | null} number */
  function show(number) {
    state.replay = number !== null;
    if (number !== null) replay.jump(number);
    history.replaceState(null, "", pageAddress(number === null ? `/report/${id}` : `/report/${id}?at=${number}`));
    redraw();
    window.scrollTo(0, 0);
  }
  setShell({ title: t("After the game"), where: word(game.info.title) });
  const page = mount(main, () => (state.replay ? replay.view() : view()));
  if (state.replay) replay.jump(Number(currentQuery().get("at")));

  /** The one headline. @param {import("./sections.js").Report | null} report */
  function verdict(report) {
    return report && game.info.phase === "over" ? headline(report.seats, game.end.winners, game) : resultText({ info: game.info, mySeats: game.mySeats, position: game.end });
  }

  function view() {
    const { report } = state;
    const { winners } = game.end;
    return h(
      "div",
      { class: "room report reportpage" },
      h(
        "header",
        { class: "verdict" },
        h("p", { class: "tags" }, h("span", null, word(game.info.title)), game.info.seats.map((_, seat) => {
          const won = winners.includes(seat) && game.info.players > 1;
          return h("span", { key: seat, class: won ? "tg won" : "tg" }, won && use("crown", "wc"), game.who(seat), " ", h("b", null, number(game.end.scores[seat] ?? 0)));
        })),
        h("h1", null, verdict(report)),
        h("p", null, report ? averageLuck(report.seats, winners, game, report.digits) : state.why || t("The coach is still calculating. You can look at the game meanwhile.")),
      ),
      h(
        "div",
        { class: "repgrid" },
        h("div", { class: "repleft" }, report && lanes(report, game), actions(game, () => show(0))),
        report && moves(report, game, show),
      ),
      state.mistakes > 0 &&
        h(
          "section",
          { class: "sheet row" },
          h("span", null, tn("{n} of your moves comes back as a puzzle.", "{n} of your moves come back as puzzles.", state.mistakes)),
          link("/puzzle/mistakes", { class: "button", "data-key": "mistakes" }, t("Practise my mistakes")),
          link("/progress", { class: "button", "data-key": "progress" }, t("My progress")),
        ),
      fair(),
      h("p", { class: "row2" }, h("button", { class: "link", type: "button", onClick: () => orToast(async () => saveFile(`${game.info.game}-${id}.json`, await finished(id, "record"))) }, t("Download the record")), link("/", null, t("To the games"))),
    );
  }

  let gone = false;
  async function ask() {
    try {
      const found = await untilReady(() => finished(id, "report"), () => !gone);
      if (gone || !found) return;
      state.report = found;
      replay.judge(found);
      if (!state.replay) announce(`${verdict(found)} ${averageLuck(found.seats, game.end.winners, game, found.digits)}`);
      redraw();
      await game.need(dearest(found).flatMap(({ number }) => [number - 2, number - 1, number]), () => !gone);
      redraw();
      await learnFrom(id).catch(() => false); // the page about one's progress asks again
      state.mistakes = device.mistakes().filter((card) => card.table === id).length;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      state.why = error.status === 501 ? t("The coach cannot say anything about this game yet.") : error.message;
    }
    redraw();
  }
  ask();
  return () => {
    gone = true;
    replay.stop();
    page.stop();
  };
}

/** @param {Finished} game @param {() => void} watch */
function actions({ id, info, mySeats }, watch) {
  const again = () => device.rememberTable(id, { again: true });
  return h(
    "div",
    { class: "acts rep" },
    mySeats.length
      ? link(`/t/${id}`, { class: "go", "data-key": "again", onClick: again }, icon("play"), h("span", null, t("Play again")))
      : link(`/new/${info.game}`, { class: "go", "data-key": "again" }, icon("play"), h("span", null, t("Play {game}", { game: word(info.title) }))),
    h("button", { class: "alt", type: "button", "data-key": "watch-again", onClick: watch }, t("Watch again")),
  );
}
