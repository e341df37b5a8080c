import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package inside the program, and the terms on which it is there. */
export type Licensed = {
  readonly name: string;
  readonly version: string;
  /** As SPDX names it, such as `MIT`. */
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

/** Where Node finds a package for a module in `from`. */
function findPackage(name: string, from: string): string {
  const found = join(from, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  if (from === dirname(from)) throw new Error(`The package ${name} is not installed.`);
  return findPackage(name, dirname(from));
}

/** The MIT licence without its first lines, which say who grants it. */
function mitTerms(root: string): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  return own.slice(own.indexOf('Permission is hereby granted'));
}

/** What a package without a file for it says of its licence, in its readme or in its manifest. */
function textElsewhere(root: string, folder: string, { name, license }: Manifest): string {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const told = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const terms = /^Copyright.+?Permission is hereby granted.+/ms.exec(told)?.[0];
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

/** The packages that the program loads while it runs. Throws for one without a licence. */
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

/** What Vite tells of a package that it built in. */
type BuiltIn = {
  readonly name: string;
  readonly version: string;
  readonly identifier?: string;
  readonly text?: string;
};

/** The packages that are built into the page: Vite tells which, beside what it builds. */
export function licencesOfPage(root: string): readonly Licensed[] {
  const told = readFileSync(join(root, 'server/ui/dist/licenses.json'), 'utf8');
  return (JSON.parse(told) as readonly BuiltIn[]).map(({ name, version, identifier, text }) =>
    identifier !== undefined && text !== undefined
      ? { name, version, licence: identifier, text }
      : readLicence(root, findPackage(name, root)),
  );
}

const introduction = `Club Events contains the packages below, on these terms. Each is published, with its sources, as
an npm package of that name and version. The terms of Electron, Chromium and Node.js are
beside the program, in LICENSE.electron.txt and LICENSES.chromium.html.
`;
const rule = '-'.repeat(80);
const inOrder = new Intl.Collator('en').compare;

/** One text of all licences, in which each is found by its packages and stands once. */
export function renderLicences(own: string, licensed: readonly Licensed[]): string {
  const byText = new Map<string, Map<string, string>>();
  for (const { name, version, licence, text } of licensed) {
    const words = text.replace(/\r\n/g, '\n');
    const packages = byText.get(words) ?? new Map<string, string>();
    packages.set(`${name} ${version}`, licence);
    byText.set(words, packages);
  }
  const sections = [...byText].map(([text, packages]) => {
    const names = [...packages].map(([name, licence]) => `${name} (${licence})`);
    return `${rule}\n${names.sort(inOrder).join('\n')}\n\n${text}\n`;
  });
  return `${own.trim()}\n\n${introduction}\n${sections.sort(inOrder).join('\n')}`;
}

/** Writes the licences of everything inside the program; the page has to be built before. */
export function writeLicences(root: string, target: string): void {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const all = [...licencesOfProgram(root), ...licencesOfPage(root)];
  writeFileSync(target, renderLicences(own, all));
}
