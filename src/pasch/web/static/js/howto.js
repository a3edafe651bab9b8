// @ts-check
/** A game in four sentences, for whoever plays it for the first time on this device. */
import * as device from "./device.js";
import { h } from "./dom.js";
import { dialog, link } from "./frame.js";
import { t } from "./i18n.js";

/** @param {string} game @returns {string[]} */
function sentences(game) {
  switch (game) {
    case "crowns":
      return [
        t("Roll six dice. Three fours let you put a chip on field 3× in the row of the fours; two of them on 2×."),
        t("High dice may be turned down to any lower number that lies on the table."),
        t("On the dark edge every chip scores its crowns. Inside, only full lines score."),
        t("When somebody has placed the last chip, the most crowns win."),
      ];
    case "fiese15":
      return [
        t("Each colour has a target. A die is good if it shows its target or less."),
        t("Set good dice aside, then roll the others again or stop and take the points you see."),
        t("If no die is good, you get the targets of the dice still missing instead."),
        t("Five dice bring 5 points more, all six count double."),
      ];
    case "joker1":
      return [
        t("A die pushes the slide of its number up; dice may be added: 2 and 4 push the 6."),
        t("You want the slides to show a combination of the list. Then stop and take its points …"),
        t("… or go into the jokers: every 1 doubles them, but without a 1 or a 6 all is lost."),
        t("A die that cannot push takes a rest. With no dice left the turn is lost."),
      ];
    case "joker2":
      return [
        t("Calculate with both dice: plus, minus, times or divided by. The result is the slide that goes up."),
        t("Then roll again or stop. Whatever slides are down when you stop cost their numbers."),
        t("If a roll fits no slide, its pips cost you too. All nine up bring 45 points."),
        t("Once the 5 is up you may calculate on with it, but then what you lose counts fivefold."),
      ];
    case "lines":
      return [
        t("Split your dice into groups and cover what each group adds up to: 2, 3 and 6 cover 5 and 6, or the 11."),
        t("All dice have to be used. When that is no longer possible, you are out of the round."),
        t("Every line of numbers that is all yours scores a point."),
      ];
    case "sixbysix":
      return [
        t("Lay one of your cards on one of your empty fields; then you draw two new ones."),
        t("When all fields are full, the lowest card on each field pays: 1 chip on field 1, up to 6 chips on field 6."),
        t("The highest sum on the fields 1 and 6 gets 5 chips back."),
        t("Who has no chips left is out. The last one with chips wins."),
      ];
    default:
      return [];
  }
}

/** @param {string} game */
function steps(game) {
  return h("ol", { class: "steps" }, sentences(game).map((sentence) => h("li", null, sentence)));
}

/**
 * The card above the boards, until somebody has understood or played.
 * @param {string} game
 * @param {() => void} done
 */
export function howtoCard(game, done) {
  return h(
    "section",
    { class: "card narrow howto" },
    h("h2", null, t("How it goes")),
    steps(game),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", type: "button", "data-key": "understood", onclick: done }, t("Understood")),
      link(`/rules/${game}`, {}, t("All the rules")),
    ),
  );
}

/** Whether this device has never seen the game explained, and there is something to explain. @param {string} game */
export function isNew(game) {
  return sentences(game).length > 0 && !device.explained().includes(game);
}

/**
 * The same for whoever asks for it later.
 * @param {string} game
 * @param {string} title
 */
export function explain(game, title) {
  dialog(title, (close) => [
    steps(game),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", onclick: close }, t("Understood")), link(`/rules/${game}`, { class: "button" }, t("All the rules"))),
  ]);
}
