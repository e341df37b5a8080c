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

/** The key of this tab: from its address, or from before a reload. */
export function findKey(): string | undefined {
  const key = takeKeyFromAddress();
  if (key !== undefined) keepKey(key);
  return sessionStorage.getItem(storageName) ?? undefined;
}

export function keepKey(key: string): void {
  sessionStorage.setItem(storageName, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(storageName);
}

/** A name for what belongs to a key, from which it cannot be told: for things kept longer. */
export async function accountOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`account ${text}`));
  return Array.from(new Uint8Array(digest).subarray(0, 12), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
