import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Home } from '../../../server/base/home.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';

async function makeClub(): Promise<Home> {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  return home;
}

const check = (home: Home, ...more: string[]) =>
  callCommand(['--home', home.directory, ...more, 'check']);

describe('check', () => {
  it('reports every area as JSON', async () => {
    const home = await makeClub();
    const { status, stdout } = await check(home, '--json');
    expect(status).toBe(0);
    const areas = ['pages', 'references', 'schema', 'values', 'search', 'history', 'backups'];
    expect(JSON.parse(stdout)).toEqual({
      database: home.database,
      isInOrder: true,
      areas: areas.map((area) => ({
        area,
        problems: [],
        ...(area === 'backups' && { isEmpty: true }),
      })),
    });
  });

  it('verifies the checksums of the backups', async () => {
    const home = await makeClub();
    expect((await callCommand(['--home', home.directory, 'backup'])).status).toBe(0);
    expect((await check(home)).stdout).toContain('Backups: in order\n');

    const name = readdirSync(home.backups).find((file) => file.endsWith('.sqlite')) ?? '';
    appendFileSync(join(home.backups, name), 'damaged');
    const damaged = await check(home);
    expect(damaged.status).toBe(1);
    expect(damaged.stderr).toBe(
      `Not all backups are in order: ${name} is not as it was when it was made. Make a new one.\n`,
    );
    rmSync(join(home.backups, `${name}.json`));
    expect((await check(home)).stdout).toContain(`Backups: ${name} has no record; `);
  });

  it('reports events that another program changed, with the code of the failure', async () => {
    const home = await makeClub();
    const sqlite = new Database(home.database);
    sqlite.exec('DELETE FROM changes WHERE event_id = 2; DELETE FROM edits');
    sqlite.close();
    const result = await check(home, '--json');
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^The events in .* do not fit their history: entries that/);
    const report = JSON.parse(result.stdout);
    expect(report.error).toEqual({ code: 'history_differs', detail: result.stderr.trim() });
    expect(report.isInOrder).toBe(false);
  });
});
