import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

// Which floor may use which types is checked by compiling each with its own tsconfig.json.

const root = join(import.meta.dirname, '..');

type Source = {
  readonly path: string;
  readonly text: string;
  /** The imported modules: paths from the root for files of the project, names for packages. */
  readonly imports: readonly string[];
};

const importForms = [/\bfrom '([^']+)'/g, /\bimport '([^']+)'/g, /\bimport\('([^']+)'\)/g];

/** Returns a path with slashes, on Windows too. */
const slashed = (path: string) => path.replaceAll('\\', '/');

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = importForms.flatMap((form) =>
    [...text.matchAll(form)].map(([, specifier = '']) =>
      specifier.startsWith('.') ? slashed(join(dirname(path), specifier)) : specifier,
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
    .map((entry) => readSource(slashed(relative(root, join(entry.parentPath, entry.name))))),
);

/** Other files of the project that those below a path may import; the nearest path counts. */
const floors: readonly (readonly [from: string, may: readonly RegExp[]])[] = [
  ['db/', []],
  ['server/messages/', []],
  ['server/dates/', []],
  ['server/linked-text.ts', []],
  ['server/contract.ts', [/^db\/model\.ts$/]],
  ['server/errors.ts', [/^db\/open\.ts$/, /^server\/messages\//]],
  ['server/settings.ts', [/^server\/errors\.ts$/]],
  [
    'server/http/',
    [
      /^db\/(event-changes|event-hash|event-list|events|fold|keys|mirror-model|mirror-view|model|open)\.ts$/,
      /^server\/(contract|errors|health-proof|long-running|node-http|version|window-keys)\.ts$/,
    ],
  ],
  [
    'server/actions/',
    [
      /^db\//,
      /^server\/dates\//,
      /^server\/(backups|checked-file|errors|home|store|write-file|messages\/message)\.ts$/,
    ],
  ],
  [
    // The ends of events are worded, as they become a part of the notes.
    'server/actions/import/',
    [
      /^db\//,
      /^server\/dates\//,
      /^server\/(errors|home|store|messages\/messages?)\.ts$/,
      /^server\/actions\//,
    ],
  ],
  [
    'server/actions/mirror/',
    [
      /^db\//,
      /^server\/(contract|errors|home|long-running|registration|store|version|write-file)\.ts$/,
      /^server\/messages\/message\.ts$/,
      /^server\/actions\/(background|backup|tools|users)\.ts$/,
    ],
  ],
  ['server/actions/mirror/planner/', [/^db\/(event-hash|mirror-model|model)\.ts$/]],
  [
    'server/actions/doctor.ts',
    [
      /^db\//,
      /^server\/(backups|errors|home|settings|messages\/message)\.ts$/,
      /^server\/actions\/tools\.ts$/,
      /^server\/actions\/doctor\//,
    ],
  ],
  [
    'server/actions/doctor/',
    [
      /^db\//,
      /^server\/(backups|errors|health-proof|home|registration|settings|version|messages\/message)\.ts$/,
      /^server\/actions\/keys\.ts$/,
    ],
  ],
  [
    'server/actions/export/',
    [
      /^db\//,
      /^server\/(errors|home|linked-text|store|write-file|messages\/messages?)\.ts$/,
      /^server\/actions\//,
    ],
  ],
  [
    'server/actions/backup.ts',
    [
      /^db\/(backup|log|open)\.ts$/,
      /^server\/(backups|errors|home|write-file)\.ts$/,
      /^server\/actions\//,
    ],
  ],
  [
    'server/actions/maintenance.ts',
    [/^server\/(errors|home|long-running)\.ts$/, /^server\/actions\//],
  ],
  [
    'server/main.ts',
    [
      /^db\/(open|snapshot)\.ts$/,
      /^server\/(errors|home|log|long-running|registration|served-database|store|version|window-keys)\.ts$/,
      /^server\/messages\/message\.ts$/,
      /^server\/http\//,
    ],
  ],
  [
    'server/cli/',
    [
      /^server\/(backups|errors|home|main|registration|settings|version)\.ts$/,
      /^server\/(actions|messages)\//,
    ],
  ],
  ['server/cli.js', [/^server\/cli\/program\.ts$/]],
  ['server/bridge.ts', [/^server\/errors\.ts$/, /^server\/(actions|messages)\//]],
  [
    'server/ui/',
    [
      /^db\/(fold|model)\.ts$/,
      /^server\/(bridge|contract|linked-text)\.ts$/,
      /^server\/messages\//,
      /^server\/actions\/(export\/(csv|file-name|ics|sheet|xlsx)|import\/formats|kinds)\.ts$/,
    ],
  ],
  [
    'server/ui/base/',
    [
      /^db\/model\.ts$/,
      /^server\/(bridge|contract)\.ts$/,
      /^server\/dates\//,
      /^server\/messages\//,
      /^server\/actions\/export\/csv\.ts$/,
    ],
  ],
  [
    'server/ui/data/',
    [/^db\/(fold|model)\.ts$/, /^server\/(bridge|contract)\.ts$/, /^server\/ui\/base\//],
  ],
  [
    'server/ui/views/',
    [
      /^db\/(fold|model)\.ts$/,
      /^server\/(bridge|contract|linked-text)\.ts$/,
      /^server\/actions\/export\/(csv|file-name|ics|sheet|xlsx)\.ts$/,
      /^server\/messages\//,
      /^server\/ui\/(base|data)\//,
    ],
  ],
  [
    'server/ui/manage/',
    [
      /^db\/model\.ts$/,
      /^server\/(bridge|contract)\.ts$/,
      /^server\/actions\/(export\/file-name|import\/formats|kinds)\.ts$/,
      /^server\/messages\//,
      // The ways to export are the same in a browser.
      /^server\/ui\/(base|data|views\/download)\//,
    ],
  ],
  [
    'electron/',
    [
      /^server\/(bridge|errors|home|log|long-running|main|registration|settings|store|version|window-keys|write-file)\.ts$/,
      /^server\/(actions|cli|messages)\//,
    ],
  ],
  // Packaging is not part of the program.
  ['electron/packaging/', [/^test\/support\/browser\.ts$/]],
];

/** The most specific floor of a file. */
function floorOf(path: string): string | undefined {
  const above = floors.map(([from]) => from).filter((from) => path.startsWith(from));
  return above.toSorted((left, right) => right.length - left.length)[0];
}

const isOurs = (name: string) => /^(db|server|electron|test)\//.test(name);

/** Paths of the imports between two folders, for messages. */
function importsBetween(from: string, to: string): readonly string[] {
  return sources
    .filter(({ path }) => dirname(path) === from)
    .flatMap(({ path, imports }) =>
      imports.filter((name) => dirname(name) === to).map((name) => `${path} → ${name}`),
    );
}

describe('imports', () => {
  it.each(floors)('of %s stay within its floor and those below', (from, may) => {
    const files = sources.filter(({ path }) => floorOf(path) === from);
    expect(files).not.toEqual([]);
    const own = from.endsWith('/') ? from : '\0';
    const strays = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => isOurs(name) && !name.startsWith(own))
        .filter((name) => !may.some((allowed) => allowed.test(name)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('never run both ways between two folders, except a folder and its subfolder', () => {
    const folders = [...new Set(sources.map(({ path }) => dirname(path)))];
    expect(folders.length).toBeGreaterThan(30);
    const pairs = folders.flatMap((left) =>
      folders
        .filter((right) => left < right && !right.startsWith(`${left}/`))
        .map((right) => [importsBetween(left, right), importsBetween(right, left)] as const)
        .filter(([there, back]) => there.length > 0 && back.length > 0),
    );
    expect(pairs).toEqual([]);
  });

  it('of a view reach no other view, except the marks of an event and the filter', () => {
    const strays = sources
      .filter(({ path }) => path.startsWith('server/ui/views/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('server/ui/views/'))
          .filter((name) => dirname(name) !== dirname(path))
          .map((name) => `${dirname(path).split('/').at(-1)} → ${dirname(name).split('/').at(-1)}`),
      )
      .filter((pair) => !/→ (?:event|filter)$/.test(pair));
    expect(strays).toEqual([]);
  });

  it('of a managing screen reach no other screen', () => {
    const screens = sources.filter(({ path }) => /^server\/ui\/manage\/\w+\//.test(path));
    const strays = screens.flatMap(({ path, imports }) =>
      imports
        .filter((name) => /^server\/ui\/manage\/\w+\//.test(name))
        .filter((name) => dirname(name) !== dirname(path) && !name.includes('/manage/parts/'))
        .map((name) => `${path} → ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('have no circle', () => {
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

describe('the planner of mirrors', () => {
  it('is pure: it imports no package, and reads neither clock nor environment', () => {
    const files = sources.filter(({ path }) => path.startsWith('server/actions/mirror/planner/'));
    expect(files.length).toBeGreaterThan(5);
    const strays = files.flatMap(({ path, text, imports }) => [
      ...imports.filter((name) => !isOurs(name)).map((name) => `${path} imports ${name}`),
      ...(text.match(/new Date\(\)|\b(Date\.now|Math\.random|performance|process|fetch)\b/g) ?? []),
    ]);
    expect(strays).toEqual([]);
  });
});

describe('the database', () => {
  it('is reached from db/ only', () => {
    const users = sources.filter(({ imports }) => imports.includes('better-sqlite3'));
    expect(users.length).toBeGreaterThan(0);
    const withSql = sources.filter(({ text }) =>
      /\.(prepare|pragma|exec)\s*[<(]\s*[`'"{]/.test(text),
    );
    const withConnection = sources.filter(({ text }) => /\bconnection\(/.test(text));
    const paths = [...users, ...withSql, ...withConnection].map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith('db/'))).toEqual([]);
  });

  it('has its events changed only together with the history', () => {
    const writers = sources.filter(({ text }) => /\bprepareEventWrites\b/.test(text));
    const paths = writers.map(({ path }) => path).toSorted();
    expect(paths).toEqual([
      'db/event-edit.ts',
      'db/event-import.ts',
      'db/events.ts',
      'db/history.ts',
      'db/mirror.ts',
    ]);
  });

  it('is never written by the network side', () => {
    const network = sources.filter(({ path }) => path.startsWith('server/http/'));
    expect(network.length).toBeGreaterThan(0);
    const writers = network.filter(({ text }) => /\bWriter\b|openWriter|actions\//.test(text));
    expect(writers.map(({ path }) => path)).toEqual([]);
  });
});

describe('the start of the service', () => {
  /** Matches an import that runs when its file is loaded, without those of types only. */
  const staticImport = /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)'/gm;

  function findLoaded(path: string, loaded = new Set<string>()): ReadonlySet<string> {
    if (loaded.has(path)) return loaded;
    loaded.add(path);
    const source = sources.find((each) => each.path === path);
    for (const [, name = ''] of source?.text.matchAll(staticImport) ?? []) {
      findLoaded(name.startsWith('.') ? slashed(join(dirname(path), name)) : name, loaded);
    }
    return loaded;
  }

  it('loads neither zod nor the WebSocket of `node:http`, which take a third of its time', () => {
    const loaded = findLoaded('server/cli/serve.ts');
    expect(loaded).toContain('server/main.ts');
    expect(loaded).toContain('better-sqlite3');
    expect(loaded).not.toContain('zod');
    expect(loaded).not.toContain('node:http');
  });
});
