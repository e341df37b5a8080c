import { posix } from 'node:path';
import type { HiddenPart } from '../table/table.ts';
import { type Archive, damagedWorkbook, oversizedWorkbook, type Part } from './archive.ts';
import {
  builtInFormat,
  builtInHiddenPart,
  type CellFormat,
  classifyFormat,
  formatIso,
  formatNumber,
  formatSerial,
  hiddenPart,
} from './cell-formats.ts';
import { columnIndex, SheetRows, type Strike } from './sheet-rows.ts';
import { withoutContent } from './skip-content.ts';
import { createSheet, type Sheet } from './workbook.ts';
import { type Attributes, parseXml, readXml } from './xml.ts';

/** Maximum unpacked sizes of parts, in bytes. */
const maxSize = { description: 8_000_000, texts: 32_000_000, sheet: 128_000_000 } as const;

/** Maximum number of shared texts. */
const maxTexts = 500_000;

type Relationship = {
  /** Last part of the type, such as `worksheet`; the rest differs between versions of the format. */
  readonly type: string;
  /** Path of the part in the archive. */
  readonly path: string;
};

/** Reads the relationships of a part, by id; none if it has no such file. */
export async function readRelationships(
  archive: Archive,
  path: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(path);
  const part = archive.get(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  const relationships = new Map<string, Relationship>();
  if (part === undefined) return relationships;
  await readXml(part, maxSize.description, {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      const found = posix.resolve('/', folder, target.replaceAll('\\', '/')).slice(1).toLowerCase();
      relationships.set(id, { type: posix.basename(type), path: found });
    },
  });
  return relationships;
}

type SheetEntry = { readonly name: string; readonly isHidden: boolean; readonly id: string };

type Description = { readonly has1904Dates: boolean; readonly sheets: readonly SheetEntry[] };

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

/** Returns an attribute with any prefix, such as `r:id`. */
function prefixed(attributes: Attributes, name: string): string {
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? '' : (attributes[key] ?? '');
}

async function readDescription(part: Part): Promise<Description> {
  let has1904Dates = false;
  const sheets: SheetEntry[] = [];
  await readXml(part, maxSize.description, {
    open: (name, attributes) => {
      if (name === 'workbookPr') has1904Dates = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
      sheets.push({ name: attributes['name'] ?? '', isHidden, id: prefixed(attributes, 'id') });
    },
  });
  return { has1904Dates, sheets };
}

type CellStyle = {
  readonly format: CellFormat;
  readonly hidden: HiddenPart | undefined;
  readonly isStruck: boolean;
  /** The background colour, as the file has it; empty without one. */
  readonly fill: string;
};

/** Returns true for the attributes of an element that strikes a text through. */
function strikes({ val = '1' }: Attributes): boolean {
  return val !== '0' && val !== 'false';
}

/** Reads the styles of cells, by their number. */
async function readStyles(part: Part): Promise<readonly CellStyle[]> {
  const codes = new Map<number, string>();
  const fonts: boolean[] = [];
  const fills: string[] = [];
  const styles: CellStyle[] = [];
  let list = '';
  await readXml(part, maxSize.description, {
    open: (name, attributes) => {
      const { numFmtId = '0', formatCode = '', fontId = '0', fillId = '0' } = attributes;
      const id = Number(numFmtId);
      if (name === 'numFmt') codes.set(id, formatCode);
      if (['cellXfs', 'fonts', 'fills'].includes(name)) list = name;
      if (name === 'font' && list === 'fonts') fonts.push(false);
      if (name === 'strike' && list === 'fonts') fonts[fonts.length - 1] = strikes(attributes);
      if (name === 'fill' && list === 'fills') fills.push('');
      if (name === 'fgColor' && list === 'fills')
        fills[fills.length - 1] = JSON.stringify(attributes);
      if (name === 'xf' && list === 'cellXfs') {
        const isStruck = fonts[Number(fontId)] ?? false;
        const fill = fills[Number(fillId)] ?? '';
        const code = codes.get(id);
        const format = code === undefined ? builtInFormat(id) : classifyFormat(code);
        const hidden = code === undefined ? builtInHiddenPart(id) : hiddenPart(code);
        styles.push({ format, hidden, isStruck, fill });
      }
    },
    close: (name) => {
      if (name === list) list = '';
    },
  });
  return styles;
}

/** Replaces escapes such as `_x000D_`, with which Excel stores control characters. */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** A text, without the part that is struck through. */
type Text = { readonly text: string; readonly strike: Strike };

/** The cell of a formula without its value, as programs write it that do not calculate. */
const uncalculated: Text = { text: '#CALC!', strike: 'none' };

