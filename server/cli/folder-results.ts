import type { ActionResult } from '../actions/catalogue.ts';
import type { FolderStatus } from '../club/backup-folder-actions.ts';
import { thisMachine } from '../club/tools.ts';
import { createLocalDates } from '../dates/zone.ts';
import { problemMessage } from '../messages/message.ts';
import { count, loadWords, type Translate } from './results.ts';

function failureText(failure: NonNullable<FolderStatus['failure']>, word: Translate): string {
  const localDate = createLocalDates(thisMachine.systemTimeZone());
  const next = failure.nextAt === null ? '' : ` The next try is at ${localDate(failure.nextAt)}.`;
  return `Not up to date since ${localDate(failure.since)}. ${word(problemMessage(failure.problem))}${next}`;
}

function stateText({ state, failure, folder }: FolderStatus, word: Translate): string {
  if (failure !== null) return failureText(failure, word);
  switch (state) {
    case 'waiting':
      return `Waits until ${folder} is there.`;
    case 'behind':
      return 'The last backup has not arrived yet. A running service copies it, or else the next backup.';
    default:
      return 'Up to date.';
  }
}

function folderText(folder: FolderStatus, word: Translate): string {
  const { path, backups, arrived, isElsewhere } = folder;
  const localDate = createLocalDates(thisMachine.systemTimeZone());
  const last =
    arrived === null
      ? ''
      : `, the last of ${localDate(arrived.createdAt)}, arrived ${localDate(arrived.at)}`;
  return [
    path,
    stateText(folder, word),
    `${count(backups, 'backup')}${last}.`,
    ...(isElsewhere ? [] : [sameDisk]),
  ].join('\n   ');
}

const sameDisk = 'This folder is on the disk of the data: a failure of the disk takes both.';

export async function foldersText({
  folders,
}: ActionResult<'backup folder list'>): Promise<string> {
  const none =
    'No folder gets the backups; choose one with "club-events backup folder add FOLDER".';
  const word = await loadWords();
  return folders.length === 0 ? none : folders.map((each) => folderText(each, word)).join('\n\n');
}

export function folderAdded({ path, backups }: ActionResult<'backup folder add'>): string {
  return `${path}: ${count(backups, 'backup')}, verified. Each new one goes there as soon as the folder is there.`;
}

export async function folderNotes({
  isElsewhere,
  failure,
}: ActionResult<'backup folder add'>): Promise<string[]> {
  const notes = isElsewhere ? [] : [sameDisk];
  return failure === null ? notes : [...notes, failureText(failure, await loadWords())];
}

export function folderRemoved({ folder, path }: ActionResult<'backup folder remove'>): string {
  return `${folder} gets no more backups. Those in ${path} stay.`;
}
