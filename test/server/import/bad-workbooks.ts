import { makeXlsx, odsParts, rowsXml, tableXml, xlsxParts } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';

/** A file that cannot be imported. */
type BadFile = {
  readonly title: string;
  readonly name: string;
  readonly make: () => Uint8Array;
  readonly sentence: RegExp;
  readonly args?: readonly string[];
};

const rows = [
  ['Titel', 'Datum'],
  ['Fest', '2026-05-02'],
];
const good = makeXlsx(rows);

/** Returns a file of Microsoft Office before 2007 with these streams in its directory. */
function makeOle(...streams: readonly string[]): Buffer {
  const head = Buffer.alloc(1024);
  head.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  return Buffer.concat([
    head,
    ...streams.map((name) => Buffer.from(name.padEnd(64, '\0'), 'utf16le')),
  ]);
}

/** Returns a file of Microsoft Office whose main part has another type. */
function makeOffice(path: string, type: string): Buffer {
  const { 'xl/workbook.xml': main = '', ...parts } = xlsxParts(rowsXml(rows));
  const edited = Object.entries({ ...parts, [path]: main }).map(([name, xml]) => [
    name,
    xml
      .replaceAll('xl/workbook.xml', path)
      .replace(
        /application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet\.main\+xml/,
        type,
      ),
  ]);
  return zip(Object.fromEntries(edited));
}

/** Returns an .xlsx file with one part changed. */
function makeEdited(path: string, edit: (xml: string) => string | Buffer): Buffer {
  const parts = xlsxParts(rowsXml(rows), { texts: '<si><t>a</t></si>' });
  return zip({ ...parts, [path]: edit(parts[path] ?? '') });
}

const sheet = 'xl/worksheets/sheet1.xml';

/** Returns an .xlsx file whose sheet has a document type. */
function makeWithDoctype(doctype: string, text: string): Buffer {
  const cell = `<row><c t="str"><v>${text}</v></c></row></sheetData>`;
  return makeEdited(sheet, (xml) =>
    xml.replace('<worksheet', `${doctype}<worksheet`).replace('</sheetData>', cell),
  );
}

const laughs = Array.from({ length: 30 }, (_, at) =>
  at === 0 ? '<!ENTITY a0 "lol">' : `<!ENTITY a${at} "${`&a${at - 1};`.repeat(10)}">`,
).join('');

const eventRow = '<row><c t="inlineStr"><is><t>Fest</t></is></c><c s="1"><v>46144</v></c></row>';
const columns = (count: number) => Array.from({ length: count }, (_, at) => `Spalte ${at}`);

