import { parseDate } from '../../dates/dates.ts';
import { isMonth } from '../table/remarks.ts';
import type { HiddenPart } from '../table/table.ts';
import { type Archive, damagedWorkbook, oversizedWorkbook, type Part } from './archive.ts';
import { formatDuration, formatIso, formatNumber } from './cell-formats.ts';
import { SheetRows } from './sheet-rows.ts';
import { withoutContent } from './skip-content.ts';
import { createSheet, type Sheet } from './workbook.ts';
import { type Attributes, parseXml } from './xml.ts';

/** Maximum unpacked size of the content in bytes; a row takes twice as many as in a file of Excel. */
const maxSize = 256_000_000;

/** Number of repetitions, at least 1. */
function readCount(text: string | undefined): number {
  const count = Number(text ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}

type SheetEntry = { readonly name: string; readonly isHidden: boolean };

type Content = {
  readonly sheets: readonly SheetEntry[];
  /** Names of the styles that strike a text through. */
  readonly struck: ReadonlySet<string>;
};

/** Lists the sheets of the content and its styles, and checks its size. */
async function readContent(content: Part): Promise<Content> {
  if (content.size > maxSize) throw oversizedWorkbook(content.file);
  const hiddenStyles = new Set<string>();
  const struck = new Set<string>();
  const sheets: SheetEntry[] = [];
  let style = '';
  const open = (name: string, attributes: Attributes) => {
    if (name === 'style') style = attributes['style:name'] ?? '';
    if (name === 'table-properties' && attributes['table:display'] === 'false') {
      hiddenStyles.add(style);
    }
    const line = attributes['style:text-line-through-style'] ?? 'none';
    if (name === 'text-properties' && line !== 'none') struck.add(style);
    if (name !== 'table') return;
    const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
    sheets.push({ name: attributes['table:name'] ?? '', isHidden });
  };
  const frame = withoutContent(content, 'table:table', 'table-row');
  for await (const _ of parseXml(frame, content.file, { open }));
  return { sheets, struck };
}

/** Elements inside a cell whose text is not that of the cell. */
const foreign: ReadonlySet<string> = new Set(['annotation', 'frame', 'custom-shape', 'ruby-text']);

/** Collects the paragraphs of a cell. */
class CellText {
  #paragraphs: string[] = [];
  #text: string | undefined;
  #foreignDepth = 0;
  #isComment = false;
  #comment: string | undefined;

  open(name: string, attributes: Attributes): void {
    if (name === 'annotation') this.#comment ??= '';
    if (name === 'p' && this.#foreignDepth > 0) this.#isComment = this.#comment !== undefined;
    if (this.#foreignDepth > 0 || foreign.has(name)) this.#foreignDepth += 1;
    else if (name === 'p' || name === 'h') this.#text = '';
    else if (name === 's') this.add(' '.repeat(Math.min(readCount(attributes['text:c']), 1_000)));
    else if (name === 'tab') this.add('\t');
    else if (name === 'line-break') this.add('\n');
  }

  add(text: string): void {
    if (this.#text !== undefined && this.#foreignDepth === 0) this.#text += text;
    if (this.#isComment) this.#comment += text;
  }

  close(name: string): void {
    if (name === 'p') this.#isComment = false;
    if (this.#foreignDepth > 0) {
      this.#foreignDepth -= 1;
    } else if ((name === 'p' || name === 'h') && this.#text !== undefined) {
      this.#paragraphs.push(this.#text);
      this.#text = undefined;
    }
  }

  /** Returns the text of the annotations, without their authors and dates. */
  takeComment(): string {
    const text = this.#comment ?? '';
    this.#comment = undefined;
    return text;
  }

  take(): string {
    const text = this.#paragraphs.join('\n');
    this.#paragraphs = [];
    return text;
  }
}

/** Returns the value of a cell; `text` is shown if there is no typed value. */
function readValue(attributes: Attributes, text: string): string {
  const { 'office:value': number, 'office:date-value': date } = attributes;
  const { 'office:time-value': time, 'office:boolean-value': boolean } = attributes;
  switch (attributes['office:value-type']) {
    case 'date':
      return date === undefined ? text : (formatIso(date) ?? date);
    case 'time':
      return time === undefined ? text : (formatDuration(time) ?? text);
    case 'boolean':
      return boolean ?? text;
    case 'float':
    case 'percentage':
    case 'currency':
      return number === undefined ? text : formatNumber(number);
    default:
      // The value of an error is empty, unlike its text.
      return attributes['office:string-value'] || text;
  }
}

/** Returns the part of a date that its cell does not show, as its text has it. */
function hiddenIn(attributes: Attributes, shown: string): HiddenPart | undefined {
  if (attributes['office:date-value'] === undefined || shown.trim() === '') return undefined;
  if (isMonth(shown)) return 'day';
  const written = parseDate(shown, undefined);
  return written !== undefined && written.year === undefined ? 'year' : undefined;
}

/** Reads the rows of one sheet as the XML of the content is parsed. */
class SheetParser {
  readonly #rows: SheetRows;
  /** The number of sheets before the one to read. */
  readonly #index: number;
  readonly #text = new CellText();
  #tables = 0;
  #isInside = false;
  isDone = false;
  #row = 1;
  #rowAttributes: Attributes = {};
  #hiddenGroups: boolean[] = [];
  #columns = 0;
  #column = 0;
  #cell: Attributes | undefined;
  readonly #struck: ReadonlySet<string>;

  constructor(index: number, rows: SheetRows, struck: ReadonlySet<string>) {
    this.#index = index;
    this.#struck = struck;
    this.#rows = rows;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'table' && this.#cell === undefined) {
      this.#isInside = this.#tables === this.#index;
      this.#tables += 1;
    }
    if (!this.#isInside) return;
    if (this.#cell !== undefined) this.#text.open(name, attributes);
    else if (name === 'table-column') this.#openColumn(attributes);
    else if (name === 'table-row-group')
      this.#hiddenGroups.push(attributes['table:display'] === 'false');
    else if (name === 'table-row') this.#openRow(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#cell = attributes;
  }

  text(text: string): void {
    if (this.#cell !== undefined) this.#text.add(text);
  }

  close(name: string): void {
    if (!this.#isInside) return;
    if (name === 'table' && this.#cell === undefined) {
      this.#isInside = false;
      this.isDone = true;
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#closeCell(this.#cell ?? {}, name === 'table-cell');
      this.#cell = undefined;
    } else if (this.#cell !== undefined) {
      this.#text.close(name);
    } else if (name === 'table-row') {
      this.#closeRow();
    } else if (name === 'table-row-group') {
      this.#hiddenGroups.pop();
    }
  }

  #openColumn(attributes: Attributes): void {
    const first = this.#columns;
    this.#columns += readCount(attributes['table:number-columns-repeated']);
    const visibility = attributes['table:visibility'] ?? 'visible';
    if (visibility !== 'visible') this.#rows.hideColumns(first, this.#columns - 1);
  }

  #openRow(attributes: Attributes): void {
    this.#rowAttributes = attributes;
    this.#column = 0;
  }

  #closeCell(attributes: Attributes, isOwn: boolean): void {
    const shown = this.#text.take();
    const value = readValue(attributes, shown);
    const hidden = hiddenIn(attributes, shown);
    const comment = this.#text.takeComment();
    if (comment !== '') this.#rows.addComment(this.#row, comment);
    const first = this.#column;
    this.#column += readCount(attributes['table:number-columns-repeated']);
    // A covered cell may keep a value that the sheet does not show.
    if (value === '' || !isOwn) return;
    const strike = this.#struck.has(attributes['table:style-name'] ?? '') ? 'whole' : 'none';
    for (let column = first; column < this.#column; column += 1) {
      this.#rows.setCell(column, value, strike);
      if (hidden !== undefined) this.#rows.hidePart(column, hidden);
    }
    const spanned = readCount(attributes['table:number-rows-spanned']);
    if (spanned > 1) this.#rows.mergeDown(first, this.#row + spanned - 1);
    const wide = readCount(attributes['table:number-columns-spanned']);
    if (wide > 1) this.#rows.mergeRight(first, first + wide - 1);
  }

  #closeRow(): void {
    const count = readCount(this.#rowAttributes['table:number-rows-repeated']);
    const visibility = this.#rowAttributes['table:visibility'] ?? 'visible';
    const isHidden = visibility !== 'visible' || this.#hiddenGroups.includes(true);
    this.#rows.endRow(this.#row, count, isHidden);
    this.#row += count;
  }
}

/** Opens the sheets of an OpenDocument spreadsheet. Throws `bad_input`. */
export async function openOds(archive: Archive, file: string): Promise<Sheet[]> {
  const content = archive.get('content.xml');
  if (content === undefined) throw damagedWorkbook(file);
  const { sheets, struck } = await readContent(content);
  return sheets.map(({ name, isHidden }, index) => {
    const parse = async function* parse(rows: SheetRows) {
      const parser = new SheetParser(index, rows, struck);
      const parsing = parseXml(content.open(), file, {
        open: (tag, attributes) => parser.open(tag, attributes),
        text: (text) => parser.text(text),
        close: (tag) => parser.close(tag),
      });
      for await (const step of parsing) {
        yield step;
        if (parser.isDone) return;
      }
    };
    return createSheet(name, isHidden, () => new SheetRows(file), parse);
  });
}
