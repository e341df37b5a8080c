import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const workflows = join(import.meta.dirname, '../.github/workflows');

// What the lint of the workflows finds is shown in workflows.long.test.ts.
describe.each(readdirSync(workflows))('%s', (name) => {
  const { permissions, jobs } = parse(readFileSync(join(workflows, name), 'utf8'));

  it('may only read, except for the job that makes the draft of a release', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const writers = Object.entries<{ permissions?: unknown }>(jobs)
      .filter(([, job]) => job.permissions !== undefined)
      .map(([job]) => job);
    expect(writers).toEqual(name === 'release.yml' ? ['publish'] : []);
  });
});
