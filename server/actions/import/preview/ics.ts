import { readIcs } from '../ics.ts';
import { isEvent, type SourceFile, type SourceItem, type SourceOptions } from '../source.ts';
import { type FormatPreview, otherZone, previewRows, takeFirst } from './report.ts';

async function* readEvents(file: SourceFile, options: SourceOptions) {
  for await (const items of readIcs(file, options)) yield [...items].filter(isEvent);
}

/** Returns true if the first events would have other times in another time zone. */
async function areLocal(
  file: SourceFile,
  options: SourceOptions,
  records: readonly SourceItem[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const timeZone = otherZone(options.timeZone);
  const elsewhere = { ...options, timeZone, note: () => undefined };
  const { items } = await takeFirst(readEvents(file, elsewhere), records.length);
  const dateOf = (record: SourceItem | undefined) =>
    record === undefined || 'problem' in record ? undefined : record.values.date;
  return items.some((record, at) => dateOf(record) !== dateOf(records[at]));
}

/** Previews the first events of a calendar, which is surveyed whole. */
export async function previewIcs(
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const { items, failure } = await takeFirst(readEvents(file, options), maxRows);
  return {
    columns: [],
    problems: [],
    dates: { haveSlashes: false, order: null, areLocal: await areLocal(file, options, items) },
    rows: previewRows(items, options.timeZone, []),
    failure: failure?.inWindow ?? null,
  };
}
