import { SaxesParser } from 'saxes';
import { message } from '../../messages/message.ts';
import { badSource } from '../source.ts';
import { damagedWorkbook, oversizedWorkbook, type Part } from './archive.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Handlers of XML; element names come without their prefix. */
type XmlHandlers = {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/** Maximum depth of elements; spreadsheet programs write about ten. */
const maxDepth = 100;

/** Maximum number of characters without an element, far longer than a cell of any program. */
const maxTextLength = 1_000_000;

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** Decodes XML in UTF-8, or in UTF-16 with a byte order mark. Throws `bad_input` for other bytes. */
function createDecoder(start: Buffer, file: string): (chunk?: Buffer) => string {
  const [first, second] = start;
  const isLittle = first === 0xff && second === 0xfe;
  const encoding = isLittle ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TypeError) throw damagedWorkbook(file);
      throw error;
    }
  };
}

/**
 * Parses XML and yields after each chunk. Throws `bad_input` if it is damaged or declares entities;
 * entities of a document could grow without limit or name other files.
 */
export async function* parseXml(
  chunks: AsyncIterable<Buffer>,
  file: string,
  { open, close, text }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({
    xmlns: false,
    position: false,
  });
  let depth = 0;
  let isBusy = false;
  parser.on('error', () => {
    throw damagedWorkbook(file);
  });
  parser.on('doctype', () => {
    throw badSource(file, undefined, message('reason:workbook_with_entities'));
  });
  parser.on('opentag', ({ name, attributes }) => {
    isBusy = true;
    depth += 1;
    if (depth > maxDepth) throw damagedWorkbook(file);
    open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    close?.(localName(name));
  });
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  let decode: ((chunk?: Buffer) => string) | undefined;
  let length = 0;
  for await (const chunk of chunks) {
    decode ??= createDecoder(chunk, file);
    const piece = decode(chunk);
    isBusy = false;
    parser.write(piece);
    length = isBusy ? 0 : length + piece.length;
    if (length > maxTextLength) throw damagedWorkbook(file);
    yield;
  }
  parser.write(decode?.() ?? '');
  parser.close();
  yield;
}

/** Reads a part of at most `maxSize` bytes. Throws `bad_input` if it is larger or damaged. */
export async function readXml(part: Part, maxSize: number, handlers: XmlHandlers): Promise<void> {
  if (part.size > maxSize) throw oversizedWorkbook(part.file);
  for await (const _ of parseXml(part.open(), part.file, handlers));
}
