import { describe, expect, it } from 'vitest';
import { writeExcelConnection, writePowerQuery } from '../../../server/ui/manage/keys/excel.ts';
import { serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { runPowerQuery } from '../../support/power-query.ts';

/** Dates of which several are on each page, and several are the same where one page ends. */
const dateOf = (id: number) => new Date(Date.UTC(2026, 0, 1, Math.floor(id / 7))).toISOString();

const base = (port: number) => `http://127.0.0.1:${port}`;

/** Reads the queries in a connection file as Excel does: by HTML, then by XML. */
function queriesIn(file: string): Record<string, string> {
  const [, data = ''] =
    /<odc:PowerQueryMashupData>(.*?)<\/odc:PowerQueryMashupData>/s.exec(file) ?? [];
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  const mashup = data.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => names[name] ?? '');
  const items = mashup.matchAll(/<Query Name="(\w+)"><Formula><!\[CDATA\[(.*?)\]\]>/gs);
  return Object.fromEntries([...items].map(([, name = '', formula = '']) => [name, formula]));
}

describe('the query for Excel', () => {
  it('reads all of 1,000 events, each once', async () => {
    const events = Array.from({ length: 1_000 }, (_, id) => makeEvent(id, { date: dateOf(id) }));
    const { service, key } = await serveClub(events);
    const table = await runPowerQuery(writePowerQuery(base(service.port), `"Bearer ${key}"`));
    expect(table).toHaveLength(1_000);
    expect(table.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(Object.keys(table[0] ?? {})).toHaveLength(9);
    expect(table[0]).toMatchObject({ name: 'Event 0', eventType: 'club', registrationOpen: null });
  });

  it.each([0, 1, 199, 200, 201])('reads all of %d events', async (length) => {
    const { service, key } = await serveClub(
      Array.from({ length }, (_, id) => makeEvent(id, { date: dateOf(id) })),
    );
    const table = await runPowerQuery(writePowerQuery(base(service.port), `"Bearer ${key}"`));
    expect(table).toHaveLength(length);
  });

  it('cuts nothing off: 200 events at the same time are an error', async () => {
    const { service, key } = await serveClub(Array.from({ length: 201 }, (_, id) => makeEvent(id)));
    const query = writePowerQuery(base(service.port), `"Bearer ${key}"`);
    await expect(runPowerQuery(query)).rejects.toThrow('200 or more events begin at 2026-05-01');
  });
});

it('is in a connection file with a parameter instead of a key', async () => {
  const { service, key } = await serveClub(
    Array.from({ length: 250 }, (_, id) => makeEvent(id, { date: dateOf(id) })),
  );
  const file = writeExcelConnection(base(service.port), 'Chess & <Checkers>');
  expect(file).toContain('<title>Chess &amp; &lt;Checkers&gt;</title>');
  expect(file).not.toContain(key);
  const queries = queriesIn(file);
  expect(Object.keys(queries)).toEqual(['Events', 'Key']);
  expect(queries['Key']).toMatch(/^"" meta \[IsParameterQuery = true,/);
  expect(await runPowerQuery(queries['Events'] ?? '', { Key: key })).toHaveLength(250);
});
