import { describe, expect, it } from 'vitest';
import {
  catalogues,
  type Language,
  languages,
  supportedLanguage,
  translator,
} from '../../server/messages/messages.ts';

type Section = Readonly<Record<string, string>>;

const codes = Object.keys(languages) as Language[];
const sections = Object.keys(catalogues.en) as (keyof typeof catalogues.en)[];
const others = codes.filter((language) => language !== 'en');

const placeholdersIn = (text: string) => text.match(/\{\{\w+\}\}/g)?.toSorted() ?? [];

describe.each(codes)('the messages in %s', (language) => {
  it('has the sections and keys of the English messages', () => {
    expect(Object.keys(catalogues[language])).toEqual(sections);
    for (const section of sections) {
      const keys = Object.keys(catalogues[language][section]);
      expect(keys, section).toEqual(Object.keys(catalogues.en[section]));
    }
  });

  it.each(sections)('has the placeholders of the English messages in %s', (section) => {
    const texts: Section = catalogues[language][section];
    for (const [key, english] of Object.entries<string>(catalogues.en[section])) {
      const text = texts[key] ?? '';
      expect(text.trim(), key).not.toBe('');
      expect(text, key).toBe(text.trim());
      // A singular may do without its number.
      const expected = placeholdersIn(english);
      if (key.endsWith('_one')) {
        expect(expected).toEqual(expect.arrayContaining(placeholdersIn(text)));
      } else expect(placeholdersIn(text), key).toEqual(expected);
      expect(text, `${key} has straight quotes or three dots`).not.toMatch(/["']|\.\.\./);
    }
  });
});

describe('a translation', () => {
  it('has no message that equals the English one', () => {
    // Words that are the same in another language, or names.
    const alike =
      /^(Agenda|Status|Filter|Filters|Type|Clubs?|National|International|Regional|Menu|Port|Clash|Total|Week|Name|Date|Description|Services|Help|.{1,3})$/;
    const wordsOf = (text: string) => text.replace(/\{\{\w+\}\}|[…&]/g, '').trim();
    const left = sections.flatMap((section) =>
      others.flatMap((language) =>
        Object.entries<string>(catalogues.en[section])
          .filter(
            ([key, english]) =>
              (catalogues[language][section] as Section)[key] === english &&
              !alike.test(wordsOf(english)),
          )
          .map(([key, english]) => `${language} ${section}:${key} “${english}”`),
      ),
    );
    expect(left).toEqual([]);
  });
});

describe('translating', () => {
  it('fills in values unchanged', () => {
    const t = translator('de');
    expect(t('menu:running', { address: '<http://127.0.0.1:$&>' })).toContain(
      '<http://127.0.0.1:$&>',
    );
  });

  it.each([
    ['de', ['de-AT']],
    ['nl', ['nl']],
    ['fr', ['pt-BR', 'fr_CA']],
    ['en', ['pt-BR']],
    ['en', ['']],
    ['en', ['toString']],
  ] as const)('chooses %s for %j', (language, tags) => {
    expect(supportedLanguage(tags)).toBe(language);
  });
});
