import { readIcs } from '../ics.ts';
import { isRecord, type SourceFile, type SourceOptions, type SourceRecord } from '../source.ts';
import { type FormatPreview, otherZone, previewRows, takeFirst } from './report.ts';

async function* readRecords(file: SourceFile, options: SourceOptions) {
  for await (const items of readIcs(file, options)) yield [...items].filter(isRecord);
}

/** Whether the first events would be at other times if the zone were another. */
async function areLocal(
  file: SourceFile,
  options: SourceOptions,
  records: readonly SourceRecord[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const timeZone = otherZone(options.timeZone);
  const elsewhere = { ...options, timeZone, note: () => undefined };
  const { taken } = await takeFirst(readRecords(file, elsewhere), records.length);
  return taken.some(({ values }, at) => values.date !== records[at]?.values.date);
}

/** The first events of a calendar, which is surveyed whole; there is nothing to map. */
export async function previewIcs(
  file: SourceFile,
  options: SourceOptions,
  mostRows: number,
): Promise<FormatPreview> {
  const { taken, failure } = await takeFirst(readRecords(file, options), mostRows);
  return {
    columns: [],
    problems: [],
    dates: { haveSlashes: false, order: null, areLocal: await areLocal(file, options, taken) },
    rows: previewRows(taken, options.timeZone, []),
    failure: failure?.inWindow ?? null,
  };
}
