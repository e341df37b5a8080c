import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Checks rules of CONTRIBUTING.md that Biome does not know. */

const root = join(import.meta.dirname, '..');

type Rule = {
  /** Matches a violation; its first group is shown. */
  readonly pattern: RegExp;
  /** Says what to write instead. */
  readonly remedy: string;
  /** Matches the paths of the files that it applies to. */
  readonly files: RegExp;
  /** Matches the texts of files that it does not apply to. */
  readonly unless?: RegExp;
};

/** Tests that must pass on slow machines; those that measure need a quiet one. */
const tests = /^test\/(?!bench\/).*(?<!\.timed\.test)\.ts$/;

/** Words for things that not every machine has; Windows has hardly one of them. */
const places = [
  String.raw`\.mode &`,
  String.raw`\b(?:chmod|chown|symlink|mkfifo|getuid|setpriv|gdbus)\w*\(?`,
  String.raw`Sync\('mount'`,
  String.raw`'(?:ba)?sh', \['-c'`,
  'tray: false',
  String.raw`/(?:proc|dev)/\w+`,
  '#!/bin/sh',
  'SIGSTOP',
  String.raw`(?:skipIf|runIf)\((?!!available)`,
  String.raw`process\.platform [!=]==`,
  String.raw`http://127\.0\.0\.[2-9]`,
];

/** Methods of Playwright that look at a page once. */
const looks = [
  ...['count', 'isVisible', 'isHidden', 'isEnabled', 'isDisabled', 'isEditable', 'isChecked'],
  ...['textContent', 'allTextContents', 'innerText', 'allInnerTexts', 'innerHTML'],
  ...['inputValue', 'getAttribute'],
].join('|');

const once =
  'the page may show it later: use expect.poll, or readOnce of test/support/patience.ts if an earlier wait has brought it';

const rules: readonly Rule[] = [
  {
    pattern: /(from 'fast-check')/g,
    remedy: 'import it from test/support/random.ts, which tries the same values on each machine',
    files: /^test\/(?!support\/random\.ts$)/,
  },
  {
    pattern: /\/\*\*\s+(?:\* )?(What|Who|Which|Whether|How|Where|Of|As|By)\b/g,
    remedy: 'begin the docstring with a verb or a noun',
    files: /./,
  },
  {
    // A limit of the program itself is no wait of the test.
    pattern:
      /^(?!.*(?:createTransport|connect|openSession|outcome|followed|new Database)\().*?(\btimeout: *\d[\d_]*)/gm,
    remedy: 'wait as long as the default, the patience of test/support/patience.ts',
    files: tests,
  },
  {
    pattern: /^ *\}, (\d[\d_]{3,})\);$/gm,
    remedy: 'leave the limit of a test or hook to vitest.config.ts',
    files: tests,
  },
  {
    pattern: /(setDefaultTimeout\(\d[\d_]*\))/g,
    remedy: 'use the patience of test/support/patience.ts',
    files: tests,
  },
  {
    pattern: /((?:performance|Date)\.now\(\)[^;\n]*\)\.toBeLessThan\w*)/g,
    remedy: 'compare processor time (workedMs), or wait for a state',
    files: tests,
  },
  {
    pattern: new RegExp(`(${places.join('|')})`, 'g'),
    remedy: 'not every machine has it; begin the test with requirePlace of test/support/place.ts',
    files: /^test\/.*\.test\.ts$/,
    unless: /from '[^']*support\/place\.ts'/,
  },
  {
    // A function that reads may be called by a poll.
    pattern: new RegExp(
      String.raw`(?<!=>[\s\w.(]*)\bawait (?!readOnce\()(?:(?!=>|\bawait\b)[^;])*?(\.(?:${looks})\()`,
      'g',
    ),
    remedy: once,
    files: /^test\/(?!bench\/)/,
  },
  {
    pattern: new RegExp(
      String.raw`\bconst (\w+) = (?:async )?\([^()]*\) =>(?:(?!;\n)[\s\S])*?\.(?:${looks})\((?=[\s\S]*?\bexpect\([\w(]*await \1\()`,
      'g',
    ),
    remedy: once,
    files: /^test\/(?!bench\/)/,
  },
  {
    pattern: /^((?:export )?(?:const \w+ = (?:zoneNamed|createClock)\(|let .*(?:Clock|[zZ]one)))/gm,
    remedy: 'get the clock of the club by useClock, or as a parameter',
    files: /^server\/ui\//,
  },
];

const isSource = (path: string) => /\.(c?ts|tsx|js)$/.test(path);
const isSheet = (path: string) => path.endsWith('.css');

function findFaults(folder: string, name: string): readonly string[] {
  const path = relative(folder, join(folder, name)).replaceAll('\\', '/');
  const text = readFileSync(join(folder, name), 'utf8');
  return rules
    .filter(({ files, unless }) => files.test(path) && unless?.test(text) !== true)
    .flatMap(({ pattern, remedy }) =>
      [...text.matchAll(pattern)].map((match) => {
        const [whole, found = ''] = match;
        const line = text.slice(0, match.index + whole.indexOf(found)).split('\n').length;
        return `${path}:${line}: "${found}": ${remedy}\n`;
      }),
    );
}

/** Finds rules of style sheets with the same four or more declarations; those of `@media` may repeat. */
function findEqualRules(folder: string, names: readonly string[]): readonly string[] {
  const places = new Map<string, string>();
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r', '');
    const blocks = text.matchAll(/^([^\s@}/][^{}]*) \{\n((?: {2}[^{};]*;\n){4,})\}/gm);
    return [...blocks].flatMap(([, selector = '', block = '']) => {
      const declarations = block.split('\n').toSorted().join('\n');
      const first = places.get(declarations);
      places.set(declarations, `${name} ${selector}`);
      const remedy = 'share the declarations, as in server/ui/base/shared.css';
      return first === undefined ? [] : [`${name}: "${selector}" equals "${first}": ${remedy}\n`];
    });
  });
}

/** Lists the files below a folder, by paths with slashes. */
function listFiles(folder: string): readonly string[] {
  const parts = folder === root ? ['db', 'server', 'electron', 'test'] : ['.'];
  return parts.flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .map((name) => join(part, name).replaceAll('\\', '/'))
      .filter((path) => !/(^|\/)(dist|node_modules)\//.test(path)),
  );
}

/** Returns a line for each violation in the sources of a folder; for this project, by default. */
export function listFaults(folder = root): readonly string[] {
  const files = listFiles(folder);
  return [
    ...files.filter(isSource).flatMap((name) => findFaults(folder, name)),
    ...findEqualRules(folder, files.filter(isSheet)),
  ];
}

if (import.meta.main) {
  const faults = listFaults();
  process.stderr.write(faults.join(''));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
