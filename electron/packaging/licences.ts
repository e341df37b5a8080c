import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Licensed = {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier, such as `MIT`. */
  readonly licence: string;
  readonly text: string;
};

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
};

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Returns the folder of a package, resolved from the folder `from` as Node.js does. */
function findPackage(name: string, from: string): string {
  const found = join(from, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  if (from === dirname(from)) throw new Error(`The package ${name} is not installed.`);
  return findPackage(name, dirname(from));
}

/** Returns the MIT licence without its first lines, which name the copyright holder. */
export function mitTerms(root: string): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  return own.slice(own.indexOf('Permission is hereby granted'));
}

/** The licences that authors publish with their sources, but not in packages that are here. */
const publishedLicences = join(import.meta.dirname, 'licences');

/**
 * Returns the licence of a package without a licence file, as published by its authors, or from its
 * readme or manifest.
 */
function textElsewhere(root: string, folder: string, { name, license }: Manifest): string {
  const published = join(publishedLicences, `${name}.txt`);
  if (existsSync(published)) return readFileSync(published, 'utf8').trim();
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const readmeText = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const terms = /^Copyright.+?Permission is hereby granted.+/ms.exec(readmeText)?.[0];
  if (terms !== undefined) return terms.trim();
  if (license !== 'MIT') throw new Error(`The package ${name} has no text of its licence.`);
  return `Copyright (c) the authors of ${name}\n\n${mitTerms(root)}`;
}

function readLicence(root: string, folder: string): Licensed {
  const manifest = readManifest(folder);
  const { name, version, license: licence } = manifest;
  if (licence === undefined) throw new Error(`The package ${name} does not tell its licence.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.length > 0 ? texts.join('\n\n') : textElsewhere(root, folder, manifest);
  return { name, version, licence, text };
}

/** Returns the packages that the program loads at run time. Throws for one without a licence. */
export function licencesOfProgram(root: string): readonly Licensed[] {
  const folders = new Set<string>();
  const visit = (folder: string): void => {
    for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
      const found = findPackage(name, folder);
      if (folders.has(found)) continue;
      folders.add(found);
      visit(found);
    }
  };
  visit(root);
  return [...folders].map((folder) => readLicence(root, folder));
}

/** Vite's description of a bundled package. */
type BundledPackage = {
  readonly name: string;
  readonly version: string;
  readonly identifier?: string;
  readonly text?: string;
};

/** Packages of which styles of the page take a font: Vite lists the packages of scripts only. */
const fonts = ['@fontsource-variable/inter'];

/** Packages from which sources of the page have copies. */
const copied = [
  { name: '@tabler/icons', version: '3.52.0', licence: 'MIT', file: 'tabler-icons.txt' },
];

/** Files with the notices of packages that a package contains itself. */
const containedNotices: Readonly<Record<string, string>> = {
  'swagger-ui-dist': 'swagger-ui-bundle.js.LICENSE.txt',
};

/** Adds to a licence the notices of what its package contains. */
function withNotices(root: string, licensed: Licensed): Licensed {
  const file = containedNotices[licensed.name];
  if (file === undefined) return licensed;
  const notices = readFileSync(join(findPackage(licensed.name, root), file), 'utf8').trim();
  return { ...licensed, text: `${licensed.text}\n\n${notices}` };
}

/**
 * Returns the packages bundled with the page, from the list that Vite writes beside the page, and
 * those of which it contains copies.
 */
export function licencesOfPage(root: string): readonly Licensed[] {
  const list = readFileSync(join(root, 'server/ui/dist/licenses.json'), 'utf8');
  const ofScripts = (JSON.parse(list) as readonly BundledPackage[]).map(
    ({ name, version, identifier, text }) =>
      identifier !== undefined && text !== undefined
        ? { name, version, licence: identifier, text }
        : readLicence(root, findPackage(name, root)),
  );
  const ofFonts = fonts.map((name) => readLicence(root, findPackage(name, root)));
  const ofCopies = copied.map(({ file, ...about }) => ({
    ...about,
    text: readFileSync(join(publishedLicences, file), 'utf8').trim(),
  }));
  return [...ofScripts, ...ofFonts, ...ofCopies].map((each) => withNotices(root, each));
}

const introduction = `Club Events contains the packages below, on these terms. Each is published, with its sources, as
an npm package of that name and version. The terms of Electron, Chromium and Node.js are beside those
that are inside, in LICENSE.electron.txt, LICENSES.chromium.html and LICENSE.node.txt.
`;
const rule = '-'.repeat(80);
const compareNames = new Intl.Collator('en').compare;

/** Returns one text with each different licence once, below the names of its packages. */
export function renderLicences(own: string, licensed: readonly Licensed[]): string {
  const byText = new Map<string, Map<string, string>>();
  for (const { name, version, licence, text } of licensed) {
    const normalized = text.replace(/\r\n/g, '\n');
    const packages = byText.get(normalized) ?? new Map<string, string>();
    packages.set(`${name} ${version}`, licence);
    byText.set(normalized, packages);
  }
  const sections = [...byText].map(([text, packages]) => {
    const names = [...packages].map(([name, licence]) => `${name} (${licence})`);
    return `${rule}\n${names.sort(compareNames).join('\n')}\n\n${text}\n`;
  });
  return `${own.trim()}\n\n${introduction}\n${sections.sort(compareNames).join('\n')}`;
}

/** Writes the licences of everything in the program. The page must have been built. */
export function writeLicences(root: string, target: string): void {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const all = [...licencesOfProgram(root), ...licencesOfPage(root)];
  writeFileSync(target, renderLicences(own, all));
}
