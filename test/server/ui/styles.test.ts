import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Returns the classes of Mantine's components in a text. */
const classesIn = (text: string) => new Set(text.match(/\bm_[\da-f]{6,8}\b/g));

it('has the styles of each component of Mantine that the page contains', () => {
  const folder = join(root, 'server/ui/dist/assets');
  const built = (form: RegExp) =>
    readdirSync(folder)
      .filter((name) => form.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  const all = readFileSync(join(root, 'node_modules/@mantine/core/styles.css'), 'utf8');
  const used = classesIn(built(/\.js$/)).intersection(classesIn(all));
  expect(used.size).toBeGreaterThan(50);
  expect([...used.difference(classesIn(built(/\.css$/)))]).toEqual([]);
});
