import type { ActionName } from './catalogue.ts';

/** Facts about an action for the programs that perform it. */
type ActionKind = {
  /**
   * `read` changes no data. An interruption of `restartable` loses nothing, as the action starts over
   * or goes on where it stopped; that of `change` undoes it.
   */
  readonly effect: 'read' | 'restartable' | 'change';
  /** The argument with a file or a list of files. The page gives tokens in their place. */
  readonly file?: 'file' | 'files' | 'ids' | 'output';
  /** The argument with an address that the action calls. */
  readonly address?: 'url';
};

const read = { effect: 'read' } as const;
const restartable = { effect: 'restartable' } as const;
const change = { effect: 'change' } as const;

/** The kinds of all actions, for the window too, which cannot load the catalogue itself. */
export const actionKinds: Readonly<Record<ActionName, ActionKind>> = {
  'user add': change,
  'user list': read,
  'user rename': change,
  'user zone': change,
  'user remove': change,
  'demo add': change,
  'key create': change,
  'key list': read,
  'key revoke': change,
  'event add': change,
  'event edit': change,
  'event cancel': change,
  'event remove': change,
  'events change': change,
  import: { ...change, file: 'files' },
  'import preview': { ...read, file: 'files' },
  export: { ...read, file: 'output' },
  'mirror try': { ...read, address: 'url' },
  'mirror set': { ...change, address: 'url' },
  'mirror sync': restartable,
  'mirror tick': restartable,
  'mirror status': read,
  'mirror verify': restartable,
  'mirror add-ids': { ...change, file: 'ids' },
  'mirror search-ids': restartable,
  'mirror key add': change,
  'mirror key change': change,
  'mirror ready': restartable,
  'mirror remove': change,
  'mirror receipts': read,
  history: read,
  undo: change,
  backup: { ...restartable, file: 'output' },
  'backup list': read,
  'backup daily': restartable,
  'backup prove': restartable,
  restore: { ...change, file: 'file' },
  check: read,
  'find damage': read,
  doctor: { ...read, address: 'url' },
};
