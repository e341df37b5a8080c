import { type ZipParts, zip } from './zip.ts';

/** A cell of a test: a text, a number, the number of a date, or XML. */
export type TestCell = string | number | { readonly date: number } | { readonly xml: string };

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Number of the style of dates in `xlsxParts`. */
export const dateStyle = 1;

function cellXml(cell: TestCell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  return 'xml' in cell ? cell.xml : `<c s="${dateStyle}"><v>${cell.date}</v></c>`;
}

/** Returns the rows of a sheet of .xlsx as XML. */
export function rowsXml(rows: readonly (readonly TestCell[])[]): string {
  return rows.map((cells) => `<row>${cells.map(cellXml).join('')}</row>`).join('');
}

type XlsxOptions = {
  /** Name of the first sheet. */
  readonly name?: string;
  /** Other sheets by name; a name may be followed by attributes. */
  readonly more?: Readonly<Record<string, string>>;
  /** The shared texts, as elements `si`. */
  readonly texts?: string;
  /** Formats of the styles from 2 on: numbers of built-in formats, or codes. */
  readonly formats?: readonly (number | string)[];
  /** Attributes of `workbookPr`. */
  readonly properties?: string;
  /** XML before and after the rows of the first sheet. */
  readonly before?: string;
  readonly after?: string;
};

const spreadsheetMl = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageMl = 'http://schemas.openxmlformats.org/package/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

function stylesXml(formats: readonly (number | string)[]): string {
  const codes = formats.flatMap((format, at) =>
    typeof format === 'number'
      ? []
      : [`<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(format)}"/>`],
  );
  const ids = [
    0,
    14,
    ...formats.map((format, at) => (typeof format === 'number' ? format : 200 + at)),
  ];
  const styles = ids.map((id) => `<xf numFmtId="${id}"/>`).join('');
  // The styles that users name come first and are not those of cells.
  return `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles}</cellXfs>`;
}

/** Returns the parts of an .xlsx file, as Excel names them; `rows` are those of its first sheet. */
export function xlsxParts(rows: string, options: XlsxOptions = {}): Record<string, string> {
  const { more = {}, texts, formats = [], properties = '', before = '', after = '' } = options;
  const sheets = [[options.name ?? 'Termine', rows] as const, ...Object.entries(more)];
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
  const names = sheets.map(([name], at) => {
    const [plain = '', attributes = ''] = name.split('|');
    return `<sheet name="${escapeXml(plain)}" sheetId="${at + 1}" ${attributes} r:id="rId${at + 1}"/>`;
  });
  const links = [
    ...sheets.map((_, at) =>
      relationship(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`),
    ),
    relationship('rIdS', 'styles', 'styles.xml'),
    ...(texts === undefined ? [] : [relationship('rIdT', 'sharedStrings', 'sharedStrings.xml')]),
  ];
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packageMl}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packageMl}/relationships">${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${spreadsheetMl}" xmlns:r="${relationships}"><workbookPr ${properties}/><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageMl}/relationships">${links.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${spreadsheetMl}">${stylesXml(formats)}</styleSheet>`,
    ...(texts !== undefined && {
      'xl/sharedStrings.xml': `<sst xmlns="${spreadsheetMl}">${texts}</sst>`,
    }),
    ...Object.fromEntries(
      sheets.map(([, xml], at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${spreadsheetMl}">${at === 0 ? before : ''}<sheetData>${xml}</sheetData>${at === 0 ? after : ''}</worksheet>`,
      ]),
    ),
  };
  return Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, declaration + xml]));
}

/** Makes an .xlsx file; `rows` are cells or the XML of rows. */
export function makeXlsx(
  rows: string | readonly (readonly TestCell[])[],
  options: XlsxOptions = {},
): Buffer {
  return zip(xlsxParts(typeof rows === 'string' ? rows : rowsXml(rows), options));
}

const odfNames = ['office', 'table', 'text', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** Returns the parts of an .ods file; `tables` are its elements `table:table`. */
export function odsParts(tables: string, styles = ''): ZipParts {
  return {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `${declaration}<office:document-content ${odfNames}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
  };
}

/** Returns a sheet of .ods with texts in its cells, or XML. */
export function tableXml(name: string, rows: readonly (readonly TestCell[])[]): string {
  const cell = (value: TestCell) => {
    if (typeof value === 'string') {
      return `<table:table-cell office:value-type="string"><text:p>${escapeXml(value)}</text:p></table:table-cell>`;
    }
    if (typeof value === 'object' && 'xml' in value) return value.xml;
    throw new Error('Dates and numbers of .ods are XML here.');
  };
  const lines = rows.map(
    (cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`,
  );
  return `<table:table table:name="${escapeXml(name)}">${lines.join('')}</table:table>`;
}

export function makeOds(tables: string, styles = ''): Buffer {
  return zip(odsParts(tables, styles));
}
