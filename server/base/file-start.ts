/** The form of a file, as its first bytes show it. */
export type FileStart =
  | 'empty'
  /** Nothing but zeros, as after a failed copy. */
  | 'zeros'
  | 'sqlite'
  | 'gzip'
  | 'zip'
  /** A file of Microsoft Office before 2007, or one with a password. */
  | 'office'
  | 'pdf'
  /** A web page, with which some programs save tables. */
  | 'page'
  | 'xml'
  | 'rtf'
  | 'calendar'
  /** Text that begins as JSON does. */
  | 'json'
  | 'other';

/** Forms by bytes that no text file begins with. */
const marks: readonly (readonly [bytes: string, start: FileStart])[] = [
  ['SQLite format 3\0', 'sqlite'],
  ['\x1f\x8b', 'gzip'],
  ['PK\x03\x04', 'zip'],
  ['\xd0\xcf\x11\xe0', 'office'],
  ['%PDF', 'pdf'],
];

/** Forms by the beginning of the text, after a byte order mark and spaces. */
const texts: readonly (readonly [pattern: RegExp, start: FileStart])[] = [
  [/^(?:<!doctype html|<html|<head|<meta|<table|<div|mime-version:)/i, 'page'],
  [/^<\?xml[^>]*>\s*<(?:!doctype html|html)/i, 'page'],
  [/^<\?xml/, 'xml'],
  [/^\{\\rtf/, 'rtf'],
  [/^BEGIN:VCALENDAR/i, 'calendar'],
  [/^[[{]/, 'json'],
];

/** Number of bytes at the start of a file that show its form. */
export const startLength = 4_096;

/** Decodes the start of a text file, in UTF-8 or UTF-16, without its byte order mark. */
export function textOfStart(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, startLength));
  const isUtf16 = head[0] === 0xff || head[0] === 0xfe;
  return head.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff?\s*/, '');
}

/** Returns the form of a file by its first bytes; the name can lie. */
export function startOf(bytes: Uint8Array): FileStart {
  if (bytes.length === 0) return 'empty';
  const head = Buffer.from(bytes.subarray(0, startLength));
  if (head.every((byte) => byte === 0)) return 'zeros';
  const binary = head.toString('latin1', 0, 16);
  const mark = marks.find(([start]) => binary.startsWith(start));
  if (mark !== undefined) return mark[1];
  const text = textOfStart(head);
  return texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
