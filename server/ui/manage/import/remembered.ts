import { browserStore } from '../../base/storage.ts';
import { type Choices, type FieldMap, fields, type ImportPreview } from './choices.ts';

/** The choices for a file, remembered for the next one with the same columns. */
type LastChoices = Pick<Choices, 'map' | 'dateOrder'>;

const storageName = 'club-events-import';
const maxEntries = 30;

/** Returns a text that is equal for files with the same columns. */
function signatureOf({ columns }: ImportPreview): string {
  return JSON.stringify(columns.map(({ name }) => name));
}

/** Reads the stored entries, whose contents are not trusted. */
function readAll(): (readonly unknown[])[] {
  try {
    const stored: unknown = JSON.parse(browserStore.getItem(storageName) ?? '[]');
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry)) : [];
  } catch {
    // Invalid JSON counts as an empty store.
    return [];
  }
}

function isColumn(value: unknown): value is FieldMap[keyof FieldMap] {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => typeof one === 'string');
  return typeof value === 'string' || value === null;
}

function parseChoices(stored: unknown): LastChoices {
  const { map, dateOrder }: Partial<Record<keyof LastChoices, unknown>> = Object(stored);
  const columns: Readonly<Record<string, unknown>> = Object(map);
  const known = fields.flatMap((field) => {
    const column = columns[field];
    return isColumn(column) ? [[field, column] as const] : [];
  });
  return {
    map: Object.fromEntries(known) as FieldMap,
    dateOrder: dateOrder === 'dmy' || dateOrder === 'mdy' ? dateOrder : null,
  };
}

/** Returns the choices for the last file with the same columns, if there are any. */
export function recallChoices(preview: ImportPreview): LastChoices | undefined {
  const signature = signatureOf(preview);
  const found = readAll().find(([key]) => key === signature);
  return found && parseChoices(found[1]);
}

/** Stores the choices for a file; without any, removes those stored for its columns. */
export function rememberChoices(preview: ImportPreview, { map, dateOrder }: Choices): void {
  const signature = signatureOf(preview);
  const others = readAll().filter(([key]) => key !== signature);
  const isChosen = Object.keys(map).length > 0 || dateOrder !== null;
  const added = isChosen ? [[signature, { map, dateOrder }]] : [];
  const entries = [...added, ...others].slice(0, maxEntries);
  browserStore.setItem(storageName, JSON.stringify(entries));
}
