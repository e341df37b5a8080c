/** A store of texts by name, with the methods of `Storage`. */
type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Opens a browser storage. Texts that it refuses stay in memory until the page is closed. */
function openStore(open: () => Storage): TextStore {
  const unsaved = new Map<string, string>();
  let storage: Storage | undefined;
  try {
    storage = open();
  } catch {
    // SecurityError: the user has blocked site data. The notice about changes says so.
  }
  return {
    getItem: (name) => unsaved.get(name) ?? storage?.getItem(name) ?? null,
    setItem(name, text) {
      unsaved.set(name, text);
      try {
        storage?.setItem(name, text);
      } catch {
        // QuotaExceededError: the text stays in `unsaved`.
        return;
      }
      if (storage !== undefined) unsaved.delete(name);
    },
    removeItem(name) {
      unsaved.delete(name);
      storage?.removeItem(name);
    },
  };
}

/** Storage of this browser, shared by all tabs. */
export const browserStore = openStore(() => localStorage);

/** Storage of this tab, until it is closed. */
export const tabStore = openStore(() => sessionStorage);
