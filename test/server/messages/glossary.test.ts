import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../server/messages/message.ts';
import { catalogues, type Language, languages } from '../../../server/messages/messages.ts';
import { glossary, homonyms } from './glossary.ts';

/** All messages of a language for the window, by section and key. */
const messagesIn = (language: Language): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(catalogues.de).flatMap((section) =>
      Object.entries<string>(catalogues[language][section as keyof Catalogue]).map(
        ([key, text]) => [`${section}:${key}`, text.replaceAll(/\{\{.*?\}\}/g, '…')] as const,
      ),
    ),
  );

describe.each(Object.keys(languages) as Language[])(
  'the words of the catalogue in %s',
  (language) => {
    const messages = messagesIn(language);

    it('name no two concepts with one word', () => {
      const words = Object.values(glossary).map(({ terms }) => terms[language].word.toLowerCase());
      const shared = words.filter((word, at) => words.indexOf(word) !== at);
      expect(shared).toEqual(homonyms[language] ?? []);
    });

    it.each(Object.entries(glossary))(
      'have one for: %s',
      (_, { named, terms, exceptions = [] }) => {
        const { word, stem, not } = terms[language];
        const matches = (text: string) =>
          stem?.test(text) ?? text.toLowerCase().includes(word.toLowerCase());
        const without = named
          .map((key) => [key, messages.get(key) ?? ''] as const)
          .filter(([, text]) => !matches(text));
        expect(without, `messages without “${word}”`).toEqual([]);
        const other = [...messages].filter(
          ([key, text]) => not?.test(text) && !exceptions.some((one) => one === key),
        );
        expect(other, `messages with another word than “${word}”`).toEqual([]);
      },
    );
  },
);
