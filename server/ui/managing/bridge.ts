import type { Bridge } from '../../bridge.ts';

/** What the desktop window puts in place for the page; absent in a plain browser. */
export const bridge = (globalThis as { readonly clubEvents?: Bridge }).clubEvents;

/** The bridge, for what is shown in the desktop window alone. */
export function requireBridge(): Bridge {
  if (bridge === undefined) throw new Error('This is shown in the desktop window alone.');
  return bridge;
}
