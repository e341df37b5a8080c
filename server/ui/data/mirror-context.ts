import { createContext, use } from 'react';
import type { ActionResult } from '../../actions/bridge.ts';

/** The state of a club that mirrors an online service. */
export type Mirror = ActionResult<'mirror status'>['mirrors'][number];

export const MirrorContext = createContext<Mirror | null | undefined>(undefined);

/**
 * Returns the state of the club's mirror; null for a club with events of its own, undefined before
 * the first answer and in a browser.
 */
export function useMirror(): Mirror | null | undefined {
  return use(MirrorContext);
}

/** Returns the host of the online service, such as `events.example.org`, or the name of the file. */
export function hostOf({ name }: { readonly name: string }): string {
  return name;
}