/** Collects the text of the elements `t`, without the pronunciation of East Asian texts. */
class TextCollector {
  #text = '';
  #struckText = '';
  #isStruck = false;
  #isText = false;
  #isPhonetic = false;

  open(name: string, attributes: Attributes): void {
    if (name === 't') this.#isText = !this.#isPhonetic;
    if (name === 'rPh') this.#isPhonetic = true;
    if (name === 'r') this.#isStruck = false;
    if (name === 'strike') this.#isStruck = strikes(attributes);
  }

  add(text: string): void {
    if (this.#isText && this.#isStruck) this.#struckText += text;
    else if (this.#isText) this.#text += text;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
  }

  take(): Text {
    const [text, struck] = [this.#text, this.#struckText];
    this.#text = '';
    this.#struckText = '';
    this.#isStruck = false;
    if (struck.trim() === '') return { text: unescapeText(text + struck), strike: 'none' };
    if (text.trim() === '') return { text: unescapeText(struck), strike: 'whole' };
    return { text: unescapeText(text), strike: 'part' };
  }
}

async function readTexts(part: Part): Promise<readonly Text[]> {
  const texts: Text[] = [];
  const collector = new TextCollector();
  await readXml(part, maxSize.texts, {
    open: (name, attributes) => collector.open(name, attributes),
    text: (text) => collector.add(text),
    close: (name) => {
      collector.close(name);
      if (name === 'si' && texts.push(collector.take()) > maxTexts) {
        throw oversizedWorkbook(part.file);
      }
    },
  });
  return texts;
}

/** Everything that the sheets of a workbook share. */
type Shared = {
  readonly has1904Dates: boolean;
  readonly styles: readonly CellStyle[];
  readonly texts: readonly Text[];
};

type CellReference = { readonly column: number; readonly row: number };

/** Parses a reference such as `B12`. */
function parseReference(reference: string): CellReference | undefined {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,8})$/i.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return { column: columnIndex(letters), row: Number(row) };
}

/** A merged cell, with its first column. */
type Merge = { readonly column: number; readonly lastColumn: number; readonly lastRow: number };

/** The merged cells that begin in a row. */
type Merges = ReadonlyMap<number, readonly Merge[]>;

/** Finds the merged cells of a sheet, which its file lists after the rows, and checks its size. */
async function surveySheet(part: Part): Promise<Merges> {
  if (part.size > maxSize.sheet) throw oversizedWorkbook(part.file);
  const merges = new Map<number, Merge[]>();
  const takeMerge = (name: string, { ref = '' }: Attributes) => {
    const [from, to] = ref.split(':').map(parseReference);
    if (name !== 'mergeCell' || from === undefined || to === undefined) return;
    const others = merges.get(from.row);
    const merge = { column: from.column, lastColumn: to.column, lastRow: to.row };
    if (others === undefined) merges.set(from.row, [merge]);
    else others.push(merge);
  };
  const frame = withoutContent(part, 'sheetData', 'row');
  for await (const _ of parseXml(frame, part.file, { open: takeMerge }));
  return merges;
}

/** Reads the rows of a sheet as its XML is parsed. */
class SheetParser {
  readonly #part: Part;
  readonly #shared: Shared;
  readonly #merges: Merges;
  readonly #rows: SheetRows;
  readonly #text = new TextCollector();
  #isData = false;
  #row = 0;
  #isRowHidden = false;
  #column = -1;
  #type = 'n';
  #style = 0;
  #value = '';
  #isValue = false;
  #hasFormula = false;

  constructor(part: Part, shared: Shared, merges: Merges, rows: SheetRows) {
    this.#part = part;
    this.#shared = shared;
    this.#merges = merges;
    this.#rows = rows;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'sheetData') this.#isData = true;
    else if (name === 'col') this.#openColumn(attributes);
    else if (!this.#isData) return;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else this.#text.open(name, attributes);
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text;
    else if (this.#isData) this.#text.add(text);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isData = false;
    if (!this.#isData) return;
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else this.#text.close(name);
  }

  #openColumn({ min, max, hidden }: Attributes): void {
    if (isTrue(hidden)) this.#rows.hideColumns(Number(min) - 1, Number(max) - 1);
  }

  #openRow({ r, hidden }: Attributes): void {
    this.#row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isSafeInteger(this.#row)) throw damagedWorkbook(this.#part.file);
    this.#isRowHidden = isTrue(hidden);
    this.#column = -1;
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : (parseReference(r)?.column ?? -1);
    this.#type = t;
    this.#style = Number(s);
    this.#hasFormula = false;
    this.#value = '';
  }

  #closeCell(): void {
    const { text, strike } = this.#readText();
    const { hidden, isStruck = false, fill = '' } = this.#shared.styles[this.#style] ?? {};
    if (hidden !== undefined && text !== '') this.#rows.hidePart(this.#column, hidden);
    if (fill !== '') this.#rows.setFill(this.#column, fill);
    if (text !== '') this.#rows.setCell(this.#column, text, isStruck ? 'whole' : strike);
  }

