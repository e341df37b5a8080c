import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  chooseSigning,
  describeSigning,
  releaseOptions,
} from '../../../electron/packaging/release.ts';
import { version } from '../../../server/base/version.ts';
import {
  makeDistribution,
  makeMacDistribution,
  makeWindowsDistribution,
} from '../../support/distribution.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { packApplication } from '../../support/packing.ts';
import { lacking } from '../../support/place.ts';

// A rehearsal of release.yml: electron-builder makes the packages of all platforms with fakes of
// the tools that it would download, and the workflow's own patterns and steps collect them.

const root = join(import.meta.dirname, '../../..');
const folder = makeFolder();
const tools = join(folder, 'tools');
const release = join(folder, 'release');
afterAll(() => removeFolder(folder));

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
};
const { jobs }: { jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> } = parse(
  readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
);

/** Returns the step of a job whose action or script contains a text. */
function findStep(job: string, text: string): Step {
  const step = jobs[job]?.steps.find(({ uses, run }) => `${uses}${run}`.includes(text));
  if (step === undefined) throw new Error(`The job ${job} has no step with ${text}.`);
  return step;
}

/** The names under which a fake stands for each tool, and writes the file that the tool would. */
const fakes = ['7za', 'desktop-file-validate', 'dmgbuild', 'fpm', 'makensis', 'mksquashfs'];
const fake = `#!${process.execPath}
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const args = process.argv.slice(2);
const write = (path, content = '') => writeFileSync(path, basename(path) + content);
const fakes = {
  '7za': () => write(args.slice(1).find((arg) => !arg.startsWith('-'))),
  dmgbuild: () => write(args.at(-1)),
  fpm: () => write(args[args.indexOf('--package') + 1]),
  makensis() {
    // All of the script, before the process ends.
    readFileSync(0);
    // An installer is larger than the archive in it.
    const [archive] = args.filter((arg) => /^-DAPP_(64|ARM64)=/.test(arg));
    const [output] = args.filter((arg) => arg.startsWith('-XOutFile'));
    write(output.split('"')[1], readFileSync(archive.split('=')[1]));
  },
  mksquashfs: () => write(args[1], readdirSync(join(args[0], 'resources'))),
  sips: () => console.log('pixelHeight: 400\\npixelWidth: 540'),
  // It runs an installer, which writes the uninstaller.
  wine: () => write(args[0].replace(/exe$/, '__uninstaller.exe')),
};
fakes[basename(process.argv[1])]();
`;

const toolEnvironment = {
  PATH: `${tools}:${process.env['PATH']}`,
  APPIMAGE_TOOLS_PATH: tools,
  CUSTOM_DMGBUILD_PATH: join(tools, 'dmgbuild'),
  CUSTOM_FPM_PATH: join(tools, 'fpm'),
  ELECTRON_BUILDER_7ZIP_PATH: join(tools, '7za'),
  ELECTRON_BUILDER_NSIS_DIR: tools,
  ELECTRON_BUILDER_NSIS_RESOURCES_DIR: tools,
};

function writeTools(): void {
  for (const path of ['lib/arm64', 'lib/x64', 'plugins', 'runtimes']) {
    mkdirSync(join(tools, path), { recursive: true });
  }
  for (const path of ['elevate.exe', 'runtimes/runtime-arm64', 'runtimes/runtime-x64']) {
    writeFileSync(join(tools, path), '');
  }
  for (const name of [...fakes, 'sips', 'wine']) {
    writeFileSync(join(tools, name), fake, { mode: 0o755 });
  }
}

/** Makes the packages of a platform, and takes those files that the workflow uploads. */
async function makePackages(platform: string, distribution: string): Promise<void> {
  const signing = chooseSigning(platform, {}, folder);
  // A program for macOS looks for updates only if it is signed.
  const made = platform === 'darwin' ? { signed: true, options: [], env: {} } : signing;
  const repository = {
    GITHUB_REPOSITORY: 'club/events',
  };
  const options = releaseOptions(platform, made, repository);
  // electron-builder's folder is the one that the patterns of the workflow name.
  const target = join(folder, platform, 'dist');
  await packApplication(options, { distribution, target }, toolEnvironment);
  writeFileSync(join(target, `signing-${platform}.txt`), describeSigning(platform, signing));
  const patterns = findStep('build', 'actions/upload-artifact').with?.['path'] ?? '';
  for (const path of globSync(patterns.trim().split('\n'), { cwd: join(folder, platform) })) {
    copyFileSync(join(folder, platform, path), join(release, path.replace('dist/', '')));
  }
  // It has a copy of Node.js for each processor, and may be in memory.
  removeFolder(join(folder, platform));
}

