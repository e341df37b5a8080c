import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { z } from 'zod';
import { type AddressUse, addressUses } from '../../server/actions/action.ts';
import type {
  ActionName,
  ActionRequest,
  ActionResult,
  ChosenFile,
  DesktopState,
  Progress,
} from '../../server/actions/bridge.ts';
import { argumentsUsedAs, catalogue } from '../../server/actions/catalogue.ts';
import { Problem, problem } from '../../server/base/errors.ts';
import { parseWebUrl } from '../../server/web/address.ts';
import type { Supervisor } from '../service/supervisor.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

/** Files that the user chose, dropped or opened. The page gets tokens for them, not paths. */
type FileTokens = {
  issue(path: string): ChosenFile;
  /** Throws `token_unknown`. */
  pathOf(token: string): string;
  /** Returns the name of a path that has a token; other texts unchanged. */
  nameOf(path: string): string;
};

/** The number of files to remember: more than a person chooses, but limited. */
const maxTokens = 1_000;
/** The number of files to remember for the next start: more than a season plan has. */
const maxStoredTokens = 100;

const StoredTokens = z.array(z.tuple([z.uuid(), z.string().refine(isAbsolute)]));

/**
 * Creates tokens; with `storePath`, the path of a file, the newest are valid after the next start, too,
 * because a season plan waits for its import that long. `report` is called with an error of that file.
 */
export function createFileTokens(
  storePath?: string,
  report: (error: unknown) => void = () => undefined,
): FileTokens {
  const paths = new Map<string, string>();
  let isKeeping = false;

  function readStored(path: string): void {
    try {
      for (const [token, file] of StoredTokens.parse(readJsonFile(path) ?? []))
        paths.set(token, file);
    } catch (error) {
      report(error);
    }
  }

  /** Writes the tokens once for all files that are chosen together. */
  function keep(path: string): void {
    if (isKeeping) return;
    isKeeping = true;
    queueMicrotask(() => {
      isKeeping = false;
      try {
        writeJsonFile(path, [...paths].slice(-maxStoredTokens));
      } catch (error) {
        report(error);
      }
    });
  }

  if (storePath !== undefined) readStored(storePath);
  return {
    issue(path) {
      const token = randomUUID();
      paths.set(token, path);
      const [oldest] = paths.keys();
      if (paths.size > maxTokens && oldest !== undefined) paths.delete(oldest);
      if (storePath !== undefined) keep(storePath);
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
      return { token, name: basename(path), size };
    },
    pathOf(token) {
      const path = paths.get(token);
      if (path !== undefined) return path;
      throw problem('token_unknown');
    },
    nameOf: (path) => ([...paths.values()].includes(path) ? basename(path) : path),
  };
}

const FileArgument = z.union([z.string(), z.array(z.string())]).optional();

/** Ids and ranges of ids, which stand beside tokens of files with ids. */
const idsPattern = /^\s*\d+(?:-\d+)?\s*$/;

/**
 * Returns the arguments of an action with file tokens replaced by paths. A text that is not a token
 * never becomes a path. Throws `token_unknown` or `file_not_chosen`.
 */
export function actionArguments({ name, args }: ActionRequest, files: FileTokens): unknown {
  const named = argumentsUsedAs(name, 'file', 'output', 'openedOutput', 'ids');
  if (named.length === 0) return args;
  const parsed = z
    .looseObject(Object.fromEntries(named.map((argument) => [argument, FileArgument])))
    .safeParse(args);
  if (!parsed.success) throw problem('file_not_chosen');
  const entries = named.flatMap((argument) => {
    const value = parsed.data[argument];
    const hasIds = catalogue[name].texts[argument] === 'ids';
    const toPath = (text: string) => (hasIds && idsPattern.test(text) ? text : files.pathOf(text));
    if (value === undefined) return [];
    return [[argument, Array.isArray(value) ? value.map(toPath) : toPath(value)]];
  });
  return { ...parsed.data, ...Object.fromEntries(entries) };
}

type WrittenFile = ActionResult<'export' | 'backup' | 'mcp bundle'>;

/** Returns the result of an action for the page: the name of a written file, not its path. */
export function actionResult({ name }: ActionRequest, result: unknown): unknown {
  if (argumentsUsedAs(name, 'output', 'openedOutput').length === 0) return result;
  const report = result as WrittenFile;
  return { ...report, output: report.output && basename(report.output) };
}

/** Returns an error for the page, with file names in place of paths. */
export function withoutPaths(error: unknown, files: FileTokens): unknown {
  if (!(error instanceof Problem)) return error;
  const values = Object.entries(error.values).map(([name, value]) => [
    name,
    typeof value === 'string' ? files.nameOf(value) : value,
  ]);
  return new Problem(error.code, Object.fromEntries(values), error);
}

type AddressOptions = {
  readonly state: () => DesktopState;
  readonly perform: Supervisor['perform'];
  /** Asks whether actions may send something to a host; resolves with false if the user declines. */
  readonly confirmHost: (host: string, use: AddressUse) => Promise<boolean>;
};

