import type { ActionResult } from '../actions/catalogue.ts';
import { createLocalDates } from '../dates/zone.ts';
import { problemMessage } from '../messages/message.ts';
import { changesText, count, loadWords, undoNote, valueText } from './results.ts';

type Proposal =
  | ActionResult<'proposal list'>['proposals'][number]
  | ActionResult<'proposal review'>['proposals'][number];

/** Describes a proposal, such as `Rovers v City (25): date 14:00 → 15:00`. */
function whatText({ kind, event, changes }: Proposal, timeZone: string): string {
  const localDate = createLocalDates(timeZone);
  const { id, name, date } = event;
  const text = (field: string) => (value: unknown) =>
    valueText(field, value ?? undefined, localDate);
  const title = id === null ? name : `${name} (${id})`;
  switch (kind) {
    case 'remove':
      return `${title}, ${localDate(date)}: remove`;
    case 'add': {
      const values = changes
        .filter(({ field, after }) => field !== 'name' && field !== 'date' && (after ?? '') !== '')
        .map(({ field, after }) => `, ${field} ${text(field)(after)}`);
      return `new: ${title}, ${localDate(date)}${values.join('')}`;
    }
    case 'change': {
      return `${title}, ${localDate(date)}: ${changesText(changes, date, timeZone)}`;
    }
  }
}

export function proposedText({ proposal, timeZone }: ActionResult<'proposal add'>): string {
  return `Proposed, not sent yet: ${proposal.id}  ${whatText(proposal, timeZone)}`;
}

export function withdrawnText({ proposal, timeZone }: ActionResult<'proposal withdraw'>): string {
  const isSent = proposal.state === 'withdrawn' && proposal.sentAt !== null;
  const text = `the proposal ${proposal.id}: ${whatText(proposal, timeZone)}`;
  return isSent ? `Withdrew ${text}` : `Removed ${text}`;
}

const states = {
  unsent: 'not sent yet',
  waiting: 'to be sent as soon as the folder of the file is there',
  sent: 'sent, no answer yet',
  withdrawn: 'withdrawn; until a newer copy arrives, the first computer may still accept it',
  accepted: 'accepted',
  acceptedAnyway: 'withdrawn, but accepted all the same',
  refused: 'refused',
} as const;

export async function proposalsText({
  proposals,
  timeZone,
  failure,
}: ActionResult<'proposal list' | 'proposal send'>): Promise<string> {
  const word = await loadWords();
  const lines = proposals.map((proposal) => {
    const { id, state, reason, otherClub } = proposal;
    const why = reason === '' ? '' : `: ${JSON.stringify(reason)}`;
    const club = otherClub === null ? '' : `for ${JSON.stringify(otherClub)}, not for this club; `;
    return `${id}  ${whatText(proposal, timeZone)}\n    ${club}${states[state]}${why}`;
  });
  const none = lines.length === 0 ? ['There are no proposals.'] : [];
  const problems = failure === null ? [] : [word(problemMessage(failure))];
  return [...lines, ...none, ...problems].join('\n');
}

/** Describes the event as the sender saw it, where it is another one now. */
function seenText(
  { sender, since }: ActionResult<'proposal review'>['proposals'][number],
  timeZone: string,
): string {
  if (since.length === 0) return '';
  const localDate = createLocalDates(timeZone);
  const values = since.map(
    ({ field, before }) => `${field} ${valueText(field, before ?? undefined, localDate)}`,
  );
  return `\n    ${sender} saw: ${values.join('; ')}`;
}

/** Describes what a person must know before the answer. */
function decisionText(
  { state, changes, current }: ActionResult<'proposal review'>['proposals'][number],
  timeZone: string,
): string {
  const localDate = createLocalDates(timeZone);
  switch (state) {
    case 'open':
      return '';
    case 'done':
      return '\n    It is so already.';
    case 'gone':
      return '\n    Needs a decision: the event is not there any more; it would be added again.';
    case 'conflict': {
      const values = changes
        .filter(({ field, before }) => (current?.[field] ?? null) !== (before ?? null))
        .map(
          ({ field }) =>
            `${field} is now ${valueText(field, current?.[field] ?? undefined, localDate)}`,
        );
      const now = values.length === 0 ? 'the event has changed since' : values.join('; ');
      return `\n    Needs a decision: ${now}, or another proposal differs.`;
    }
  }
}

export async function reviewText({
  proposals,
  unreadable,
  timeZone,
}: ActionResult<'proposal review'>): Promise<string> {
  const word = await loadWords();
  const localDate = createLocalDates(timeZone);
  const lines = proposals.map((proposal) => {
    const { id, sender, sentAt, note } = proposal;
    const from = `    From ${sender}, ${localDate(sentAt)}${note === null ? '' : `: ${JSON.stringify(note)}`}`;
    const what = whatText(proposal, timeZone);
    return `${id}  ${what}\n${from}${seenText(proposal, timeZone)}${decisionText(proposal, timeZone)}`;
  });
  const none = lines.length === 0 ? ['No proposal waits for an answer.'] : [];
  return [...lines, ...none, ...unreadable.map((each) => word(problemMessage(each.problem)))].join(
    '\n',
  );
}

export function answeredText({
  accepted,
  refused,
  open,
  batch,
}: ActionResult<'proposal answer'>): string {
  const undo = batch === undefined ? '' : ` ${undoNote(batch)}`;
  const waiting = open === 0 ? '' : ` ${count(open, 'proposal')} still open.`;
  return `Accepted ${accepted}, refused ${refused}.${waiting}${undo}`;
}