/** Files that mean no harm, and a sentence about each. */
export const wrongFiles: readonly BadFile[] = [
  {
    title: 'a workbook with a password',
    name: 'a.xlsx',
    make: () => makeOle('Root Entry', 'EncryptionInfo', 'EncryptedPackage'),
    sentence: /protected with a password; remove the password in Excel/,
  },
  {
    title: 'an OpenDocument spreadsheet with a password',
    name: 'a.ods',
    make: () =>
      zip({
        ...odsParts(tableXml('a', rows)),
        'content.xml': Buffer.from([7, 1, 9, 200]),
        'META-INF/manifest.xml': '<m:manifest><m:encryption-data/></m:manifest>',
      }),
    sentence: /protected with a password/,
  },
  {
    title: 'a workbook of an old Excel',
    name: 'a.xls',
    make: () => makeOle('Root Entry', 'Workbook'),
    sentence: /older Excel \(\.xls\); open it in Excel and save it as \.xlsx/,
  },
  {
    title: 'a workbook of an old Excel named .csv',
    name: 'a.csv',
    make: () => makeOle('Root Entry', 'Book'),
    sentence: /older Excel \(\.xls\)/,
  },
  {
    title: 'another file of an old Office',
    name: 'a.xls',
    make: () => makeOle('Root Entry', 'Quill'),
    sentence: /older file of Microsoft Office/,
  },
  {
    title: 'a binary workbook',
    name: 'a.xlsb',
    make: () =>
      makeOffice('xl/workbook.bin', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'),
    sentence: /binary workbook \(\.xlsb\); save it as \.xlsx in Excel/,
  },
  {
    title: 'a Numbers document',
    name: 'a.numbers',
    make: () => zip({ 'Index/Document.iwa': 'x', 'Metadata/Properties.plist': 'x' }),
    sentence: /Numbers or Pages; in Numbers, choose "Export To", then "Excel"/,
  },
  {
    title: 'a Word document',
    name: 'a.docx',
    make: () =>
      makeOffice(
        'word/document.xml',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
      ),
    sentence: /text document, such as one of Word; copy its table into Excel/,
  },
  {
    title: 'an old Word document',
    name: 'a.doc',
    make: () => makeOle('Root Entry', 'WordDocument'),
    sentence: /text document, such as one of Word/,
  },
  {
    title: 'a PowerPoint presentation',
    name: 'a.pptx',
    make: () =>
      makeOffice(
        'ppt/presentation.xml',
        'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
      ),
    sentence: /presentation or drawing; copy its table into Excel/,
  },
  {
    title: 'an OpenDocument text',
    name: 'a.odt',
    make: () => zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' }),
    sentence: /text document/,
  },
  {
    title: 'a PDF',
    name: 'a.pdf',
    make: () => Buffer.from('%PDF-1.7\n'),
    sentence: /this is a PDF; ask for the table itself/,
  },
  {
    title: 'a PDF named .xlsx',
    name: 'a.xlsx',
    make: () => Buffer.from('%PDF-1.7\n'),
    sentence: /this is a PDF/,
  },
  {
    title: 'a web page named .xls',
    name: 'a.xls',
    make: () =>
      Buffer.from('\ufeff\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>'),
    sentence: /web page \(HTML\); open it in Excel and save it as \.xlsx/,
  },
  {
    title: 'a web page named .csv',
    name: 'a.csv',
    make: () => Buffer.from('<!DOCTYPE html>\n<html>'),
    sentence: /web page \(HTML\)/,
  },
  {
    title: 'an XML spreadsheet of Excel 2003 named .xls',
    name: 'a.xls',
    make: () =>
      Buffer.from('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'),
    sentence: /XML file; if it is a table, open it in Excel/,
  },
  {
    title: 'a CSV file named .xlsx',
    name: 'a.xlsx',
    make: () => Buffer.from('Titel;Datum\nFest;2026-05-02\n'),
    sentence: /text file, not a workbook; .*--format csv/,
  },
  {
    title: 'a CSV file in an old encoding named .xls',
    name: 'a.xls',
    make: () => Buffer.from('Titel;Datum\r\nFr\xfchling;2.5.2026\r\n', 'latin1'),
    sentence: /text file, not a workbook/,
  },
  ...['csv', 'txt', 'json', 'ics'].map((ending) => ({
    title: `a workbook named .${ending}`,
    name: `a.${ending}`,
    make: () => good,
    sentence:
      /workbook; change the end of its name to \.xlsx, or give its format with --format xlsx/,
  })),
  {
    title: 'an OpenDocument spreadsheet named .csv',
    name: 'a.csv',
    make: () => zip(odsParts(tableXml('a', rows))),
    sentence: /change the end of its name to \.ods/,
  },
  {
    title: 'a ZIP file',
    name: 'a.zip',
    make: () => zip({ 'season.csv': 'Titel;Datum\n' }),
    sentence: /ZIP file; unpack it/,
  },
  {
    title: 'a picture named .xlsx',
    name: 'a.xlsx',
    make: () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    sentence: /not a workbook; save the table as \.xlsx in Excel/,
  },
  { title: 'an empty file', name: 'a.xlsx', make: () => Buffer.of(), sentence: /file is empty/ },
  {
    title: 'half of a workbook',
    name: 'a.xlsx',
    make: () => good.subarray(0, good.length / 2),
    sentence: /damaged or cut off; save it again as \.xlsx in Excel/,
  },
  {
    title: 'a workbook without its last byte',
    name: 'a.xlsx',
    make: () => good.subarray(0, -1),
    sentence: /damaged or cut off/,
  },
  {
    title: 'a workbook with a changed byte',
    name: 'a.xlsx',
    make: () => {
      const bytes = Buffer.from(good);
      const at = bytes.indexOf(sheet) + sheet.length + 20;
      bytes[at] = (bytes[at] ?? 0) ^ 0x20;
      return bytes;
    },
    sentence: /damaged or cut off/,
  },
  {
    title: 'a workbook without the sheet',
    name: 'a.xlsx',
    make: () => good,
    args: ['--sheet', 'Plan'],
    sentence: /there is no sheet "Plan"; the sheets are "Termine"/,
  },
];

/** Files made to harm. */
export const hostileFiles: readonly BadFile[] = [
  {
    title: 'a ZIP bomb',
    name: 'a.xlsx',
    make: () => makeEdited(sheet, (xml) => Buffer.alloc(200_000_000, xml.slice(0, 20))),
    sentence: /too large; save the sheet with the events as CSV/,
  },
  {
    title: 'a ZIP bomb with a wrong size',
    name: 'a.xlsx',
    make: () =>
      zip(
        { ...xlsxParts(rowsXml(rows)), [sheet]: Buffer.alloc(100_000_000, '<row/>') },
        { [sheet]: { size: 1000 } },
      ),
    sentence: /damaged/,
  },
  {
    title: 'a ZIP bomb of shared texts',
    name: 'a.xlsx',
    make: () => makeEdited('xl/sharedStrings.xml', () => `<sst>${'<si/>'.repeat(6_000_000)}</sst>`),
    sentence: /too large/,
  },
  {
    title: 'a ZIP file of 60,000 parts',
    name: 'a.xlsx',
    make: () =>
      zip(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`xl/${at}`, '']))),
    sentence: /too large/,
  },
  {
    title: 'an entity bomb',
    name: 'a.xlsx',
    make: () => makeWithDoctype(`<!DOCTYPE a [${laughs}]>`, '&a29;'),
    sentence: /not written by a spreadsheet program/,
  },
  {
    title: 'an external entity',
    name: 'a.xlsx',
    make: () => makeWithDoctype('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
    sentence: /not written by a spreadsheet program/,
  },
  {
    title: 'an unknown entity',
    name: 'a.xlsx',
    make: () => makeWithDoctype('', '&x;'),
    sentence: /damaged/,
  },
  {
    title: 'a million rows',
    name: 'a.xlsx',
    make: () => makeXlsx(eventRow.repeat(1_000_000)),
    sentence: /more than 200000 rows; delete those without events, or save the sheet as CSV/,
  },
  {
    title: 'a million repeated rows',
    name: 'a.ods',
    make: () => {
      const table = tableXml('a', [...rows, ['Fest', '2026-05-02']]);
      const repeated = '<table:table-row table:number-rows-repeated="1000000">';
      const at = table.lastIndexOf('<table:table-row>');
      return zip(
        odsParts(`${table.slice(0, at)}${table.slice(at).replace('<table:table-row>', repeated)}`),
      );
    },
    sentence: /more than 200000 rows/,
  },
  {
    title: '16,384 columns without a name among them',
    name: 'a.xlsx',
    make: () => makeXlsx([columns(16_384), columns(16_384)]),
    sentence: /the events are not in rows/,
  },
  {
    title: '16,385 columns',
    name: 'a.xlsx',
    make: () => makeXlsx([columns(16_385)]),
    sentence: /damaged/,
  },
  {
    title: '100,000 rows that end in the last column',
    name: 'a.xlsx',
    make: () => makeXlsx('<row><c r="XFD1"><v>1</v></c></row>'.repeat(100_000)),
    sentence: /too large/,
  },
  {
    title: 'a cell of 50 MB',
    name: 'a.xlsx',
    make: () => makeXlsx(`<row><c t="str"><v>${'x'.repeat(50_000_000)}</v></c></row>`),
    sentence: /damaged/,
  },
  {
    title: 'elements within each other, a million deep',
    name: 'a.xlsx',
    make: () => makeXlsx('<a>'.repeat(1_000_000)),
    sentence: /damaged/,
  },
  {
    title: 'a cell with a million attributes',
    name: 'a.xlsx',
    make: () => {
      const attributes = Array.from({ length: 1_000_000 }, (_, at) => ` a${at}="1"`).join('');
      return makeXlsx(`<row><c${attributes}/></row>`);
    },
    sentence: /damaged/,
  },
  {
    title: '100,000 sheets',
    name: 'a.xlsx',
    make: () =>
      makeEdited('xl/workbook.xml', (xml) =>
        xml.replace(/<sheet .+?\/>/, (one) => one.repeat(100_000)),
      ),
    args: ['--sheet', 'Plan'],
    sentence: /there is no sheet "Plan"; the sheets are ("Termine", ){20}…/,
  },
  {
    title: '100,000 merged cells',
    name: 'a.xlsx',
    make: () =>
      makeXlsx(rowsXml([...rows, ['Fest', 'kein Datum']]), {
        after: `<mergeCells>${'<mergeCell ref="A2:XFD1048576"/>'.repeat(100_000)}</mergeCells>`,
      }),
    sentence: /row 3/,
  },
];
