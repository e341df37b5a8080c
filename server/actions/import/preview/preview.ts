import { fileError } from '../../../errors.ts';
import { formatOf, type ImportFormat, sourceAt } from '../reading.ts';
import type { SourceFile, SourceOptions } from '../source.ts';
import type { FormatPreview, ImportPreview } from './report.ts';

export type PreviewRequest = Pick<
  SourceOptions,
  'map' | 'timeZone' | 'dateOrder' | 'encoding' | 'now'
> & {
  readonly path: string;
  /** Format of the file; by default, chosen by its extension. */
  readonly format: ImportFormat | undefined;
  readonly maxRows: number;
};

type PreviewSource = (
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
) => Promise<FormatPreview>;

/** Loads the preview of a format on demand, because its reader has its own libraries. */
async function loadPreview(format: ImportFormat): Promise<PreviewSource> {
  if (format === 'csv') return (await import('./csv.ts')).previewCsv;
  if (format === 'json') return (await import('./json.ts')).previewJson;
  return (await import('./ics.ts')).previewIcs;
}

/**
 * Previews the first rows of a file and the choices that the import needs. Throws the errors of the
 * readers if nothing of the file can be read.
 */
export async function previewFile({
  path,
  format,
  maxRows,
  ...options
}: PreviewRequest): Promise<ImportPreview> {
  const notes: string[] = [];
  const note = (sentence: string) => void notes.push(sentence);
  const file = sourceAt(path);
  const found = formatOf(path, format);
  try {
    const preview = await loadPreview(found);
    const shown = await preview(file, { ...options, note, ignore: () => undefined }, maxRows);
    return { file: file.name, format: found, notes, ...shown };
  } catch (error) {
    throw fileError(error, path);
  }
}
