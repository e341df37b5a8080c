import type { ActionResult } from '../actions/catalogue.ts';

/** `6,831`. Formatted by hand, as Intl takes longer to load than most commands to run. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 event`, `6,831 events`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Rows in aligned columns under their headings, or a sentence when there is none. */
export function table(
  headings: readonly string[],
  rows: readonly string[][],
  none: string,
): string {
  if (rows.length === 0) return none;
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}

export function usersText({ users }: ActionResult<'user list'>): string {
  return table(
    ['NAME', 'EVENTS', 'KEYS', 'CREATED'],
    users.map(({ name, events, keys, createdAt }) => [name, `${events}`, `${keys}`, createdAt]),
    'There is no user yet; add one with "club-events user add NAME".',
  );
}

export function keysText({ keys }: ActionResult<'key list'>): string {
  return table(
    ['ID', 'USER', 'STATE', 'CREATED', 'EXPIRES', 'LABEL'],
    keys.map(({ id, user, state, createdAt, expiresAt, label }) => [
      `${id}`,
      user,
      state,
      createdAt,
      expiresAt ?? 'never',
      label ?? '',
    ]),
    'There is no key yet; make one with "club-events key create --user NAME".',
  );
}

type ImportResult = ActionResult<'import'>;

export function importText({ files }: ImportResult): string {
  const lines = files.map(({ file, added, changed, unchanged }) => {
    const all = added + changed + unchanged;
    if (all === 0) return `${file}: there are no events in it.`;
    if (all === unchanged) return `${file}: nothing changed; ${count(all, 'event')} already there.`;
    const parts = [`${count(added, 'event')} added`];
    if (changed > 0) parts.push(`${grouped(changed)} changed`);
    if (unchanged > 0) parts.push(`${grouped(unchanged)} unchanged`);
    return `${file}: ${parts.join(', ')}.`;
  });
  return lines.join('\n');
}

/** What an import left aside, a sentence a file. */
export function importNotes({ files }: ImportResult): string[] {
  return files
    .filter(({ ignored }) => ignored.length > 0)
    .map(({ file, ignored }) => `${file}: not taken: ${ignored.join(', ')} (see --map).`);
}

export function keyNotes({ id, user, valid, expiresAt }: ActionResult<'key create'>): string[] {
  const until = expiresAt === null ? '' : `, valid until ${expiresAt}`;
  const expired = valid ? [] : ['This key has expired already: its date is in the past.'];
  return [`Key ${id} of "${user}"${until}. It is shown this once: keep it safe.`, ...expired];
}
