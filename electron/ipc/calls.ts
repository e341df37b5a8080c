import { z } from 'zod';
import {
  type ActionName,
  type Answer,
  type BridgeCalls,
  type BridgeMessage,
  type ChosenFile,
  type DesktopSettings,
  type OwnFolder,
  ownFolders,
  type Session,
  type UpdateState,
} from '../../server/actions/bridge.ts';
import { catalogue } from '../../server/actions/catalogue.ts';
import { explain } from '../../server/base/errors.ts';
import type { WindowKeys } from '../../server/http/window-keys.ts';
import type { Supervisor } from '../service/supervisor.ts';
import { SettingsChange } from '../settings/desktop-settings.ts';
import {
  type ActionOptions,
  createActions,
  createFileTokens,
  type Jobs,
  withoutPaths,
} from './actions.ts';
import { writePasted } from './pasted.ts';

/** Functions of the shell behind the calls of the page; tests replace them without Electron. */
export type ShellApi = Omit<ActionOptions, 'onProgress'> & {
  readonly listUsers: Supervisor['listUsers'];
  readonly windowKeys: WindowKeys;
  readonly send: (message: BridgeMessage) => void;
  /** Logs an internal error. */
  readonly report: (error: unknown) => void;
  /** The path of the file that keeps the chosen files for the next start; tests have none. */
  readonly chosenFiles?: string;
  /** The folder of pasted texts. */
  readonly pastedTexts: string;
  readonly chooseFiles: () => Promise<readonly string[]>;
  readonly chooseBackup: () => Promise<string | undefined>;
  readonly chooseBackupFolder: () => Promise<string | undefined>;
  readonly chooseOutput: (name: string) => Promise<string | undefined>;
  readonly savePdf: (path: string) => Promise<void>;
  readonly takeOpened: () => readonly string[];
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
  /** Resolves with false if the dialog was cancelled. */
  readonly chooseHome: () => Promise<boolean>;
  readonly showFolder: (folder: OwnFolder | number) => Promise<void>;
  readonly writeMail: (subject: string, text: string) => Promise<boolean>;
  readonly openLink: (url: string) => Promise<boolean>;
  readonly checkForUpdate: () => Promise<UpdateState>;
  readonly installUpdate: () => void;
  readonly readLicences: () => string;
};

/**
 * Opens a club for the window: the requested one, else the last one shown. If that club does not
 * exist, opens the first one by name. Returns null if there is no club.
 */
async function openSession(shellApi: ShellApi, requested: number | null): Promise<Session | null> {
  const { users } = await shellApi.listUsers();
  const preferred = requested ?? shellApi.state().settings.club;
  const user = users.find(({ id }) => id === preferred) ?? users[0];
  if (user === undefined) return null;
  const { createdAt, events: _events, keys: _keys, ...club } = user;
  const { id } = club;
  if (id !== shellApi.state().settings.club) await shellApi.changeSettings({ club: id });
  // The time of creation distinguishes clubs with the same id in different data directories.
  return {
    key: shellApi.windowKeys.keyFor(id),
    account: `club ${id} ${createdAt}`,
    club,
  };
}

/** Calls over the bridge: those of the page and one that only the preload script makes. */
type Calls = BridgeCalls & {
  /** Registers dropped files. The preload script gets their paths from Electron. */
  readonly takeDropped: {
    readonly args: { readonly paths: readonly string[] };
    readonly value: readonly ChosenFile[];
  };
};
export type CallName = keyof Calls;

type Call<Name extends CallName> = {
  readonly arguments: z.ZodType<Calls[Name]['args']>;
  perform(args: Calls[Name]['args']): Promise<Calls[Name]['value']> | Calls[Name]['value'];
};

