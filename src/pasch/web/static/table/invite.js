// @ts-check
/** Inviting others: a link for each free seat, as text, as a QR code, or through what the system shares with. */
import { addresses } from "../app/api.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { t } from "../app/i18n.js";
import { notifySwitch } from "../app/notify.js";
import { homeOf } from "../app/addresses.js";
import { linkRow, tableLink } from "../app/share.js";

/** @typedef {import("./play.js").Play} Play */

/** how a server is started that others reach, in whatever language */
const COMMAND = "pasch serve --host 0.0.0.0";
/** where others reach this server, if it is asked for at an address that only this machine knows @type {string[] | null} */
let reached = null;
/** the address that was chosen among several */
let chosen = 0;
/** the links whose QR code somebody has opened or closed @type {Map<string, boolean>} */
const opened = new Map();

/** Whether the page's address leads nowhere but to this very machine. */
export function isLoopback(host = location.hostname) {
  return host === "localhost" || host.endsWith(".localhost") || /^127\./.test(host) || host === "[::1]";
}

/** Find out at which addresses others reach this server. @param {() => void} draw */
async function findAddresses(draw) {
  if (reached) return;
  reached = [];
  try {
    reached = await addresses();
  } catch {
    reached = null;
    return;
  }
  draw();
}

/** The links for those who are still missing. @param {Play} play */
export function waitingCard(play) {
  const known = device.table(play.id);
  if (play.info.phase !== "waiting" || !play.info.seats.some((seat) => seat.kind === "open")) return null;
  const open = play.info.seats.flatMap((seat, number) => {
    const invitation = known?.invitations?.[String(number)];
    return seat.kind === "open" && invitation ? [{ number, invitation }] : [];
  });
  // the table may be at a server that this page was not loaded from
  const home = homeOf(play.id);
  const here = home === location.origin && isLoopback();
  if (here && open.length) findAddresses(play.actions.draw);
  const origin = (here && reached?.[chosen]) || home;
  // nobody else's camera leads to an address that only this machine knows
  const codes = here && !reached?.length ? "none" : play.wide && open.length === 1 ? "shown" : "folded";
  return h(
    "section",
    { class: "card stack narrow", "data-key": "waiting" },
    h("h2", null, t("Waiting for others")),
    open.length > 0 && h("p", { class: "muted" }, t("Send each free seat’s link to one person. It works once.")),
    here && open.length > 0 && reachedNote(play),
    open.map(({ number, invitation }) => inviteRow(number, tableLink(play.id, "invite", invitation, origin), codes)),
    known?.watch && open.length > 0 && linkRow(t("Link to watch"), tableLink(play.id, "watch", known.watch, origin)),
    notifySwitch(),
  );
}

/** Where others reach this machine, or how to let them in. @param {Play} play */
function reachedNote(play) {
  if (!reached?.length) {
    return h("p", { class: "small only-here", "data-key": "only-here" }, t("These links work on this computer only. To let others in, start Pasch with:"), " ", h("code", null, COMMAND));
  }
  const choose = (/** @type {Event} */ event) => {
    chosen = Number(/** @type {HTMLSelectElement} */ (event.target).value);
    play.actions.draw();
  };
  return [
    h("p", { class: "small", "data-key": "reached" }, t("These links work for everybody in your network.")),
    reached.length > 1 &&
      h(
        "label",
        { class: "field" },
        h("span", null, t("Address of this computer")),
        h("select", { "data-key": "reached-at", onchange: choose }, reached.map((address, place) => h("option", { value: place, selected: place === chosen }, address))),
      ),
  ];
}

/**
 * A link with its QR code, which can be folded away.
 * @param {number} seat
 * @param {string} url
 * @param {"none" | "folded" | "shown"} codes how QR codes are shown at first
 */
function inviteRow(seat, url, codes) {
  const link = linkRow(t("Link for seat {n}", { n: seat + 1 }), url);
  if (codes === "none") return link;
  const place = h("div", { class: "qr-place" });
  const fill = async () => {
    if (place.childElementCount) return;
    const { qrDrawing } = await import("../app/qr.js");
    place.replaceChildren(qrDrawing(url, t("QR code for seat {n}", { n: seat + 1 })) ?? t("This link is too long for a QR code."));
  };
  const open = opened.get(url) ?? codes === "shown";
  const fold = h("details", { open, "data-key": "qr" }, h("summary", null, t("QR code")), place);
  fold.addEventListener("toggle", () => {
    opened.set(url, fold.open);
    if (fold.open) fill();
  });
  return h("div", { class: "stack" }, link, fold);
}
