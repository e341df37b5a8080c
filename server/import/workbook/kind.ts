import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { startLength, startOf, textOfStart } from '../../base/file-start.ts';
import type { MessageKey } from '../../messages/message.ts';
import { type Archive, openArchive, type Part } from './archive.ts';
import { readRelationships } from './xlsx.ts';
import { readXml } from './xml.ts';

/** The kind of a file: a workbook that can be read, or the reason why it cannot. */
type FileKind =
  | { readonly format: 'xlsx'; readonly archive: Archive; readonly path: string }
  | { readonly format: 'ods'; readonly archive: Archive }
  | { readonly format: undefined; readonly reason: MessageKey };

function other(reason: MessageKey): FileKind {
  return { format: undefined, reason };
}

/** Reasons by the names of streams in files of Microsoft Office before 2007. */
const streams: readonly (readonly [name: string, reason: MessageKey])[] = [
  ['EncryptedPackage', 'reason:file_is_encrypted'],
  ['WordDocument', 'reason:file_is_document'],
  ['PowerPoint Document', 'reason:file_is_presentation'],
  ['Workbook', 'reason:file_is_xls'],
  ['Book', 'reason:file_is_xls'],
];

/** Reasons by the type of the main part of a file of Microsoft Office, or by its path. */
const mainTypes: readonly (readonly [type: RegExp, reason: MessageKey])[] = [
  [/wordprocessingml|^word\//, 'reason:file_is_document'],
  [/presentationml|^ppt\//, 'reason:file_is_presentation'],
  [/sheet\.binary|\.bin$/, 'reason:file_is_xlsb'],
];

/** Maximum sizes in bytes of parts that describe a file. */
const maxSize = 1_000_000;

/** Returns the content type of a part. */
async function readContentType(archive: Archive, path: string): Promise<string> {
  const part = archive.get('[content_types].xml');
  let type = '';
  if (part === undefined) return type;
  await readXml(part, maxSize, {
    open: (_, { PartName: name = '', ContentType: found = '' }) => {
      if (posix.resolve('/', name).slice(1).toLowerCase() === path) type = found;
    },
  });
  return type;
}

async function identifyOffice(archive: Archive): Promise<FileKind> {
  const relationships = [...(await readRelationships(archive, '')).values()];
  const path =
    relationships.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  const type = `${await readContentType(archive, path)} ${path}`;
  const found = mainTypes.find(([pattern]) => type.split(' ').some((part) => pattern.test(part)));
  return found === undefined ? { format: 'xlsx', archive, path } : other(found[1]);
}

async function readText(part: Part | undefined): Promise<string> {
  if (part === undefined || part.size > maxSize) return '';
  let text = '';
  for await (const chunk of part.open()) text += chunk.toString('latin1');
  return text;
}

async function identifyArchive(archive: Archive): Promise<FileKind> {
  if (archive.has('[content_types].xml') || archive.has('xl/workbook.xml')) {
    return identifyOffice(archive);
  }
  const paths = [...archive.keys()];
  if (paths.some((path) => /(^|\/)index(\.zip$|\/.*\.iwa$)/.test(path))) {
    return other('reason:file_is_numbers');
  }
  const manifest = await readText(archive.get('meta-inf/manifest.xml'));
  if (/encryption-data|encrypted-package/.test(manifest)) return other('reason:file_is_encrypted');
  if (!archive.has('content.xml')) return other('reason:file_is_zip');
  const type = await readText(archive.get('mimetype'));
  if (/opendocument\.text/.test(type)) return other('reason:file_is_document');
  if (/opendocument\.(presentation|graphics)/.test(type)) {
    return other('reason:file_is_presentation');
  }
  return { format: 'ods', archive };
}

function identifyText(bytes: Buffer): FileKind {
  const head = bytes.subarray(0, startLength);
  const isUtf16 = head[0] === 0xff || head[0] === 0xfe;
  const hasLines = /[\r\n]/.test(textOfStart(head));
  const isText = isUtf16 || (!head.includes(0) && (isUtf8(bytes) || hasLines));
  return other(isText ? 'reason:file_is_text' : 'reason:not_a_workbook');
}

/** Identifies a file by its content. Throws `bad_input` if it is a damaged ZIP file. */
export async function identify(bytes: Buffer, file: string): Promise<FileKind> {
  // Also with the other signatures of ZIP files, and of a part of one.
  if (bytes.toString('latin1', 0, 2) === 'PK')
    return identifyArchive(await openArchive(bytes, file));
  switch (startOf(bytes)) {
    case 'empty':
      return other('reason:file_empty');
    case 'pdf':
      return other('reason:file_is_pdf');
    case 'office': {
      const found = streams.find(([name]) => bytes.includes(name, 0, 'utf16le'));
      return other(found?.[1] ?? 'reason:file_is_office');
    }
    case 'page':
      return other('reason:file_is_html');
    case 'xml':
      return other('reason:file_is_xml');
    case 'rtf':
      return other('reason:file_is_document');
    default:
      return identifyText(bytes);
  }
}
