import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestFolder } from './support/home.ts';

const lint = join(import.meta.dirname, '../.github/docstrings.ts');

/** The beginning of a docstring, apart so that the rule does not find it in this file. */
const begin = '/**';

function lintSource(text: string): { readonly status: number | null; readonly stderr: string } {
  const folder = makeTestFolder();
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep/source.ts'), text);
  const { status, stderr } = spawnSync(process.execPath, [lint, folder], { encoding: 'utf8' });
  return { status, stderr };
}

it('accepts docstrings that begin with a verb or a noun', () => {
  const text =
    '/** Returns what is left. */\n/**\n * Cache limits, of each user.\n */\n// What a day.\n';
  expect(lintSource(text)).toEqual({ status: 0, stderr: '' });
});

it('reports docstrings that begin with a relative clause, with their lines', () => {
  const { status, stderr } = lintSource(
    `const a = 1;\n${begin} What is left. */\n${begin}\n * Of each user.\n */\n`,
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/source\.ts:2: .*instead of "What"\n.*source\.ts:3: .*instead of "Of"\n$/);
});
