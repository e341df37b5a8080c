import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from '../../../server/messages/en.json' with { type: 'json' };
import { type Catalogue, message } from '../../../server/messages/message.ts';
import {
  catalogues,
  type Language,
  languages,
  supportedLanguage,
  translator,
  wordForCommandLine,
} from '../../../server/messages/messages.ts';

type Section = Readonly<Record<string, string>>;

const codes = Object.keys(languages) as Language[];
/** The sections of all languages; the command line has one more, in English only. */
const sections = Object.keys(catalogues.de) as (keyof Catalogue)[];
const others = codes.filter((language) => language !== 'en');

/** Lists the keys of a section without the suffixes of plural forms. */
const baseKeysOf = (section: Section) => [
  ...new Set(Object.keys(section).map((key) => key.replace(/_(one|other)$/, ''))),
];

const placeholdersIn = (text: string) => text.match(/\{\{\w+\}\}/g)?.toSorted() ?? [];

it('has a section for the command line in English only', () => {
  expect(Object.keys(en)).toEqual([...sections, 'commandLine']);
});

describe.each(others)('the messages in %s', (language) => {
  it('have the sections and keys of the English ones', () => {
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
      /^(Agenda|Sources|Questions?|Message|Details|Application|Status|Teams?|Filter|Filters|Updates|Spreadsheet \(CSV\)|Type|Clubs?:?|National|International|Regional|Menu|Port|Clash|Total|Week|Name|Date|Description|Services|Help|Home|Page Up|Page Down|\(optional\)|April|August|September|November|.{1,3})$/i;
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

  it('keeps the quotes of a value on the command line, and writes its own as ASCII', () => {
    const text = wordForCommandLine(message('reason:id_repeated', { name: 'The “Open”' }));
    expect(text).toContain('"The “Open”"');
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

/** A call that creates a message, with the names of its values; undefined if these are unclear. */
type Call = {
  readonly place: string;
  readonly section: string;
  readonly key: string;
  readonly values: readonly string[] | undefined;
};

const root = join(import.meta.dirname, '../../..');

const sources = ['db', 'server', 'electron'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?tsx?$/.test(path) && !/\bdist\b|^messages/.test(path))
    .map((path) => join(folder, path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

/** Splits a list at its commas, up to the bracket that closes it. */
function splitList(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'(?:\\.|[^'\\])*'|./gs)) {
    if ('([{'.includes(token)) depth += 1;
    if (')]}'.includes(token)) depth -= 1;
    if (depth < 0) break;
    if (token === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + token);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Lists the names of an object literal, or of the constant with this name. */
function namesOf(expression: string, textBefore: string): readonly string[] | undefined {
  if (!expression.startsWith('{')) {
    const start = textBefore.lastIndexOf(`const ${expression} = {`);
    if (start === -1) return undefined;
    const literal = textBefore.slice(textBefore.indexOf('{', start));
    return namesOf(literal, textBefore.slice(0, start));
  }
  return splitList(expression.slice(1)).flatMap((member) =>
    member.startsWith('...')
      ? (namesOf(member.slice(3), textBefore) ?? [])
      : (/^\w+/.exec(member) ?? []),
  );
}

function callsIn({ path, text }: (typeof sources)[number]): readonly Call[] {
  const begin = /(?<![.\w])(problem|message|commandProblem)\(\s*'(?:(\w+):)?(\w+)'/g;
  return [...text.matchAll(begin)].map(({ 0: start, 1: name, 2: section, 3: key = '', index }) => {
    const values = splitList(text.slice(index + start.length)).at(0);
    const line = text.slice(0, index).split('\n').length;
    return {
      place: `${path}:${line}`,
      section: section ?? (name === 'problem' ? 'problem' : 'commandLine'),
      key,
      values: values === undefined ? [] : namesOf(values, text.slice(0, index)),
    };
  });
}

/** Returns the plural forms of a message and its wording for the command line. */
function formsOf(section: string, key: string): readonly string[] {
  const tables: Readonly<Record<string, Section>> = en;
  return [section, 'commandLine'].flatMap((name) =>
    [key, `${key}_one`, `${key}_other`].flatMap((form) => tables[name]?.[form] ?? []),
  );
}

describe('a message in the program', () => {
  const calls = sources.flatMap(callsIn);

  it('gets a value for each of its placeholders', () => {
    expect(calls.length).toBeGreaterThan(100);
    const faults = calls.flatMap(({ place, section, key, values }) => {
      if (values === undefined) return [`${place} ${key}: write the values as an object`];
      const placeholders = formsOf(section, key).flatMap(placeholdersIn);
      const missing = placeholders.filter((name) => !values.includes(name.slice(2, -2)));
      return missing.length > 0 ? [`${place} ${key} lacks ${missing.join(' ')}`] : [];
    });
    expect(faults).toEqual([]);
  });

  const code = sources.map(({ text }) => text).join('\n');
  const templates = [...code.matchAll(/`(?:(\w+):)?(\w*)\$\{/g)].map(([, section, start = '']) => ({
    section,
    start,
  }));

  it.each([
    'problem',
    'reason',
    'note',
    'place',
    'value',
    'field',
    'month',
    'calendarReason',
    'calendarNote',
    'calendarPlace',
  ] as const)('uses every key of %s', (section) => {
    const isBuilt = (key: string) =>
      templates.some(
        (template) =>
          (template.section === section && key.startsWith(template.start)) ||
          (section === 'problem' && template.start !== '' && key.startsWith(template.start)),
      );
    const unused = baseKeysOf(en[section])
      .filter((key) => !code.includes(`'${section === 'problem' ? '' : `${section}:`}${key}'`))
      .filter((key) => !isBuilt(key));
    expect(unused).toEqual([]);
  });

  it('is worded for the command line only if there is such a message', () => {
    const worded = [
      'problem',
      'reason',
      'note',
      'place',
      'value',
      'field',
      'undoConflict',
      'calendarReason',
      'calendarNote',
      'calendarPlace',
      'finding',
      'remedy',
    ] as const;
    const keys = worded.flatMap((section) => baseKeysOf(en[section]));
    const own = baseKeysOf(en.commandLine);
    expect(own.filter((key) => !keys.includes(key) && !code.includes(`'${key}'`))).toEqual([]);
    // The command line finds its wording by the key alone.
    expect(own.filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key))).toEqual([]);
  });
});
