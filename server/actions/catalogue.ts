import type { z } from 'zod';
import { type Problem, problem } from '../errors.ts';
import { requireDatabaseFile } from '../home.ts';
import type { ProblemCode } from '../messages/message.ts';
import {
  BackUpDaily,
  backUp,
  CreateBackup,
  ListBackups,
  listAllBackups,
  makeDailyBackup,
  ProveBackup,
  proveNewestBackup,
  RestoreBackup,
  restoreBackup,
} from './backup.ts';
import { Check, checkStore } from './check.ts';
import { FindDamage, requireSound } from './damage.ts';
import { AddDemo, addDemo } from './demo.ts';
import { Doctor, doctor } from './doctor.ts';
import {
  AddEvent,
  addEvent,
  CancelEvent,
  ChangeEvents,
  cancelEvent,
  changeEvents,
  EditEvent,
  editEvent,
  RemoveEvent,
  removeEvent,
} from './events.ts';
import { ExportEvents, exportEvents } from './export/export.ts';
import { ListHistory, listHistory, UndoBatch, undoImport } from './history.ts';
import { ImportEvents, importEvents, PreviewImport, previewImport } from './import/actions.ts';
import { CreateKey, createKey, ListKeys, listKeys, RevokeKey, revokeKey } from './keys.ts';
import {
  AddMirrorKey,
  addMirrorKey,
  ChangeMirrorKey,
  changeMirrorKey,
  RemoveMirror,
  removeMirror,
  SetMirror,
  setMirror,
  TryMirror,
  tryMirror,
} from './mirror/connect.ts';
import { AddIds, addIds, SearchIds, searchIds } from './mirror/lookup.ts';
import { getReady, Ready } from './mirror/ready.ts';
import {
  ListReceipts,
  listReceipts,
  ReadMirrors,
  readMirrors,
  SkipEvent,
  SyncMirrors,
  skipEvent,
  syncMirrors,
  TickMirrors,
  tickMirrors,
  VerifyMirror,
  verifyMirror,
} from './mirror/sync.ts';
import type { ActionTools } from './tools.ts';
import { AddUser, addUser, ListUsers, listUsers, RemoveUser, removeUser } from './users.ts';

type Action<Schema extends z.ZodType, Result> = {
  readonly arguments: Schema;
  /** Validates the arguments and runs the action. Throws `wrong_usage` if they are invalid. */
  perform(args: unknown, tools: ActionTools): Promise<Result>;
};

function action<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (args: z.output<Schema>, tools: ActionTools) => Promise<Result>,
): Action<Schema, Result> {
  return {
    arguments: schema,
    async perform(args, tools) {
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
  'user add': action(AddUser, addUser),
  'user list': action(ListUsers, listUsers),
  'user remove': action(RemoveUser, removeUser),
  'demo add': action(AddDemo, addDemo),
  'key create': action(CreateKey, createKey),
  'key list': action(ListKeys, listKeys),
  'key revoke': action(RevokeKey, revokeKey),
  'event add': action(AddEvent, addEvent),
  'event edit': action(EditEvent, editEvent),
  'event cancel': action(CancelEvent, cancelEvent),
  'event remove': action(RemoveEvent, removeEvent),
  'events change': action(ChangeEvents, changeEvents),
  import: action(ImportEvents, importEvents),
  'import preview': action(PreviewImport, previewImport),
  export: action(ExportEvents, exportEvents),
  'mirror try': action(TryMirror, tryMirror),
  'mirror set': action(SetMirror, setMirror),
  'mirror sync': action(SyncMirrors, syncMirrors),
  'mirror tick': action(TickMirrors, tickMirrors),
  'mirror skip': action(SkipEvent, skipEvent),
  'mirror status': action(ReadMirrors, readMirrors),
  'mirror verify': action(VerifyMirror, verifyMirror),
  'mirror add-ids': action(AddIds, addIds),
  'mirror search-ids': action(SearchIds, searchIds),
  'mirror key add': action(AddMirrorKey, addMirrorKey),
  'mirror key change': action(ChangeMirrorKey, changeMirrorKey),
  'mirror ready': action(Ready, getReady),
  'mirror remove': action(RemoveMirror, removeMirror),
  'mirror receipts': action(ListReceipts, listReceipts),
  history: action(ListHistory, listHistory),
  undo: action(UndoBatch, undoImport),
  backup: action(CreateBackup, backUp),
  'backup list': action(ListBackups, listAllBackups),
  'backup daily': action(BackUpDaily, makeDailyBackup),
  'backup prove': action(ProveBackup, proveNewestBackup),
  restore: action(RestoreBackup, restoreBackup),
  check: action(Check, checkStore),
  'find damage': action(FindDamage, requireSound),
  doctor: action(Doctor, doctor),
} as const;

export type ActionName = keyof typeof catalogue;
export type ActionResult<Name extends ActionName> = Awaited<
  ReturnType<(typeof catalogue)[Name]['perform']>
>;
