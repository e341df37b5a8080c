import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { composeCompletion } from '../../server/cli/completion.ts';
import { composeManPage } from '../../server/cli/man-page.ts';
import { createProgram, valuesOf } from '../../server/cli/program.ts';
import { writeLicences } from './licences.ts';

const root = join(import.meta.dirname, '../..');
const shell = join(root, 'electron');

/** The folder of the built application, complete except for its npm packages. */
export const builtDesktop = join(shell, 'dist');

const icons = join(shell, 'icons');

/** Compiles the sources to JavaScript file by file, without a bundler. */
async function compile(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(manifest), 'bin/tsc');
  const project = join(shell, 'tsconfig.build.json');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', project]);
  } catch (error) {
    // The compiler prints its errors to stdout.
    const { stdout = '' } = error as { readonly stdout?: string };
    throw new Error(`The desktop application cannot be built: ${stdout || error}`);
  }
}

function writeManifest(): void {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Electron names its own folder after this; on macOS it must not be the data directory.
  const productName = 'Club Events';
  const manifest = { name, productName, version, type: 'module', main: 'electron/main.js' };
  writeFileSync(join(builtDesktop, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Writes the manual page and the completion of shells, at their places below `/usr/share`, from the
 * command line's own declarations.
 */
function writeShellFiles(share: string): void {
  // The help has the width of a man page, whatever terminal builds it.
  const create = () =>
    createProgram({ stdout: process.stdout, stderr: process.stderr, env: {} }).configureOutput({
      getOutHelpWidth: () => 80,
    });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = {
    'man/man1/club-events.1.gz': gzipSync(composeManPage(create(), version)),
    'bash-completion/completions/club-events': composeCompletion(create(), 'bash', valuesOf),
    'zsh/vendor-completions/_club-events': composeCompletion(create(), 'zsh', valuesOf),
    'fish/vendor_completions.d/club-events.fish': composeCompletion(create(), 'fish', valuesOf),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(share, path)), { recursive: true });
    writeFileSync(join(share, path), content);
  }
}

/**
 * Builds the page for production. The `NODE_ENV` of a test or a developer would result in a
 * development build, which is several times slower.
 */
export async function buildPage(): Promise<void> {
  const configFile = join(import.meta.dirname, '../../server/ui/vite.config.ts');
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({ configFile, logLevel: 'warn' });
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
}

/** Builds the desktop application. Throws if the page is not built or the sources have errors. */
export async function buildDesktop(): Promise<void> {
  const page = join(root, 'server/ui/dist');
  if (!existsSync(join(page, 'index.html'))) {
    throw new Error('The page is not built; run "npm run build" first.');
  }
  rmSync(builtDesktop, { recursive: true, force: true });
  await compile();
  cpSync(page, join(builtDesktop, 'server/ui/dist'), { recursive: true });
  cpSync(icons, join(builtDesktop, 'electron/icons'), { recursive: true });
  writeShellFiles(join(builtDesktop, 'share'));
  writeLicences(root, join(builtDesktop, 'LICENSES.txt'));
  writeManifest();
}

if (import.meta.main) await buildDesktop();
