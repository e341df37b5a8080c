import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, fillIn } from '../../electron/texts.ts';
import { type Language, languages, type Texts } from '../../server/ui/i18n/text.ts';

type Table = Readonly<Record<Language, Texts>>;

const folder = join(import.meta.dirname, '../../electron');
const files = readdirSync(folder).filter((name) => name.endsWith('-texts.ts'));
const tables: Table[] = [];
for (const file of files) {
  tables.push(...Object.values((await import(join(folder, file))) as Record<string, Table>));
}

const placesIn = (text = '') => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).sort();

describe('the texts of the shell', () => {
  it('have the same places to fill in, and marks of their language, in every language', () => {
    expect(tables.length).toBeGreaterThan(3);
    for (const table of tables) {
      for (const language of Object.keys(languages) as Language[]) {
        for (const [name, text] of Object.entries(table[language])) {
          expect(placesIn(text), `${language} ${name}`).toEqual(placesIn(table.en[name]));
          expect(text, `${language} ${name}`).not.toMatch(/'|\.\.\.|^\s|\s$/);
        }
      }
    }
  });

  it('are filled in, with nothing where there is nothing', () => {
    expect(fillIn('{{a}} and {{b}} in {{c}}', { a: '$&', b: '{{c}}' })).toBe('$& and {{c}} in ');
  });

  it.each([
    ['de', null, 'de-AT'],
    ['nl', null, 'nl'],
    ['fr', null, 'fr_CA'],
    ['en', null, 'pt-BR'],
    ['en', null, ''],
    ['en', null, 'toString'],
    ['fr', 'fr', 'de-DE'],
  ] as const)('are in %s for the setting %s on a system in %s', (language, set, locale) => {
    expect(chooseLanguage(set, locale)).toBe(language);
  });
});
