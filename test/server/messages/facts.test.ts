import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { facts, isDecided } from '../../../server/messages/facts.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const files = globSync(['*.{md,json,yml,ts}', '{.github,db,electron,server}/**/*.*'], {
  cwd: root,
  exclude: (path) => /\bdist\b/.test(path),
}).map((path) => path.replaceAll('\\', '/'));

/** Texts that can hold a name; pictures and the like cannot. */
const isText = /\.(?:c?tsx?|js|md|ya?ml|json|xml|html|css|tpl|nsh|plist|svg|txt)$/;

/** Returns the files that spell a name of the facts, but for their own. */
const filesWith = (name: string) =>
  files.filter(
    (file) => isText.test(file) && file !== 'server/messages/facts.ts' && read(file).includes(name),
  );

/** The files that can import no module. */
const cannotImport = /\.(?:md|ya?ml|json|xml|tpl|nsh)$/;

it.each([
  ['org.clubevents.', /org\.clubevents\.\w+/g, [facts.applicationId]],
  [
    'club-events.invalid',
    /[\w:/@.-]*club-events\.invalid[\w/]*/g,
    [facts.homepage, facts.releases, facts.reports, facts.maintainer.replace(/^.*<|>$/g, '')],
  ],
])('are the only ones that begin with or contain %s', (name, pattern, values) => {
  const found = filesWith(name);
  expect(found).toContain('electron-builder.yml');
  expect(found.filter((file) => !cannotImport.test(file))).toEqual([]);
  for (const file of found) {
    // The label of the service for launchd, which a person chooses.
    const spelled = read(file).replaceAll('org.clubevents.serve', '').match(pattern) ?? [];
    for (const value of spelled) expect(values, file).toContain(value);
  }
});

it('are those of the packages', () => {
  const { appId, extraMetadata, deb } = parse(read('electron-builder.yml'));
  expect([appId, extraMetadata.homepage, deb.maintainer]).toEqual([
    facts.applicationId,
    facts.homepage,
    facts.maintainer,
  ]);
  const lock = JSON.parse(read('package-lock.json'));
  expect([JSON.parse(read('package.json')).name, lock.name]).toEqual([
    facts.npmName,
    facts.npmName,
  ]);
});

it('keep the end of UIDs, by which calendars know the events that they have', () => {
  expect(facts.uidDomain).toBe('club-events.invalid');
});

it.each([
  ['https://events.example.org/', true],
  ['We <we@example.org>', true],
  ['https://club-events.invalid/', false],
  ['We <nobody@club-events.invalid>', false],
])('knows whether %s is decided', (address, decided) => {
  expect(isDecided(address)).toBe(decided);
});
