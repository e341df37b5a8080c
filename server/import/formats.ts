/** Formats of imported files, as `--format` names them. */
export const importFormats = ['csv', 'json', 'ics', 'xlsx', 'ods'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const formatByEnding = {
  ics: 'ics',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  ods: 'ods',
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  // A page for members contains its events as JSON.
  html: 'json',
  htm: 'json',
} as const satisfies Readonly<Record<string, ImportFormat>>;

export const importEndings = Object.keys(formatByEnding) as (keyof typeof formatByEnding)[];

/** Endings of other spreadsheets, most of which have to be saved as .xlsx before. */
export const otherSpreadsheetEndings = [
  ...['xls', 'xlsb', 'xlt', 'xltx', 'xltm', 'numbers', 'ots', 'fods'],
] as const;

/**
 * Endings of documents that are read like workbooks: their reader looks at the content and says what
 * the file is and what to do.
 */
export const documentEndings = [
  ...otherSpreadsheetEndings,
  ...['pdf', 'doc', 'docx', 'odt', 'rtf', 'ppt', 'pptx', 'odp', 'pages', 'mht', 'zip', 'xml', 'md'],
] as const;
