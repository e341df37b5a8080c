import type { z } from 'zod';
import { mapNumberCommands } from '../../db/club-settings.ts';
import { asUsage, type Problem, problem } from '../base/errors.ts';
import { requireDatabaseFile } from '../base/home.ts';
import type { ActionTools } from '../club/tools.ts';
import type { ProblemCode } from '../messages/message.ts';

const backups = () => import('../club/backup.ts');
const backupFolders = () => import('../club/backup-folder-actions.ts');
const checks = () => import('../club/check-store.ts');
const damage = () => import('../club/damage.ts');
const daysOff = () => import('../club/days-off-actions.ts');
const daysOffImports = () => import('../import/days-off.ts');
const demo = () => import('../club/demo.ts');
const doctors = () => import('../doctor/doctor.ts');
const events = () => import('../club/event-actions.ts');
const exports = () => import('../export/export.ts');
const history = () => import('../club/history-actions.ts');
const hub = () => import('../hub/manage.ts');
const hubPushes = () => import('../hub/push.ts');
const imports = () => import('../import/import-actions.ts');
const bundles = () => import('../mcp/bundle.ts');
const keys = () => import('../club/key-actions.ts');
const connections = () => import('../mirror/connect.ts');
const messages = () => import('../club/message-actions.ts');
const lookups = () => import('../mirror/lookup.ts');
const proposals = () => import('../proposals/outbox.ts');
const received = () => import('../proposals/inbox.ts');
const outboxes = () => import('../proposals/settle.ts');
const places = () => import('../publish/place-actions.ts');
const published = () => import('../publish/publish-actions.ts');
const readiness = () => import('../mirror/ready.ts');
const syncs = () => import('../mirror/sync.ts');
const users = () => import('../club/user-actions.ts');

/** `restartable` loses nothing by an interruption; that of `change` undoes it. */
type Effect = 'read' | 'restartable' | 'change';

/** Uses of an address, by what is sent there: nothing but itself, a key, or events with a password. */
export const addressUses = ['address', 'keyAddress', 'webSpace'] as const;
export type AddressUse = (typeof addressUses)[number];

/** The use of an argument that takes any text. */
export type TextUse =
  /** A path or a list of paths. The page gives tokens in their place. */
  | 'file'
  /** The path of a file to write. The page gives a token in its place. */
  | 'output'
  /** The same, of a file that the window then opens with its program. */
  | 'openedOutput'
  /** Ids and paths of files with ids. */
  | 'ids'
  /** An address to which the action sends something. In the window, a person confirms its host. */
  | AddressUse
  /** A key of an online service: only for this call, for scripts, or for later syncs. */
  | 'triedKey'
  | 'scriptKey'
  | 'syncKey'
  /** A key of the service on this computer. */
  | 'localKey'
  /** The password of a web space: to store, or only for this call. */
  | 'password'
  | 'triedPassword';

/** Arguments that take any text, and that name neither a file, nor an address, nor a key. */
type PlainText =
  | 'account'
  | 'club'
  | 'days'
  | 'encoding'
  | 'end'
  | 'except'
  | 'expires'
  | 'folder'
  | 'from'
  | 'label'
  | 'language'
  | 'name'
  | 'newName'
  | 'note'
  | 'onto'
  | 'proposal'
  | 'reason'
  | 'repeat'
  | 'replaces'
  | 'search'
  | 'sheet'
  | 'timeZone'
  | 'to'
  | 'user'
  | 'zone';

type Item<Value> = Value extends readonly (infer Part)[] ? Part : Value;

/** The arguments of which the facts must tell the use. */
type TextArgument<Input> = keyof {
  [Name in keyof Input as string extends Item<Input[Name]> ? Exclude<Name, PlainText> : never]: 1;
};

/** A type that no schema has if the facts leave out an argument with a text. */
type Complete<Input, Texts> = [TextArgument<Input>] extends [keyof Texts]
  ? unknown
  : { readonly withoutUse: Exclude<TextArgument<Input>, keyof Texts> };

type Texts = Readonly<Record<string, TextUse>>;

