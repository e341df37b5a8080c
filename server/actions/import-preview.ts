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
  files: z.tuple([z.string().min(1)]),
  rows: z.int().min(1).max(20).default(10),
});

/** Previews the first rows of a file without importing them; reads as little as possible. */
export function previewImport(
  {
    files: [path],
    rows: maxRows,
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
    maxRows,
  });
}
