import type { ActionResult } from '../../actions/catalogue.ts';
import type { publishActions } from '../../actions/publish.ts';
import { thisMachine } from '../../club/tools.ts';
import { createLocalDates } from '../../dates/zone.ts';
import { problemMessage } from '../../messages/message.ts';
import type { FileStatus } from '../../publish/publish-actions.ts';
import { count, loadWords, type OutputsOf, type Translate } from './text.ts';

const localDates = () => createLocalDates(thisMachine.systemTimeZone());

const formatNames = {
  ics: 'calendar',
  html: 'page for members',
  json: 'copy',
} as const satisfies Record<FileStatus['format'], string>;

/** Returns the address of a file; that of the room of files outside loads a validator. */
function addressOf({ target }: Pick<FileStatus, 'target'>): string {
  return target.kind === 'web' ? target.url : target.path;
}

/** Describes the events of a file, such as `14 events with "U15", without drafts`. */
function filterText({ events, search, types, drafts, team, since }: FileStatus): string {
  const words = search === '' ? '' : ` with "${search}"`;
  const kinds = types.length === 0 ? '' : ` of type ${types.join(' or ')}`;
  const ofTeam =
    team === null ? '' : team === '' ? ' of a team that is gone' : ` of team "${team}"`;
  const days = since === 'all' ? '' : `, from ${since === 'season' ? 'last season' : since} on`;
  return `${count(events, 'event')}${ofTeam}${words}${kinds}${days}${drafts ? ', with drafts' : ''}`;
}

function stateText(file: FileStatus, word: Translate): string[] {
  const { state, writtenAt, checkedAt, failure } = file;
  const localDate = localDates();
  const written = writtenAt === null ? 'never written' : `written ${localDate(writtenAt)}`;
  switch (state) {
    case 'current': {
      const checked = checkedAt === null ? '' : `, checked ${localDate(checkedAt)}`;
      return [`Up to date: ${written}${checked}.`];
    }
    case 'behind':
      return [`Not written since the last change: ${written}. A running service writes it.`];
    case 'failed': {
      const next = failure?.nextAt ?? null;
      return [
        `Not up to date since ${localDate(failure?.since ?? '')}: ${written}.`,
        ...(failure === null ? [] : [word(problemMessage(failure.problem))]),
        next === null
          ? `It waits for you: replace that file with "club-events publish now ${file.id} --replace", or remove this one.`
          : `A running service tries again at ${localDate(next)}; "club-events publish now ${file.id}" tries now.`,
      ];
    }
  }
}

/** Warns of a file that some programs and services do not read to its end. */
function sizeText({ id, bytes, isLarge, since }: FileStatus): string[] {
  if (!isLarge) return [];
  const size = `It has ${Math.ceil(bytes / 1_000)} KB. Above 900 KB or 1,000 events, some calendars stop reading it without a word.`;
  const change = `club-events publish change ${id} --since`;
  const remedy =
    since === 'all'
      ? `"${change} season" leaves out older events.`
      : `"${change} DAY" with a later day makes it smaller.`;
  return [`${size} ${remedy}`];
}

/** Says when the newest state was last seen at the address for members. */
function seenText({ addressCheck, writtenAt }: FileStatus): string {
  const seenAt = addressCheck?.seenAt ?? null;
  if (seenAt === null || addressCheck?.problem) return '';
  const isOld = writtenAt !== null && seenAt < writtenAt;
  return isOld ? ', not seen there since it was written' : `, seen there ${localDates()(seenAt)}`;
}

function fileText(file: FileStatus, word: Translate): string {
  const { id, user, format, address, addressCheck, onSheets } = file;
  const failure = addressCheck?.problem;
  return [
    `${id}  ${user ?? 'a club that is gone'}: ${formatNames[format]}, ${filterText(file)}`,
    addressOf(file),
    ...(address === null
      ? []
      : [`For members: ${address}${onSheets ? '' : ', not on printed sheets'}${seenText(file)}`]),
    ...(failure ? [word(problemMessage(failure))] : []),
    ...stateText(file, word),
    ...sizeText(file),
  ].join('\n   ');
}

async function publishedText({
  files,
}: ActionResult<'publish list' | 'publish now'>): Promise<string> {
  const none = 'No file is kept up to date; add one with "club-events publish add --user NAME".';
  const word = await loadWords();
  return files.length === 0 ? none : files.map((file) => fileText(file, word)).join('\n\n');
}

function publishAdded(file: ActionResult<'publish add'>): string {
  return `Wrote ${filterText(file)} to ${addressOf(file)}. A running service keeps it up to date (file ${file.id}).`;
}

export const publishOutputs: OutputsOf<typeof publishActions> = {
  'publish add': { toText: publishAdded },
  'publish change': { toText: publishAdded },
  'publish list': { toText: publishedText },
  'publish now': { toText: publishedText },
  'publish password': { toText: publishedText },
  'publish remove': {
    toText: ({ id, place }) => `File ${id} is no longer kept up to date. ${place} stays as it is.`,
  },
};
