import { fileError } from '../../../errors.ts';
import { formatOf, type ImportFormat, sourceAt } from '../reading.ts';
import type { SourceFile, SourceOptions } from '../source.ts';
import type { FormatPreview, ImportPreview } from './report.ts';

export type PreviewRequest = Pick<
  SourceOptions,
  'map' | 'timeZone' | 'dateOrder' | 'encoding' | 'now'
> & {
  readonly path: string;
  /** How the file is written; by default, as its name ends. */
  readonly format: ImportFormat | undefined;
  readonly mostRows: number;
};

type PreviewSource = (
  file: SourceFile,
  options: SourceOptions,
  mostRows: number,
) => Promise<FormatPreview>;

/** The preview of a format, loaded when it is needed, as its reader. */
async function loadPreview(format: ImportFormat): Promise<PreviewSource> {
  if (format === 'csv') return (await import('./csv.ts')).previewCsv;
  if (format === 'json') return (await import('./json.ts')).previewJson;
  return (await import('./ics.ts')).previewIcs;
}

/**
 * What the beginning of a file would become, and what has to be chosen first. Throws as the readers
 * do when nothing of the file can be read.
 */
export async function previewFile({
  path,
  format,
  mostRows,
  ...options
}: PreviewRequest): Promise<ImportPreview> {
  const notes: string[] = [];
  const note = (sentence: string) => void notes.push(sentence);
  const file = sourceAt(path);
  const found = formatOf(path, format);
  try {
    const preview = await loadPreview(found);
    const shown = await preview(file, { ...options, note, ignore: () => undefined }, mostRows);
    return { file: file.name, format: found, notes, ...shown };
  } catch (error) {
    throw fileError(error, path);
  }
}
