import type { z } from 'zod';
import { type Problem, problem } from '../base/errors.ts';
import { requireDatabaseFile } from '../base/home.ts';
import type { ActionTools } from '../club/tools.ts';
import type { ProblemCode } from '../messages/message.ts';

const backups = () => import('../club/backup.ts');
const checks = () => import('../club/check-store.ts');
const damage = () => import('../club/damage.ts');
const demo = () => import('../club/demo.ts');
const doctors = () => import('../doctor/doctor.ts');
const events = () => import('../club/event-actions.ts');
const exports = () => import('../export/export.ts');
const history = () => import('../club/history-actions.ts');
const imports = () => import('../import/import-actions.ts');
const keys = () => import('../club/key-actions.ts');
const connections = () => import('../mirror/connect.ts');
const lookups = () => import('../mirror/lookup.ts');
const readiness = () => import('../mirror/ready.ts');
const syncs = () => import('../mirror/sync.ts');
const users = () => import('../club/user-actions.ts');

type Action<Schema extends z.ZodType, Result> = {
  readonly schema: () => Promise<Schema>;
  /** Validates the arguments and runs the action. Throws `wrong_usage` if they are invalid. */
  perform(args: unknown, tools: ActionTools): Promise<Result>;
};

/** Creates an action whose module is loaded by its first use, as a program uses few of them. */
function action<Module, Schema extends z.ZodType, Result>(
  load: () => Promise<Module>,
  choose: (
    module: Module,
  ) => readonly [Schema, (args: z.output<Schema>, tools: ActionTools) => Promise<Result>],
): Action<Schema, Result> {
  return {
    async schema() {
      const [schema] = choose(await load());
      return schema;
    },
    async perform(args, tools) {
      const [schema, run] = choose(await load());
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw invalidArguments(parsed.error);
      requireDatabaseFile(tools.home);
      return await run(parsed.data, tools);
    },
  };
}

/** Returns the problem of the first invalid argument. Its schema has the code as its message. */
function invalidArguments({ issues: [issue] }: z.ZodError): Problem {
  const code = /^[a-z]+(_[a-z]+)+$/.test(issue?.message ?? '') ? issue?.message : undefined;
  return problem((code ?? 'arguments_invalid') as ProblemCode, {
    field: issue?.path.join('.') ?? '',
    limit: issue?.code === 'too_big' ? Number(issue.maximum) : '',
  });
}

/** All actions that manage the data, shared by the command line and the window. */
export const catalogue = {
  'user add': action(users, (its) => [its.AddUser, its.addUser]),
  'user list': action(users, (its) => [its.ListUsers, its.listUsers]),
  'user rename': action(users, (its) => [its.RenameUser, its.renameUser]),
  'user zone': action(users, (its) => [its.SetUserZone, its.setUserZone]),
  'user remove': action(users, (its) => [its.RemoveUser, its.removeUser]),
  'demo add': action(demo, (its) => [its.AddDemo, its.addDemo]),
  'key create': action(keys, (its) => [its.CreateKey, its.createKey]),
  'key list': action(keys, (its) => [its.ListKeys, its.listKeys]),
  'key revoke': action(keys, (its) => [its.RevokeKey, its.revokeKey]),
  'event add': action(events, (its) => [its.AddEvent, its.addEvent]),
  'event edit': action(events, (its) => [its.EditEvent, its.editEvent]),
  'event cancel': action(events, (its) => [its.CancelEvent, its.cancelEvent]),
  'event remove': action(events, (its) => [its.RemoveEvent, its.removeEvent]),
  'events change': action(events, (its) => [its.ChangeEvents, its.changeEvents]),
  import: action(imports, (its) => [its.ImportEvents, its.importEvents]),
  'import preview': action(imports, (its) => [its.PreviewImport, its.previewImport]),
  export: action(exports, (its) => [its.ExportEvents, its.exportEvents]),
  'mirror try': action(connections, (its) => [its.TryMirror, its.tryMirror]),
  'mirror set': action(connections, (its) => [its.SetMirror, its.setMirror]),
  'mirror sync': action(syncs, (its) => [its.SyncMirrors, its.syncMirrors]),
  'mirror tick': action(syncs, (its) => [its.TickMirrors, its.tickMirrors]),
  'mirror status': action(syncs, (its) => [its.ReadMirrors, its.readMirrors]),
  'mirror verify': action(syncs, (its) => [its.VerifyMirror, its.verifyMirror]),
  'mirror add-ids': action(lookups, (its) => [its.AddIds, its.addIds]),
  'mirror search-ids': action(lookups, (its) => [its.SearchIds, its.searchIds]),
  'mirror key add': action(connections, (its) => [its.AddMirrorKey, its.addMirrorKey]),
  'mirror key change': action(connections, (its) => [its.ChangeMirrorKey, its.changeMirrorKey]),
  'mirror ready': action(readiness, (its) => [its.Ready, its.getReady]),
  'mirror remove': action(connections, (its) => [its.RemoveMirror, its.removeMirror]),
  'mirror receipts': action(syncs, (its) => [its.ListReceipts, its.listReceipts]),
  history: action(history, (its) => [its.ListHistory, its.listHistory]),
  undo: action(history, (its) => [its.UndoBatch, its.undoImport]),
  backup: action(backups, (its) => [its.CreateBackup, its.backUp]),
  'backup list': action(backups, (its) => [its.ListBackups, its.listAllBackups]),
  'backup daily': action(backups, (its) => [its.BackUpDaily, its.makeDailyBackup]),
  'backup prove': action(backups, (its) => [its.ProveBackup, its.proveNewestBackup]),
  restore: action(backups, (its) => [its.RestoreBackup, its.restoreBackup]),
  check: action(checks, (its) => [its.Check, its.checkStore]),
  'find damage': action(damage, (its) => [its.FindDamage, its.requireSound]),
  doctor: action(doctors, (its) => [its.Doctor, its.doctor]),
} as const;

export type ActionName = keyof typeof catalogue;
export type ActionInput<Name extends ActionName> = z.input<
  Awaited<ReturnType<(typeof catalogue)[Name]['schema']>>
>;
export type ActionResult<Name extends ActionName> = Awaited<
  ReturnType<(typeof catalogue)[Name]['perform']>
>;
