/** What the desktop window puts in place for the page; absent in a plain browser. */
type Bridge = { readonly sessionKey: () => Promise<string> };

const bridge = (globalThis as { readonly clubEvents?: Bridge }).clubEvents;

/** Where a tab keeps its key: gone with the tab, and never shared with another. */
const storageName = 'club-events-key';

const keyInFragment = /^#key=([\x21-\x7e]+)$/;

/** Takes a key out of the address (`/#key=…`) and the address bar, before anything else sees it. */
function takeKeyFromAddress(): string | undefined {
  const [, key] = keyInFragment.exec(location.hash) ?? [];
  if (key === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return decodeURIComponent(key);
}

/** The key of this tab: from its address, from before a reload, or from the desktop window. */
export async function findKey(): Promise<string | undefined> {
  const key = takeKeyFromAddress();
  if (key !== undefined) keepKey(key);
  const kept = sessionStorage.getItem(storageName);
  return kept ?? (await bridge?.sessionKey());
}

export function keepKey(key: string): void {
  sessionStorage.setItem(storageName, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(storageName);
}

/** A name for what belongs to a key, from which the key cannot be told: for things kept longer. */
export async function accountOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`account ${key}`));
  return Array.from(new Uint8Array(digest).subarray(0, 12), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
