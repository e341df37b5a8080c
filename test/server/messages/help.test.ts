import { describe, expect, it } from 'vitest';
import { managingScreens } from '../../../server/actions/bridge.ts';
import { helps, reportAddress, splitLabels } from '../../../server/messages/help/help.ts';
import type { Catalogue } from '../../../server/messages/message.ts';
import { catalogues, type Language } from '../../../server/messages/messages.ts';
import { glossary } from './glossary.ts';

const languages = Object.keys(helps) as Language[];

/** Lists the texts of a help by their paths, in order. */
function textsOf(value: object, path = ''): readonly (readonly [path: string, text: string])[] {
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'string'
      ? [[`${path}${name}`, part] as const]
      : textsOf(part, `${path}${name}.`),
  );
}

const labelsIn = (text: string) =>
  splitLabels(text).flatMap((part) => ('label' in part ? [part.label] : []));

const wordsIn = (text: string) =>
  splitLabels(text)
    .map((part) => ('words' in part ? part.words : '…'))
    .join('');

const english = new Map(textsOf(helps.en));

describe.each(languages)('the help in %s', (language) => {
  const texts = textsOf(helps[language]);

  it('has the steps and questions of the English one, in its order', () => {
    expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
  });

  it('names only labels that the program has, the same as the English one', () => {
    for (const [path, text] of texts) {
      const labels = labelsIn(text);
      expect(labels.toSorted(), path).toEqual(labelsIn(english.get(path) ?? '').toSorted());
      for (const label of labels) {
        const [section = '', key = ''] = label.split(':');
        const messages: Readonly<Record<string, string>> =
          catalogues[language][section as keyof Catalogue] ?? {};
        expect(messages, `${path}: ${label}`).toHaveProperty([key]);
        // Such a message is no label as people read it.
        expect(messages[key], label).not.toMatch(/\{\{|&/);
        if (section === 'manage') expect(managingScreens, path).toContain(key);
      }
    }
  });

  it('has typographic signs and the words of the glossary', () => {
    for (const [path, text] of texts) {
      const words = wordsIn(text);
      expect(words, path).not.toMatch(/["'{}]|\.\.\.| {2}/);
      for (const { terms } of Object.values(glossary)) {
        const { not } = terms[language];
        if (not) expect(words, path).not.toMatch(not);
      }
    }
  });

  it('answers each question in a few sentences', () => {
    for (const { title, text } of Object.values(helps[language].answers)) {
      expect(title).toMatch(/\?$/);
      const sentences = wordsIn(text).match(/[.?](?= |$)/g) ?? [];
      expect(sentences.length, title).toBeGreaterThan(1);
      expect(sentences.length, title).toBeLessThan(9);
    }
  });
});

it.each(languages.filter((language) => language !== 'en'))('is translated into %s', (language) => {
  const left = textsOf(helps[language]).filter(([path, text]) => text === english.get(path));
  expect(left).toEqual([]);
});

it.each(languages)('names the button that gives a club to a successor, in %s', (language) => {
  expect(labelsIn(helps[language].answers.successor.text)).toContain('clubs:giveButton');
});

it('splits a text at its labels', () => {
  expect(splitLabels('Open {{manage:club-settings}}.')).toEqual([
    { words: 'Open ' },
    { label: 'manage:club-settings' },
    { words: '.' },
  ]);
});

it('says where reports go as soon as that is decided', () => {
  expect(reportAddress(helps.en, 'https://events.example.org/issues')).toBe(
    'Send it to: https://events.example.org/issues',
  );
  expect(reportAddress(helps.en, 'https://club-events.invalid/issues')).toBe(
    helps.en.reportUndecided,
  );
});
