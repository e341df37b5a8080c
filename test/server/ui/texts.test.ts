import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../../../server/ui/i18n/text.ts';
import { texts } from '../../../server/ui/i18n/texts.ts';

const codes = Object.keys(languages) as Language[];
const features = Object.entries(texts) as [string, Record<Language, Record<string, string>>][];

const placeholdersOf = (text: string) => text.match(/\{\{\w+\}\}/g)?.toSorted() ?? [];

describe.each(codes)('the texts in %s', (language) => {
  it.each(features)('of %s are all there, with all that is filled in', (_, all) => {
    expect(Object.keys(all[language]).toSorted()).toEqual(Object.keys(all.en).toSorted());
    for (const [name, english] of Object.entries(all.en)) {
      const text = all[language][name] ?? '';
      expect(text.trim(), name).not.toBe('');
      expect(text, name).toBe(text.trim());
      // A singular may do without its number.
      const expected = placeholdersOf(english);
      if (name.endsWith('_one'))
        expect(expected).toEqual(expect.arrayContaining(placeholdersOf(text)));
      else expect(placeholdersOf(text), name).toEqual(expected);
      expect(text, `${name} has straight quotes`).not.toMatch(/["']/);
    }
  });
});

describe('a translation', () => {
  it('is not the English text left standing', () => {
    // Words that are the same in another language, or names.
    const alike =
      /^(Agenda|Status|Filter|Filters|Type|Clubs?|National|International|Regional|Menu|Port|Clash|Total|Week|Name|Date|Description|.{1,3})$/;
    // What is filled in is no word.
    const wordsOf = (text: string) => text.replace(/\{\{\w+\}\}/g, '').trim();
    const left = features.flatMap(([feature, all]) =>
      codes
        .filter((language) => language !== 'en')
        .flatMap((language) =>
          Object.entries(all.en)
            .filter(
              ([name, english]) => all[language][name] === english && !alike.test(wordsOf(english)),
            )
            .map(([name, english]) => `${language} ${feature}:${name} “${english}”`),
        ),
    );
    expect(left).toEqual([]);
  });
});
