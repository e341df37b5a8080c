import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checkAreas } from '../../db/check-contents.ts';
import type { Reader } from '../../db/open.ts';
import { fc } from './random.ts';

/** A change of a file: bytes at a place are replaced by others. */
type Damage = {
  /** The place, as a share of the length from 0 to 1. */
  readonly at: number;
  readonly removed: number;
  readonly inserted: Uint8Array;
};

/** Generates damage of all kinds, with `pieces` among the inserted bytes. */
export function arbitraryDamage(pieces: readonly Uint8Array[]): fc.Arbitrary<Damage> {
  return fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    removed: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(200)),
    inserted: fc.oneof(
      fc.constantFrom(...pieces),
      fc.uint8Array({ maxLength: 4 }),
      fc.constant(Buffer.of()),
    ),
  });
}

export function damage(bytes: Uint8Array, { at, removed, inserted }: Damage): Uint8Array {
  const place = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + removed)]);
}

/** Overwrites a page in the middle of a database's events with zeros, as a bad sector reads. */
export function damageEvents(path: string): void {
  const sqlite = new Database(path, { readonly: true });
  const pages = sqlite
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'")
    .pluck()
    .all();
  const size = sqlite.pragma('page_size', { simple: true }) as number;
  sqlite.close();
  const bytes = readFileSync(path);
  const page = pages[Math.floor(pages.length / 2)] as number;
  bytes.fill(0, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}

/** Returns all damage of a database. A history that does not fit its events is none. */
export function findDamage(db: Reader): string[] {
  const areas = checkAreas(db).filter(({ area }) => area !== 'history');
  return areas.flatMap(({ problems }) => problems);
}