/** The facts about an action, from which the command line and the window derive what they do. */
type Facts<Result, Of extends Effect, Uses extends Texts, HasCommand, IsCancellable> = {
  /** False for an action of the command line only. */
  readonly hasWindow?: boolean;
  readonly effect: Of;
  /** The uses of all arguments that take any text and are not plain. */
  readonly texts?: Uses;
  /** False for an action of the window or the service only. */
  readonly hasCommand?: HasCommand;
  /** True if a person can cancel it, because it may take long. */
  readonly isCancellable?: IsCancellable;
  /** True if it can end a mirror or a file, whose key is then forgotten. */
  readonly forgetsKey?: true;
  /** True if it can end a club or its copy, whose proposals must then leave the shared folder. */
  readonly endsProposals?: true;
  /** Returns true for a result that makes the exit status of the command line 1. */
  readonly hasFailed?: (result: Result) => boolean;
};

type Action<Schema extends z.ZodType, Result, Of extends Effect, HasCommand, IsCancellable> = {
  readonly effect: Of;
  readonly texts: Texts;
  readonly hasCommand: HasCommand;
  readonly hasWindow: boolean;
  readonly isCancellable: IsCancellable;
  readonly forgetsKey: boolean;
  hasFailed(result: Result): boolean;
  schema(): Promise<Schema>;
  /** Validates the arguments and runs the action. Throws a problem if they are invalid. */
  perform(args: unknown, tools: ActionTools): Promise<Result>;
};

/** Declares an action. Its module is loaded by its first use, as a program uses few of them. */
function action<
  Module,
  Schema extends z.ZodType,
  Result,
  Of extends Effect,
  // biome-ignore lint/complexity/noBannedTypes: no arguments
  const Uses extends Texts = {},
  HasCommand extends boolean = true,
  IsCancellable extends boolean = false,
>(
  load: () => Promise<Module>,
  choose: (
    module: Module,
  ) => readonly [
    Schema & Complete<z.input<Schema>, Uses>,
    (args: z.output<Schema>, tools: ActionTools) => Promise<Result>,
  ],
  facts: Facts<NoInfer<Result>, Of, Uses, HasCommand, IsCancellable>,
): Action<Schema, Result, Of, HasCommand, IsCancellable> {
  return {
    effect: facts.effect,
    texts: facts.texts ?? {},
    hasCommand: (facts.hasCommand ?? true) as HasCommand,
    hasWindow: facts.hasWindow ?? true,
    isCancellable: (facts.isCancellable ?? false) as IsCancellable,
    forgetsKey: facts.forgetsKey ?? false,
    hasFailed: facts.hasFailed ?? (() => false),
    async schema() {
      const [schema] = choose(await load());
      return schema;
    },
    async perform(args, tools) {
      const [schema, run] = choose(await load());
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw invalidArguments(parsed.error);
      requireDatabaseFile(tools.home);
      const result = await run(parsed.data, tools);
      if (facts.endsProposals) await (await outboxes()).settleLater(tools);
      return result;
    },
  };
}

/** Returns the problem of the first invalid argument. Its schema has the code as its message. */
function invalidArguments({ issues: [issue] }: z.ZodError): Problem {
  const code = /^[a-z]+(_[a-z]+)+$/.test(issue?.message ?? '') ? issue?.message : undefined;
  return asUsage(
    problem((code ?? 'arguments_invalid') as ProblemCode, {
      field: issue?.path.join('.') ?? '',
      limit: issue?.code === 'too_big' ? Number(issue.maximum) : '',
    }),
  );
}

const read = { effect: 'read' } as const;
const restartable = { effect: 'restartable' } as const;
const change = { effect: 'change' } as const;

/** A long action that a person can cancel. */
const cancellable = { isCancellable: true } as const;

/** An action of the window or the service only. */
const noCommand = { hasCommand: false } as const;

/** An action of the command line only. */
const noWindow = { hasWindow: false } as const;

