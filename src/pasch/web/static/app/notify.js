// @ts-check
/** The system's notifications: off until somebody turns them on, and only then is the browser asked. */
import { setSettings, settings } from "./device.js";
import { switchField, toast } from "./frame.js";
import { t } from "./i18n.js";

/** Whether the browser can notify at all: not every one can, and none without a safe connection. */
function canNotify() {
  return "Notification" in window && window.isSecureContext;
}

/**
 * Show a notification, if they are wanted; a later one with the same tag takes its place.
 * @param {string} title
 * @param {{body: string, tag: string}} what
 */
export async function notify(title, what) {
  if (!settings().notify || !canNotify() || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, what);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // phones show those of a service worker only
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, what);
  }
}

/** The switch for notifications; null where there are none. */
export function notifySwitch() {
  if (!canNotify()) return null;
  const change = async (/** @type {boolean} */ wanted, /** @type {HTMLInputElement} */ box) => {
    const allowed = wanted && (await Notification.requestPermission()) === "granted";
    if (wanted && !allowed) toast(t("The browser does not allow it. You can change that in its settings."));
    box.checked = allowed;
    setSettings({ notify: allowed });
  };
  const on = settings().notify && Notification.permission === "granted";
  return switchField("notify", t("Tell me when it is my turn"), on, change);
}
