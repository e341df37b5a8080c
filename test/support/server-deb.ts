import { join } from 'node:path';
import { makeServerDeb } from '../../electron/packaging/debian.ts';
import { makeDistribution } from './distribution.ts';
import { removeFolder } from './home.ts';
import { fastDeb, packApplication } from './packing.ts';

/** Makes the deb without the window in a folder, once for each version; returns their paths. */
export async function makeServerDebs(
  folder: string,
  versions: readonly string[],
): Promise<string[]> {
  const distribution = await makeDistribution(folder);
  const target = join(folder, 'out');
  await packApplication(['--linux', '--x64', '--dir'], { distribution, target });
  const commandLine = join(target, 'linux-unpacked/resources/command-line');
  Object.assign(process.env, fastDeb);
  const facts = {
    homepage: 'https://club.invalid/',
    maintainer: 'The Club <nobody@club.invalid>',
    copyright: 'Copyright © 2026 The Club',
    arch: 'x64',
  };
  const paths: string[] = [];
  for (const version of versions)
    paths.push(await makeServerDeb(folder, commandLine, { ...facts, version }));
  // It has another copy of Node.js, and may be in memory.
  removeFolder(target);
  return paths;
}
