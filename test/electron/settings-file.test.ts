import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defaultStoredSettings,
  openSettingsFile,
} from '../../electron/settings/desktop-settings.ts';
import { languages } from '../../server/messages/messages.ts';
import { makeTestFolder } from '../support/home.ts';
import { expectMode, mountSmall } from '../support/place.ts';

/** Creates a folder with a settings file. */
function makeFolderWith(text: string): string {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'settings.json'), text);
  return folder;
}

const english = (folder: string) =>
  openSettingsFile(folder)
    .notices()
    .map((notice) => notice('en'));

describe('the settings file', () => {
  it('stores changes in a file that only the owner can read', () => {
    const folder = makeTestFolder();
    const first = openSettingsFile(folder);
    expect(first.current()).toEqual(defaultStoredSettings);
    expect(readdirSync(folder)).toEqual([]);
    const home = join(folder, 'elsewhere');
    first.change({ port: 30_000, theme: 'dark' });
    first.change({ home });
    const second = openSettingsFile(folder);
    expect(second.current()).toEqual({
      ...defaultStoredSettings,
      port: 30_000,
      theme: 'dark',
      home,
    });
    expect(second.notices()).toEqual([]);
    expectMode(join(folder, 'settings.json'), 0o600);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('keeps that syncs are off', () => {
    const folder = makeFolderWith('{"syncMinutes":null}');
    const file = openSettingsFile(folder);
    expect([file.current().syncMinutes, file.notices()]).toEqual([null, []]);
  });

  it('replaces each invalid value by its default and lists their names', () => {
    const folder = makeFolderWith(
      JSON.stringify({
        language: 'tlh',
        theme: 'dark',
        port: 80,
        closeToTray: 'yes',
        syncMinutes: 7,
        home: 'not/absolute',
        club: 1.5,
        unknown: 7,
      }),
    );
    const file = openSettingsFile(folder);
    expect(file.current()).toEqual({ ...defaultStoredSettings, theme: 'dark' });
    const [text = ''] = file.notices().map((notice) => notice('en'));
    for (const name of ['language', 'port', 'closeToTray', 'syncMinutes', 'home', 'club']) {
      expect(text).toContain(name);
    }
    expect(text).not.toContain('theme');
  });

  it.each([
    ['cut short', '{"theme":"da'],
    ['empty', ''],
    ['a list', '[]'],
    ['a text', '"dark"'],
    ['null', 'null'],
    ['endless', `"${'x'.repeat(200_000)}"`],
    ['of other bytes', '\u0000\u0001\u0002'],
  ])('the settings file is replaced by the defaults and renamed when it is %s', (_name, text) => {
    const folder = makeFolderWith(text);
    const file = openSettingsFile(folder);
    expect(file.current()).toEqual(defaultStoredSettings);
    expect(english(folder)).toEqual([expect.stringContaining('settings.broken.json')]);
    // Unchanged until the first save.
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe(text);
    file.change({ theme: 'light' });
    expect(readFileSync(join(folder, 'settings.broken.json'), 'utf8')).toBe(text);
    expect(openSettingsFile(folder).current().theme).toBe('light');
    expect(english(folder)).toEqual([]);
  });

  it('the settings file is renamed when it is a folder', () => {
    const folder = makeTestFolder();
    mkdirSync(join(folder, 'settings.json'));
    const file = openSettingsFile(folder);
    expect(file.notices()).toHaveLength(1);
    file.change({ theme: 'dark' });
    expect(openSettingsFile(folder).current().theme).toBe('dark');
    expect(existsSync(join(folder, 'settings.broken.json'))).toBe(true);
  });

  it('applies and reports a change that cannot be saved', (context) => {
    const disk = mountSmall(context, 64, 'ro');
    const file = openSettingsFile(disk.folder);
    file.change({ theme: 'dark' });
    expect(file.current().theme).toBe('dark');
    expect(file.notices().map((notice) => notice('en'))).toEqual([
      expect.stringMatching(/couldn’t be saved .* is on a read-only disk/),
    ]);
  });

  it('reports an unreadable file in each language', () => {
    const { notices } = openSettingsFile(makeFolderWith('{'));
    const texts = Object.keys(languages).map((language) => notices()[0]?.(language as 'en'));
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toContain('settings.broken.json');
  });
});
