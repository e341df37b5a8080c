import { browserStore } from '../../base/storage.ts';
import { type Choices, type FieldMap, fields, type ImportPreview } from './work.ts';

/** What was chosen for a file, for the next one with the same columns. */
type LastChoices = Pick<Choices, 'map' | 'dateOrder'>;

const storageName = 'club-events-import';
const mostKept = 30;

/** Files are alike when their columns are. */
function signatureOf({ columns }: ImportPreview): string {
  return JSON.stringify(columns.map(({ name }) => name));
}

/** Reads what an older page, or anyone, may have left there. */
function readAll(): (readonly unknown[])[] {
  try {
    const kept: unknown = JSON.parse(browserStore.getItem(storageName) ?? '[]');
    return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry)) : [];
  } catch {
    // Not JSON: nothing was kept.
    return [];
  }
}

function parseChoices(kept: unknown): LastChoices {
  const { map, dateOrder }: Partial<Record<keyof LastChoices, unknown>> = Object(kept);
  const columns: Readonly<Record<string, unknown>> = Object(map);
  const known = fields.flatMap((field) => {
    const name = columns[field];
    return typeof name === 'string' || name === null ? [[field, name] as const] : [];
  });
  return {
    map: Object.fromEntries(known) as FieldMap,
    dateOrder: dateOrder === 'dmy' || dateOrder === 'mdy' ? dateOrder : null,
  };
}

/** What was chosen for the last file with the same columns; undefined when there was none. */
export function recallChoices(preview: ImportPreview): LastChoices | undefined {
  const signature = signatureOf(preview);
  const found = readAll().find(([known]) => known === signature);
  return found && parseChoices(found[1]);
}

/** Keeps what was chosen for a file that is imported now, as far as anything was. */
export function rememberChoices(preview: ImportPreview, { map, dateOrder }: Choices): void {
  const signature = signatureOf(preview);
  const others = readAll().filter(([known]) => known !== signature);
  const isChosen = Object.keys(map).length > 0 || dateOrder !== null;
  const own = isChosen ? [[signature, { map, dateOrder }]] : [];
  const kept = [...own, ...others].slice(0, mostKept);
  browserStore.setItem(storageName, JSON.stringify(kept));
}
