import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryName } from '../../../server/base/write-file.ts';
import { makeTestFolder } from '../../support/home.ts';
import { lacking } from '../../support/place.ts';
import type { Random } from '../../support/random.ts';

type Version = { readonly name: string; readonly bytes: Buffer };

/** Returns true for a file that no computer of the club has written. */
export const isForeign = (name: string) => name.includes('.proposals-notes');

const isNote = (name: string) => /notes/i.test(name);

/**
 * A folder that several computers see, and what sync programs, other systems and people do to the
 * files in it.
 */
export function openSharedFolder(random: Random, { withLinks }: { readonly withLinks: boolean }) {
  const folder = makeTestFolder();
  const pathOf = (name: string) => join(folder, name);
  const outside = makeTestFolder();
  const precious = ['members.txt', 'members.json'].map((name) => join(outside, name));
  for (const path of precious) writeFileSync(path, 'precious');
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;

  const versions: Version[] = [];
  const known = new Set<string>();

  const names = () => readdirSync(folder).sort();
  const isFile = (name: string) => lstatSync(pathOf(name)).isFile();
  const files = () => names().filter(isFile);

  /** Keeps each version of each file. */
  const note = () => {
    for (const name of files()) {
      const bytes = readFileSync(pathOf(name));
      const digest = `${name} ${hash('sha256', bytes)}`;
      if (known.has(digest)) continue;
      known.add(digest);
      versions.push({ name, bytes });
    }
  };

  /** Writes a file as a sync program does, or in place, and never through a link. */
  const put = (name: string, bytes: Uint8Array) => {
    const path = pathOf(name);
    const isInPlace = lstatSync(path, { throwIfNoEntry: false })?.isFile() && random(2) === 0;
    if (!isInPlace) rmSync(path, { force: true });
    writeFileSync(path, bytes);
  };

  const change = (use: (bytes: Buffer) => Uint8Array) => (name: string) =>
    put(name, use(readFileSync(pathOf(name))));
  const messes: Readonly<Record<string, (name: string) => void>> = {
    decomposed: (name) => renameSync(pathOf(name), pathOf(name.normalize('NFD'))),
    case(name) {
      const other = name.replace(/^[^.]+/, (stem) =>
        random(2) === 0 ? stem.toUpperCase() : stem.toLowerCase(),
      );
      renameSync(pathOf(name), pathOf(other));
    },
    conflict(name) {
      const mark = pick([
        ' (conflicted copy 2026-11-19)',
        '.sync-conflict-20261119',
        ' (Konflikt)',
      ]);
      if (!/conf|konf/i.test(name))
        copyFileSync(pathOf(name), pathOf(name.replace(/\.json$/, `${mark}.json`)));
    },
    old() {
      const { name, bytes } = pick(versions);
      put(name, bytes);
    },
    recent() {
      const { name, bytes } = pick(versions.slice(-8));
      put(name, bytes);
    },
    empty: change(() => Buffer.of()),
    zero: change((bytes) => Buffer.alloc(bytes.length)),
    cut: change((bytes) => bytes.subarray(0, random(bytes.length + 1))),
    gone: (name) => rmSync(pathOf(name)),
    foreign(name) {
      // A few names: the first computer names only some unreadable files.
      const [stem = ''] = name.normalize('NFC').toLowerCase().split('.');
      const other = pick([`${stem}.json.proposals-notes.json`, `Notes on ${stem}.json`]);
      put(other, Buffer.from(pick(['{}', 'Bring cake.', '{"format":"club-events-proposals"}'])));
    },
    ...(withLinks && {
      link(name: string) {
        rmSync(pathOf(name));
        symlinkSync(pick(precious), pathOf(name));
      },
      ...(lacking('named pipes') === undefined && {
        pipe(name: string) {
          rmSync(pathOf(name));
          execFileSync('mkfifo', [pathOf(name)]);
        },
      }),
    }),
  };
  const pickName = () => {
    const all = files().filter((name) => !isNote(name));
    const proposals = all.filter((name) => name.includes('.proposals-'));
    return pick(proposals.length > 0 && random(3) > 0 ? proposals : all);
  };
  const counts = Object.fromEntries(Object.keys(messes).map((kind) => [kind, 0]));

  return {
    folder,
    counts,
    pathOf,
    files,
    note,
    /** Does one thing to one file, most often to one with proposals. */
    mess(name = pickName(), kind = pick(Object.keys(messes))) {
      if (name === undefined || isNote(name) || !files().includes(name)) return;
      messes[kind]?.(name);
      counts[kind] = (counts[kind] ?? 0) + 1;
    },
    /** A person removes the things that no program touches. */
    removeLinks() {
      for (const name of names()) if (!isFile(name)) rmSync(pathOf(name));
    },
    /** Checks that nothing outside changed, and that no part of a writing stayed. */
    check() {
      for (const path of precious) expect(readFileSync(path, 'utf8')).toBe('precious');
      expect(readdirSync(outside)).toHaveLength(precious.length);
      expect(names().filter((name) => temporaryName.test(name))).toEqual([]);
    },
  };
}
