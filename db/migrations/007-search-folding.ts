import { searchTables } from './003-search.ts';

/**
 * The tokenizer for folded texts (fold.ts). Marks count as parts of words: those that folding keeps
 * are vowels of scripts such as Devanagari and Thai, where words would otherwise be split.
 */
export const searchTokenizer = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"`;

const recreateTable = (table: string) => `
DROP TABLE ${table};
CREATE VIRTUAL TABLE ${table} USING fts5(
  words, content = '', columnsize = 0, detail = none, prefix = 1, ${searchTokenizer}
);`;

/** Recreates the full-text tables, empty, for folded texts; `indexEvents` fills them. */
export const recreateSearch = `
${searchTables.map(recreateTable).join('')}
DELETE FROM search_stale;
UPDATE search_progress SET last_row = 0;
-- Events after last_row are counted when they are indexed.
UPDATE users SET counted_events = 0;
`;
