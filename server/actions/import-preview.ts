import { z } from 'zod';
import { requireOtherFile } from '../home.ts';
import { previewFile } from './import/preview/preview.ts';
import type { ImportPreview } from './import/preview/report.ts';
import { ImportEvents } from './import-events.ts';
import type { ActionTools } from './tools.ts';

export const PreviewImport = ImportEvents.pick({
  format: true,
  map: true,
  dateOrder: true,
  encoding: true,
  timeZone: true,
}).extend({
  /** The one file. */
  files: z.tuple([z.string().min(1)]),
  rows: z.int().min(1).max(20).default(10),
});

/** Shows what the beginning of a file would become; it only reads, and as little as it can. */
export function previewImport(
  {
    files: [path],
    rows: mostRows,
    format,
    map,
    dateOrder,
    encoding,
    timeZone,
  }: z.infer<typeof PreviewImport>,
  { home, now, systemTimeZone }: ActionTools,
): Promise<ImportPreview> {
  requireOtherFile(path, home);
  return previewFile({
    path,
    format,
    map,
    timeZone: timeZone ?? systemTimeZone(),
    ...(dateOrder && { dateOrder }),
    ...(encoding && { encoding }),
    now: now(),
    mostRows,
  });
}
