/** Formats of imported files, as `--format` names them. */
export const importFormats = ['csv', 'json', 'ics'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const formatByEnding = {
  ics: 'ics',
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
} as const satisfies Readonly<Record<string, ImportFormat>>;

export const importEndings = Object.keys(formatByEnding) as (keyof typeof formatByEnding)[];
