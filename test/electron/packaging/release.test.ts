import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkFacts,
  checkTag,
  chooseSigning,
  describeSigning,
  publishOptions,
  withoutSecrets,
} from '../../../electron/packaging/release.ts';
import { makeTestFolder } from '../../support/home.ts';
import { expectMode } from '../../support/place.ts';

const folder = '/nonexistent';
const repository = { GITHUB_REPOSITORY: 'club/events' };
const macFile = { MAC_CSC_LINK: 'certificate', MAC_CSC_KEY_PASSWORD: 'password' };
const notarization = {
  APPLE_API_KEY_P8: 'key',
  APPLE_API_KEY_ID: 'id',
  APPLE_API_ISSUER: 'issuer',
};
const azure = {
  AZURE_TENANT_ID: 'tenant',
  AZURE_CLIENT_ID: 'client',
  AZURE_CLIENT_SECRET: 'secret',
  AZURE_ENDPOINT: 'https://signing.invalid/',
  AZURE_ACCOUNT: 'account',
  AZURE_PROFILE: 'profile',
  AZURE_PUBLISHER: 'The Club, Inc.',
};

describe('a release tag', () => {
  it('a release tag is v and the version of the project', () => {
    expect(() => checkTag('v1.2.3', '1.2.3')).not.toThrow();
  });

  it.each([
    ['v1.2.4', 'does not match version 1.2.3'],
    ['1.2.3', 'not of the form'],
    ['v1.2.3-beta.1', 'not of the form'],
    ['', 'not of the form'],
  ])('a release tag is refused as %j', (tag, reason) => {
    expect(() => checkTag(tag, '1.2.3')).toThrow(reason);
  });
});

describe('signing for Windows', () => {
  it('signing for Windows is skipped if the certificate is an empty text', () => {
    const env = { WIN_CSC_LINK: '', WIN_CSC_KEY_PASSWORD: '', AZURE_ENDPOINT: '' };
    expect(chooseSigning('win32', env, folder)).toEqual({ signed: false, options: [], env: {} });
  });

  it('uses a certificate file, and fails if it is unusable', () => {
    const env = { WIN_CSC_LINK: 'certificate', WIN_CSC_KEY_PASSWORD: 'password' };
    const signing = chooseSigning('win32', { ...env, ...macFile }, folder);
    expect(signing).toEqual({ signed: true, options: ['-c.forceCodeSigning=true'], env });
  });

  it('uses an Azure signing account with the exact name of its publisher', () => {
    const { signed, options, env } = chooseSigning('win32', azure, folder);
    expect(signed).toBe(true);
    expect(options).toContain('-c.win.azureSignOptions.publisherName=The Club, Inc.');
    expect(Object.keys(env)).toEqual(['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET']);
  });

  it.each([
    [{ CSC_LINK: 'certificate' }, 'Use WIN_CSC_LINK'],
    [{ WIN_CSC_LINK: 'certificate' }, 'WIN_CSC_KEY_PASSWORD is missing'],
    [{ ...azure, AZURE_PUBLISHER: '' }, 'AZURE_PUBLISHER is missing'],
    [{ ...azure, WIN_CSC_LINK: 'a', WIN_CSC_KEY_PASSWORD: 'b' }, 'not both'],
  ])('refuses %j', (env, reason) => {
    expect(() => chooseSigning('win32', env, folder)).toThrow(reason);
  });
});

describe('signing for macOS', () => {
  it('signing for macOS has no name without a certificate, so that Apple silicon starts the program', () => {
    const { signed, options } = chooseSigning('darwin', {}, folder);
    expect(signed).toBe(false);
    expect(options).toEqual(['-c.mac.identity=-', '-c.mac.hardenedRuntime=false']);
  });

  it('writes the notarization key to a file that only the owner can read', () => {
    const own = makeTestFolder();
    const { signed, env } = chooseSigning('darwin', { ...macFile, ...notarization }, own);
    expect(signed).toBe(true);
    const { APPLE_API_KEY: path = '', ...others } = env;
    expect(readFileSync(path, 'utf8')).toBe('key');
    expectMode(path, 0o600);
    expect(others).toEqual({
      CSC_LINK: 'certificate',
      CSC_KEY_PASSWORD: 'password',
      APPLE_API_KEY_ID: 'id',
      APPLE_API_ISSUER: 'issuer',
    });
  });

  it.each([
    [{ ...macFile, ...notarization, APPLE_API_ISSUER: '' }, 'APPLE_API_ISSUER is missing'],
    [notarization, 'needs MAC_CSC_LINK'],
    [{ MAC_CSC_LINK: 'certificate' }, 'MAC_CSC_KEY_PASSWORD is missing'],
  ])('refuses %j', (env, reason) => {
    expect(() => chooseSigning('darwin', env, folder)).toThrow(reason);
  });
});

describe('a release', () => {
  it('checks the releases of its repository for updates', () => {
    expect(publishOptions('win32', false, repository)).toEqual([
      '-c.publish.provider=github',
      '-c.publish.owner=club',
      '-c.publish.repo=events',
    ]);
  });

  it('a release does not check for updates on macOS without a signature', () => {
    const told = (signed: boolean) => publishOptions('darwin', signed, repository).join(' ');
    expect(told(false)).not.toContain('publish');
    expect(told(true)).toContain('-c.publish.provider=github');
  });

  it('a release is refused without the name of a repository', () => {
    expect(() => publishOptions('linux', false, {})).toThrow('GITHUB_REPOSITORY');
  });

  it('is refused while an address is undecided', () => {
    const decided = { homepage: 'https://events.example/', uidDomain: 'club-events.invalid' };
    expect(() => checkFacts(decided)).not.toThrow();
    const undecided = { ...decided, maintainer: 'We <nobody@club-events.invalid>' };
    expect(() => checkFacts(undecided)).toThrow(/before the first release: maintainer\.$/);
  });

  it('passes only the secrets of its platform to electron-builder', () => {
    const env = { PATH: '/bin', CSC_LINK: 'a', WIN_CSC_LINK: 'b', ...macFile, ...notarization };
    expect(withoutSecrets({ ...env, ...azure })).toEqual({ PATH: '/bin' });
  });

  it('lists the signed packages in its notes', () => {
    const describe = (platform: string, env: Readonly<Record<string, string>>) =>
      describeSigning(platform, chooseSigning(platform, env, makeTestFolder()));
    expect(describe('win32', {})).toContain('for Windows are not signed');
    expect(describe('darwin', macFile)).toBe('The packages for macOS are signed.\n');
    expect(describe('darwin', { ...macFile, ...notarization })).toContain('and notarized');
    expect(describe('linux', {})).toBe('');
  });
});

it('explains a download that fails', { tags: 'long' }, async () => {
  // electron-builder tries for half a minute.
  const script = join(import.meta.dirname, '../../../electron/packaging/release.ts');
  // Nothing listens there.
  const env = { ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: makeTestFolder() };
  const args = [script, 'package', '--linux', 'dir', `-c.directories.output=${makeTestFolder()}`];
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (_error, _out, text) =>
      resolve(text),
    );
  });
  expect(stderr).toMatch(/^electron-builder could not download .* run it again\.\n$/);
});
