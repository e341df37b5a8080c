import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtDesktop } from './build.ts';
import { licencesOfPage, renderLicences } from './licences.ts';

/*
 * `npm run pack`: makes the npm package of the command line in `dist`, from the same JavaScript as
 * the desktop packages. Nothing is published.
 */

const root = join(import.meta.dirname, '../..');

/** Returns the npm packages that the compiled programs below a folder import. */
function importedPackages(folder: string): ReadonlySet<string> {
  const imports = /(?:\bfrom |\bimport |\bimport\(|\()'((?:@[\w.-]+\/)?\w[\w.-]*)/g;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.js$/.test(path) && !/\bui\b/.test(path),
  );
  const texts = files.map((path) => readFileSync(join(folder, path), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(imports)].map(([, name = '']) => name)));
}

/** Composes the manifest from that of the project; it depends on what the programs import. */
function composeManifest(folder: string): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const imported = importedPackages(folder);
  const dependencies = Object.fromEntries(
    Object.entries<string>(own.dependencies).filter(([name]) => imported.has(name)),
  );
  const { name, version, description, license, engines, bin } = own;
  return {
    name,
    version,
    description,
    license,
    keywords: ['calendar', 'club', 'events', 'offline', 'mcp'],
    type: 'module',
    bin,
    man: ['share/man/man1/club-events.1.gz'],
    engines,
    dependencies,
  };
}

/** Lays out the package in a folder. The desktop application must have been built. */
export function writeNpmPackage(target: string): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of ['db', 'server', 'share']) {
    cpSync(join(builtDesktop, part), join(target, part), { recursive: true });
  }
  rmSync(join(target, 'server/ui/dist/licenses.json'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(join(import.meta.dirname, 'npm-readme.md'), join(target, 'README.md'));
  // The page contains its packages; npm installs the others with their licences.
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  writeFileSync(join(target, 'LICENSES.txt'), renderLicences(own, licencesOfPage(root)));
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(composeManifest(target), null, 2)}\n`,
  );
}

/** Packs a folder with `npm pack`, and returns the path of the tarball. */
export function packNpmPackage(folder: string, destination: string): string {
  const npm = process.env['npm_execpath'];
  const [program, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const output = execFileSync(
    program,
    [...first, 'pack', folder, '--json', '--pack-destination', destination],
    { encoding: 'utf8', shell: process.platform === 'win32' && npm === undefined },
  );
  const packed: unknown = JSON.parse(output);
  // npm 11 gives a list, later versions an object by name.
  const [{ filename }] = Object.values(packed as object) as [{ filename: string }];
  return join(destination, filename);
}

if (import.meta.main) {
  const folder = join(root, 'dist/npm');
  writeNpmPackage(folder);
  process.stdout.write(`${packNpmPackage(folder, join(root, 'dist'))}\n`);
}
