import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { prepareEventListReads } from '../../db/event-list.ts';
import { foldText, wordsOf } from '../../db/fold.ts';
import { migrate } from '../../db/migrate.ts';
import { closeStore, connection, openReader, openWriter, type Writer } from '../../db/open.ts';
import { indexEvents } from '../../db/search.ts';
import { insertUser } from '../../db/users.ts';
import { defaultQuery } from '../../server/http/paging.ts';
import { findDamage } from '../support/damage.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';

/** The names of a user's events that a search finds, sorted. */
function found(db: Writer, userId: number, search: string): string[] {
  const query = { ...defaultQuery, words: wordsOf(search) };
  const { events } = prepareEventListReads(db).page(userId, query);
  return events.map(({ name }) => name).toSorted();
}

function storeNames(names: readonly string[]): { db: Writer; userId: number } {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', createdAt) ?? 0;
  const events = names.map((name, at) => makeEvent(at + 1, { name, location: '' }));
  importAll(db, userId, events);
  return { db, userId };
}

const nfd = (text: string) => text.normalize('NFD');

/** Names, and searches that find each of them and nothing else. */
const searches: readonly (readonly [name: string, ...searches: string[]])[] = [
  ['Διεθνής ΣΊΣΥΦΟΣ', 'διεθνης', 'ΔΙΕΘΝΗΣ', 'Διεθνής', nfd('Διεθνής'), 'σισυφος', 'Σίσυφος'],
  ['Ёлка', 'елка', 'ЁЛКА', 'ёлка', nfd('ёлка'), 'ел'],
  ['Чемпионат край', 'край', nfd('край'), 'КРАЙ'],
  ['한국어 마라톤', '한국어', nfd('한국어'), '한국', '마라톤'],
  [nfd('Übungsabend 축제'), 'ubung', 'übungs', '축제', nfd('축')],
  ['ﬁnale Ⅷ', 'finale', 'ﬁn', 'viii', 'VIII'],
  ['ＦＵＬＬ 𝔘rlaub', 'full', 'ＦＵ', 'urlaub'],
  ['Wochen\u00adende', 'wochenende', 'Wochen\u00aden', 'wochenend'],
  ['Große Łódź Ærø Œuvre Đặng ISIĞI', 'GROSSE', 'lodz', 'aero', 'ŒUVRE', 'dang', 'ısıgı', 'İsi'],
  ['שָׁלוֹם', 'שלום', 'שָׁלוֹם'],
  ['مُحَمَّدٌ آمـنة', 'محمد', 'امنة', 'آمنة'],
  ['दिल्ली काल', 'दिल्ली', 'दिल', 'काल'],
  ['कील', 'कील', nfd('कील')],
  ['சென்னை', 'சென்னை', 'செ', nfd('சென்')],
  ['ปีใหม่', 'ปีใหม่', 'ปี'],
  ['ปูน้ำ', 'ปู', 'ปูน้ำ'],
  ['ガバナンス', 'ガバ', nfd('ガバ'), 'ｶﾞﾊﾞ'],
  ['カハ', 'カハ', 'ｶﾊ'],
  ['Школа №5', '5', '№5', 'школа'],
];

describe('a search in any script', () => {
  const { db, userId } = storeNames(searches.map(([name]) => name));

  it.each(searches)('finds %s, and nothing else', (name, ...all) => {
    for (const search of all) expect(found(db, userId, search), search).toEqual([name]);
  });

  it('treats a word with vowel signs as one word', () => {
    expect(wordsOf('दिल्ली')).toHaveLength(1);
    expect(wordsOf('การแข่งขันวิ่ง')).toHaveLength(1);
    // The zero-width space is there to separate words.
    expect(wordsOf('วิ่ง\u200bน้ำ')).toHaveLength(2);
  });

  it('folds Latin characters the same way beside other scripts', () => {
    for (let code = 0x80; code < 0x2028; code += 1) {
      const text = `a${String.fromCharCode(code)}B`;
      expect(foldText(`${text} 東`), text).toBe(`${foldText(text)} 東`);
    }
  });

  it('separates words at symbols', () => {
    expect(wordsOf("O'Neil x_y Foo™bar №5 1½")).toEqual(
      expect.arrayContaining(['o', 'neil', 'x', 'y', 'foo', 'bar', '5']),
    );
  });
});