const nothing = z.null();
const fileName = z.string().regex(/^[^/\\:*?"<>|]{1,200}$/);
/** Maximum length of a pasted text: more than a sheet of a club has. */
const maxPasted = 10_000_000;
const jobName = z.string().min(1).max(100);
const actionNames = (Object.keys(catalogue) as [ActionName, ...ActionName[]]).filter(
  (name) => catalogue[name].hasWindow,
);

/** Any action of the window; the catalogue checks its arguments. */
const AnyAction = z.strictObject({
  job: jobName,
  name: z.enum(actionNames),
  args: z.unknown(),
}) as unknown as z.ZodType<BridgeCalls['perform']['args']>;

function call<Args, Value>(
  schema: z.ZodType<Args>,
  perform: (args: Args) => Promise<Value> | Value,
) {
  return { arguments: schema, perform };
}

function createTable(shellApi: ShellApi) {
  const files = createFileTokens(shellApi.chosenFiles, shellApi.report);
  const { perform, jobs } = createActions(
    {
      ...shellApi,
      onProgress: (job, progress) => shellApi.send({ kind: 'progress', job, progress }),
    },
    files,
  );
  const issue = (path: string | undefined) => (path === undefined ? null : files.issue(path));
  const table = {
    perform: call(AnyAction, perform),
    cancel: call(z.strictObject({ job: jobName }), ({ job }) => jobs.cancel(job)),
    openSession: call(z.strictObject({ club: z.int().nullable() }), ({ club }) =>
      openSession(shellApi, club),
    ),
    chooseFiles: call(nothing, async () =>
      (await shellApi.chooseFiles()).map((path) => files.issue(path)),
    ),
    chooseBackup: call(nothing, async () => issue(await shellApi.chooseBackup())),
    chooseBackupFolder: call(nothing, async () => issue(await shellApi.chooseBackupFolder())),
    chooseOutput: call(z.strictObject({ name: fileName }), async ({ name }) =>
      issue(await shellApi.chooseOutput(name)),
    ),
    savePdf: call(z.strictObject({ file: z.string() }), async ({ file }) => {
      await shellApi.savePdf(files.pathOf(file)).catch((error) => {
        throw withoutPaths(error, files);
      });
      return null;
    }),
    takeOpened: call(nothing, () => shellApi.takeOpened().map((path) => files.issue(path))),
    takeDropped: call(
      z.strictObject({ paths: z.array(z.string().min(1)).max(1_000).readonly() }),
      ({ paths }) => paths.map((path) => files.issue(path)),
    ),
    takePasted: call(
      z.strictObject({ name: fileName, text: z.string().min(1).max(maxPasted) }),
      (pasted) => files.issue(writePasted(shellApi.pastedTexts, pasted)),
    ),
    readState: call(nothing, () => shellApi.state()),
    changeSettings: call(SettingsChange, async (change) => {
      await shellApi.changeSettings(change);
      return shellApi.state();
    }),
    chooseHome: call(nothing, async () =>
      (await shellApi.chooseHome()) ? shellApi.state() : null,
    ),
    showFolder: call(
      z.strictObject({ folder: z.union([z.enum(ownFolders), z.int().positive()]) }),
      async ({ folder }) => {
        await shellApi.showFolder(folder);
        return null;
      },
    ),
    writeMail: call(
      z.strictObject({ subject: z.string().max(1_000), text: z.string().max(100_000) }),
      ({ subject, text }) => shellApi.writeMail(subject, text),
    ),
    openLink: call(z.strictObject({ url: z.string().max(4_000) }), ({ url }) =>
      shellApi.openLink(url),
    ),
    checkForUpdate: call(nothing, () => shellApi.checkForUpdate()),
    installUpdate: call(nothing, () => {
      shellApi.installUpdate();
      return null;
    }),
    readLicences: call(nothing, () => shellApi.readLicences()),
  } satisfies { readonly [Name in CallName]: Call<Name> };
  return { table, jobs };
}

export type AnswerCall = (args: unknown) => Promise<Answer<unknown>>;

/**
 * Returns a handler for each call. It checks the arguments, which may be anything, and returns a
 * value or an error message. It never throws.
 */
export function createCalls(shellApi: ShellApi): {
  readonly answers: Readonly<Record<CallName, AnswerCall>>;
  readonly jobs: Jobs;
} {
  const { table, jobs } = createTable(shellApi);
  const entries = Object.entries(table).map(([name, { arguments: schema, perform }]) => {
    const answer: AnswerCall = async (raw) => {
      const parsed = schema.safeParse(raw);
      if (!parsed.success) return refusal;
      try {
        // The schema has checked the arguments; the compiler cannot relate it to `perform`.
        return { ok: true, value: await (perform as (args: unknown) => unknown)(parsed.data) };
      } catch (error) {
        return failure(error, shellApi.report);
      }
    };
    return [name, answer];
  });
  return { answers: Object.fromEntries(entries), jobs };
}

/** The answer to a call that the page may not make. */
export const refusal: Answer<never> = { ok: false, code: 'refused' };

function failure(error: unknown, report: ShellApi['report']): Answer<never> {
  const explained = explain(error);
  if (explained !== undefined) {
    const { code, values } = explained;
    return { ok: false, code, values };
  }
  report(error);
  return { ok: false, code: 'internal' };
}
