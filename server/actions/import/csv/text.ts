import { decodeText, type Encoding, nameOf } from '../encoding.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import { detectEncoding } from './encoding.ts';
import { type Fingerprint, openAgain, surveyFile } from './survey.ts';

/** A file of text that is known well enough to be read as often as needed. */
export type TextFile = {
  readonly file: SourceFile;
  readonly fingerprint: Fingerprint;
  readonly encoding: Encoding;
};

/**
 * Finds out how the text of a file is written where the user does not say it, and notes it when
 * that is not plain. Throws `bad_input` when the file is not text, or not of a kind that can be told.
 */
export async function findText(
  file: SourceFile,
  { encoding: given, note }: Pick<SourceOptions, 'encoding' | 'note'>,
): Promise<TextFile> {
  const survey = await surveyFile(file);
  const { fingerprint, isUtf8, start } = survey;
  if (given === 'utf-8' && !isUtf8) {
    throw badSource(file.name, undefined, 'the file is not UTF-8 text');
  }
  if (given !== undefined) return { file, fingerprint, encoding: given };
  const encoding = await detectEncoding(file, survey);
  const isMarked = encoding.startsWith('utf-16') && (start[0] ?? 0) >= 0xfe;
  if (encoding !== 'utf-8' && !isMarked) note(`this was read as ${nameOf(encoding)}.`);
  return { file, fingerprint, encoding };
}

/** The text of a file, as UTF-8, a byte order mark included if it has one. */
export function openText({ file, fingerprint, encoding }: TextFile): AsyncGenerator<Buffer> {
  const bytes = openAgain(file, fingerprint);
  return encoding === 'utf-8' ? bytes : decodeText(bytes, encoding, file.name);
}
