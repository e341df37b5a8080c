import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { writeLicences } from './licences.ts';

const root = join(import.meta.dirname, '../..');
const shell = join(root, 'electron');

/** The application as Electron runs it: a folder of its own, but for the packages. */
export const builtDesktop = join(shell, 'dist');

const icons = join(shell, 'icons');

/** JavaScript from the sources, file by file: as readable as they are, and nothing bundled. */
async function compile(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(manifest), 'bin/tsc');
  const project = join(shell, 'tsconfig.build.json');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', project]);
  } catch (error) {
    // What it found wrong is on its stdout.
    const { stdout = '' } = error as { readonly stdout?: string };
    throw new Error(`The desktop application cannot be built: ${stdout || error}`);
  }
}

function writeManifest(): void {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // On macOS, Electron keeps what is its own in a folder of this name, which ours must not be.
  const productName = 'Club Events';
  const manifest = { name, productName, version, type: 'module', main: 'electron/main.js' };
  writeFileSync(join(builtDesktop, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Builds the desktop application; the page has to be built before. Throws what is wrong with it. */
export async function buildDesktop(): Promise<void> {
  const page = join(root, 'server/ui/dist');
  if (!existsSync(join(page, 'index.html'))) {
    throw new Error('The page is not built; run "npm run build" first.');
  }
  rmSync(builtDesktop, { recursive: true, force: true });
  await compile();
  cpSync(page, join(builtDesktop, 'server/ui/dist'), { recursive: true });
  cpSync(icons, join(builtDesktop, 'electron/icons'), { recursive: true });
  writeLicences(root, join(builtDesktop, 'LICENSES.txt'));
  writeManifest();
}

if (import.meta.main) await buildDesktop();
