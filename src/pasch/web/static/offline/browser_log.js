// @ts-check
/**
 * The storage below the log in the browser (`store/browser.py`): rows of text and bytes in IndexedDB. Several rows are
 * written at once or not at all, and a write is answered when the browser says that it is on the disk.
 */

const ROWS = "rows";
/** where the number of the last owner stands; it sorts before all other keys */
const OWNER = "!owner";

/** Somebody else has become the owner. */
export class Taken extends Error {
  name = "Taken";
}

/**
 * What a transaction gives when it is complete.
 * @template T
 * @param {IDBTransaction} transaction
 * @param {() => T} [result]
 * @returns {Promise<T>}
 */
function complete(transaction, result) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(/** @type {T} */ (result?.()));
    transaction.onabort = () => reject(transaction.error ?? new Taken("another tab has this log now"));
  });
}

/** @param {string} name */
export function browserLog(name) {
  /** @type {IDBDatabase | null} */
  let database = null;
  let owner = 0;

  /** @returns {IDBTransaction} */
  function writing() {
    if (!database) throw new Error("the log is not open");
    return database.transaction(ROWS, "readwrite", { durability: "strict" });
  }

  return {
    /** Become the owner. */
    async open() {
      database = await new Promise((/** @type {(db: IDBDatabase) => void} */ resolve, reject) => {
        const request = indexedDB.open(name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const transaction = writing();
      const rows = transaction.objectStore(ROWS);
      const before = rows.get(OWNER);
      before.onsuccess = () => {
        owner = (before.result ?? 0) + 1;
        rows.put(owner, OWNER);
      };
      await complete(transaction);
    },

    /** All rows whose keys begin so, in the order of their keys. @param {string} prefix @returns {Promise<[string, Uint8Array][]>} */
    async read(prefix) {
      if (!database) throw new Error("the log is not open");
      const transaction = database.transaction(ROWS, "readonly");
      const rows = transaction.objectStore(ROWS);
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = rows.getAllKeys(range);
      const values = rows.getAll(range);
      return complete(transaction, () => keys.result.map((key, place) => [String(key), values.result[place]]));
    },

    /** Write rows, or delete those without a value, as the owner. @param {[string, Uint8Array | null | undefined][]} changed */
    async write(changed) {
      const transaction = writing();
      const rows = transaction.objectStore(ROWS);
      const now = rows.get(OWNER);
      now.onsuccess = () => {
        if (now.result !== owner) {
          transaction.abort();
          return;
        }
        for (const [key, value] of changed) {
          if (value) rows.put(value, key);
          else rows.delete(key);
        }
      };
      await complete(transaction);
    },

    close() {
      database?.close();
      database = null;
    },
  };
}