/** All actions that manage the data, shared by the command line and the window. */
export const catalogue = {
  'user add': action(users, (its) => [its.AddUser, its.addUser], change),
  'user list': action(users, (its) => [its.ListUsers, its.listUsers], read),
  'user rename': action(users, (its) => [its.RenameUser, its.renameUser], change),
  'user zone': action(users, (its) => [its.SetUserZone, its.setUserZone], change),
  ...mapNumberCommands((name) => action(users, (its) => its.numberAction(name), change)),
  'user remove': action(users, (its) => [its.RemoveUser, its.removeUser], {
    ...change,
    forgetsKey: true,
    endsProposals: true,
  }),
  'demo add': action(demo, (its) => [its.AddDemo, its.addDemo], { ...change, ...noCommand }),
  'key create': action(keys, (its) => [its.CreateKey, its.createKey], change),
  'key list': action(keys, (its) => [its.ListKeys, its.listKeys], read),
  'key revoke': action(keys, (its) => [its.RevokeKey, its.revokeKey], change),
  'event add': action(events, (its) => [its.AddEvent, its.addEvent], change),
  'event edit': action(events, (its) => [its.EditEvent, its.editEvent], change),
  'event cancel': action(events, (its) => [its.CancelEvent, its.cancelEvent], change),
  'event remove': action(events, (its) => [its.RemoveEvent, its.removeEvent], change),
  'events change': action(events, (its) => [its.ChangeEvents, its.changeEvents], {
    ...change,
    ...noCommand,
  }),
  'events together': action(events, (its) => [its.EventsTogether, its.listTogether], {
    ...read,
    ...noCommand,
  }),
  import: action(imports, (its) => [its.ImportEvents, its.importEvents], {
    ...change,
    ...cancellable,
    texts: { files: 'file' },
  }),
  'import rest': action(imports, (its) => [its.ImportRest, its.importRest], {
    ...change,
    ...noCommand,
  }),
  'import preview': action(imports, (its) => [its.PreviewImport, its.previewImport], {
    ...read,
    ...noCommand,
    texts: { files: 'file' },
  }),
  'days-off add': action(daysOffImports, (its) => [its.AddDaysOff, its.addDaysOff], {
    ...change,
    texts: { file: 'file', url: 'address' },
  }),
  'days-off list': action(daysOff, (its) => [its.ListDaysOff, its.listDaysOff], read),
  'days-off remove': action(daysOff, (its) => [its.RemoveDaysOff, its.deleteDaysOff], change),
  'days-off put': action(daysOff, (its) => [its.PutDaysOff, its.storeDaysOff], {
    ...change,
    ...noCommand,
  }),
  'days-off refresh': action(daysOffImports, (its) => [its.RefreshDaysOff, its.refreshAll], {
    ...restartable,
    ...noCommand,
  }),
  'message read': action(messages, (its) => [its.ReadTold, its.readToldState], {
    ...read,
    ...noCommand,
  }),
  'message store': action(messages, (its) => [its.StoreTold, its.storeToldState], {
    ...change,
    ...noCommand,
  }),
  export: action(exports, (its) => [its.ExportEvents, its.exportEvents], {
    ...read,
    texts: { output: 'output' },
  }),
  'mirror try': action(connections, (its) => [its.TryMirror, its.tryMirror], {
    ...read,
    ...noCommand,
    texts: { url: 'keyAddress', key: 'triedKey', file: 'file', fileUrl: 'address' },
  }),
  'mirror set': action(connections, (its) => [its.SetMirror, its.setMirror], {
    ...change,
    ...cancellable,
    texts: { url: 'keyAddress', key: 'syncKey', file: 'file', fileUrl: 'address' },
  }),
  'mirror sync': action(syncs, (its) => [its.SyncMirrors, its.syncMirrors], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ results }) => results.some(({ status }) => status.problem !== null),
  }),
  'mirror tick': action(syncs, (its) => [its.TickMirrors, its.tickMirrors], {
    ...restartable,
    ...noCommand,
  }),
  'mirror status': action(syncs, (its) => [its.ReadMirrors, its.readMirrors], read),
  'mirror verify': action(syncs, (its) => [its.VerifyMirror, its.verifyMirror], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ differences }) => differences.length > 0,
  }),
  'mirror add-ids': action(lookups, (its) => [its.AddIds, its.addIds], {
    ...change,
    ...cancellable,
    texts: { ids: 'ids' },
  }),
  'mirror search-ids': action(lookups, (its) => [its.SearchIds, its.searchIds], {
    ...restartable,
    ...cancellable,
  }),
  'mirror key add': action(connections, (its) => [its.AddMirrorKey, its.addMirrorKey], {
    ...change,
    texts: { key: 'scriptKey' },
  }),
  'mirror key change': action(connections, (its) => [its.ChangeMirrorKey, its.changeMirrorKey], {
    ...change,
    texts: { key: 'syncKey' },
  }),
  'mirror ready': action(readiness, (its) => [its.Ready, its.getReady], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ reports }) => reports.some(({ isReady }) => !isReady),
  }),
  'mirror remove': action(connections, (its) => [its.RemoveMirror, its.removeMirror], {
    ...change,
    forgetsKey: true,
    endsProposals: true,
  }),
  'mirror receipts': action(syncs, (its) => [its.ListReceipts, its.listReceipts], {
    ...read,
    ...noCommand,
  }),
  'proposal add': action(proposals, (its) => [its.ProposeEvent, its.proposeEvent], change),
  'proposal edit': action(proposals, (its) => [its.ProposeChange, its.proposeChange], change),
  'proposal cancel': action(proposals, (its) => [its.ProposeCancel, its.proposeCancel], change),
  'proposal remove': action(proposals, (its) => [its.ProposeRemove, its.proposeRemove], change),
  'proposal withdraw': action(
    proposals,
    (its) => [its.WithdrawProposal, its.withdrawProposal],
    change,
  ),
  'proposal list': action(proposals, (its) => [its.ListProposals, its.listProposals], read),
  'proposal send': action(proposals, (its) => [its.SendProposals, its.sendProposals], restartable),
  'proposal settle': action(outboxes, (its) => [its.SettleProposals, its.settleProposals], {
    ...restartable,
    ...noCommand,
  }),
  'proposal review': action(received, (its) => [its.ReviewProposals, its.reviewProposals], read),
  'proposal answer': action(received, (its) => [its.AnswerProposals, its.answerProposals], change),
  'publish add': action(places, (its) => [its.AddPublished, its.addPublished], {
    ...change,
    texts: { output: 'output', url: 'webSpace', address: 'address', password: 'password' },
  }),
  'publish change': action(places, (its) => [its.ChangePublished, its.changePublished], {
    ...change,
    texts: { output: 'output', url: 'webSpace', address: 'address', password: 'password' },
  }),
  'publish try': action(places, (its) => [its.TryPublished, its.tryPublished], {
    ...restartable,
    ...noCommand,
    texts: { url: 'webSpace', password: 'triedPassword' },
  }),
  'publish list': action(published, (its) => [its.ListPublished, its.listPublished], read),
  'publish preview': action(published, (its) => [its.PreviewPublished, its.previewPublished], {
    ...read,
    ...noCommand,
  }),
  'publish now': action(published, (its) => [its.PublishNow, its.publishNow], {
    ...restartable,
    hasFailed: ({ files }) => files.some(({ state }) => state === 'failed'),
  }),
  'publish password': action(
    published,
    (its) => [its.ChangePublishPassword, its.changePublishPassword],
    {
      ...change,
      texts: { password: 'password' },
      hasFailed: ({ files }) => files.some(({ state }) => state === 'failed'),
    },
  ),
  'publish remove': action(published, (its) => [its.RemovePublished, its.removePublished], {
    ...change,
    forgetsKey: true,
  }),
  'publish check': action(published, (its) => [its.CheckAddresses, its.checkAddresses], {
    ...restartable,
    ...noCommand,
  }),
  'publish tick': action(published, (its) => [its.TickPublished, its.tickPublished], {
    ...restartable,
    ...noCommand,
  }),
  history: action(history, (its) => [its.ListHistory, its.listHistory], read),
  undo: action(history, (its) => [its.UndoBatch, its.undoImport], { ...change, ...cancellable }),
  backup: action(backups, (its) => [its.CreateBackup, its.backUp], {
    ...restartable,
    texts: { output: 'output' },
  }),
  'backup list': action(backups, (its) => [its.ListBackups, its.listAllBackups], read),
  'backup daily': action(backups, (its) => [its.BackUpDaily, its.makeDailyBackup], {
    ...restartable,
    ...noCommand,
  }),
  'backup folder add': action(backupFolders, (its) => [its.AddBackupFolder, its.addBackupFolder], {
    ...restartable,
    texts: { path: 'file' },
  }),
  'backup folder list': action(
    backupFolders,
    (its) => [its.ListBackupFolders, its.listBackupFolders],
    read,
  ),
  'backup folder remove': action(
    backupFolders,
    (its) => [its.RemoveBackupFolder, its.removeBackupFolder],
    restartable,
  ),
  'backup folder tick': action(
    backupFolders,
    (its) => [its.TickBackupFolders, its.tickBackupFolders],
    { ...restartable, ...noCommand },
  ),
  'backup prove': action(backups, (its) => [its.ProveBackup, its.proveNewestBackup], {
    ...restartable,
    ...noCommand,
  }),
  restore: action(backups, (its) => [its.RestoreBackup, its.restoreBackup], {
    ...change,
    texts: { file: 'file' },
    forgetsKey: true,
    endsProposals: true,
  }),
  check: action(checks, (its) => [its.Check, its.checkStore], {
    ...read,
    hasFailed: ({ isInOrder }) => !isInOrder,
  }),
  'find damage': action(damage, (its) => [its.FindDamage, its.requireSound], {
    ...read,
    ...noCommand,
  }),
  'mcp bundle': action(bundles, (its) => [its.WriteBundle, its.writeBundle], {
    ...read,
    ...noCommand,
    texts: { output: 'openedOutput' },
  }),
  'hub init': action(hub, (its) => [its.InitHub, its.initHub], { ...change, ...noWindow }),
  'hub push': action(hubPushes, (its) => [its.PushClub, its.pushClub], {
    ...change,
    ...noWindow,
    hasFailed: ({ conflict }) => conflict !== null,
  }),
  'hub remove': action(hub, (its) => [its.RemoveHubClub, its.removeHubClub], {
    ...change,
    ...noWindow,
  }),
  'hub key create': action(hub, (its) => [its.CreateHubKey, its.createHubKey], {
    ...change,
    ...noWindow,
  }),
  'hub key list': action(hub, (its) => [its.ListHubKeys, its.listHubKeys], {
    ...read,
    ...noWindow,
  }),
  'hub key revoke': action(hub, (its) => [its.RevokeHubKey, its.revokeHubKey], {
    ...change,
    ...noWindow,
  }),
  'hub status': action(hub, (its) => [its.ReadHub, its.readHub], { ...read, ...noWindow }),
  doctor: action(doctors, (its) => [its.Doctor, its.doctor], {
    ...read,
    texts: { url: 'address', key: 'localKey' },
    hasFailed: ({ findings }) => findings.some(({ level }) => level === 'problem'),
  }),
} as const;

type Catalogue = typeof catalogue;
export type ActionName = keyof Catalogue;
export type ActionInput<Name extends ActionName> = z.input<
  Awaited<ReturnType<Catalogue[Name]['schema']>>
>;
export type ActionResult<Name extends ActionName> = Awaited<ReturnType<Catalogue[Name]['perform']>>;

/** Names of the actions with a fact, such as `{ effect: 'read' }`. */
type ActionWith<Fact> = {
  [Name in ActionName]: Catalogue[Name] extends Fact ? Name : never;
}[ActionName];
export type ReadName = ActionWith<{ readonly effect: 'read' }>;
export type CancellableName = ActionWith<{ readonly isCancellable: true }>;
export type CommandName = ActionWith<{ readonly hasCommand: true }>;

/** Returns the arguments of an action that have one of the uses. */
export function argumentsUsedAs(name: ActionName, ...uses: readonly TextUse[]): readonly string[] {
  const entries = Object.entries<TextUse>(catalogue[name].texts);
  return entries.filter(([, use]) => uses.includes(use)).map(([argument]) => argument);
}
