export const formatByEnding = {
  ics: 'ics',
  csv: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
} as const;

export const importEndings = Object.keys(formatByEnding) as (keyof typeof formatByEnding)[];
