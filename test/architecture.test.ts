import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

type Source = {
  readonly path: string;
  readonly text: string;
  /** What it imports: files of ours by their path, others by their name. */
  readonly imports: readonly string[];
};

const importForms = [/\bfrom '([^']+)'/g, /\bimport '([^']+)'/g, /\bimport\('([^']+)'\)/g];

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = importForms.flatMap((form) =>
    [...text.matchAll(form)].map(([, specifier = '']) =>
      specifier.startsWith('.') ? join(dirname(path), specifier) : specifier,
    ),
  );
  return { path, text, imports };
}

const sources = ['db', 'server', 'electron'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        !/\bdist\b/.test(entry.parentPath) &&
        entry.isFile() &&
        /\.(ts|cts|tsx|js)$/.test(entry.name),
    )
    .map((entry) => readSource(relative(root, join(entry.parentPath, entry.name)))),
);

/** What the files below a path may import of ours; a file may import its own folder in any case. */
const floors: readonly (readonly [from: string, may: readonly RegExp[]])[] = [
  ['db/', []],
  ['server/contract.ts', [/^db\/model\.ts$/]],
  ['server/errors.ts', [/^db\/problem\.ts$/]],
  ['server/settings.ts', [/^server\/errors\.ts$/]],
  [
    'server/http/',
    [
      /^db\/(event-list|fold|model|open|problem)\.ts$/,
      /^db\/read\//,
      /^server\/(contract|errors|health-proof|key-digest|lean|version|window-keys)\.ts$/,
    ],
  ],
  [
    'server/actions/',
    [/^db\//, /^server\/(contract|errors|home|key-digest|sibling|store|version|write-file)\.ts$/],
  ],
  [
    'server/main.ts',
    [
      /^db\/open\.ts$/,
      /^server\/(errors|home|log|registration|store|version|window-keys)\.ts$/,
      /^server\/http\//,
    ],
  ],
  [
    'server/cli/',
    [/^server\/(errors|home|main|registration|settings|version)\.ts$/, /^server\/actions\//],
  ],
  ['server/cli.js', [/^server\/cli\/run\.ts$/]],
  [
    'server/ui/',
    [
      /^db\/(fold|model)\.ts$/,
      /^server\/(bridge|contract)\.ts$/,
      /^server\/actions\/(export\/(csv|ics)|import\/endings)\.ts$/,
    ],
  ],
  [
    'server/bridge.ts',
    [/^server\/errors\.ts$/, /^server\/actions\//, /^server\/ui\/i18n\/text\.ts$/],
  ],
  [
    'electron/',
    [
      /^server\/(bridge|errors|home|log|main|registration|settings|sibling|store|version|window-keys|write-file)\.ts$/,
      /^server\/(actions|cli)\//,
      /^server\/ui\/i18n\/text\.ts$/,
    ],
  ],
  // What makes packages of the program is no part of it.
  ['electron/packaging/', [/^test\/support\/browser\.ts$/]],
];

/** The floor that a file is on: of those above it, the nearest. */
function floorOf(path: string): string | undefined {
  const above = floors.map(([from]) => from).filter((from) => path.startsWith(from));
  return above.toSorted((left, right) => right.length - left.length)[0];
}

const isOurs = (name: string) => /^(db|server|electron|test)\//.test(name);

describe('who may import whom', () => {
  it.each(floors)('%s keeps to its floor', (from, may) => {
    const below = sources.filter(({ path }) => floorOf(path) === from);
    expect(below).not.toEqual([]);
    const own = from.endsWith('/') ? from : '\0';
    const strays = below.flatMap(({ path, imports }) =>
      imports
        .filter((name) => isOurs(name) && !name.startsWith(own))
        .filter((name) => !may.some((allowed) => allowed.test(name)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('lets SQLite be reached from db/ alone', () => {
    const users = sources.filter(({ imports }) => imports.includes('better-sqlite3'));
    expect(users.length).toBeGreaterThan(0);
    expect(users.map(({ path }) => path).filter((path) => !path.startsWith('db/'))).toEqual([]);
    const speakers = sources.filter(({ text }) =>
      /\.(prepare|pragma|exec)\s*[<(]\s*[`'"{]/.test(text),
    );
    expect(speakers.map(({ path }) => path).filter((path) => !path.startsWith('db/'))).toEqual([]);
    const connections = sources.filter(({ text }) => /\bconnection\(/.test(text));
    expect(connections.map(({ path }) => path).filter((path) => !path.startsWith('db/'))).toEqual(
      [],
    );
  });

  it('lets events be changed only where the history is told', () => {
    const changers = sources.filter(({ imports }) => imports.includes('db/write/events.ts'));
    expect(changers.length).toBeGreaterThan(0);
    const untold = changers.filter(({ imports }) => !imports.includes('db/write/batches.ts'));
    expect(untold.map(({ path }) => path)).toEqual([]);
  });

  it('keeps the network side away from whatever writes', () => {
    const network = sources.filter(({ path }) => path.startsWith('server/http/'));
    const writers = network.filter(({ text }) => /Writer|\/write\/|actions\//.test(text));
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  it('has no circle', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      expect(trail, `${[...trail, path].join(' → ')}`).not.toContain(path);
      if (done.has(path)) return;
      for (const next of byPath.get(path)?.imports ?? []) {
        if (byPath.has(next)) visit(next, [...trail, path]);
      }
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
  });
});

describe('a file', () => {
  it('tells one story: at most 400 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 400);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
