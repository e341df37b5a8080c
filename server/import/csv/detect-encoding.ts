import { crc32 } from 'node:zlib';
import { message } from '../../messages/message.ts';
import { createSampler, detectSingleByte, type Encoding } from '../encoding.ts';
import { badSource, createUtf8Check, type SourceFile } from '../source.ts';

/** The size and checksum by which two readings of a file are compared. */
export type Fingerprint = { readonly size: number; readonly checksum: number };

type Survey = {
  readonly fingerprint: Fingerprint;
  /** The first bytes, at most eight. */
  readonly start: Uint8Array;
  readonly isUtf8: boolean;
  readonly hasNul: boolean;
};

const startLength = 8;

/** Surveys a file in one fast reading. */
export async function surveyFile(file: SourceFile): Promise<Survey> {
  const isValid = createUtf8Check();
  let isUtf8 = true;
  let size = 0;
  let checksum = 0;
  let start: Uint8Array = new Uint8Array();
  let hasNul = false;
  for await (const chunk of file.open({ reuse: true })) {
    if (start.length < startLength) {
      start = Buffer.concat([start, chunk.subarray(0, startLength - start.length)]);
    }
    size += chunk.length;
    checksum = crc32(chunk, checksum);
    hasNul ||= chunk.includes(0);
    isUtf8 &&= isValid(chunk);
  }
  return { fingerprint: { size, checksum }, start, isUtf8: isUtf8 && isValid(), hasNul };
}

/** Reads a file again. Throws `bad_input` at its end if it has changed. */
export async function* openAgain(
  file: SourceFile,
  fingerprint: Fingerprint,
): AsyncGenerator<Buffer> {
  let size = 0;
  let checksum = 0;
  for await (const chunk of file.open()) {
    size += chunk.length;
    checksum = crc32(chunk, checksum);
    yield Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (size === fingerprint.size && checksum === fingerprint.checksum) return;
  throw badSource(file.name, undefined, message('reason:file_changed'));
}

const byteOrderMarks: readonly (readonly [
  mark: readonly number[],
  encoding: Encoding | undefined,
])[] = [
  [[0xff, 0xfe, 0, 0], undefined],
  [[0, 0, 0xfe, 0xff], undefined],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Number of bytes that show whether a file is binary, or UTF-16 without a byte order mark. */
const headLength = 65_536;

/**
 * Detects UTF-16 without a byte order mark: most NULs are on the same side of each pair of bytes.
 */
function findUtf16(head: Buffer): Encoding | undefined {
  const nuls = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [first = 0, second = 0] = nuls;
  const many = head.length * 0.07;
  if (second > many && first < second / 20) return 'utf-16le';
  if (first > many && second < first / 20) return 'utf-16be';
  return undefined;
}

/** Throws `bad_input` for control bytes that do not occur in text. */
function refuseBinary(head: Buffer, isUtf8: boolean, file: string): void {
  const controls = head.filter(
    (byte) => byte < 0x20 && ![9, 10, 11, 12, 13, 26, 27].includes(byte),
  );
  // UTF-8 with few control bytes is text; the check of the events names the row of a NUL.
  if (controls.length <= (isUtf8 ? head.length / 10 : 0)) return;
  throw badSource(file, undefined, message('reason:not_a_text_file'));
}

/** Throws `bad_input` for damaged UTF-8: with its byte order mark or mostly valid sequences. */
function refuseDamagedUtf8(sample: Buffer, { start }: Survey, file: string): void {
  const [first, second, third] = start;
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  const text = sample.toString('utf8');
  const strays = text.split('\ufffd').length - 1;
  const sequences = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  if (!isMarked && (sequences === 0 || sequences < strays)) return;
  throw badSource(file, undefined, message('reason:utf8_damaged'));
}

/** Returns the single-byte encoding of the file. Throws `bad_input` if none is plausible. */
function chooseSingleByte(sample: Buffer, file: string): Encoding {
  const encoding = detectSingleByte(sample);
  if (encoding !== undefined) return encoding;
  throw badSource(file, undefined, message('reason:encoding_unclear'));
}

/**
 * Detects the encoding from the bytes of the whole file. Throws `bad_input` if it is binary,
 * damaged or in an unclear encoding.
 */
export async function detectEncoding(file: SourceFile, survey: Survey): Promise<Encoding> {
  for (const [mark, encoding] of byteOrderMarks) {
    if (mark.some((byte, at) => survey.start[at] !== byte)) continue;
    if (encoding !== undefined) return encoding;
    throw badSource(file.name, undefined, message('reason:utf32_text'));
  }
  const { isUtf8, hasNul, fingerprint } = survey;
  if (isUtf8 && !hasNul) return 'utf-8';
  const sampler = createSampler();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of openAgain(file, fingerprint)) {
    if (length < headLength) pieces.push(chunk);
    length += chunk.length;
    sampler.take(chunk);
  }
  const head = Buffer.concat(pieces).subarray(0, headLength);
  const utf16 = findUtf16(head);
  if (utf16 !== undefined) return utf16;
  refuseBinary(head, isUtf8, file.name);
  if (isUtf8) return 'utf-8';
  refuseDamagedUtf8(sampler.result(), survey, file.name);
  return chooseSingleByte(sampler.result(), file.name);
}
