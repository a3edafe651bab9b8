// @ts-check
/** The switch "Let others in this network join", with the address and its QR code; only for who sits at the server. */
import { lan, orToast, setLan } from "../app/api.js";
import { engineHere } from "../app/addresses.js";
import { switchField } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { qrDrawing } from "../app/qr.js";
import { copyRow } from "../app/share.js";
import { h } from "../vendor/preact.js";

/** what the server has said; null: nothing yet @type {{addresses: string[], open: boolean | null} | null} */
let known = null;
let asked = false;

/** Whether the page's address leads nowhere but to this very machine. */
export function isLoopback(host = location.hostname) {
  return host === "localhost" || host.endsWith(".localhost") || /^127\./.test(host) || host === "[::1]";
}

/** Where others reach this server, if that is known. */
export const reachedAt = () => known?.addresses ?? [];

/** @param {() => void} redraw */
export function lanSwitch(redraw) {
  const ask = async () => {
    asked = true;
    known = await lan().catch(() => null);
    redraw();
  };
  if (!asked && !engineHere() && isLoopback()) ask();
  if (!known || (known.open === null && !known.addresses.length)) return null;
  const change = async (/** @type {boolean} */ wanted) => {
    await orToast(async () => (known = await setLan(wanted)));
    redraw();
  };
  const [address] = known.addresses;
  return h(
    "div",
    { class: "lan stack", key: "lan" },
    known.open !== null && switchField("lan", t("Let others in this network join"), known.open, change, h("small", { class: "muted" }, t("Everybody in your home network can then open Pasch from this computer, until you switch it off or stop Pasch."))),
    address && h("div", { class: "inv" }, qrDrawing(address, t("QR code of this address")), h("div", { class: "stack" }, known.addresses.map((one) => copyRow(t("Address of this computer"), one)))),
  );
}
