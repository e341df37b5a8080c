import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Licensed,
  licencesOfPage,
  licencesOfProgram,
  renderLicences,
} from '../../../electron/packaging/licences.ts';
import { makeTestFolder } from '../../support/home.ts';

const root = join(import.meta.dirname, '../../..');

/** A project with one package, whose files these are. */
function makeProject(files: Readonly<Record<string, string>>): string {
  const folder = makeTestFolder();
  const inside = join(folder, 'node_modules/inside');
  mkdirSync(inside, { recursive: true });
  const manifest = JSON.stringify({ dependencies: { inside: '1.0.0' } });
  writeFileSync(join(folder, 'package.json'), manifest);
  writeFileSync(join(folder, 'LICENSE'), 'Own\n\nPermission is hereby granted to all.');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(inside, name), content);
  return folder;
}

const manifestOf = (license?: string) =>
  JSON.stringify({ name: 'inside', version: '1.0.0', license });

describe('the licences of the packages inside', () => {
  it('the licences of the packages inside are found for every package', () => {
    const all = [...licencesOfProgram(root), ...licencesOfPage(root)];
    const names = all.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'koa', 'react', 'ical.js']));
    expect(all.filter(({ text }) => text.length < 200)).toEqual([]);
    // Only what is here on terms that a program under the MIT licence may pass on.
    // That of the days of holidays needs their source, which is in LICENSES.txt.
    const terms = [
      '(ISC AND CC-BY-3.0)',
      '0BSD',
      'Apache-2.0',
      'BlueOak-1.0.0',
      'ISC',
      'MIT',
      'MPL-2.0',
      'OFL-1.1',
    ];
    expect([...new Set(all.map(({ licence }) => licence))].sort()).toEqual([
      ...terms,
      'Python-2.0',
    ]);
  });

  it('the licences of the packages inside are found for every font of the page', () => {
    const styles = readFileSync(join(root, 'server/ui/base/base.css'), 'utf8');
    const used = [...styles.matchAll(/url\("(@[^/]+\/[^/]+)\//g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(0);
    const licensed = licencesOfPage(root).filter(({ licence }) => licence === 'OFL-1.1');
    expect(licensed.map(({ name }) => name)).toEqual([...new Set(used)]);
    expect(licensed[0]?.text).toContain('SIL OPEN FONT LICENSE Version 1.1');
  });

  it('the licences of the packages inside are read from the readme if there is no licence file', () => {
    const readme = '# Inside\n\nCopyright (c) Somebody\n\nPermission is hereby granted to some.\n';
    const project = makeProject({ 'package.json': manifestOf('MIT'), 'README.md': readme });
    expect(licencesOfProgram(project)).toMatchObject([
      { licence: 'MIT', text: expect.stringMatching(/^Copyright \(c\) Somebody\n.*to some\.$/s) },
    ]);
  });

  it('the licences of the packages inside are those that the authors publish if the package has none', () => {
    const saxes = licencesOfProgram(root).find(({ name }) => name === 'saxes');
    expect(saxes?.text).toMatch(/^The ISC License\n\nCopyright \(c\) Contributors\n/);
  });

  it('the licences of the packages inside are standard terms if a package only names them', () => {
    const project = makeProject({ 'package.json': manifestOf('MIT') });
    const [licensed] = licencesOfProgram(project);
    expect(licensed?.text).toBe(
      'Copyright (c) the authors of inside\n\nPermission is hereby granted to all.',
    );
  });

  it('the licences of the packages inside stop the build if they are unknown', () => {
    const unknown = makeProject({ 'package.json': manifestOf() });
    expect(() => licencesOfProgram(unknown)).toThrow('inside does not tell its licence');
    const withoutText = makeProject({ 'package.json': manifestOf('Zlib') });
    expect(() => licencesOfProgram(withoutText)).toThrow('inside has no text of its licence');
    const missing = makeTestFolder();
    writeFileSync(join(missing, 'package.json'), '{"dependencies":{"nowhere":"1.0.0"}}');
    expect(() => licencesOfProgram(missing)).toThrow('nowhere is not installed');
  });

  it('the licences of the packages inside are listed once each, under their packages', () => {
    const licensed = (name: string, text: string): Licensed => ({
      name,
      version: '1.0.0',
      licence: 'MIT',
      text,
    });
    const text = renderLicences('Own licence', [
      licensed('second', 'Terms\r\nof all'),
      licensed('first', 'Terms\nof all'),
      licensed('third', 'Other terms'),
    ]);
    expect(text).toMatch(/^Own licence\n/);
    expect(text).toContain('\nfirst 1.0.0 (MIT)\nsecond 1.0.0 (MIT)\n\nTerms\nof all\n');
    expect(text.split('Terms\nof all')).toHaveLength(2);
    expect(text).toContain('\nthird 1.0.0 (MIT)\n\nOther terms\n');
  });
});
