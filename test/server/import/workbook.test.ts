import { describe, expect, it } from 'vitest';
import {
  dateStyle,
  makeOds,
  makeXlsx,
  odsParts,
  rowsXml,
  tableXml,
  xlsxParts,
} from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { setUp } from './set-up.ts';
import {
  openTables,
  previewSheet,
  readCells,
  readNotes,
  readRefusal,
  readRows,
  sheetRefusal,
} from './workbook-reading.ts';

describe('a cell of .xlsx', () => {
  const read = async (xml: string, more: Parameters<typeof makeXlsx>[1] = {}) =>
    (await readCells(makeXlsx(`<row>${xml}</row>`, more)))[0]?.[0];

  it.each([
    ['an inline text', '<c t="inlineStr"><is><t>Fest &amp; Lauf</t></is></c>', 'Fest & Lauf'],
    [
      'rich text',
      '<c t="inlineStr"><is><r><t>Sommer</t></r><r><rPr><b/></rPr><t xml:space="preserve"> fest</t></r></is></c>',
      'Sommer fest',
    ],
    ['a text of a formula', '<c t="str"><f>A1&amp;B1</f><v>Fest 1</v></c>', 'Fest 1'],
    ['a number', '<c><v>12.50</v></c>', '12.5'],
    ['a number of a formula', '<c><f>SUM(A1:A2)</f><v>3</v></c>', '3'],
    ['a large number', '<c><v>1.5E7</v></c>', '15000000'],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['false', '<c t="b"><v>0</v></c>', 'false'],
    ['an error', '<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['a date', `<c s="${dateStyle}"><v>46144</v></c>`, '2026-05-02'],
    ['a date with a time', `<c s="${dateStyle}"><v>46144.8125</v></c>`, '2026-05-02T19:30:00'],
    ['an ISO date', '<c t="d"><v>2026-05-02</v></c>', '2026-05-02'],
    ['an ISO date at midnight', '<c t="d"><v>2026-05-02T00:00:00.000</v></c>', '2026-05-02'],
    ['an ISO time', '<c t="d"><v>19:30</v></c>', '19:30:00'],
    ['a stored date', '<c t="d"><v>2026-05-02T19:30:00Z</v></c>', '2026-05-02T19:30:00'],
    ['an escaped character', '<c t="str"><v>a_x000A_b_x005F_c</v></c>', 'a\nb_c'],
    ['Excel’s line end', '<c t="str"><v>a_x000D_&#10;b</v></c>', 'a\r\nb'],
    ['text in a CDATA section', '<c t="str"><v><![CDATA[a < b]]></v></c>', 'a < b'],
  ])('a cell of .xlsx is %s', async (_, xml, text) => {
    expect(await read(xml)).toBe(text);
  });

  it('a cell of .xlsx is a shared text, without the pronunciation', async () => {
    const texts =
      '<si><t>Fest</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>とう</t></rPh></si>';
    const rows = '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c></row>';
    expect(await readCells(makeXlsx(rows, { texts }))).toEqual([['東京', 'Fest']]);
  });

  it.each([
    [14, 46144, '2026-05-02'],
    [22, 46144.8125, '2026-05-02T19:30:00'],
    [20, 0.8125, '19:30:00'],
    [20, 0, '00:00:00'],
    [14, 0, '0'],
    [14, -3, '-3'],
    [14, 60, '60'],
    [14, 61, '1900-03-01'],
    [14, 2_958_466, '2958466'],
    [46, 1.0625, '1.0625'],
    [57, 46144, '2026-05-02'],
    [2, 46144, '46144'],
    ['[$-407]dddd, d. mmmm yyyy', 46144, '2026-05-02'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 46144, '2026-05-02'],
    ['dd.mm.yyyy', 46144, '2026-05-02'],
    ['dd/mm/yy hh:mm', 46144.75, '2026-05-02T18:00:00'],
    ['hh:mm" Uhr"', 0.805_555_555_6, '19:20:00'],
    ['h:mm AM/PM', 0.5, '12:00:00'],
    ['[h]:mm', 0.25, '06:00:00'],
    ['mm:ss.000', 0.000_016, '00:00:01.382'],
    ['hh:mm', 0.812_499_99, '19:30:00'],
    ['mmm', 46144, '2026-05-02'],
    ['General', 46144, '46144'],
    ['00000', 1067, '01067'],
    ['0.00E+00', 46144, '46144'],
    ['#,##0 "days"', 46144, '46144'],
    ['#,##0\\ \\d', 46144, '46144'],
    ['[Red]0;[Blue]-0', 46144, '46144'],
    ['#,##0.00 [$USD-409]', 46144, '46144'],
    ['0;[Red]dd', 46144, '46144'],
    ['@', 46144, '46144'],
  ])('a cell of .xlsx in the format %j with the value %d is %s', async (format, value, text) => {
    expect(await read(`<c s="2"><v>${value}</v></c>`, { formats: [format] })).toBe(text);
  });

  it('a cell of .xlsx is a date of the calendar from 1904', async () => {
    const properties = 'date1904="1"';
    const cells = [[{ date: 44_682 }, { date: 44_682.8125 }, { date: 0.5 }]];
    expect(await readCells(makeXlsx(cells, { properties }))).toEqual([
      ['2026-05-02', '2026-05-02T19:30:00', '12:00:00'],
    ]);
  });

  it('refers to a shared text that exists', async () => {
    const rows = '<row><c t="s"><v>7</v></c></row>';
    expect(await readRefusal(makeXlsx(rows, { texts: '<si><t>a</t></si>' }))).toMatch(/damaged/);
  });
});

describe('a row of .xlsx', () => {
  it('a row of .xlsx has its number and its cells in their columns', async () => {
    const rows = `
      <row r="3"><c r="B3"><v>1</v></c><c r="D3"><v>2</v></c><c r="F3"/></row>
      <row r="4"><c r="A4" s="1"/></row>
      <row><c><v>3</v></c><c r="AA5"><v>4</v></c></row>
      <row r="9"><c r="XFD9"><v>5</v></c></row>`;
    const [table] = await openTables(makeXlsx(rows));
    if (table === undefined) throw new Error('There is no table.');
    const found = await readRows(table);
    expect(found.map(({ row }) => row)).toEqual([3, 5, 9]);
    expect(found[0]?.cells).toEqual(['', '1', '', '2']);
    expect(found[1]?.cells).toEqual(['3', ...Array.from({ length: 25 }, () => ''), '4']);
    expect(found[2]?.cells).toHaveLength(16_384);
  });

  it('a row of .xlsx can be read again and has the same cells', async () => {
    const [table] = await openTables(makeXlsx([['a', 'b'], ['c']]));
    if (table === undefined) throw new Error('There is no table.');
    expect(await readRows(table)).toEqual(await readRows(table));
  });

  it('repeats cells that are merged with those above', async () => {
    const rows = `
      <row r="1"><c r="A1" t="str"><v>Title</v></c></row>
      <row r="2"><c r="A2" s="1"><v>46144</v></c><c r="B2"><v>1</v></c></row>
      <row r="3"><c r="A3"/><c r="B3"><v>2</v></c></row>
      <row r="4"><c r="A4"/></row>
      <row r="5"><c r="B5"><v>3</v></c></row>
      <row r="6"><c r="B6"><v>4</v></c></row>`;
    const after =
      '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A5"/></mergeCells><pageMargins/>';
    expect(await readCells(makeXlsx(rows, { after }))).toEqual([
      ['Title'],
      ['2026-05-02', '1'],
      ['2026-05-02', '2'],
      ['2026-05-02', '3'],
      ['', '4'],
    ]);
  });

  it('a row of .xlsx is left out with a note if it is hidden', async () => {
    const rows = `
      <row r="1"><c><v>1</v></c></row>
      <row r="2" hidden="1"><c><v>2</v></c></row>
      <row r="3" hidden="true"><c><v>3</v></c></row>
      <row r="4" hidden="1"><c/></row>
      <row r="5"><c><v>5</v></c></row>`;
    expect(await readCells(makeXlsx(rows))).toEqual([['1'], ['5']]);
    expect(await readNotes(makeXlsx(rows))).toEqual([
      '2 hidden rows were left out. Show all rows in the spreadsheet to import them.',
    ]);
  });
});

describe('a sheet of .xlsx', () => {
  it('a sheet of .xlsx has empty cells in hidden columns, with a note', async () => {
    const before =
      '<cols><col min="2" max="3" hidden="1"/><col min="5" max="16384" hidden="1"/></cols>';
    const file = makeXlsx([['a', 'b', '', 'd', 'e']], { before });
    expect(await readCells(file)).toEqual([['a', '', '', 'd']]);
    expect(await readNotes(file)).toEqual(['Hidden columns were left out: B, E.']);
  });

  const more = { Alt: rowsXml([['x']]), 'Geheim|state="hidden"': rowsXml([['y']]), Gäste: '' };

  it('a sheet of .xlsx comes in the order of the workbook, without hidden ones', async () => {
    const tables = await openTables(makeXlsx([['a']], { more }));
    expect(tables.map(({ sheet }) => sheet)).toEqual(['Termine', 'Alt', 'Gäste']);
    const { notes } = await previewSheet(makeXlsx([['a']], { more }));
    expect(notes).toContain('Hidden sheets were left out: "Geheim".');
  });

  it('a sheet of .xlsx is chosen by its name, in any capitals, also if it is hidden', async () => {
    const file = makeXlsx([['a']], { more });
    const sheets = ['Termine', 'Alt', 'Gäste'];
    expect(await previewSheet(file, 'alt ')).toMatchObject({
      sheet: 'Alt',
      sheets,
      columns: ['x'],
    });
    expect(await previewSheet(file, 'Geheim')).toMatchObject({ sheet: 'Geheim', columns: ['y'] });
    const { notes } = await previewSheet(file, 'Geheim');
    expect(notes).not.toContain('Hidden sheets were left out: "Geheim".');
  });

  it('a sheet of .xlsx is refused with the names of the sheets if there is none of the name', async () => {
    expect(await sheetRefusal(makeXlsx([['a']], { more }), 'Neu')).toBe(
      'season.xlsx: there is no sheet "Neu"; the sheets are "Termine", "Alt", "Gäste" (nothing was imported).',
    );
  });

  it('a sheet of .xlsx may have no rows', async () => {
    expect(await readCells(makeXlsx(''))).toEqual([]);
    const parts = xlsxParts('');
    const path = 'xl/worksheets/sheet1.xml';
    parts[path] = (parts[path] ?? '').replace('<sheetData></sheetData>', '<sheetData/>');
    expect(await readCells(zip(parts))).toEqual([]);
  });
});

describe('the parts of .xlsx', () => {
  const rows = rowsXml([['a', { date: 46_144 }]]);
  const cells = [['a', '2026-05-02']];
  const change = (edit: (path: string, xml: string) => readonly [path: string, xml: string]) =>
    zip(Object.fromEntries(Object.entries(xlsxParts(rows)).map(([path, xml]) => edit(path, xml))));

  it('the parts of .xlsx may have prefixes', async () => {
    const file = change((path, xml) => [
      path,
      path.startsWith('xl/w') && !path.endsWith('.rels')
        ? xml.replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:').replace('xmlns=', 'xmlns:x=')
        : xml,
    ]);
    expect(await readCells(file)).toEqual(cells);
  });

  it('the parts of .xlsx may be those of the strict version', async () => {
    const file = change((path, xml) => [
      path,
      xml
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006',
          'http://purl.oclc.org/ooxml/officeDocument',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        ),
    ]);
    expect(await readCells(file)).toEqual(cells);
  });

  it('the parts of .xlsx may have absolute targets, other names and capitals', async () => {
    const file = change((path, xml) => [
      `/${path.replace('sheet1', 'Blatt')}`.replaceAll('/xl/worksheets', '\\xl\\worksheets'),
      xml
        .replace('worksheets/sheet1.xml', '/xl/worksheets/BLATT.xml')
        .replace('"styles', '"./styles'),
    ]);
    expect(await readCells(file)).toEqual(cells);
  });

  it('the parts of .xlsx may be UTF-16', async () => {
    const parts = Object.entries(xlsxParts(rowsXml([['Übung']]))).map(([path, xml]) => [
      path,
      Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ]);
    expect(await readCells(zip(Object.fromEntries(parts)))).toEqual([['Übung']]);
  });

  it('the parts of .xlsx may lack styles, relationships and content types', async () => {
    const parts = xlsxParts(rowsXml([['a', 1]]));
    delete parts['xl/styles.xml'];
    delete parts['_rels/.rels'];
    delete parts['[Content_Types].xml'];
    expect(await readCells(zip(parts))).toEqual([['a', '1']]);
  });
});

