// @ts-check
/** Levels, coach modes, sources, ranges and signed points in words. */
import { number, t, tn } from "./i18n.js";

/** A computer player's level. @param {string} name */
export function levelName(name) {
  switch (name) {
    case "random": return t("Random");
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
      case "random": return t("makes any legal move");
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
