import { join } from 'node:path';
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
import { unpackHome } from './homes.ts';

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
  it('migrates the words of a home of schema 5, with changes by another program', () => {
    const { database } = unpackHome(5, makeTestFolder());
    // Triggers of this schema note the words that these changes remove from the index.
    changeElsewhere(
      database,
      `UPDATE events SET name = 'Łódź Straße' WHERE user_id = 1 AND id = 1;
      DELETE FROM events WHERE user_id = 1 AND id = 5 OR user_id = 2 AND id = 4;
      ${insertion(1, 20, 'การแข่งขันวิ่ง')}${insertion(2, 20, 'Йога')}`,
    );
    const before = new Database(database);
    const listed = `SELECT row, user_id, id, name, date, location, description, status, event_type,
      registration_open, created_at, source_key, source_sequence FROM events ORDER BY row`;
    const old = before.prepare(listed).all();
    expect(before.pragma('user_version', { simple: true })).toBe(5);
    expect(before.prepare('SELECT count(*) FROM search_stale').pluck().get()).toBe(3);
    before.close();

    const db = openWriter(database);
    migrate(db);
    expect(connection(db).prepare(listed).all()).toEqual(old);
    expect(findDamage(db)).toEqual([]);
    const international = ['Διεθνής ΣΊΣΥΦΟΣ – Ёлка'];
    for (const search of [
      'ΔΙΕΘΝΗΣ σισυφος',
      'елка',
      nfd('한국어'),
      'दिल्ली',
      'ναυπλιο',
      'marche',
      'alesund',
    ]) {
      expect(found(db, 1, search), search).toEqual(international);
    }
    expect(found(db, 1, 'lodz strasse')).toEqual(['Łódź Straße']);
    for (const gone of ['u15', 'summer']) expect(found(db, 1, gone), gone).toEqual([]);
    expect(found(db, 2, 'ubungsabend')).toHaveLength(3);
    expect(found(db, 2, 'иога')).toEqual(['Йога']);
    expect(found(db, 2, 'osterturnier')).toEqual([]);
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