describe('a cell of .ods', () => {
  it.each([
    ['a text', 'office:value-type="string"', '<text:p>Fest</text:p>', 'Fest'],
    [
      'several paragraphs',
      'office:value-type="string"',
      '<text:p>a<text:s text:c="2"/>b<text:tab/>c</text:p><text:p>d<text:line-break/><text:span>e</text:span></text:p>',
      'a  b\tc\nd\ne',
    ],
    [
      'a text with a comment',
      'office:value-type="string"',
      '<office:annotation><text:p>Who?</text:p></office:annotation><text:p>Fest</text:p>',
      'Fest',
    ],
    ['a text in an attribute', 'office:value-type="string" office:string-value="Fest"', '', 'Fest'],
    [
      'a number',
      'office:value-type="float" office:value="12.50"',
      '<text:p>12,50</text:p>',
      '12.5',
    ],
    [
      'a percentage',
      'office:value-type="percentage" office:value="0.5"',
      '<text:p>50%</text:p>',
      '0.5',
    ],
    [
      'true',
      'office:value-type="boolean" office:boolean-value="true"',
      '<text:p>WAHR</text:p>',
      'true',
    ],
    [
      'a date',
      'office:value-type="date" office:date-value="2026-05-02"',
      '<text:p>2. Mai</text:p>',
      '2026-05-02',
    ],
    [
      'a date with a time',
      'office:value-type="date" office:date-value="2026-05-02T19:29:59.999999999"',
      '',
      '2026-05-02T19:30:00',
    ],
    [
      'a time',
      'office:value-type="time" office:time-value="PT19H30M00S"',
      '<text:p>19:30</text:p>',
      '19:30:00',
    ],
    [
      'a time with fractions',
      'office:value-type="time" office:time-value="PT19H20M00.250000S"',
      '',
      '19:20:00.250',
    ],
    ['a duration', 'office:value-type="time" office:time-value="PT25H00M00S"', '', '25:00:00'],
    [
      'an error',
      'office:value-type="string" office:string-value=""',
      '<text:p>#REF!</text:p>',
      '#REF!',
    ],
  ])('a cell of .ods is %s', async (_, attributes, content, text) => {
    const cell = { xml: `<table:table-cell ${attributes}>${content}</table:table-cell>` };
    expect(await readCells(makeOds(tableXml('Sheet1', [[cell, 'x']])))).toEqual([[text, 'x']]);
  });
});

