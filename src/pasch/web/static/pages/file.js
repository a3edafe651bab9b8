// @ts-check
/** Downloads. */

/** Let the browser save JSON to a file. @param {string} name @param {unknown} data */
export function saveFile(name, data) {
  saveBlob(name, new Blob([JSON.stringify(data)], { type: "application/json" }));
}

/** @param {string} name @param {Blob} blob */
export function saveBlob(name, blob) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // browsers that ask where to save it read it later
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
