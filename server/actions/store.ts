import { action, cancellable, change, noWindow, read, restartable } from './action.ts';
import { idOf, keyOptions, user } from './options.ts';

const backups = () => import('../club/backup.ts');
const backupFolders = () => import('../club/backup-folder-actions.ts');
const checks = () => import('../club/check-store.ts');
const damage = () => import('../club/damage.ts');
const doctors = () => import('../doctor/doctor.ts');
const history = () => import('../club/history-actions.ts');
const hub = () => import('../hub/manage.ts');
const hubPushes = () => import('../hub/push.ts');
const bundles = () => import('../mcp/bundle.ts');

/** Actions on the history, the backups, the hub and the state of the data. */
export const storeActions = {
  history: action(history, (its) => [its.ListHistory, its.listHistory], {
    ...read,
    help: 'list the changes of each import and edit, newest first',
    examples: ['history --user "Chess Club"', 'history --user "Chess Club" --limit 20'],
    options: [
      user,
      {
        flag: '--limit <number>',
        help: 'list at most this many changes (default: 1000)',
        read: Number,
      },
    ],
  }),
  undo: action(history, (its) => [its.UndoBatch, its.undoImport], {
    ...change,
    ...cancellable,
    operand: '<id>',
    help: 'undo one import or edit exactly',
    examples: ['undo 12'],
    readOperand: idOf('import_id_invalid'),
  }),
  backup: action(backups, (its) => [its.CreateBackup, its.backUp], {
    ...restartable,
    texts: { output: 'output' },
    help: 'make a verified backup, in the data directory or in a file elsewhere, also of one club alone',
    examples: [
      'backup',
      'backup --output /media/stick/club.sqlite',
      'backup --user "Chess Club" --output chess.sqlite',
    ],
    options: [
      { flag: '--output <file>', help: 'the file to write, such as one on another disk' },
      {
        flag: '--user <name>',
        help: 'only this club, to give it to somebody, who restores the file on another computer',
      },
    ],
  }),
  'backup list': action(backups, (its) => [its.ListBackups, its.listAllBackups], {
    ...read,
    help: 'list the backups in the data directory, newest first',
  }),
  'backup daily': action(backups, (its) => [its.BackUpDaily, its.makeDailyBackup], restartable),
  'backup folder add': action(backupFolders, (its) => [its.AddBackupFolder, its.addBackupFolder], {
    ...restartable,
    texts: { path: 'file' },
    operand: '<folder>',
    help: 'copy the backups to a folder, which gets each new one while it is there',
    examples: ['backup folder add /media/stick'],
    readOperand: (path) => ({ path }),
  }),
  'backup folder list': action(
    backupFolders,
    (its) => [its.ListBackupFolders, its.listBackupFolders],
    {
      ...read,
      help: 'list the folders that get each new backup, with their states',
    },
  ),
  'backup folder remove': action(
    backupFolders,
    (its) => [its.RemoveBackupFolder, its.removeBackupFolder],
    {
      ...restartable,
      operand: '<folder>',
      help: 'stop to copy backups to a folder; those in it stay',
      examples: ['backup folder remove /media/stick'],
    },
  ),
  'backup folder tick': action(
    backupFolders,
    (its) => [its.TickBackupFolders, its.tickBackupFolders],
    restartable,
  ),
  'backup prove': action(backups, (its) => [its.ProveBackup, its.proveNewestBackup], restartable),
  restore: action(backups, (its) => [its.RestoreBackup, its.restoreBackup], {
    ...change,
    texts: { file: 'file' },
    refuses: ['events', 'daysOff', 'copy', 'proposals'],
    forgetsKey: true,
    endsProposals: true,
    operand: '<file>',
    help: 'replace all data by a backup: a file, or a name from "backup list"',
    examples: ['restore club.sqlite'],
    options: [{ flag: '--without-record', help: 'a backup that its record contradicts' }],
  }),
  'hub init': action(hub, (its) => [its.InitHub, its.initHub], {
    ...change,
    ...noWindow,
    help: 'create the record of a hub in the PostgreSQL of PGHOST, or migrate it',
  }),
  'hub push': action(hubPushes, (its) => [its.PushClub, its.pushClub], {
    ...change,
    ...noWindow,
    hasFailed: (result) =>
      'clubs' in result
        ? result.clubs.some(({ conflict, error }) => conflict !== null || error !== undefined)
        : result.conflict !== null,
    help: 'bring the changes of a club into the record, if nobody else has changed it since',
    examples: ['hub push --user "Chess Club"', 'hub push --all --keys --every 30s'],
    options: [
      { flag: '--user <name>', help: 'the club' },
      { flag: '--all', help: 'every club of this home that has changed' },
      { flag: '--keys', help: 'bring the keys along, so that nobody needs a new one' },
      { flag: '--every <duration>', help: 'push again after this time, such as 30s, until Ctrl+C' },
      {
        flag: '--onto <revision>',
        help: 'replace this other revision of the record, as a refused push named it',
      },
      {
        flag: '--accept-record',
        help: 'accept a record that is older than the last one, after a restore',
      },
    ],
  }),
  'hub remove': action(hub, (its) => [its.RemoveHubClub, its.removeHubClub], {
    ...change,
    ...noWindow,
    help: 'remove a club from the record with all its events and keys; its home keeps them',
    examples: ['hub remove --user "Chess Club" --confirm'],
    options: [
      { ...user, help: 'the club of the record' },
      { flag: '--confirm', help: 'remove it; without this, only say what would be lost' },
    ],
  }),
  'hub key create': action(hub, (its) => [its.CreateHubKey, its.createHubKey], {
    ...change,
    ...noWindow,
    help: 'create a key of the record and print it, only this once',
    examples: ['hub key create --user "Chess Club" --label "notice board"'],
    options: [
      { ...user, help: 'the club of the record whose events the key opens' },
      ...keyOptions,
    ],
  }),
  'hub key list': action(hub, (its) => [its.ListHubKeys, its.listHubKeys], {
    ...read,
    ...noWindow,
    help: 'list labels and dates of the keys of the record, but not the keys themselves',
    examples: ['hub key list', 'hub key list --user "Chess Club"'],
    options: [{ flag: '--user <name>', help: 'the club whose keys are listed (default: all)' }],
  }),
  'hub key revoke': action(hub, (its) => [its.RevokeHubKey, its.revokeHubKey], {
    ...change,
    ...noWindow,
    operand: '<id>',
    help: 'revoke a key of the record; every node refuses it within a second',
    examples: ['hub key revoke 2'],
    readOperand: idOf('key_id_invalid'),
  }),
  'hub status': action(hub, (its) => [its.ReadHub, its.readHub], {
    ...read,
    ...noWindow,
    hasFailed: ({ isInOrder }) => !isInOrder,
    help: 'list the addresses of the record and the connected nodes with their lag',
  }),
  check: action(checks, (its) => [its.Check, its.checkStore], {
    ...read,
    hasFailed: ({ isInOrder }) => !isInOrder,
    help: 'check the database (pages, references, schema, search index, history) and the backups',
  }),
  'find damage': action(damage, (its) => [its.FindDamage, its.requireSound], read),
  'mcp bundle': action(bundles, (its) => [its.WriteBundle, its.writeBundle], {
    ...read,
    texts: { output: 'openedOutput' },
  }),
  doctor: action(doctors, (its) => [its.Doctor, its.doctor], {
    ...read,
    texts: { url: 'address', key: 'localKey' },
    hasFailed: ({ findings }) => findings.some(({ level }) => level === 'problem'),
    help: 'explain why a script cannot connect and what endangers the data, each with its remedy',
    examples: ['doctor', 'doctor --url http://127.0.0.1:28470 --key-stdin < key.txt'],
    options: [
      {
        flag: '--key-stdin',
        help: 'read the key of the script from standard input, and make a request with it',
      },
      { flag: '--url <url>', help: 'the base URL of the script (default: the usual address)' },
    ],
    toArguments: (_, { standardInput, url }) => ({ key: standardInput, url }),
  }),
} as const;
