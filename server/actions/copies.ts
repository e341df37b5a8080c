import { asUsage, commandProblem } from '../base/errors.ts';
import { action, cancellable, change, read, restartable } from './action.ts';
import { cancelling, editing, eventOptions, removing, toEventValues } from './events.ts';
import { optionalUser, user } from './options.ts';

const connections = () => import('../mirror/connect.ts');
const lookups = () => import('../mirror/lookup.ts');
const proposals = () => import('../proposals/outbox.ts');
const received = () => import('../proposals/inbox.ts');
const outboxes = () => import('../proposals/settle.ts');
const assistants = () => import('../proposals/assistant.ts');
const readiness = () => import('../mirror/ready.ts');
const syncs = () => import('../mirror/sync.ts');

/** Actions on copies of a service or of another computer, and proposals to it. */
export const copyActions = {
  'mirror try': action(connections, (its) => [its.TryMirror, its.tryMirror], {
    ...read,
    texts: { url: 'keyAddress', key: 'triedKey', file: 'file', fileUrl: 'address' },
  }),
  'mirror set': action(connections, (its) => [its.SetMirror, its.setMirror], {
    ...change,
    ...cancellable,
    texts: { url: 'keyAddress', key: 'syncKey', file: 'file', fileUrl: 'address' },
    refuses: ['backup', 'proposals'],
    help: 'copy the events of an online service and keep them in step; reads its key from standard input; or those of another computer, from a file without a key',
    examples: [
      'mirror set --user "Chess Club" --url https://events.example.org < key.txt',
      'mirror set --user "Chess Club" --file ~/Nextcloud/club/chess.json',
    ],
    options: [
      user,
      { flag: '--url <url>', help: 'the base URL of the service' },
      {
        flag: '--file <file>',
        help: 'a file of "publish add --format json" or "export --format html", or its address',
      },
    ],
    readsInput: ({ file }) => file === undefined,
    toArguments(_, { user, url, file, standardInput }) {
      const isAddress = typeof file === 'string' && /^(?:https?|webcals?):/i.test(file);
      return { user, url, [isAddress ? 'fileUrl' : 'file']: file, key: standardInput };
    },
  }),
  'mirror sync': action(syncs, (its) => [its.SyncMirrors, its.syncMirrors], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ results }) => results.some(({ status }) => status.problem !== null),
    help: 'sync now; without --user, all copies',
    examples: ['mirror sync', 'mirror sync --user "Chess Club" --confirm-removals'],
    options: [
      optionalUser,
      { flag: '--confirm-removals', help: 'remove the events that the last sync asked about' },
      {
        flag: '--accept-reset',
        help: 'go on although the service looks like another account, or was reset',
      },
    ],
  }),
  'mirror tick': action(syncs, (its) => [its.TickMirrors, its.tickMirrors], restartable),
  'mirror status': action(syncs, (its) => [its.ReadMirrors, its.readMirrors], {
    ...read,
    help: 'show what is known of an online service, its last sync, and what is open',
    options: [optionalUser],
  }),
  'mirror verify': action(syncs, (its) => [its.VerifyMirror, its.verifyMirror], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ differences }) => differences.length > 0,
    help: 'compare every event with the service, one by one; differences are corrected and listed',
    examples: ['mirror verify --user "Chess Club"'],
    options: [user],
  }),
  'mirror add-ids': action(lookups, (its) => [its.AddIds, its.addIds], {
    ...change,
    ...cancellable,
    texts: { ids: 'ids' },
    operand: '<id...>',
    help: 'look up ids, ranges such as 100-200, or the ids in files, at the service',
    examples: ['mirror add-ids 7 100-200 ids.txt --user "Chess Club"'],
    options: [user],
    readOperand: (ids) => ({ ids }),
  }),
  'mirror search-ids': action(lookups, (its) => [its.SearchIds, its.searchIds], {
    ...restartable,
    ...cancellable,
    help: 'search for older events by their ids; shows the cost first',
    examples: [
      'mirror search-ids --user "Chess Club"',
      'mirror search-ids --user "Chess Club" --start --rate 5',
    ],
    options: [
      user,
      {
        flag: '--upcoming',
        help: 'only near the newest ids, until 100 in a row have no upcoming event',
      },
      { flag: '--start', help: 'start the search, or go on with it; Ctrl+C ends it' },
      { flag: '--rate <number>', help: 'requests in a second (default: 2)', read: Number },
      { flag: '--requests <number>', help: 'ask for at most this many ids', read: Number },
    ],
  }),
  'mirror key add': action(connections, (its) => [its.AddMirrorKey, its.addMirrorKey], {
    ...change,
    texts: { key: 'scriptKey' },
    help: 'add another key of the same account, for scripts; reads it from standard input',
    examples: ['mirror key add --user "Chess Club" < key.txt'],
    options: [user],
  }),
  'mirror key change': action(connections, (its) => [its.ChangeMirrorKey, its.changeMirrorKey], {
    ...change,
    texts: { key: 'syncKey' },
    help: 'sync with another key of the same account; reads it from standard input',
    examples: ['mirror key change --user "Chess Club" < key.txt'],
    options: [user],
  }),
  'mirror ready': action(readiness, (its) => [its.Ready, its.getReady], {
    ...restartable,
    ...cancellable,
    hasFailed: ({ reports }) => reports.some(({ isReady }) => !isReady),
    help: 'prepare for weeks without a connection: confirm all upcoming events and check this computer',
    options: [optionalUser],
  }),
  'mirror remove': action(connections, (its) => [its.RemoveMirror, its.removeMirror], {
    ...change,
    forgetsKey: true,
    endsProposals: true,
    help: 'end the copying; the events stay, but the key of the service no longer opens them',
    examples: ['mirror remove --user "Chess Club"'],
    options: [user],
  }),
  'mirror receipts': action(syncs, (its) => [its.ListReceipts, its.listReceipts], read),
  'proposal add': action(proposals, (its) => [its.ProposeEvent, its.proposeEvent], {
    ...change,
    help: 'propose a new event to the computer whose file this club follows',
    examples: [
      'proposal add --user "Chess Club" --name "Parents\' evening" --date "25 Nov 2026 19:00" --location Hall',
    ],
    options: eventOptions(true),
    toArguments: (_, { user, timeZone, end, language, ...options }) => ({
      ...{ user, timeZone, end, language },
      event: toEventValues(options),
    }),
  }),
  'proposal edit': action(proposals, (its) => [its.ProposeChange, its.proposeChange], {
    ...change,
    operand: '<id>',
    help: 'propose other values of an event',
    examples: ['proposal edit 7 --user "Chess Club" --date "Sat 1 May 2027 15:00"'],
    ...editing,
  }),
  'proposal cancel': action(proposals, (its) => [its.ProposeCancel, its.proposeCancel], {
    ...change,
    operand: '<id>',
    help: 'propose that an event is cancelled',
    examples: ['proposal cancel 7 --user "Chess Club" --reason "The pitch is frozen"'],
    ...cancelling,
  }),
  'proposal remove': action(proposals, (its) => [its.ProposeRemove, its.proposeRemove], {
    ...change,
    operand: '<id>',
    help: 'propose that an event is removed',
    examples: ['proposal remove 7 --user "Chess Club"'],
    ...removing,
  }),
  'proposal withdraw': action(proposals, (its) => [its.WithdrawProposal, its.withdrawProposal], {
    ...change,
    operand: '<id>',
    help: 'withdraw a proposal, or clear one that has an answer or was withdrawn',
    examples: ['proposal withdraw 5f0c1d2e3a4b --user "Chess Club"'],
    options: [user],
    readOperand: (proposal) => ({ proposal }),
  }),
  'proposal list': action(proposals, (its) => [its.ListProposals, its.listProposals], {
    ...read,
    help: 'list the proposals of this computer, with their answers',
    examples: ['proposal list --user "Chess Club"'],
    options: [user],
  }),
  'proposal send': action(proposals, (its) => [its.SendProposals, its.sendProposals], {
    ...restartable,
    help: 'write the proposals beside the file that the club follows, for its computer',
    examples: [
      'proposal send --user "Chess Club" --name Tom --note "City cannot be here before two."',
    ],
    options: [
      user,
      { flag: '--name <name>', help: 'your name (default: that of the last time)' },
      { flag: '--note <text>', help: 'words to the person who decides' },
    ],
  }),
  'proposal settle': action(
    outboxes,
    (its) => [its.SettleProposals, its.settleProposals],
    restartable,
  ),
  'proposal expire': action(
    assistants,
    (its) => [its.ExpireProposals, its.expireProposals],
    restartable,
  ),
  'proposal review': action(received, (its) => [its.ReviewProposals, its.reviewProposals], {
    ...read,
    help: 'list the proposals from other computers and assistants, with old and new values; changes nothing',
    examples: ['proposal review --user "Chess Club"'],
    options: [user],
  }),
  'proposal answer': action(received, (its) => [its.AnswerProposals, its.answerProposals], {
    ...change,
    help: 'accept or refuse proposals from other computers and assistants, as one change with one undo',
    examples: [
      'proposal answer --user "Chess Club" --accept-all',
      'proposal answer --user "Chess Club" --accept 5f0c1d2e3a4b --refuse 0a1b2c3d4e5f --reason "The hall is taken."',
    ],
    options: [
      user,
      { flag: '--accept <id>', help: 'accept this one; may be repeated', repeatable: true },
      {
        flag: '--accept-anyway <id>',
        help: 'accept this one although it needs a decision; may be repeated',
        repeatable: true,
      },
      { flag: '--refuse <id>', help: 'refuse this one; may be repeated', repeatable: true },
      { flag: '--reason <text>', help: 'the reason for the refusals of this call' },
      { flag: '--accept-all', help: 'accept all others that need no decision' },
    ],
    toArguments: (_, { user, accept, acceptAnyway, refuse, reason, acceptAll }) => {
      const ids = (value: unknown) => (value ?? []) as readonly string[];
      const answers = [
        ...ids(accept).map((proposal) => ({ proposal, accepted: true })),
        ...ids(acceptAnyway).map((proposal) => ({ proposal, accepted: true, anyway: true })),
        ...ids(refuse).map((proposal) => ({ proposal, accepted: false, reason })),
      ];
      if (answers.length === 0 && acceptAll !== true)
        throw asUsage(commandProblem('proposal_answers_none'));
      return { user, answers, acceptAll };
    },
  }),
} as const;
