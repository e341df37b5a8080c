import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { readAnswers } from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import { type ActionName, type ActionResult, catalogue } from '../../server/actions/catalogue.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { thisMachine } from '../../server/club/tools.ts';
import { withReader, withWriter } from '../../server/store/store.ts';

/**
 * Real data directories of earlier versions, each made by the program of its time, with the answers
 * of that program to questions about them.
 */

const folder = join(import.meta.dirname, 'homes');

const nameOf = (schema: number) => String(schema).padStart(3, '0');
const packedPath = (schema: number) => join(folder, `${nameOf(schema)}.home.br`);
const answersPath = (schema: number) => join(folder, `${nameOf(schema)}.json`);

/** The schemas that have a home, oldest first. */
export function listHomes(): number[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other);
}

type Packed = Readonly<Record<string, Uint8Array>>;

/** Returns true for files that belong to a running program or to one computer. */
const isLeftOut = (path: string) =>
  /(-wal|-shm|\.lock|checked\.json|\bhome\.json|\.log)$/.test(path);

/** Packs a data directory that no program uses. */
export function packHome(directory: string, schema: number): void {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
  const unfinished = paths.find((path) => path.endsWith('-wal') && statSync(path).size > 0);
  if (unfinished !== undefined) throw new Error(`${unfinished} is not empty.`);
  const files: Packed = Object.fromEntries(
    paths
      .filter((path) => !isLeftOut(path))
      .map((path) => [relative(directory, path).replaceAll('\\', '/'), readFileSync(path)]),
  );
  writeFileSync(packedPath(schema), brotliCompressSync(serialize(files)));
}

export function readPacked(schema: number): Packed {
  return deserialize(brotliDecompressSync(readFileSync(packedPath(schema)))) as Packed;
}

/** Writes the files of a home to a new data directory. */
export function unpackHome(schema: number, directory: string): Home {
  for (const [name, bytes] of Object.entries(readPacked(schema))) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
  }
  return homeAt(directory);
}

/** The answers to all questions about a data directory, by question. */
export type Answers = Readonly<Record<string, unknown>>;

export type HomeAnswers = {
  readonly schema: number;
  /** The commit of the program that made the home and answered. */
  readonly commit: string;
  /** The time of the questions. */
  readonly at: string;
  /** The answers about the database, and about each backup after its restore, by file. */
  readonly answers: Readonly<Record<string, Answers>>;
};

export function readHomeAnswers(schema: number): HomeAnswers {
  return JSON.parse(readFileSync(answersPath(schema), 'utf8')) as HomeAnswers;
}

/** Writes the answers with one line for each, so that changes can be compared. */
export function writeAnswers({ answers, ...facts }: HomeAnswers): void {
  const files = Object.entries(answers).map(([file, given]) => {
    const lines = Object.entries(given).map(
      ([question, answer]) => `${JSON.stringify(question)}: ${JSON.stringify(answer)}`,
    );
    return `${JSON.stringify(file)}: {\n${lines.join(',\n')}\n}`;
  });
  const head = JSON.stringify(facts).slice(0, -1);
  writeFileSync(answersPath(facts.schema), `${head},"answers": {\n${files.join(',\n')}\n}}\n`);
}

const zone = 'Europe/Berlin';

/** Returns a function that performs the actions of this program on a data directory, at a time. */
export function performOn(home: Home, at: string) {
  return async function perform<Name extends ActionName>(
    name: Name,
    args: object = {},
    write: (piece: string | Uint8Array) => Promise<void> = async () => undefined,
  ): Promise<ActionResult<Name>> {
    const result = await catalogue[name].perform(args, {
      ...thisMachine,
      home,
      now: () => new Date(at),
      systemTimeZone: () => zone,
      write,
      onProgress: () => undefined,
    });
    return result as ActionResult<Name>;
  };
}

