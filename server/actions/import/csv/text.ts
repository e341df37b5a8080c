import { decodeText, type Encoding, nameOf } from '../encoding.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import { detectEncoding } from './encoding.ts';
import { type Fingerprint, openAgain, surveyFile } from './survey.ts';

/** A text file with its encoding and fingerprint, which can be read any number of times. */
export type TextFile = {
  readonly file: SourceFile;
  readonly fingerprint: Fingerprint;
  readonly encoding: Encoding;
};

/**
 * Detects the encoding of a file unless the user chose one, and notes it if it is not obvious.
 * Throws `bad_input` if the file is not text or its encoding is unclear.
 */
export async function findText(
  file: SourceFile,
  { encoding: requested, note }: Pick<SourceOptions, 'encoding' | 'note'>,
): Promise<TextFile> {
  const survey = await surveyFile(file);
  const { fingerprint, isUtf8, start } = survey;
  if (requested === 'utf-8' && !isUtf8) {
    throw badSource(file.name, undefined, 'the file is not UTF-8 text');
  }
  if (requested !== undefined) return { file, fingerprint, encoding: requested };
  const encoding = await detectEncoding(file, survey);
  const isMarked = encoding.startsWith('utf-16') && (start[0] ?? 0) >= 0xfe;
  if (encoding !== 'utf-8' && !isMarked) note(`this was read as ${nameOf(encoding)}.`);
  return { file, fingerprint, encoding };
}

/** Reads the text of a file as UTF-8, with its byte order mark if it has one. */
export function openText({ file, fingerprint, encoding }: TextFile): AsyncGenerator<Buffer> {
  const bytes = openAgain(file, fingerprint);
  return encoding === 'utf-8' ? bytes : decodeText(bytes, encoding, file.name);
}
