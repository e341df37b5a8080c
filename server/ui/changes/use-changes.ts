import type { EventSet } from '../reading/walk.ts';

/** What has happened to an event since it was last looked at. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'cancelled' }
  /** To another time, place or both; null is for what stayed. */
  | {
      readonly kind: 'moved';
      readonly from: { readonly date: string | null; readonly place: boolean };
    };

export type Changes = {
  readonly changes: ReadonlyMap<number, Change>;
  readonly markSeen: (ids: Iterable<number>) => void;
};

const none: Changes = { changes: new Map(), markSeen: () => undefined };

export function useChanges(_account: string, _all: EventSet | undefined): Changes {
  return none;
}