const sha512 = (path: string) => createHash('sha512').update(readFileSync(path)).digest('base64');

const unable = lacking('packages for Linux');

describe.skipIf(unable)('the files of a release', () => {
  beforeAll(() => {
    mkdirSync(release);
    writeTools();
  });
  beforeAll(async () => makePackages('linux', await makeDistribution(folder)));
  beforeAll(async () => makePackages('win32', await makeWindowsDistribution(folder)));
  beforeAll(async () => makePackages('darwin', await makeMacDistribution(folder)));
  beforeAll(async () => {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(root, name), join(folder, name));
    }
    const script = findStep('publish', 'SHA256SUMS').run ?? '';
    const env = { ...process.env, GITHUB_REF_NAME: `v${version}` };
    // As GitHub starts bash.
    await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env });
  });

  it('the files of a release are all packages, what updates need, the list of packages inside and the checksums', () => {
    const at = (prefix: string, ...endings: readonly string[]) =>
      endings.map((ending) => `club-events${prefix}${version}${ending}`);
    expect(readdirSync(release).sort()).toEqual(
      [
        'SHA256SUMS',
        ...at('-', '-arm64.AppImage', '-x86_64.AppImage', '.cdx.json'),
        ...at('-', '-arm64.dmg', '-arm64.dmg.blockmap', '-x64.dmg', '-x64.dmg.blockmap'),
        ...at('-', '-arm64-mac.zip', '-arm64-mac.zip.blockmap'),
        ...at('-', '-x64-mac.zip', '-x64-mac.zip.blockmap'),
        ...at('-setup-', '-arm64.exe', '-arm64.exe.blockmap', '-x64.exe', '-x64.exe.blockmap'),
        ...at('_', '_amd64.deb', '_arm64.deb'),
        ...at('-server_', '_amd64.deb', '_arm64.deb'),
        'latest-linux-arm64.yml',
        'latest-linux.yml',
        'latest-mac.yml',
        'latest.yml',
      ].sort(),
    );
  });

  it.each([
    ['latest-linux.yml', ['-x86_64.AppImage', '_amd64.deb']],
    ['latest-linux-arm64.yml', ['-arm64.AppImage', '_arm64.deb']],
    ['latest.yml', ['-x64.exe', '-arm64.exe']],
    ['latest-mac.yml', ['-x64-mac.zip', '-arm64-mac.zip', '-arm64.dmg', '-x64.dmg']],
  ])('the files of a release are named in %s with their digests', (name, endings) => {
    const described = parse(readFileSync(join(release, name), 'utf8'));
    const files: readonly { url: string; sha512: string }[] = described.files;
    expect(described.version).toBe(version);
    expect(files.map(({ url }) => url.split(version)[1]).sort()).toEqual([...endings].sort());
    for (const file of files) expect(file.sha512).toBe(sha512(join(release, file.url)));
  });

  it('the files of a release are those that SHA256SUMS lists', async () => {
    const options = { cwd: release };
    const check = ['--check', '--strict', 'SHA256SUMS'];
    const { stdout } = await promisify(execFile)('sha256sum', check, options);
    const others = readdirSync(release).filter((name) => name !== 'SHA256SUMS');
    const lines = stdout.trim().split('\n');
    expect(lines.sort()).toEqual(others.map((name) => `${name}: OK`).sort());
  });

  it('the files of a release contain an AppImage that updates itself, not the deb', () => {
    // The file package-type would make the updater install the next deb.
    for (const arch of ['arm64', 'x86_64']) {
      const image = readFileSync(
        join(release, `club-events-${version}-${arch}.AppImage`),
        'latin1',
      );
      expect(image).toContain('app-update.yml');
      expect(image).not.toContain('package-type');
    }
  });
});