/** Changes events as a program does that knows nothing of this one's functions. */
function changeElsewhere(path: string, sql: string): void {
  const other = new Database(path);
  other.exec(sql);
  other.close();
}

const insertion = (userId: number, id: number, name: string) =>
  `INSERT INTO events (user_id, id, name, date, location, status, created_at)
   VALUES (${userId}, ${id}, '${name}', '${createdAt}', '', 'active', '${createdAt}');`;

describe('a database', () => {
  it('migrates the words of a database of version 5, with changes by another program', () => {
    // Written by the program of that version: two users, imports in seven scripts; then another
    // program renamed an event, removed two and added two.
    const packed = readFileSync(join(import.meta.dirname, 'version-5.sqlite.gz'));
    const path = join(makeTestFolder(), 'old.sqlite');
    writeFileSync(path, gunzipSync(packed));
    const before = new Database(path);
    const listed = `SELECT row, user_id, id, name, date, location, description, status, event_type,
      registration_open, created_at, source_key, source_sequence FROM events ORDER BY row`;
    const old = before.prepare(listed).all();
    expect(before.pragma('user_version', { simple: true })).toBe(5);
    expect(before.prepare('SELECT count(*) FROM search_stale').pluck().get()).toBe(3);
    before.close();

    const db = openWriter(path);
    migrate(db);
    expect(connection(db).prepare(listed).all()).toEqual(old);
    expect(findDamage(db)).toEqual([]);
    expect(found(db, 1, 'ΔΙΕΘΝΗΣ σισυφος')).toEqual(['Διεθνής ΣΊΣΥΦΟΣ']);
    expect(found(db, 1, 'елка')).toEqual(['Ёлка']);
    expect(found(db, 1, nfd('한국어'))).toEqual(['한국어 마라톤']);
    expect(found(db, 1, 'दिल्ली')).toEqual(['दिल्ली मैराथन']);
    expect(found(db, 1, 'ναυπλιο')).toEqual(['Ναύπλιο']);
    expect(found(db, 1, 'marche')).toEqual(['Marché de Noël']);
    expect(found(db, 1, 'alesund')).toEqual(['Relay of Ålesund']);
    for (const gone of ['sprint', 'lodz', 'strasse']) expect(found(db, 1, gone)).toEqual([]);
    expect(found(db, 2, 'иога')).toEqual(['Йога']);
    expect(found(db, 2, 'еж')).toEqual(['Ёж']);
    expect(found(db, 2, 'crosslander')).toEqual([]);
    expect(prepareEventListReads(db).page(1, { ...defaultQuery, limit: 1 }).total).toBe(8);
    closeStore(db);
  });

  it('indexes changes by a program that does not fold words', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const db = openWriter(path);
    migrate(db);
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    const names = ['Ёлка', 'Διεθνής', '한국어'];
    importAll(
      db,
      userId,
      names.map((name, at) => makeEvent(at + 1, { name })),
    );
    changeElsewhere(
      path,
      `UPDATE events SET name = 'Ελλάς' WHERE id = 2; DELETE FROM events WHERE id = 1;
       ${insertion(userId, 9, 'Ёж')}`,
    );
    indexEvents(connection(db));
    expect(found(db, userId, 'елка')).toEqual([]);
    expect(found(db, userId, 'διεθνης')).toEqual([]);
    expect(found(db, userId, 'ΕΛΛΑΣ')).toEqual(['Ελλάς']);
    expect(found(db, userId, 'еж')).toEqual(['Ёж']);
    closeStore(db);
    const reader = openReader(path);
    expect(findDamage(reader)).toEqual([]);
    closeStore(reader);
  });
});
