import { describe, expect, it } from 'vitest';
import { type ClubFile, judgeFile } from './club-files/club-file.ts';
import { layouts } from './club-files/layouts.ts';
import { ordinary } from './club-files/ordinary.ts';
import { traps } from './club-files/traps.ts';
import type { Verdict } from './club-files/verdict.ts';

const files = [...layouts, ...traps, ...ordinary];

/** Returns the texts between quotation marks in a refusal that are not in the file. */
function inventedNames(file: ClubFile, sentence: string): string[] {
  const words = 'text' in file ? file.text : JSON.stringify(file.sheets);
  const quoted = [...sentence.replace(/--\w+ "[^"]*"/g, '').matchAll(/"([^"]+)"/g)].flatMap(
    ([, names = '']) => names.split('+'),
  );
  // A column without a heading is named by its letter, and a field by the word for --map.
  return quoted.filter((name) => !/^(?:[A-Z]|name|date)$/.test(name) && !words.includes(name));
}

describe('the files of clubs', () => {
  it('have different ids', () => {
    expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
  });

  it('become what a careful person would store, or a line or a question names the difference', async () => {
    const verdicts = new Map<string, Verdict>();
    for (const file of files) verdicts.set(file.id, await judgeFile(file));
    const of = (kind: Verdict['kind']) =>
      [...verdicts].filter(([, verdict]) => verdict.kind === kind);
    const counts = (['right', 'asked', 'told', 'wrong'] as const).map(
      (kind) => `${of(kind).length} ${kind}`,
    );
    const wrong = of('wrong').map(([id, { why }]) => `${id}\n${why}`);
    expect(wrong.join('\n\n'), counts.join(', ')).toBe('');
    expect(of('asked').length, counts.join(', ')).toBeLessThanOrEqual(files.length / 4);
    const invented = files.flatMap((file) => {
      const { kind, why = '' } = verdicts.get(file.id) ?? {};
      const names = kind === 'asked' ? inventedNames(file, why) : [];
      return names.length === 0 ? [] : [`${file.id}: ${names.join(', ')}: ${why}`];
    });
    expect(invented).toEqual([]);
  });
});
