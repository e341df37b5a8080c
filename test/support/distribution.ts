import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** The marker before the fuses in the program. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** The fuses as Electron is published with, version 1: on, off and so on. */
const fuses = '101100011';

/** The text in Node.js that says whether it contains a script. */
export const nodeFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const program = `#!/bin/sh\necho "window: $*"\nexit 0\n${sentinel}\x01${String.fromCharCode(fuses.length)}${fuses}`;

function write(folder: string, path: string, content: string, mode = 0o644): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

/** The application that Electron shows when it has no other. */
async function writeDefaultApp(folder: string, resources: string): Promise<void> {
  write(folder, 'default-app/package.json', '{}');
  await createPackage(join(folder, 'default-app'), join(folder, resources, 'default_app.asar'));
}

/**
 * Makes a distribution of Electron for Linux in a folder, as small as electron-builder takes it:
 * the program, which prints its arguments, with its fuses, and the files beside it. Node.js is in
 * the folder, too.
 */
export async function makeDistribution(folder: string): Promise<string> {
  const distribution = join(folder, 'electron');
  write(distribution, 'electron', program, 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version']) {
    write(distribution, name, name);
  }
  for (const language of ['de', 'en-US', 'fr', 'ja', 'nl']) {
    write(distribution, `locales/${language}.pak`, '');
  }
  addNode(folder, 'linux-x64');
  addNode(folder, 'linux-arm64');
  await writeDefaultApp(folder, 'electron/resources');
  return distribution;
}

const archiveOf = (platform: string) => `node-v${process.versions.node}-${platform}`;

/** Lays this machine's Node.js into a folder, as if it were the one of a platform. */
function addNode(folder: string, platform: string): void {
  const archive = join(folder, archiveOf(platform));
  if (existsSync(archive)) return;
  mkdirSync(archive);
  symlinkSync(dirname(process.execPath), join(archive, 'bin'));
}

/** Makes an empty program for Windows, of version 1.2.3, that holds a text. */
export function makeWindowsProgram(text: string): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const info = Resource.VersionInfo.createEmpty();
  info.setStringValues({ lang: 0x0409, codepage: 1200 }, { FileVersion: '1.2.3' });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  program.setExtraData(new TextEncoder().encode(text).buffer);
  return Buffer.from(program.generate());
}

/** Makes a distribution of Electron for Windows, as `makeDistribution` does. */
export async function makeWindowsDistribution(folder: string): Promise<string> {
  const distribution = join(folder, 'electron-windows');
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak']) {
    write(distribution, name, name);
  }
  writeFileSync(join(distribution, 'electron.exe'), makeWindowsProgram(program));
  for (const archive of [archiveOf('win-x64'), archiveOf('win-arm64')]) {
    write(folder, `${archive}/LICENSE`, 'The licence of Node.js');
    writeFileSync(join(folder, archive, 'node.exe'), makeWindowsProgram(`${nodeFuse}:0`));
  }
  await writeDefaultApp(folder, 'electron-windows/resources');
  return distribution;
}

function propertyList(properties: Readonly<Record<string, string>>): string {
  const entries = Object.entries(properties).map(
    ([key, value]) => `<key>${key}</key><string>${value}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${entries.join('')}</dict></plist>`;
}

/** Makes a distribution for macOS, like `makeDistribution`. */
export async function makeMacDistribution(folder: string): Promise<string> {
  const distribution = join(folder, 'electron-mac');
  const writeProgram = (path: string, name: string) => {
    const properties = { CFBundleExecutable: name, CFBundleIdentifier: 'com.github.Electron' };
    write(distribution, `${path}/${name}.app/Contents/Info.plist`, propertyList(properties));
    write(distribution, `${path}/${name}.app/Contents/MacOS/${name}`, '', 0o755);
  };
  writeProgram('.', 'Electron');
  const frameworks = 'Electron.app/Contents/Frameworks';
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    writeProgram(frameworks, `Electron Helper${kind}`);
  }
  const framework = `${frameworks}/Electron Framework.framework`;
  write(distribution, `${framework}/Electron Framework`, program);
  write(distribution, `${framework}/Versions/A/Resources/en.lproj/locale.pak`, '');
  write(distribution, 'Electron.app/Contents/Resources/electron.icns', '');
  addNode(folder, 'darwin-x64');
  addNode(folder, 'darwin-arm64');
  await writeDefaultApp(folder, 'electron-mac/Electron.app/Contents/Resources');
  return distribution;
}
