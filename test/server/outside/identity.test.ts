import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { readHomeId } from '../../../server/outside/identity.ts';
import { makeTestFolder } from '../../support/home.ts';
import { expectMode } from '../../support/place.ts';

const idOf = (directory: string) => readHomeId(homeAt(directory), thisMachine.randomInt);

it('names a data directory, which keeps its name when it is moved, but not when it is copied', () => {
  const folder = makeTestFolder();
  const [first, moved, copy] = ['first', 'moved', 'copy'].map((name) => join(folder, name));
  if (first === undefined || moved === undefined || copy === undefined) throw new Error();
  mkdirSync(first);
  const id = idOf(first);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(idOf(first)).toBe(id);
  renameSync(first, moved);
  expect(idOf(moved)).toBe(id);
  cpSync(moved, copy, { recursive: true });
  const other = idOf(copy);
  expect(other).not.toBe(id);
  expect(idOf(copy)).toBe(other);
  expect(idOf(moved)).toBe(id);
});

it('gives a data directory another name on another machine, and after damage', () => {
  const directory = makeTestFolder();
  const id = idOf(directory);
  const path = join(homeAt(directory).outside, 'home.json');
  expectMode(path, 0o600);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(hostname());
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), machine: null }));
  expect(idOf(directory)).toBe(id);
  // A system without an id of the machine has nothing to compare.
  if (JSON.parse(text).machine !== null) {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(text), machine: 'another' }));
    expect(idOf(directory)).not.toBe(id);
  }
  writeFileSync(path, '{');
  expect(idOf(directory)).not.toBe(id);
});
