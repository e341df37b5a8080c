import type { CommandCode } from '../messages/message.ts';

/** Uses of a file in the window, with the screen that takes it. */
export const fileUses = {
  import: 'import',
  daysOff: 'club-settings',
  restore: 'backups',
  /** To keep the copy of a club up to date. */
  follow: 'sync',
  proposals: 'proposals',
} as const;
export type FileUse = keyof typeof fileUses;

type FileFacts = {
  /** The uses in the window, which asks if there are several. */
  readonly uses: readonly FileUse[];
  /** The code of the sentence with which a command for another kind refuses it. */
  readonly refusal: CommandCode | undefined;
};

/** Kinds of files that a person gives to the program. */
export const fileKinds = {
  events: { uses: ['import'], refusal: 'file_is_table' },
  /** A calendar of whole days only: days off, or events. */
  daysOff: { uses: ['daysOff', 'import'], refusal: 'file_is_table' },
  backup: { uses: ['restore'], refusal: 'file_is_backup' },
  /** The copy of a club for another computer, as a file or as a page. */
  copy: { uses: ['follow', 'import'], refusal: 'file_is_copy' },
  proposals: { uses: ['proposals'], refusal: 'file_is_proposals' },
  /** Any other file, about which the import says what it is and what to do. */
  other: { uses: [], refusal: undefined },
} as const satisfies Readonly<Record<string, FileFacts>>;
export type FileKind = keyof typeof fileKinds;

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

/** Endings of backups. */
export const backupEndings = ['sqlite', 'gz'] as const;

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
