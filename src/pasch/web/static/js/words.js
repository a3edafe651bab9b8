// @ts-check
/** Words for what the server names in short. */
import { number, t, tn } from "./i18n.js";

/** A computer player's level. @param {string} name */
export function levelName(name) {
  switch (name) {
    case "random": return t("Anything goes");
    case "greedy": return t("Quick");
    case "easy": return t("Easy");
    case "medium": return t("Medium");
    case "hard": return t("Hard");
    case "perfect": return t("Perfect");
    case "winner": return t("Plays to win");
    default: return name;
  }
}

/** What a level gives away. @param {import("./api.js").Level} level */
export function levelCost(level) {
  if (level.bot) return t("a program of whoever runs this table");
  if (level.gives_away === null || level.gives_away === undefined) {
    switch (level.name) {
      case "random": return t("plays any legal move");
      case "greedy": return t("takes what looks best at once");
      default: return "";
    }
  }
  if (level.gives_away < 0.005) return t("gives nothing away");
  return t("gives away about {points} points a game", { points: number(level.gives_away, level.gives_away < 1 ? 2 : 1) });
}

/** @param {number[]} players */
export function playerRange(players) {
  const least = Math.min(...players);
  const most = Math.max(...players);
  return least === most ? tn("{n} player", "{n} players", least) : t("{least}–{most} players", { least, most });
}

/** @param {[number, number]} minutes */
export function minuteRange([least, most]) {
  return least === most ? t("{least} min", { least }) : t("{least}–{most} min", { least, most });
}

/** What the button says that lets chance happen. @param {string} phase */
export function chanceButton(phase) {
  switch (phase) {
    case "strip": return t("Draw a strip");
    case "plan": return t("Lay out the plan");
    case "deal": return t("Deal the cards");
    case "draw": return t("Draw two cards");
    default: return t("Roll");
  }
}

/** @param {string} mode */
export function coachName(mode) {
  switch (mode) {
    case "off": return t("Off");
    case "after": return t("After the game");
    case "moves": return t("After each move");
    default: return t("Hints while thinking");
  }
}

/** Where a piece of a box's data comes from. @param {string} source */
export function sourceName(source) {
  switch (source) {
    case "printed": return t("printed in the rulebook");
    case "seen": return t("read off a picture or a box");
    default: return t("our best guess");
  }
}

/** Points with a sign. @param {number} points @param {number} [digits] */
export function signed(points, digits = 1) {
  const rounded = Number(points.toFixed(digits));
  if (rounded === 0) return number(0, digits);
  return rounded > 0 ? `+${number(rounded, digits)}` : `−${number(-rounded, digits)}`;
}

/** An option's name. @param {string} name */
export function optionName(name) {
  switch (name) {
    case "solo_minimum": return t("Chips to place when alone");
    case "split": return t("Split the dice of one value");
    case "round_limit": return t("Most rounds");
    case "rounds": return t("Rounds");
    case "five_penalty": return t("Price of the five");
    case "plans": return t("Plans");
    case "target": return t("Points to reach");
    case "handicap": return t("Handicap");
    case "gambler": return t("Gambler");
    case "streets": return t("Streets");
    default: return name;
  }
}

/** One of an option's values. @param {string | number} value */
export function optionValue(value) {
  switch (value) {
    case "used": return t("the 5 was used to calculate");
    case "pushed": return t("slide 5 is up");
    default: return String(value);
  }
}

/**
 * What a person has to do.
 * @param {string} game
 * @param {string} phase
 * @param {boolean} roll it is chance's turn, and they let it happen
 */
export function whatToDo(game, phase, roll) {
  if (roll) {
    switch (phase) {
      case "strip": return t("A new round: draw a strip.");
      case "deal": return t("A new round: deal the cards.");
      case "draw": return t("Draw two cards.");
      case "joker roll": return t("In the jokers: roll.");
      default: return t("Your turn: roll.");
    }
  }
  switch (`${game} ${phase}`) {
    case "crowns place": return t("Put chips on marked fields.");
    case "joker1 push": return t("Which slides shall go up?");
    case "joker1 next": return t("Roll on, stop, or go into the jokers?");
    case "joker1 joker next": return t("Roll on or stop?");
    case "joker2 push": return t("Which slide shall go up?");
    case "joker2 next": return t("Roll on or stop?");
    case "lines cover": return t("Cover sums of your dice.");
    case "fiese15 keep": return t("Set marked dice aside.");
    case "fiese15 next": return t("Roll on or stop?");
    case "sixbysix card": return t("Touch a card, then a field.");
    default: return t("Your turn.");
  }
}
