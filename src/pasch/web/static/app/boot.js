// @ts-check
// Loads the page again, after growing delays, if one of its own files could not be loaded: a busy server may have
// refused it. No module, and nothing is imported, so that little can be missing for this to run. It also sets the theme
// before anything is drawn, so that nothing flashes in the other one.
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem("pasch.settings") ?? "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // nothing is stored, so the system decides
  }

  const KEY = "pasch.reloads";
  const MAX_TRIES = 5;
  let waiting = false;

  function again() {
    if (waiting) return;
    let tries = MAX_TRIES;
    try {
      tries = Number(sessionStorage.getItem(KEY));
      sessionStorage.setItem(KEY, String(tries + 1));
    } catch {
      // a browser that keeps nothing could not count, and would never stop
    }
    if (tries >= MAX_TRIES) return;
    waiting = true;
    setTimeout(() => location.reload(), 1000 * 2 ** tries * (1 + Math.random() / 2));
    const tell = () => {
      const note = navigator.languages.map((tag) => document.querySelector(`.busy[lang=${tag.split("-")[0]}]`)).find(Boolean);
      (note ?? document.querySelector(".busy"))?.removeAttribute("hidden");
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", tell);
    else tell();
  }

  // such errors do not bubble
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet")) again();
    },
    true,
  );
  addEventListener("pasch-not-loaded", again);
  addEventListener("pasch-loaded", () => {
    try {
      if (!waiting) sessionStorage.removeItem(KEY);
    } catch {
      // nothing is kept
    }
  });
})();
