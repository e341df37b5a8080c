import { searchTables } from './003-search.ts';

/**
 * The tokenizer of folded texts (fold.ts). Marks are parts of words: those that are left are the
 * vowels of scripts such as Devanagari and Thai, at which words would break apart.
 */
export const searchTokenizer = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"`;

const recreateTable = (table: string) => `
DROP TABLE ${table};
CREATE VIRTUAL TABLE ${table} USING fts5(
  words, content = '', columnsize = 0, detail = none, prefix = 1, ${searchTokenizer}
);`;

/** Empty full-text tables for texts that are folded in every script; indexEvents fills them. */
export const recreateSearch = `
${searchTables.map(recreateTable).join('')}
DELETE FROM search_stale;
UPDATE search_progress SET last_row = 0;
-- Events after last_row are counted when they are indexed.
UPDATE users SET counted_events = 0;
`;