/**
 * Creates the check of the address that an action calls, as the page could send data by its path or
 * with the key. It is the program's own, or of a stored mirror, or a person confirms its host and what
 * is sent there, once in a run. The check throws `address_declined`.
 */
function createAddressCheck({
  state,
  perform,
  confirmHost,
}: AddressOptions): (request: ActionRequest) => Promise<void> {
  const answers = new Map<string, Promise<boolean>>();

  /** Returns true for the address that scripts expect, without anything else that carries data. */
  function isOwn(url: string, args: object): boolean {
    return url === `http://127.0.0.1:${state().settings.port}` && Object.keys(args).length === 1;
  }

  /** Returns true for the origin of a mirror, which gets the address and the key without a question. */
  async function isMirrored(origin: string, use: AddressUse): Promise<boolean> {
    if (use === 'webSpace') return false;
    const { signal } = new AbortController();
    const result = await perform('mirror status', {}, { onProgress: () => undefined, signal });
    const { mirrors } = result as ActionResult<'mirror status'>;
    return mirrors.some(({ url }) => URL.parse(url)?.origin === origin);
  }

  async function requireConsent(text: string, use: AddressUse, args: object): Promise<void> {
    const url = parseWebUrl(text);
    // The action refuses what is not an address of the web.
    if (url === null || isOwn(text, args)) return;
    const { origin, host } = url;
    const keyOf = (each: AddressUse) => `${each} ${origin}`;
    // Who gets more may be read, too.
    const consents = (use === 'address' ? addressUses : [use]).map((each) =>
      answers.get(keyOf(each)),
    );
    const answer =
      consents.find((each) => each !== undefined) ??
      isMirrored(origin, use).then((isKnown) => isKnown || confirmHost(host, use));
    answers.set(keyOf(use), answer);
    const isAllowed = await answer.finally(() => answers.delete(keyOf(use)));
    if (!isAllowed) throw problem('address_declined', { host });
    answers.set(keyOf(use), answer);
  }

  return async ({ name, args }) => {
    for (const use of addressUses.toReversed()) {
      for (const argument of argumentsUsedAs(name, use)) {
        const { data } = z.looseObject({ [argument]: z.string() }).safeParse(args);
        await requireConsent(data?.[argument] ?? '', use, args);
      }
    }
  };
}

/** Running actions of the page, by the names that it gave them. */
export type Jobs = {
  /** Runs an action. Throws its error, or `job_exists` if the name is in use. */
  run(request: ActionRequest, onProgress: (progress: Progress) => void): Promise<unknown>;
  /** Cancels an action; returns false if it has ended or cannot be cancelled. */
  cancel(job: string): boolean;
  /** Resolves when the actions that run now have ended. */
  ended(): Promise<unknown>;
  /** Returns whether an action is running that an interruption would undo. */
  isBusy(): boolean;
};

type Job = {
  readonly name: ActionName;
  readonly controller: AbortController;
  readonly action: Promise<unknown>;
};

export function createJobs(perform: Supervisor['perform']): Jobs {
  const running = new Map<string, Job>();
  return {
    async run({ job, name, args }, onProgress) {
      if (running.has(job)) {
        throw problem('job_exists');
      }
      const controller = new AbortController();
      const action = perform(name, args, { onProgress, signal: controller.signal });
      running.set(job, { name, controller, action });
      try {
        return await action;
      } finally {
        running.delete(job);
      }
    },
    cancel(job) {
      const found = running.get(job);
      if (found === undefined || !catalogue[found.name].isCancellable) return false;
      found.controller.abort();
      return true;
    },
    ended: () => Promise.allSettled(Array.from(running.values(), ({ action }) => action)),
    isBusy: () => [...running.values()].some(({ name }) => catalogue[name].effect === 'change'),
  };
}

export type ActionOptions = AddressOptions & {
  /** Opens a file with its program, if there is one. */
  readonly openFile: (path: string) => void;
  readonly onProgress: (job: string, progress: Progress) => void;
};

/**
 * Creates the only way from the page to the actions: it replaces tokens by paths, checks the
 * address, runs the action, and keeps paths out of what the page gets.
 */
export function createActions(options: ActionOptions, files: FileTokens) {
  const jobs = createJobs(options.perform);
  const requireAddress = createAddressCheck(options);
  return {
    jobs,
    async perform(request: ActionRequest): Promise<unknown> {
      const resolved = { ...request, args: actionArguments(request, files) } as ActionRequest;
      await requireAddress(request);
      try {
        const result = await jobs.run(resolved, (progress) =>
          options.onProgress(request.job, progress),
        );
        const { output } = result as WrittenFile;
        const isToOpen = argumentsUsedAs(request.name, 'openedOutput').length > 0;
        if (isToOpen && output) options.openFile(output);
        return actionResult(request, result);
      } catch (error) {
        throw withoutPaths(error, files);
      }
    },
  };
}