describe('a sheet of .ods', () => {
  const text = (value: string, attributes = '') =>
    `<table:table-cell office:value-type="string" ${attributes}><text:p>${value}</text:p></table:table-cell>`;
  const empty = (count: number) => `<table:table-cell table:number-columns-repeated="${count}"/>`;
  const row = (cells: string, attributes = '') =>
    `<table:table-row ${attributes}>${cells}</table:table-row>`;
  const table = (name: string, content: string, attributes = '') =>
    `<table:table table:name="${name}" ${attributes}>${content}</table:table>`;

  it('a sheet of .ods has repeated rows and cells', async () => {
    const content = [
      row(text('a', 'table:number-columns-repeated="2"') + empty(2) + text('b') + empty(16_379)),
      row(empty(16_384), 'table:number-rows-repeated="1000"'),
      row(text('c') + empty(16_383), 'table:number-rows-repeated="2"'),
      row(empty(16_384), 'table:number-rows-repeated="1047573"'),
    ];
    const [sheet] = await openTables(makeOds(table('Sheet1', content.join(''))));
    if (sheet === undefined) throw new Error('There is no sheet.');
    expect(await readRows(sheet)).toEqual([
      { row: 1, cells: ['a', 'a', '', '', 'b'] },
      { row: 1002, cells: ['c'] },
      { row: 1003, cells: ['c'] },
    ]);
  });

  it('repeats cells that are merged with those above', async () => {
    const covered = '<table:covered-table-cell/>';
    const content = [
      row(text('Titel', 'table:number-columns-spanned="2"') + covered),
      row(text('2. Mai', 'table:number-rows-spanned="2"') + text('x')),
      row(covered + text('y')),
      row(empty(1) + text('z')),
    ];
    expect(await readCells(makeOds(table('Sheet1', content.join(''))))).toEqual([
      ['Titel'],
      ['2. Mai', 'x'],
      ['2. Mai', 'y'],
      ['', 'z'],
    ]);
  });

  it('leaves hidden rows, columns and sheets out with notes', async () => {
    const columns =
      '<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>';
    const content = [
      `<table:table-header-rows>${row(text('a') + text('b') + text('c') + text('d'))}</table:table-header-rows>`,
      row(text('e'), 'table:visibility="collapse"'),
      row(text('f'), 'table:visibility="filter"'),
      `<table:table-row-group table:display="false">${row(text('g'))}</table:table-row-group>`,
      `<table:table-row-group>${row(text('h'))}</table:table-row-group>`,
    ];
    const styles =
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>' +
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const file = makeOds(
      table('Weg', row(text('z')), 'table:style-name="ta2"') +
        table('Termine', columns + content.join(''), 'table:style-name="ta1"') +
        table('Mehr', row(text('y')), 'table:style-name="ta1"'),
      styles,
    );
    expect((await openTables(file)).map(({ sheet }) => sheet)).toEqual(['Termine', 'Mehr']);
    expect(await readCells(file)).toEqual([['a', '', '', 'd'], ['h']]);
    expect(await readNotes(file)).toEqual([
      '3 hidden rows were left out. Show all rows in the spreadsheet to import them.',
      'Hidden columns were left out: B, C.',
    ]);
    const { notes } = await previewSheet(file);
    expect(notes).toContain('Hidden sheets were left out: "Weg".');
  });

  it('a sheet of .ods is recognised without its type', async () => {
    const { mimetype: _, ...parts } = odsParts(tableXml('Sheet1', [['a']]));
    expect(await readCells(zip(parts))).toEqual([['a']]);
  });
});

describe('an import', () => {
  const rows = [
    ['name', 'date'],
    ['Fest', { date: 46_144 }],
  ];

  it('reads the sheet that the user chose', async () => {
    const { run, stored } = setUp();
    const file = makeXlsx([['x']], { more: { Plan: rowsXml(rows) } });
    expect(await run({ 'season.xlsx': file }, { sheet: ['Plan'] })).toMatchObject({ added: 1 });
    expect(stored()).toMatchObject([{ name: 'Fest', date: '2026-05-01T22:00:00.000Z' }]);
  });

  it.each(['XLSX', 'xls', 'ods', 'xltx'])('reads a workbook named .%s', async (ending) => {
    const { run } = setUp();
    expect(await run({ [`season.${ending}`]: makeXlsx(rows) })).toMatchObject({ added: 1 });
  });

  it.each(['tsv', 'txt'])('reads a .%s file as CSV', async (ending) => {
    const { run } = setUp();
    const content = 'name\tdate\nFest\t2026-05-02\n';
    expect(await run({ [`season.${ending}`]: content })).toMatchObject({ added: 1 });
  });
});
