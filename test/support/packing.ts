import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, getRawHeader } from '@electron/asar';

const root = join(import.meta.dirname, '../..');
const builder = join(root, 'node_modules/electron-builder/cli.js');

/** Variables with which dpkg-deb is fast rather than thorough. */
export const fastDeb = { DPKG_DEB_COMPRESSOR_TYPE: 'zstd', DPKG_DEB_COMPRESSOR_LEVEL: '1' };

/**
 * Runs electron-builder on the project, with a distribution of Electron in place of the real one,
 * which has Node.js beside it.
 */
export async function packApplication(
  args: readonly string[],
  { distribution, target }: { readonly distribution: string; readonly target: string },
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const options = [
    `-c.electronDist=${distribution}`,
    `-c.directories.output=${target}`,
    '--publish=never',
  ];
  const running = promisify(execFile)(process.execPath, [builder, ...args, ...options], {
    cwd: root,
    env: { ...process.env, ...fastDeb, CLUB_EVENTS_NODE_ARCHIVES: dirname(distribution), ...env },
  });
  await running.catch(({ stdout, stderr }) => {
    throw new Error(`electron-builder failed:\n${stdout}${stderr}`);
  });
}

/** The files of a packed application. */
export type Packed = {
  /** The files of the archive, such as `server/main.js`. */
  readonly files: readonly string[];
  /** Those of them that are beside the archive instead of in it. */
  readonly unpacked: readonly string[];
  /** Lays the application out in a folder, as Electron sees it. */
  extract(folder: string): void;
};

/** A file or a folder in the index of an archive. */
type Entry = { readonly files?: Readonly<Record<string, Entry>>; readonly unpacked?: boolean };
type File = { readonly path: string; readonly unpacked: boolean };

function listFiles({ files = {} }: Entry, folder = ''): readonly File[] {
  return Object.entries(files).flatMap(([name, entry]) =>
    entry.files === undefined
      ? [{ path: folder + name, unpacked: entry.unpacked === true }]
      : listFiles(entry, `${folder}${name}/`),
  );
}

/** Reads the archive of a packed application, of which `resources` is the folder. */
export function readPacked(resources: string): Packed {
  const archive = join(resources, 'app.asar');
  const files = listFiles(getRawHeader(archive).header as Entry);
  return {
    files: files.map(({ path }) => path),
    unpacked: files.filter(({ unpacked }) => unpacked).map(({ path }) => path),
    extract: (folder) => extractAll(archive, folder),
  };
}