  #readText(): Text {
    const inline = this.#text.take();
    if (this.#type === 'inlineStr') return inline;
    if (this.#type === 'n' && this.#hasFormula && this.#value === '') return uncalculated;
    if (this.#type !== 's' || this.#value === '') return { text: this.#cellText(), strike: 'none' };
    const text = this.#shared.texts[Number(this.#value)];
    if (text === undefined) throw damagedWorkbook(this.#part.file);
    return text;
  }

  #cellText(): string {
    const value = this.#value;
    // Formulas have their last value in `v` as well.
    if (value === '') return '';
    switch (this.#type) {
      case 'str':
        return unescapeText(value);
      case 'b':
        return value.trim() === '1' ? 'true' : 'false';
      case 'd':
        return formatIso(value) ?? value;
      case 'n':
        return this.#numberText(value);
      default:
        return value;
    }
  }

  #numberText(value: string): string {
    const { styles, has1904Dates } = this.#shared;
    const { format } = styles[this.#style] ?? { format: 'number' };
    const text = formatNumber(value);
    const number = Number(text);
    if (format === 'number' || !Number.isFinite(number)) return text;
    return formatSerial(number, format, has1904Dates);
  }

  #closeRow(): void {
    for (const { column, lastColumn, lastRow } of this.#merges.get(this.#row) ?? []) {
      if (lastRow > this.#row) this.#rows.mergeDown(column, lastRow);
      if (lastColumn > column) this.#rows.mergeRight(column, lastColumn);
    }
    this.#rows.endRow(this.#row, 1, this.#isRowHidden);
  }
}

/** Reads the comments on the cells of a sheet. */
async function readComments(part: Part, rows: SheetRows): Promise<void> {
  const collector = new TextCollector();
  let row = 0;
  await readXml(part, maxSize.description, {
    open: (name, attributes) => {
      if (name === 'comment') row = parseReference(attributes['ref'] ?? '')?.row ?? 0;
      collector.open(name, attributes);
    },
    text: (text) => collector.add(text),
    close: (name) => {
      collector.close(name);
      if (name === 'comment') rows.addComment(row, collector.take().text);
    },
  });
}

function openSheet(
  part: Part,
  { name, isHidden }: SheetEntry,
  shared: Shared,
  findComments: () => Promise<Part | undefined>,
): Sheet {
  const { file } = part;
  let survey: Promise<Merges> | undefined;
  const parse = async function* parse(rows: SheetRows) {
    survey ??= surveySheet(part);
    const parser = new SheetParser(part, shared, await survey, rows);
    yield* parseXml(part.open(), file, {
      open: (tag, attributes) => parser.open(tag, attributes),
      text: (text) => parser.text(text),
      close: (tag) => parser.close(tag),
    });
    const comments = await findComments();
    if (comments !== undefined) await readComments(comments, rows);
  };
  return createSheet(name, isHidden, () => new SheetRows(file), parse);
}

/** Opens the sheets of a workbook of Excel; `path` is its main part. Throws `bad_input`. */
export async function openXlsx(archive: Archive, path: string, file: string): Promise<Sheet[]> {
  const main = archive.get(path);
  if (main === undefined) throw damagedWorkbook(file);
  const relationships = await readRelationships(archive, path);
  const partOf = (type: string) => {
    const found = [...relationships.values()].find((relationship) => relationship.type === type);
    return found === undefined ? undefined : archive.get(found.path);
  };
  const [styles, texts] = [partOf('styles'), partOf('sharedStrings')];
  const { has1904Dates, sheets } = await readDescription(main);
  const shared = {
    has1904Dates,
    styles: styles === undefined ? [] : await readStyles(styles),
    texts: texts === undefined ? [] : await readTexts(texts),
  };
  return sheets.flatMap((sheet) => {
    const relationship = relationships.get(sheet.id);
    // Charts, dialogs and macros are sheets too.
    if (relationship !== undefined && relationship.type !== 'worksheet') return [];
    const part = archive.get(relationship?.path ?? '');
    if (part === undefined) throw damagedWorkbook(file);
    const findComments = async () => {
      const others = await readRelationships(archive, relationship?.path ?? '');
      const comments = [...others.values()].find(({ type }) => type === 'comments');
      return comments && archive.get(comments.path);
    };
    return [openSheet(part, sheet, shared, findComments)];
  });
}
