import { type FileKind, type FileUse, fileKinds } from '../../../import/formats.ts';

/** The next step with files that a person gave to the window. */
export type FileRoute =
  | { readonly step: 'lead'; readonly use: FileUse }
  | { readonly step: 'ask'; readonly uses: readonly FileUse[] }
  /** Files that cannot be taken together; nothing is done with them. */
  | { readonly step: 'refuse' }
  /** One file without a use. */
  | { readonly step: 'explain' };

/** Uses of one file alone. */
const aloneUses: readonly FileUse[] = ['restore', 'follow'];

/** Returns true if a file of a kind can be used so: a calendar with some whole days has days off, too. */
function hasUse(kind: FileKind, use: FileUse): boolean {
  const uses: readonly FileUse[] = fileKinds[kind].uses;
  return uses.includes(use) || (use === 'daysOff' && kind === 'events');
}

/**
 * Returns the next step with files of these kinds. `wanted` is the use for which a person chose them; an
 * import can be chosen by mistake, so that it still asks.
 */
export function routeOf(kinds: readonly FileKind[], wanted?: FileUse): FileRoute {
  const [kind = 'other', ...others] = new Set(kinds);
  const uses: readonly FileUse[] = fileKinds[kind].uses;
  const areAlone = uses.length === 0 || uses.some((use) => aloneUses.includes(use));
  if (others.length > 0 || (kinds.length > 1 && areAlone)) return { step: 'refuse' };
  if (wanted !== undefined && wanted !== 'import' && hasUse(kind, wanted)) {
    return { step: 'lead', use: wanted };
  }
  const [use, ...more] = uses;
  if (use === undefined) return { step: 'explain' };
  return more.length > 0 ? { step: 'ask', uses } : { step: 'lead', use };
}
