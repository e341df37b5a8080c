import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connection } from '../../db/open.ts';
import { openLog } from '../../server/log.ts';
import { withWriter } from '../../server/store.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey, serveForTest } from '../support/service.ts';

describe('a failure of the service', () => {
  it('logs the cause of a failure and does not send it to the client', async () => {
    const home = makeTestHome();
    const member = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home);
    await withWriter(home, (db) => {
      connection(db).exec('ALTER TABLE events RENAME TO elsewhere');
    });
    const answer = await fetchWithKey(service, '/v1/events?secret=query', member.key);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The service failed; its log has the reason.',
      code: 'internal',
    });
    const log = readFileSync(join(home.logs, 'service.log'), 'utf8');
    expect(log).toContain('no such table');
    expect(log).toContain(`"path":"/v1/events"`);
    expect(log).not.toContain(member.key);
    expect(log).not.toContain('secret');
    expect((await fetchWithKey(service, '/health', '')).status).toBe(200);
  });
});

describe('the log', () => {
  const refuseFailure = (error: Error) => {
    throw error;
  };

  it('rotates a large log at the next start', () => {
    const folder = join(makeTestFolder(), 'logs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'service.log'), 'x'.repeat(6 * 1024 * 1024));
    const log = openLog(folder, refuseFailure);
    log.logger.info('first');
    log.close();
    expect(readFileSync(join(folder, 'service.log.1'), 'utf8')).toMatch(/^x+$/);
    expect(readFileSync(join(folder, 'service.log'), 'utf8')).toMatch(/"msg":"first"/);
  });

  it('keeps the service running when the disk of the log is full', async (context) => {
    if (!existsSync('/dev/full')) return context.skip('this platform has no /dev/full');
    const folder = makeTestFolder();
    symlinkSync('/dev/full', join(folder, 'service.log'));
    const failures: string[] = [];
    const log = openLog(folder, (error) => failures.push(error.message));
    log.logger.info('first');
    log.logger.info('second');
    await expect.poll(() => failures).toEqual([expect.stringMatching(/ENOSPC/)]);
    log.close();
  });
});
