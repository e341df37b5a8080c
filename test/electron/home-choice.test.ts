import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHome, prepareChosenHome } from '../../electron/settings/chosen-home.ts';
import { createFaultLog } from '../../electron/system/fault-log.ts';
import { chooseHome } from '../../server/base/settings.ts';
import { addMember, makeTestFolder, makeTestHome } from '../support/home.ts';
import { mountSmall } from '../support/place.ts';

describe('the data directory of the desktop', () => {
  it('the data directory of the desktop is that of the environment, else the chosen one, else the default', () => {
    const env = { CLUB_EVENTS_HOME: '/from/environment' };
    const directoryOf = ({ home }: ReturnType<typeof findHome>) => home.directory;
    expect(findHome('/chosen', env)).toMatchObject({ fixed: true, mustExist: false });
    expect(directoryOf(findHome('/chosen', env))).toBe(resolve('/from/environment'));
    expect(findHome('/chosen', {})).toMatchObject({ fixed: false, mustExist: true });
    expect(directoryOf(findHome('/chosen', {}))).toBe(resolve('/chosen'));
    expect(findHome(null, {})).toMatchObject({ fixed: false, mustExist: false });
    expect(directoryOf(findHome(null, {}))).toBe(chooseHome(undefined, {}));
    expect(chooseHome(undefined, { CLUB_EVENTS_HOME: '' })).toBe(chooseHome(undefined, {}));
  });

  it('the data directory of the desktop is a chosen folder that is empty or already has a database', async () => {
    const folder = makeTestFolder();
    mkdirSync(join(folder, 'lost+found'));
    expect((await prepareChosenHome(folder)).directory).toBe(folder);
    const home = makeTestHome();
    await addMember(home, 'Chess');
    writeFileSync(join(home.directory, 'letter.txt'), '');
    expect((await prepareChosenHome(home.directory)).directory).toBe(home.directory);
  });

  it('the data directory of the desktop is a subfolder of a chosen folder with other files', async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'letter.txt'), '');
    const home = await prepareChosenHome(folder);
    expect(home.directory).toBe(join(folder, 'Club Events'));
    expect(existsSync(home.database)).toBe(true);
    expect(await prepareChosenHome(folder)).toEqual(home);
  });

  it('the data directory of the desktop is refused if it cannot be used, and its files stay unchanged', async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'events.sqlite'), 'Not a database. '.repeat(100));
    await expect(prepareChosenHome(folder)).rejects.toMatchObject({
      problem: 'foreign',
    });
    await expect(prepareChosenHome(join(folder, 'events.sqlite'))).rejects.toMatchObject({
      code: 'file_below_file',
    });
    expect(readFileSync(join(folder, 'events.sqlite'), 'utf8')).toContain('Not a database.');
  });

  it('the data directory of the desktop is refused on a read-only disk', async (context) => {
    const disk = mountSmall(context, 64, 'ro');
    await expect(prepareChosenHome(disk.folder)).rejects.toMatchObject({
      code: 'file_read_only',
    });
  });
});

describe('the log of the shell', () => {
  it('creates its folder at the first entry', () => {
    const folder = join(makeTestFolder(), 'logs');
    const log = createFaultLog(folder);
    expect(existsSync(folder)).toBe(false);
    log.report(new Error('first fault'));
    log.report('second fault');
    const lines = readFileSync(join(folder, 'desktop.log'), 'utf8');
    expect(lines).toContain('first fault');
    expect(lines).toContain('second fault');
  });
});
