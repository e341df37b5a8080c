import { readIcs } from '../ics.ts';
import { isEvent, type SourceFile, type SourceItem, type SourceOptions } from '../source.ts';
import { type FormatPreview, otherZone, previewRows, takeFirst } from './report.ts';

async function* readEvents(file: SourceFile, options: SourceOptions) {
  for await (const items of readIcs(file, options)) yield [...items].filter(isEvent);
}

/** Whether the first events would be at other times if the zone were another. */
async function areLocal(
  file: SourceFile,
  options: SourceOptions,
  records: readonly SourceItem[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const timeZone = otherZone(options.timeZone);
  const elsewhere = { ...options, timeZone, note: () => undefined };
  const { taken } = await takeFirst(readEvents(file, elsewhere), records.length);
  const dateOf = (record: SourceItem | undefined) =>
    record === undefined || 'problem' in record ? undefined : record.values.date;
  return taken.some((record, at) => dateOf(record) !== dateOf(records[at]));
}

/** The first events of a calendar, which is surveyed whole; there is nothing to map. */
export async function previewIcs(
  file: SourceFile,
  options: SourceOptions,
  mostRows: number,
): Promise<FormatPreview> {
  const { taken, failure } = await takeFirst(readEvents(file, options), mostRows);
  return {
    columns: [],
    problems: [],
    dates: { haveSlashes: false, order: null, areLocal: await areLocal(file, options, taken) },
    rows: previewRows(taken, options.timeZone, []),
    failure: failure?.inWindow ?? null,
  };
}
