import { mapNumberCommands } from '../../db/club-settings.ts';
import type { ActionName, ActionResult, CommandName } from '../actions/catalogue.ts';
import { folderAdded, folderNotes, folderRemoved, foldersText } from './folder-results.ts';
import {
  hubInitialised,
  hubKeysText,
  hubKeyUnprinted,
  hubPushText,
  hubText,
} from './hub-results.ts';
import {
  idsFoundText,
  keyAdded,
  keyChanged,
  mirrorRemoved,
  mirrorSet,
  mirrorsText,
  readyText,
  searchText,
  syncsText,
  verificationText,
} from './mirror-results.ts';
import {
  answeredText,
  proposalsText,
  proposedText,
  reviewText,
  withdrawnText,
} from './proposal-results.ts';
import { publishAdded, publishedText, publishRemoved } from './publish-results.ts';
import {
  addedText,
  backupsText,
  backupText,
  checkJson,
  checkNotes,
  checkText,
  daysOffAdded,
  daysOffNotes,
  daysOffRemoved,
  daysOffText,
  describeAdded,
  describeDaysOff,
  describeEdit,
  doctorJson,
  doctorText,
  eventText,
  exportNotes,
  exportText,
  historyNotes,
  historyText,
  importJson,
  importNotes,
  importText,
  keyNotes,
  keyRevoked,
  keysText,
  keyUnprinted,
  restoreNotes,
  restoreText,
  undoText,
  userAdded,
  userNumberChanged,
  userRemoved,
  userRenamed,
  usersText,
  userZoneChanged,
} from './results.ts';

/** The output of a command: the text of its result, and notes on it. */
export type CommandOutput<Name extends ActionName = ActionName> = {
  /** Returns the text for stdout, or undefined if the action has written its result itself. */
  toText(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns the result for `--json`, if it differs from that of the action. */
  toJson?(result: ActionResult<Name>): Promise<unknown>;
  /** Returns a description of the change, for stderr if stdout cannot be written; by default the text. */
  toUnprinted?(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns notes on the result, for stderr. */
  toNotes?(result: ActionResult<Name>): string[] | Promise<string[]>;
};

export const commandOutputs: { readonly [Name in CommandName]: CommandOutput<Name> } = {
  'user add': { toText: userAdded },
  'user list': { toText: usersText },
  'user rename': { toText: userRenamed },
  'user zone': { toText: userZoneChanged },
  ...mapNumberCommands(() => ({ toText: userNumberChanged })),
  'user remove': { toText: userRemoved },
  'key create': {
    toText: ({ key }) => key,
    toUnprinted: keyUnprinted,
    toNotes: keyNotes,
  },
  'key list': { toText: keysText },
  'key revoke': { toText: keyRevoked },
  'event add': {
    toText: addedText,
    toUnprinted: describeAdded,
    toNotes: (result) => [
      describeAdded(result),
      ...describeDaysOff(result),
      ...(result.series?.isCut
        ? ['A repetition lasts at most two years; later dates were left out.']
        : []),
    ],
  },
  'event edit': {
    toText: eventText,
    ...describeEdit('Changed'),
  },
  'event cancel': {
    toText: eventText,
    ...describeEdit('Cancelled'),
  },
  'event remove': {
    toText: eventText,
    ...describeEdit('Removed'),
  },
  import: {
    toText: importText,
    toJson: importJson,
    toUnprinted: async (result) =>
      [await importText(result), ...(await importNotes(result))].join('\n'),
    toNotes: importNotes,
  },
  'days-off add': {
    toText: daysOffAdded,
    toNotes: daysOffNotes,
  },
  'days-off list': { toText: daysOffText },
  'days-off remove': { toText: daysOffRemoved },
  export: {
    toText: exportText,
    toUnprinted: exportText,
    toNotes: exportNotes,
  },
  'mirror set': { toText: mirrorSet },
  'mirror sync': { toText: syncsText },
  'mirror status': { toText: mirrorsText },
  'mirror verify': { toText: verificationText },
  'mirror add-ids': { toText: idsFoundText },
  'mirror search-ids': { toText: searchText },
  'mirror key add': { toText: keyAdded },
  'mirror key change': { toText: keyChanged },
  'mirror ready': { toText: readyText },
  'mirror remove': { toText: mirrorRemoved },
  'proposal add': { toText: proposedText },
  'proposal edit': { toText: proposedText },
  'proposal cancel': { toText: proposedText },
  'proposal remove': { toText: proposedText },
  'proposal withdraw': { toText: withdrawnText },
  'proposal list': { toText: proposalsText },
  'proposal send': { toText: proposalsText },
  'proposal review': { toText: reviewText },
  'proposal answer': { toText: answeredText },
  'publish add': { toText: publishAdded },
  'publish change': { toText: publishAdded },
  'publish list': { toText: publishedText },
  'publish now': { toText: publishedText },
  'publish password': { toText: publishedText },
  'publish remove': { toText: publishRemoved },
  history: {
    toText: historyText,
    toNotes: historyNotes,
  },
  undo: { toText: undoText },
  backup: { toText: backupText },
  'backup list': { toText: backupsText },
  'backup folder add': {
    toText: folderAdded,
    toNotes: folderNotes,
  },
  'backup folder list': { toText: foldersText },
  'backup folder remove': { toText: folderRemoved },
  restore: {
    toText: restoreText,
    toNotes: restoreNotes,
  },
  'hub init': { toText: hubInitialised },
  'hub push': { toText: hubPushText },
  'hub remove': { toText: userRemoved },
  'hub key create': {
    toText: ({ key }) => key,
    toUnprinted: hubKeyUnprinted,
    toNotes: keyNotes,
  },
  'hub key list': { toText: hubKeysText },
  'hub key revoke': { toText: keyRevoked },
  'hub status': { toText: hubText },
  check: {
    toText: checkText,
    toJson: checkJson,
    toNotes: checkNotes,
  },
  doctor: {
    toText: doctorText,
    toJson: doctorJson,
  },
};
