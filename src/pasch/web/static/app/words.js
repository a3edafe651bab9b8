// @ts-check
/** Levels, coach modes, sources, ranges and signed points in words. */
import { number, t, tn } from "./i18n.js";

/** A computer player's level. @param {string} name */
export function levelName(name) {
  switch (name) {
    // no longer offered, but plays on at older tables
    case "random": return t("Random");
    // where other levels cannot play, as on a device without the values
    case "greedy": return t("Quick");
    case "learned": return t("Experienced");
    case "easy": return t("Beginner");
    case "medium": return t("Regular");
    case "hard": return t("Strong");
    case "perfect": return t("Perfect for points");
    case "winner": return t("Plays to win");
    default: return name;
  }
}

/** the computer players by level: what they are called, and how many pips they wear */
const PLAYERS = Object.entries({ easy: "Pip", medium: "Duo", hard: "Trix", winner: "Quad", perfect: "Quint" });

/** What a computer player of a level is called: a name, or of other levels what they are. @param {string} level */
export function playerName(level) {
  return PLAYERS.find(([known]) => known === level)?.[1] ?? levelName(level);
}

/** The pips on a computer player's forehead, from 1 for the weakest; 0 where its strength is not known. @param {string} level */
export function pipsOf(level) {
  return PLAYERS.findIndex(([known]) => known === level) + 1;
}

/** The same by the player's name, which is all that is remembered of some tables. @param {string} name */
export function pipsOfName(name) {
  return PLAYERS.findIndex(([, known]) => known === name) + 1;
}

/** How hard a puzzle is. @param {string | null} name */
export function difficultyName(name) {
  switch (name) {
    case "easy": return t("easy");
    case "medium": return t("medium");
    default: return t("hard");
  }
}

/** with at least such a share of wins against the next level, one game says little */
const EVEN = 0.45;

/** What to expect of a level, as measured. @param {import("./api.js").Level} level */
export function levelNote(level) {
  if (level.bot) return t("a program that runs on this server");
  const said = [];
  if (level.name === "perfect") said.push(t("For study: plays for points, not to win."));
  if (level.wins !== null && level.against !== null) {
    said.push(t("Wins {wins} of 100 games against {name}.", { wins: Math.round(100 * level.wins), name: playerName(level.against) }));
    if (level.wins >= EVEN && level.wins <= 1 - EVEN) said.push(t("One game says little here."));
  }
  const points = level.gives_away;
  if (points !== null && points >= 0.005) said.push(t("Gives away {points} points a game.", { points: number(points, points < 1 ? 2 : points < 10 ? 1 : 0) }));
  return said.join(" ");
}

/** For how many a game is. @param {number[]} players @param {boolean} [short] only the numbers */
export function playerRange(players, short = false) {
  const least = Math.min(...players);
  const most = Math.max(...players);
  if (short) return least === most ? number(least) : t("{least}–{most}", { least, most });
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

/** stands behind every reconstructed value that people see */
export const GUESS = "°";

/** The footnote to this sign. */
export function guessNote() {
  return t("° our best guess; your box may show something else");
}

/** Where a piece of a box's data comes from. @param {string} source */
export function sourceName(source) {
  switch (source) {
    case "printed": return t("printed in the rulebook");
    case "seen": return t("read off a picture or a box");
    default: return `${GUESS} ${t("our best guess")}`;
  }
}

/** Points with a sign. @param {number} points @param {number} [digits] */
export function signed(points, digits = 1) {
  const rounded = Number(points.toFixed(digits));
  if (rounded === 0) return number(0, digits);
  return rounded > 0 ? `+${number(rounded, digits)}` : `−${number(-rounded, digits)}`;
}
