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
        // Examples are copied, and are no part of the program.
        !/\b(dist|examples)\b/.test(entry.parentPath) &&
        entry.isFile() &&
        /\.(ts|cts|tsx|js)$/.test(entry.name),
    )
    .map((entry) => readSource(slashed(relative(root, join(entry.parentPath, entry.name))))),
);

/** Layers of the page that every screen may use. */
const sharedByScreens = ['server/ui/{base,data,download}/'];

/** The rooms, from the ground up, with those that each may import; the nearest room counts. */
const rooms: readonly (readonly [room: string, may: readonly string[]])[] = [
  ['db/', []],
  ['server/messages/', []],
  ['server/dates/', ['server/messages/']],
  ['server/dates/line/', ['db/', 'server/{messages,dates}/']],
  ['server/event/', ['db/', 'server/{messages,dates}/']],
  ['server/base/', ['db/', 'server/messages/']],
  ['server/copy/', ['db/']],
  ['server/web/', ['server/{base,messages}/']],
  ['server/http/', ['db/', 'server/base/']],
  ['server/store/', ['db/', 'server/{base,messages,dates}/']],
  ['server/outside/', ['db/', 'server/{base,messages,dates,web,store}/']],
  ['server/service/', ['db/', 'server/{base,messages,web,http,store}/']],
  ['server/club/', ['db/', 'server/{event,base,messages,dates,store,outside}/']],
  ['server/import/', ['db/', 'server/{event,base,messages,dates,copy,web,store,club}/']],
  // A followed calendar is an import that is read again.
  ['server/follow/', ['db/', 'server/{event,base,messages,dates,web,store,outside,club,import}/']],
  ['server/export/', ['db/', 'server/{event,base,messages,dates,copy,store,club}/']],
  ['server/proposals/', ['db/', 'server/{event,base,messages,dates,copy,store,outside,club}/']],
  // A published file is an export that is written again.
  [
    'server/publish/',
    ['db/', 'server/{event,base,messages,dates,copy,web,store,outside,club,proposals,export}/'],
  ],
  ['server/doctor/', ['db/', 'server/{base,messages,dates,store,service,http,club}/']],
  [
    'server/mirror/',
    ['db/', 'server/{base,messages,dates,copy,web,store,outside,service,http,club,proposals}/'],
  ],
  ['server/mirror/planner/', ['db/', 'server/dates/']],
  ['server/hub/', ['db/', 'server/{base,messages,http,store,club}/']],
  [
    'server/actions/',
    [
      'db/',
      'server/{base,messages,store,outside,club,import,export,doctor,follow,mirror,hub,mcp,proposals,publish}/',
    ],
  ],
  ['server/ui/', ['db/', 'server/{event,base,messages,dates,http,export,import,actions,ui}/']],
  ['server/ui/base/', ['db/', 'server/{event,messages,dates,http,actions,export}/']],
  ['server/ui/data/', ['db/', 'server/{event,dates,http,actions,ui/base}/']],
  [
    'server/ui/views/',
    ['db/', 'server/{event,base,messages,dates,http,actions,export}/', ...sharedByScreens],
  ],
  ['server/ui/download/', ['db/', 'server/{messages,dates,http,export,ui/base,ui/data}/']],
  [
    'server/ui/manage/',
    ['db/', 'server/{event,messages,dates,http,actions,export,import}/', ...sharedByScreens],
  ],
  // Answers as HTTP does, with its queries and cursors, but without a request.
  ['server/mcp/', ['db/', 'server/{event,base,messages,dates,http,store,club,proposals}/']],
  [
    'server/cli/',
    [
      'db/club-settings.ts',
      'server/{event,base,messages,dates,web,store,outside,service,club,import,export,mirror,hub,publish,proposals,actions,mcp}/',
    ],
  ],
  [
    'electron/',
    [
      'server/{base,messages,dates,web,http,store,outside,service,club,import,export,mirror,publish,actions,cli}/',
    ],
  ],
  // Packaging is not part of the program.
  ['electron/packaging/', ['server/cli/', 'server/messages/facts.ts', 'test/support/browser.ts']],
];

/** Files of other rooms that the page loads; the rest of them needs Node.js. */
const loadedByPage =
  /^(?:db\/(?:club-settings|fold|model|team-filter)|server\/(?:http\/(?:contract|headers)|actions\/bridge|import\/formats|export\/(?:csv|file-name|ics|links-in-text|qr-code|sheet|vtimezone|xlsx)))\.ts$/;

