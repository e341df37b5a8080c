import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Checks that docstrings begin with a verb or a noun, as CONTRIBUTING.md asks. */

const root = join(import.meta.dirname, '..');

/** Words that begin a relative clause or a fragment instead of a statement. */
const riddle = /\/\*\*\s+(?:\* )?(What|Who|Which|Whether|How|Where|Of|As|By)\b/g;

const isSource = (path: string) =>
  /\.(c?ts|tsx|js)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path);

function findFaults(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(riddle)].map(({ index, 1: word }) => {
    const line = text.slice(0, index).split('\n').length;
    const place = `${relative(root, path).replaceAll('\\', '/')}:${line}`;
    return `${place}: begin the docstring with a verb or a noun instead of "${word}"\n`;
  });
}

function listSources(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => name.replaceAll('\\', '/')).filter(isSource);
}

const given = process.argv.slice(2);
const folders =
  given.length > 0 ? given : ['db', 'server', 'electron', 'test'].map((name) => join(root, name));
const faults = folders.flatMap((folder) =>
  listSources(folder).flatMap((name) => findFaults(join(folder, name))),
);
process.stderr.write(faults.join(''));
process.exitCode = faults.length > 0 ? 1 : 0;
