import type { Bridge } from '../../bridge.ts';

/** The API that the desktop window exposes to the page; undefined in a browser. */
export const bridge = (globalThis as { readonly clubEvents?: Bridge }).clubEvents;

/** Returns the bridge. Throws in a browser. */
export function requireBridge(): Bridge {
  if (bridge === undefined) throw new Error('This is shown in the desktop window alone.');
  return bridge;
}
