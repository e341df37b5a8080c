import { getDecoder } from 'iconv-lite';
import { badSource, type SourceFile } from '../source.ts';
import { type Encoding, findEncoding, nameOf } from './encoding.ts';
import { type Fingerprint, openAgain, surveyFile } from './survey.ts';

/** A file of text that is known well enough to be read as often as needed. */
export type TextFile = {
  readonly file: SourceFile;
  readonly fingerprint: Fingerprint;
  readonly encoding: Encoding;
};

/**
 * Finds out how the text of a file is written, and notes it when that is not plain. Throws
 * `bad_input` when the file is not text, or not of a kind that can be told.
 */
export async function findText(
  file: SourceFile,
  note: (sentence: string) => void,
): Promise<TextFile> {
  const survey = await surveyFile(file);
  const encoding = await findEncoding(file, survey);
  const isMarked = encoding.startsWith('utf-16') && (survey.start[0] ?? 0) >= 0xfe;
  if (encoding !== 'utf-8' && !isMarked) note(`this was read as ${nameOf(encoding)}.`);
  return { file, fingerprint: survey.fingerprint, encoding };
}

async function* decodeUtf16({ file, fingerprint, encoding }: TextFile): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Uint8Array): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const what = `the file is ${nameOf(encoding)} text with half of a two-part character`;
      throw badSource(file.name, undefined, `${what}; it may have been cut off`);
    }
  };
  for await (const chunk of openAgain(file, fingerprint)) yield decode(chunk);
  yield decode();
}

async function* decodeSingleByte({
  file,
  fingerprint,
  encoding,
}: TextFile): AsyncGenerator<Buffer> {
  const decoder = getDecoder(encoding);
  for await (const chunk of openAgain(file, fingerprint)) yield Buffer.from(decoder.write(chunk));
}

/** The text of a file, as UTF-8, a byte order mark included if it has one. */
export function openText(text: TextFile): AsyncGenerator<Buffer> {
  if (text.encoding === 'utf-8') return openAgain(text.file, text.fingerprint);
  return text.encoding.startsWith('utf-16') ? decodeUtf16(text) : decodeSingleByte(text);
}
