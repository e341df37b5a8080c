import type { StoredEvent } from '../../db/model.ts';
import { unescapeCell } from '../club/csv-cell.ts';
import { dayMs, minuteMs } from '../dates/units.ts';
import {
  createSheetRows,
  type SheetCell,
  type SheetOptions,
  sheetColumns,
  sheetHeadings,
  WorkbookError,
} from './sheet.ts';
import { writeZip, type ZipPart } from './zip.ts';

/** Limits of Excel, in UTF-16 code units and rows, and of simple ZIP files, in bytes of a part. */
const excelLimits = { cell: 32_767, rows: 1_048_576, bytes: 0xffff_ffff };
type Limits = typeof excelLimits;

/** Indexes in `cellFormats`. */
const formats = {
  heading: 1,
  text: 2,
  integer: 3,
  date: 4,
  time: 5,
  seconds: 6,
  moment: 7,
  milliseconds: 8,
};

/** Widths of the columns in characters, in the order of `sheetColumns`. */
const widths = [40, 12, 9, 32, 14, 12, 14, 50, 10, 17];

const columnLetters = sheetColumns.map((_, index) => String.fromCharCode(65 + index));
const lastColumn = columnLetters.at(-1);

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheetml = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypesPart = `${xmlHead}<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/></Types>`;

const packagePart = `${xmlHead}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookRelationsPart = `${xmlHead}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`;

/** No built-in format shows milliseconds, and readers may round to the shown precision. */
const ownFormat = { id: 164, code: 'yyyy\\-mm\\-dd\\ hh:mm:ss.000' };

/** Dates and times have built-in formats, which follow the settings of the reader. */
const cellFormats = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  ...[49, 1, 14, 20, 21, 22, ownFormat.id].map(
    (format) =>
      `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  ),
];

const stylesPart = `${xmlHead}<styleSheet xmlns="${spreadsheetml}"><numFmts count="1"><numFmt numFmtId="${ownFormat.id}" formatCode="${ownFormat.code}"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function hexOf(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Writes a text as XML. A character that XML cannot hold or would change is `_x000D_`, so the text
 * "_x000D_" itself gets an escaped underscore (ECMA-376, ST_Xstring).
 */
function escapeXml(text: string): string {
  return text
    .replace(/_(?=x[\da-f]{4}(?:_|(?![\t\n])[\p{Cc}\ufffe\uffff]))/giu, '_x005F_')
    .replace(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, hexOf)
    .replace(/[&<>]/g, (character) => entities[character] ?? '');
}

const dayZero = Date.UTC(1899, 11, 30);

/** Returns the share of the day that has passed. */
function timeOf(local: number): number {
  return (((local % dayMs) + dayMs) % dayMs) / dayMs;
}

function numberCell(place: string, format: number, value: number): string {
  return `<c r="${place}" s="${format}"><v>${value}</v></c>`;
}

function textCell(place: string, format: number, text: string): string {
  return `<c r="${place}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** The first number that Excel, which keeps 15 digits, may change. */
const firstInexact = 1e15;

/** Escapes a text that an import would change: it unescapes cells and ignores empty ones. */
function escapeText(text: string): string {
  return text === '' || unescapeCell(text) !== text ? `'${text}` : text;
}

function writeCell(cell: SheetCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return textCell(place, formats.text, escapeText(cell));
  if (typeof cell === 'number') {
    return Math.abs(cell) < firstInexact
      ? numberCell(place, formats.integer, cell)
      : textCell(place, formats.text, String(cell));
  }
  const { kind, local } = cell;
  const days = (local - dayZero) / dayMs;
  if (kind === 'moment') {
    const format = local % 1000 === 0 ? formats.moment : formats.milliseconds;
    return numberCell(place, format, days);
  }
  if (kind === 'date') return numberCell(place, formats.date, Math.floor(days));
  const format = local % minuteMs === 0 ? formats.time : formats.seconds;
  return numberCell(place, format, timeOf(local));
}

/** Throws a `WorkbookError` for a text that Excel would cut off. */
function requireCellLengths(cells: readonly SheetCell[], { name }: StoredEvent, limit: number) {
  for (const cell of cells) {
    const length = typeof cell === 'string' ? escapeText(cell).length : 0;
    if (length <= limit) continue;
    throw new WorkbookError({ code: 'text_too_long_for_cell', values: { name, length, limit } });
  }
}

function tooLarge({ rows }: Limits): WorkbookError {
  return new WorkbookError({ code: 'too_many_events_for_workbook', values: { rows: rows - 1 } });
}

function* writeSheet(
  events: Iterable<StoredEvent>,
  options: SheetOptions,
  limits: Limits,
): Generator<string> {
  const rowOf = createSheetRows(options);
  const columns = widths.map(
    (width, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const headings = sheetHeadings(options).map((text, index) =>
    textCell(`${columnLetters[index]}1`, formats.heading, text),
  );
  yield `${xmlHead}<worksheet xmlns="${spreadsheetml}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols><sheetData><row r="1">${headings.join('')}</row>`;
  let row = 1;
  for (const event of events) {
    row += 1;
    if (row > limits.rows) throw tooLarge(limits);
    const cells = rowOf(event);
    requireCellLengths(cells, event, limits.cell);
    const written = cells.map((cell, index) => writeCell(cell, `${columnLetters[index]}${row}`));
    yield `<row r="${row}">${written.join('')}</row>`;
  }
  yield `</sheetData><autoFilter ref="A1:${lastColumn}${row}"/></worksheet>`;
}

/** Writes the workbook. Excel expects a hidden name for the range of the filter. */
function writeWorkbook(title: string, rows: number): string {
  return `${xmlHead}<workbook xmlns="${spreadsheetml}" xmlns:r="${officeRelations}"><sheets><sheet name="${title}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${title}'!$A$1:$${lastColumn}$${rows}</definedName></definedNames></workbook>`;
}

/** Returns the parts of the workbook; the last one depends on the number of events. */
function* workbookParts(
  events: Iterable<StoredEvent>,
  options: SheetOptions,
  limits: Limits,
): Generator<ZipPart> {
  yield ['[Content_Types].xml', [contentTypesPart]];
  yield ['_rels/.rels', [packagePart]];
  yield ['xl/_rels/workbook.xml.rels', [workbookRelationsPart]];
  yield ['xl/styles.xml', [stylesPart]];
  let rows = 1;
  function* counted() {
    for (const event of events) {
      rows += 1;
      yield event;
    }
  }
  yield ['xl/worksheets/sheet1.xml', writeSheet(counted(), options, limits)];
  yield ['xl/workbook.xml', [writeWorkbook(options.words.spreadsheet.title, rows)]];
}

/**
 * Writes events as an Excel workbook (ECMA-376) in pieces. Throws a `WorkbookError` if a text or
 * the number of events exceeds a limit of Excel.
 */
export function writeXlsx(
  events: Iterable<StoredEvent>,
  options: SheetOptions,
  limits: Limits = excelLimits,
): Generator<Uint8Array<ArrayBuffer>> {
  return writeZip(workbookParts(events, options, limits), limits.bytes, () => tooLarge(limits));
}
