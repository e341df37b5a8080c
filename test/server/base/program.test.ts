import { describe, expect, it } from 'vitest';
import { findStarts, type Starts } from '../../../server/base/program.ts';

const script = expect.stringMatching(/server.cli.club-events\.js$/);
const only = (command: string) => ({ command, args: [] });
const withScript = (command: string) => ({ command, args: [script] });

type Case = {
  readonly env?: NodeJS.ProcessEnv;
  readonly execPath: string;
  readonly isElectron?: boolean;
} & Omit<Starts, 'appImage'>;

const electron = '/src/node_modules/electron/dist/electron';
const image = '/home/me/Club Events.AppImage';
const mount = '/tmp/.mount_ClubEv';
const ofImage = { APPIMAGE: image, APPDIR: mount, CLUB_EVENTS_LAUNCHER: `${mount}/club-events` };
const foreign = { APPIMAGE: '/opt/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' };
const deb = '/opt/Club Events/club-events';
const ofDeb = { CLUB_EVENTS_LAUNCHER: deb };
const dmg = '/Applications/Club Events.app/Contents';
const ofDmg = { CLUB_EVENTS_LAUNCHER: `${dmg}/Resources/bin/club-events` };
const windows = 'C:\\Programs\\Club Events\\';
const ofWindows = { CLUB_EVENTS_LAUNCHER: `${windows}resources\\bin\\club-events.exe` };

/** Each kind of package, with its window or service in Electron and its command line. */
const cases: Readonly<Record<string, Case>> = {
  'the window of a checkout': {
    execPath: electron,
    isElectron: true,
    window: electron,
    commandLine: withScript('node'),
    child: withScript(electron),
  },
  'the command line of a checkout': {
    execPath: '/usr/bin/node',
    window: '/usr/bin/node',
    commandLine: withScript('/usr/bin/node'),
    child: withScript('/usr/bin/node'),
  },
  'the window of a checkout in the terminal of an AppImage': {
    env: foreign,
    execPath: electron,
    isElectron: true,
    window: electron,
    commandLine: withScript('node'),
    child: withScript(electron),
  },
  'the window of the deb': {
    env: ofDeb,
    execPath: `${deb}-window`,
    isElectron: true,
    window: `${deb}-window`,
    commandLine: only(deb),
    child: only(deb),
  },
  'the command line of the deb in the terminal of an AppImage': {
    env: { ...foreign, ...ofDeb },
    execPath: '/opt/Club Events/resources/command-line/node',
    window: '/opt/Club Events/resources/command-line/node',
    commandLine: only(deb),
    child: withScript('/opt/Club Events/resources/command-line/node'),
  },
  'the window of the AppImage': {
    env: ofImage,
    execPath: `${mount}/club-events-window`,
    isElectron: true,
    window: image,
    commandLine: only(image),
    child: only(`${mount}/club-events`),
  },
  'the command line of the AppImage': {
    env: ofImage,
    execPath: `${mount}/resources/command-line/node`,
    window: image,
    commandLine: only(image),
    child: withScript(`${mount}/resources/command-line/node`),
  },
  'a program beside the mount of an AppImage': {
    env: { ...ofImage, ...ofDeb },
    execPath: `${mount}-2/club-events-window`,
    isElectron: true,
    window: `${mount}-2/club-events-window`,
    commandLine: only(deb),
    child: only(deb),
  },
  'the window of the dmg': {
    env: ofDmg,
    execPath: `${dmg}/MacOS/Club Events`,
    isElectron: true,
    window: `${dmg}/MacOS/Club Events`,
    commandLine: only(ofDmg.CLUB_EVENTS_LAUNCHER),
    child: only(ofDmg.CLUB_EVENTS_LAUNCHER),
  },
  'the window of Windows': {
    env: ofWindows,
    execPath: `${windows}Club Events.exe`,
    isElectron: true,
    window: `${windows}Club Events.exe`,
    commandLine: only(ofWindows.CLUB_EVENTS_LAUNCHER),
    child: only(ofWindows.CLUB_EVENTS_LAUNCHER),
  },
  'the command line of Windows': {
    execPath: ofWindows.CLUB_EVENTS_LAUNCHER,
    window: ofWindows.CLUB_EVENTS_LAUNCHER,
    commandLine: only(ofWindows.CLUB_EVENTS_LAUNCHER),
    child: only(ofWindows.CLUB_EVENTS_LAUNCHER),
  },
};

describe('the ways to start the program', () => {
  it.each(Object.entries(cases))('are found from %s', (_name, each) => {
    const { env = {}, execPath, isElectron = false, ...starts } = each;
    const versions = isElectron ? { electron: '45.5.0' } : {};
    expect(findStarts({ env, execPath, versions })).toEqual({
      appImage: starts.window === image ? image : undefined,
      ...starts,
    });
  });
});
