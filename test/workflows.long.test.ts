import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTestFolder } from './support/home.ts';

const script = join(import.meta.dirname, '../.github/lint.ts');

// `npm run lint` shows that it passes for the workflows of the project.
describe('the lint of the workflows', () => {
  it('fails for an unknown key, a missing job, a movable tag and a broken script', async () => {
    const bad = makeTestFolder();
    const text = `on: push
jobs:
  build:
    runs-on: ubuntu-24.04
    needs: tests
    timeout-minuts: 5
    steps:
      - uses: actions/checkout@v7
      - run: if true; do echo
      - shell: pwsh
        run: if ($true) { echo }
`;
    writeFileSync(join(bad, 'bad.yml'), text);
    const running = promisify(execFile)(process.execPath, [script, bad]);
    const { code, stderr: faults } = await running.catch((error) => error);
    expect(code).toBe(1);
    expect(faults).toMatch(/bad\.yml:\d+: unexpected key "timeout-minuts"/);
    expect(faults).toMatch(/needs job "tests" which does not exist/);
    expect(faults).toMatch(/bad\.yml:8: pin actions\/checkout@v7 to the full hash/);
    expect(faults).toContain('bad.yml:9: ');
    expect(faults).not.toContain('bad.yml:11');
  });
});