/** Asks this program everything about a data directory, at a time. */
export async function askAll(home: Home, at: string): Promise<Answers> {
  const perform = performOn(home, at);
  const answers: Record<string, unknown> = {};
  for (const name of ['user list', 'key list', 'mirror status', 'publish list'] as const) {
    answers[name] = await perform(name);
  }
  const clubs = await withReader(home, (db) => prepareUserReads(db).all());
  for (const { id, name: user } of clubs) {
    let text = '';
    await perform('export', { user, format: 'json' }, async (piece) => {
      text += piece;
    });
    answers[`export ${user}`] = JSON.parse(text);
    for (const name of ['history', 'days-off list', 'team list', 'proposal list'] as const) {
      answers[`${name} ${user}`] = await perform(name, { user });
    }
    const { announced, isStored } = await perform('message read', { user });
    // The rest depends on the epoch, which each restore renews.
    const { at: toldAt, language } = announced;
    answers[`message read ${user}`] = { user, told: isStored ? { at: toldAt, language } : null };
    answers[`proposal answers ${user}`] = await withReader(home, (db) => readAnswers(db, id));
  }
  // As in a file: members without a value are missing.
  return JSON.parse(JSON.stringify(answers)) as Answers;
}

/** The findings of this program about a home. */
export type TriedHome = {
  /** The answers about the database. */
  readonly present: Answers;
  /** Changes that are not as they were, and problems that `check` and `doctor` name. */
  readonly problems: readonly string[];
  /** The answers after the restore of each backup, by its path in the home. */
  readonly within: Readonly<Record<string, Answers>>;
  readonly intoEmpty: Readonly<Record<string, Answers>>;
};

/** Reads the changes of the history, of which no answer has all values. */
function readChanges(path: string): unknown[] {
  const sqlite = new Database(path, { readonly: true });
  const changes = sqlite.prepare('SELECT * FROM changes ORDER BY batch_id, event_id').all();
  sqlite.close();
  return changes;
}

/** Subjects of `doctor` that depend on the data alone. */
const dataProbes: ReadonlySet<string> = new Set(['database', 'backups', 'mirrors']);

/** Opens a home in a new folder, and restores each of its backups there and into empty homes. */
export async function tryHome(schema: number, folder: string): Promise<TriedHome> {
  const { at, answers } = readHomeAnswers(schema);
  const home = unpackHome(schema, join(folder, nameOf(schema)));
  const perform = performOn(home, at);
  /** Opens a home as a change does, which gives a zone to clubs without one. */
  const open = (opened: Home) =>
    withWriter(opened, () => undefined, { now: () => new Date(at), systemTimeZone: () => zone });
  const findProblems = async (): Promise<string[]> => {
    const { areas } = await perform('check');
    const { findings } = await perform('doctor');
    return [
      ...areas.flatMap(({ problems }) => problems),
      ...findings
        .filter(({ probe, level }) => dataProbes.has(probe) && level === 'problem')
        .map(({ code }) => code),
    ];
  };
  const original = unpackHome(schema, join(folder, `${nameOf(schema)}-original`));
  const problems: string[] = [];
  const askAbout = async (target: Home, file: string): Promise<Answers> => {
    await open(target);
    const changes = readChanges(join(original.directory, file));
    if (!isDeepStrictEqual(readChanges(target.database), changes)) {
      problems.push(`The history of ${file} has other changes.`);
    }
    return askAll(target, at);
  };
  const restore = async (target: Home, file: string): Promise<Answers> => {
    await performOn(target, at)('restore', { file: join(home.directory, file) });
    return askAbout(target, file);
  };
  await perform('backup prove', { always: true });
  const present = await askAbout(home, basename(home.database));
  problems.push(...(await findProblems()));
  const within: Record<string, Answers> = {};
  const intoEmpty: Record<string, Answers> = {};
  for (const file of Object.keys(answers).filter((name) => name !== basename(home.database))) {
    within[file] = await restore(home, file);
    const empty = homeAt(join(folder, `${nameOf(schema)}-${basename(file)}`));
    intoEmpty[file] = await restore(empty, file);
  }
  problems.push(...(await findProblems()));
  return { present, problems, within, intoEmpty };
}
