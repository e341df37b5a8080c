import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

it('names only tests that exist in the threat model, and one in each row', () => {
  const [, model = ''] = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('## Threat model');
  const rows = model.split('\n').filter((line) => /^\| (?!attacker)/.test(line));
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? '');
    expect(tests, row).not.toEqual([]);
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  }
});