/** Rooms that need no Node.js, and examples, which the page shows as text. */
const pageRooms = /^server\/(?:ui|messages|dates|event|http\/examples)\//;

/** Returns the rooms of a pattern such as `server/{base,store}/`. */
function expand(pattern: string): readonly string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === '' ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
}

/** Returns the most specific room of a file. */
function roomOf(path: string): string | undefined {
  const above = rooms.map(([room]) => room).filter((room) => path.startsWith(room));
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

describe('the names of files', () => {
  it('differ in the page by more than their ending, .ts and .tsx', () => {
    const paths = sources.map(({ path }) => path).filter((path) => path.startsWith('server/ui/'));
    const nameOf = (path: string) => path.split('/').at(-1) ?? '';
    const ofComponents = new Set(paths.map(nameOf).filter((name) => name.endsWith('.tsx')));
    const twins = paths.filter((path) => ofComponents.has(nameOf(path).replace(/\.ts$/, '.tsx')));
    expect(twins.filter((path) => path.endsWith('.ts'))).toEqual([]);
  });
});

describe('imports', () => {
  it.each(rooms)('of %s stay within its room and those below', (room, may) => {
    const files = sources.filter(({ path }) => roomOf(path) === room);
    expect(files).not.toEqual([]);
    const allowed = [room, ...may.flatMap(expand)];
    const strays = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => isOurs(name) && !allowed.some((each) => name.startsWith(each)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('give each file a room', () => {
    expect(sources.filter(({ path }) => roomOf(path) === undefined)).toEqual([]);
  });

  it('of the page reach only files of other rooms that need no Node.js', () => {
    const strays = sources
      .filter(({ path }) => path.startsWith('server/ui/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => isOurs(name) && !pageRooms.test(name))
          .filter((name) => !loadedByPage.test(name))
          .map((name) => `${path} imports ${name}`),
      );
    expect(strays).toEqual([]);
  });

  it('never run both ways between two folders, except a folder and its subfolder', () => {
    const folders = [...new Set(sources.map(({ path }) => dirname(path)))];
    expect(folders.length).toBeGreaterThan(30);
    const reached = new Map(folders.map((folder) => [folder, new Set<string>()]));
    for (const { path, imports } of sources)
      for (const name of imports) reached.get(dirname(path))?.add(dirname(name));
    const pairs = folders.flatMap((left) =>
      folders
        .filter((right) => left < right && !right.startsWith(`${left}/`))
        .filter((right) => reached.get(left)?.has(right) && reached.get(right)?.has(left))
        .map((right) => [importsBetween(left, right), importsBetween(right, left)] as const),
    );
    expect(pairs).toEqual([]);
  });

  it('of a view reach no other view, except the marks of an event, the filter and the selection', () => {
    const strays = sources
      .filter(({ path }) => path.startsWith('server/ui/views/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('server/ui/views/'))
          .filter((name) => dirname(name) !== dirname(path))
          .map((name) => `${dirname(path).split('/').at(-1)} → ${dirname(name).split('/').at(-1)}`),
      )
      .filter((pair) => !/→ (?:event|filter|selection)$/.test(pair));
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
    const files = sources.filter(({ path }) => path.startsWith('server/mirror/planner/'));
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
      'db/event-rows.ts',
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
    expect(loaded).toContain('server/service/service.ts');
    expect(loaded).toContain('better-sqlite3');
    expect(loaded).not.toContain('zod');
    expect(loaded).not.toContain('node:http');
  });

  it('loads nothing of assistants, completion and validation before a command needs it', () => {
    const loaded = [
      ...findLoaded('server/cli/club-events.js'),
      ...findLoaded('server/cli/program.ts'),
    ];
    expect(loaded).toContain('commander');
    const strays = loaded.filter((name) =>
      /modelcontextprotocol|\/mcp\b|completion|man-page|^zod$|temporal-polyfill/.test(name),
    );
    expect(strays).toEqual([]);
  });

  it('loads nothing of a hub without --hub', () => {
    const loaded = ['club-events.js', 'program.ts', 'serve.ts'].flatMap((name) => [
      ...findLoaded(`server/cli/${name}`),
    ]);
    expect(loaded).toContain('server/service/service.ts');
    expect(loaded.filter((name) => /^server\/hub\/|^pg\b/.test(name))).toEqual([]);
    expect([...findLoaded('server/hub/node.ts')]).toContain('pg');
  });
});
