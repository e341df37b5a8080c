import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synchronisedBy } from '../../../server/store/synchronised.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

/** Makes a folder with a mark of a program, and returns a folder two levels below. */
function makeMarked(mark: string, name = 'shared'): string {
  const folder = join(makeTestFolder(), name);
  mkdirSync(join(folder, dirname(mark)), { recursive: true });
  writeFileSync(join(folder, mark), '');
  const below = join(folder, 'club', 'data');
  mkdirSync(below, { recursive: true });
  return below;
}

describe('a folder', () => {
  it.each([
    ['.849C9593-D756-4E56-8D6E-42412F2A707B', 'OneDrive'],
    ['.dropbox.cache', 'Dropbox'],
    ['.tmp.driveupload', 'Google Drive'],
    ['.nextcloudsync.log', 'Nextcloud'],
    ['.owncloudsync.log', 'ownCloud'],
    ['.sync_1a2b3c4d5e6f.db', 'Nextcloud/ownCloud'],
    ['._sync_1a2b3c4d5e6f.db', 'Nextcloud/ownCloud'],
    ['.stfolder', 'Syncthing'],
    ['.SynologyWorkingDirectory', 'Synology Drive'],
    ['.seafile-data', 'Seafile'],
    ['.megaignore', 'MEGA'],
    ['.tresorit', 'Tresorit'],
    ['.sync/ID', 'Resilio Sync'],
    ['.sync/settings.dat', undefined],
    ['letter.txt', undefined],
  ])('below one with %s is synchronised by %s', (mark, service) => {
    expect(synchronisedBy(makeMarked(mark))).toBe(service);
  });

  it.each([
    ['.stfolder', 'Syncthing'],
    ['.sync_1a2b3c4d5e6f.db', 'MagentaCLOUD'],
  ])('called MagentaCLOUD, with %s, is synchronised by %s', (mark, service) => {
    expect(synchronisedBy(makeMarked(mark, 'MagentaCLOUD'))).toBe(service);
  });

  it.each([
    ['C:\\Users\\a\\OneDrive\\club', 'OneDrive'],
    ['C:\\Users\\a\\OneDrive - Verein\\club', 'OneDrive'],
    ['/home/a/Dropbox/club', 'Dropbox'],
    ['/home/a/Chess Club Dropbox/club', 'Dropbox'],
    ['/Users/a/Library/CloudStorage/GoogleDrive-a@example.org/My Drive/club', 'Google Drive'],
    ['/Users/a/Library/CloudStorage/ProtonDrive-a@example.org/club', 'Proton Drive'],
    ['/Users/a/Library/CloudStorage/Egnyte-club/club', 'Egnyte'],
    ['/Users/a/Library/Mobile Documents/com~apple~CloudDocs/club', 'iCloud'],
    ['/home/a/Nextcloud2/club', 'Nextcloud'],
    ['/home/a/ownCloud - name@cloud.example.org/club', 'ownCloud'],
    ['/home/a/SynologyDrive/club', 'Synology Drive'],
    ['C:\\Users\\a\\Proton Drive\\a\\My files\\club', 'Proton Drive'],
    ['/home/a/pCloudDrive/club', 'pCloud'],
    ['/home/a/Sync/club', 'Sync'],
    ['/home/a/MEGA/club', 'MEGA'],
    ['/home/a/Box/club', 'Box'],
    ['/home/a/Seafile/club', 'Seafile'],
    ['/home/a/kDrive/club', 'kDrive'],
    ['/home/a/MagentaCLOUD/club', 'MagentaCLOUD'],
    ['/home/a/HiDrive/club', 'HiDrive'],
    ['/home/a/dropboxes/club', undefined],
    ['/home/box/sync/club', undefined],
  ])('%s is synchronised by %s', (path, service) => {
    expect(synchronisedBy(path)).toBe(service);
  });
});

describe('a new data directory that another program synchronises', () => {
  const sentence =
    /Syncthing synchronises .* and may damage open data; choose another folder with --home or CLUB_EVENTS_HOME, and write only backups to this one\.\n/g;
  const home = () => ['--home', makeMarked('.stfolder')];

  it('is named once, when it is made', { tags: 'long' }, async () => {
    const data = home();
    const added = await runCommand([...data, 'user', 'add', 'Chess', '--json']);
    expect(added.status).toBe(0);
    expect(added.stderr.match(sentence)).toHaveLength(1);
    expect(JSON.parse(added.stdout)).toMatchObject({ name: 'Chess' });
    const next = await runCommand([...data, 'user', 'add', 'Rowing']);
    expect(next).toMatchObject({ status: 0, stderr: '' });
  });

  it('is named by the first start of the service', { tags: 'long' }, async () => {
    const data = home();
    const serving = await startServe([...data, '--port', '0']);
    await expect.poll(() => serving.stderr().match(sentence)).toHaveLength(1);
    await serving.end('SIGTERM');
    expect((await runCommand([...data, 'check'])).stderr).toBe('');
  });

  it('is named by a restore into it', { tags: 'long' }, async () => {
    const backup = join(makeTestFolder(), 'backup.sqlite');
    const elsewhere = ['--home', join(makeTestFolder(), 'home')];
    await callCommand([...elsewhere, 'user', 'add', 'Chess']);
    await callCommand([...elsewhere, 'backup', '--output', backup]);
    const restored = await runCommand([...home(), 'restore', backup]);
    expect(restored.status).toBe(0);
    expect(restored.stderr.match(sentence)).toHaveLength(1);
  });

  it('is made although a folder above it cannot be read', async (context) => {
    requirePlace(context, 'file modes');
    const folder = makeTestFolder();
    const data = join(folder, 'closed', 'home');
    mkdirSync(data, { recursive: true });
    chmodSync(join(folder, 'closed'), 0o311);
    const added = await runCommand(['--home', data, 'user', 'add', 'Chess']);
    expect(added).toMatchObject({ status: 0, stderr: '' });
  });
});
