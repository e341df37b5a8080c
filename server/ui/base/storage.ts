/** Texts by name, as the browser's storage keeps them. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Opens a storage of the browser; texts that it refuses are kept until the page is left. */
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
        // QuotaExceededError: the text stays among the unsaved ones.
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

/** Kept in this browser, for all its tabs. */
export const browserStore = openStore(() => localStorage);

/** Kept in this tab until it is closed. */
export const tabStore = openStore(() => sessionStorage);
