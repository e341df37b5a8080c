import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readCalendarEvents, readCalendars } from '../../db/calendars.ts';
import type { NewEvent } from '../../db/event-edit.ts';
import { eventDefaults } from '../../db/event-import.ts';
import { eachEvent } from '../../db/event-list.ts';
import { prepareEventReads, withValues } from '../../db/event-rows.ts';
import { prepareCancellations } from '../../db/history.ts';
import { assistantLimits, eventTypes, type StoredEvent } from '../../db/model.ts';
import { inTransaction, type Reader, type Writer } from '../../db/open.ts';
import {
  type AssistantProposal,
  isAnswered,
  type Proposal,
  storeAnswers,
} from '../../db/proposals.ts';
import { readSettings } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import { commandProblem, explain, fileError, type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import { prepareAdd, prepareCancel, prepareChange, readEditClock } from '../club/event-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUnmirrored } from '../club/user-actions.ts';
import { dayMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { byDate, samePlaceEvents } from '../event/places.ts';
import { endOrUsual, isOver, joinNote, noteOf } from '../event/values.ts';
import { hasLink } from '../event/write-message.ts';
import { createId } from '../outside/identity.ts';
import { readIfThere } from '../outside/state-file.ts';
import { withWriter } from '../store/store.ts';
import { draftOf } from './outbox.ts';
import {
  entryForProposals,
  type FoundProposals,
  isNamedAfter,
  parseProposals,
  toEventValues,
  writeProposals,
} from './proposals-file.ts';

/** Days for which the answers to proposals are remembered, in case an old file comes back. */
const rememberedDays = 365;

/** Returns the time of answers, and that before which others are forgotten. */
export const answerTimes = (now: Date) => ({
  answeredAt: now.toISOString(),
  before: new Date(now.getTime() - rememberedDays * dayMs).toISOString(),
});

/** Returns the start of the paths of a club's files; its UIDs can have any characters. */
const pathFor = ({ proposals }: Home, uidBase: string) =>
  join(proposals, hash('sha256', uidBase).slice(0, 16));

/** Lists the names of all files with proposals of assistants. */
function listFiles({ proposals }: Home): readonly string[] {
  try {
    return readdirSync(proposals);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fileError(error, proposals);
  }
}

type AssistantFiles = {
  readonly files: readonly FoundProposals[];
  readonly unreadable: readonly { readonly path: string; readonly problem: Problem }[];
};

/** Reads the files that assistants wrote for a club, in the order of their names. */
export function readAssistantFiles(home: Home, uidBase: string): AssistantFiles {
  const start = pathFor(home, uidBase);
  const files: FoundProposals[] = [];
  const unreadable: { path: string; problem: Problem }[] = [];
  for (const name of listFiles(home).filter((each) => isNamedAfter(each, [start]))) {
    const path = join(home.proposals, name);
    const bytes = readIfThere(path);
    const content = bytes && parseProposals(bytes);
    if (typeof content === 'string') unreadable.push({ path, problem: problem(content, { path }) });
    else if (content) files.push({ entry: { folder: home.proposals, name }, stamp: '', content });
  }
  return { files, unreadable };
}

/** Returns true for a proposal of an assistant that nobody answered in time. */
export const isExpired = ({ sentAt }: Pick<Proposal, 'sentAt'>, now: Date): boolean =>
  Date.parse(sentAt ?? '') <= now.getTime() - assistantLimits.days * dayMs;

/** Returns the ids of the proposals that these replaced. */
const replacedBy = (proposals: readonly Pick<Proposal, 'replaces'>[]) =>
  new Set(proposals.flatMap(({ replaces }) => replaces));

/** Returns the proposals of assistants that wait for an answer, oldest first. */
export function waitingProposals(
  files: readonly FoundProposals[],
  isDone: (id: string) => boolean,
  now: Date,
) {
  const all = files.flatMap(({ content }) =>
    content.proposals.map((each) => ({ ...each, sender: content.sender, isAssistant: true })),
  );
  const replaced = replacedBy(all);
  return all
    .filter((each) => !replaced.has(each.id) && !isDone(each.id) && !isExpired(each, now))
    .toSorted((one, other) => (one.sentAt < other.sentAt ? -1 : 1))
    .slice(0, assistantLimits.waiting);
}

/** Returns what is remembered of a proposal when it has ended. */
export function assistantProposalOf(
  { kind, event, values }: Pick<Proposal, 'kind' | 'event' | 'values'>,
  assistant: string,
): AssistantProposal {
  const { name, date } = event ?? values;
  return { kind, assistant, name: name ?? '', date: date ?? '' };
}

/** A change that an assistant proposes: of the event with this id, or a new event. */
export type AssistantChange = {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
  /** A day, or a day and a time, in the time zone of the club. */
  readonly date?: string | undefined;
  /** The time or day of the end; empty for none. */
  readonly end?: string | undefined;
  readonly location?: string | undefined;
  /** The lines of the note below that of the end. */
  readonly note?: string | undefined;
  readonly status?: 'draft' | 'active' | undefined;
  readonly eventType?: (typeof eventTypes)[number] | 'none' | undefined;
  /** The reason of a cancellation; empty for none. */
  readonly cancel?: string | undefined;
};

/** The schema of a change, for the tool of an assistant. */
export const AssistantChange = z.strictObject({
  id: z.int().optional().describe('The event. Without it, a new one, with name and date.'),
  name: z.string().trim().min(1).max(500).optional(),
  date: z
    .string()
    .max(100)
    .optional()
    .describe('As 2027-01-12T18:00 in the club’s zone, or a day.'),
  end: z.string().max(100).optional().describe('A time or day; empty for none.'),
  location: z.string().trim().max(500).optional(),
  note: z.string().trim().max(5_000).optional(),
  status: z.enum(['draft', 'active']).optional(),
  eventType: z.enum([...eventTypes, 'none']).optional(),
  cancel: z.string().trim().max(200).optional().describe('Cancels it: the reason, or empty.'),
});

/** A refused change of a call, counted from 1. */
export class RefusedChange extends Error {
  readonly number: number;

  constructor(number: number, cause: Problem) {
    super(`change ${number}`, { cause });
    this.number = number;
  }
}

/** Splits a change of a note from the others: the line of the end, which is part of it, moves first. */
function stepsOf({ id, note, ...others }: AssistantChange): readonly AssistantChange[] {
  if (id === undefined) return [{ note, ...others }];
  const values = Object.values(others).filter((value) => value !== undefined);
  if (values.length === 0 && note === undefined) throw commandProblem('assistant_change_empty');
  return [
    ...(values.length > 0 ? [{ id, ...others }] : []),
    ...(note === undefined ? [] : [{ id, note }]),
  ];
}

/** Returns the edit that a change asks for. */
function editFor(
  { id, cancel, end, eventType, note, ...values }: AssistantChange,
  readEvent: (id: number) => StoredEvent | undefined,
  timeZone: string,
) {
  const event = id === undefined ? undefined : readEvent(id);
  // The line of the end stays above the note.
  const endLine = event === undefined ? '' : noteOf(event, zoneNamed(timeZone)).endLine;
  const changes = {
    ...values,
    ...(eventType && { eventType: eventType === 'none' ? null : eventType }),
    ...(note !== undefined && { description: joinNote(endLine, note) }),
  };
  if (id === undefined) {
    const { name, date } = changes;
    if (name === undefined || date === undefined || cancel !== undefined)
      throw commandProblem('assistant_event_incomplete');
    return prepareAdd({ event: { ...changes, name, date }, except: [], end });
  }
  if (cancel === undefined) return prepareChange({ id, changes, end });
  if (Object.keys(changes).length > 0 || end !== undefined)
    throw commandProblem('assistant_cancel_alone');
  return prepareCancel({ id, reason: cancel });
}

type Call = {
  readonly assistant: string;
  /** The reason, in words to the person who decides. */
  readonly why: string;
  readonly changes: readonly AssistantChange[];
};

type Tools = Pick<ActionTools, 'home' | 'now' | 'systemTimeZone' | 'randomInt'>;

/** Throws the problem of a club to whose events an assistant may propose nothing. */
function requireAllowed(db: Reader, userId: number): void {
  requireUnmirrored(db, userId);
  const { name, assistantProposes } = readSettings(db, userId);
  if (assistantProposes === 0) throw commandProblem('assistant_not_allowed', { user: name });
}

/**
 * Writes the proposals of an assistant into a file of the data directory, for a person to answer: all
 * changes of a call, or none. A later proposal for an event takes the values of the one that waits with
 * it, and replaces it. Throws `RefusedChange`, or the problem of a club that takes no proposals.
 */
export function proposeAsAssistant(
  db: Reader,
  userId: number,
  { assistant, why, changes }: Call,
  tools: Tools,
): readonly Proposal[] {
  requireAllowed(db, userId);
  const { home } = tools;
  const uidBase = prepareUserReads(db).uidBase(userId);
  const { files } = readAssistantFiles(home, uidBase);
  const clock = readEditClock(db, userId, undefined, tools);
  const waiting = waitingProposals(files, (id) => isAnswered(db, userId, id), clock.now);
  const { byId } = prepareEventReads(db);
  const cancellation = prepareCancellations(db, userId);
  const read = (id: number) => byId(userId, id) ?? undefined;
  const sentAt = clock.now.toISOString();
  // Another assistant answers for itself.
  const own = waiting.filter(({ sender }) => sender === assistant);
  let made: readonly Proposal[] = [];
  const earlierFor = (id: number) => [...own, ...made].filter(({ event }) => event?.id === id);
  /** Reads an event with the values that wait. */
  const readProposed = (id: number) => {
    const event = read(id);
    return event && withValues(event, toEventValues(earlierFor(id).at(-1) ?? { values: {} }));
  };
  function add(change: AssistantChange): boolean {
    const draft = draftOf(
      editFor(change, readProposed, clock.timeZone)(clock),
      read,
      cancellation,
      ({ id }) => ({ last: earlierFor(id).at(-1), isKept: true }),
    );
    if (draft === undefined) return false;
    const earlier = draft.event === null ? [] : earlierFor(draft.event.id);
    // Also what those replaced: their files are never written again.
    const replaces = earlier.flatMap((each) => [
      ...(made.includes(each) ? [] : [each.id]),
      ...each.replaces,
    ]);
    const id = createId(tools.randomInt);
    made = [
      ...made.filter((each) => !earlier.includes(each)),
      { ...draft, id, revision: '', note: why, sentAt, replaces: [...new Set(replaces)] },
    ];
    return true;
  }
  for (const [index, change] of changes.entries()) {
    try {
      const results = stepsOf(change).map(add);
      if (!results.includes(true)) {
        const isWaiting = own.some(({ event }) => event?.id === change.id);
        throw isWaiting ? commandProblem('assistant_value_kept') : problem('proposal_unchanged');
      }
    } catch (error) {
      const failure = explain(error);
      throw failure === undefined ? error : new RefusedChange(index + 1, failure);
    }
  }
  const replaced = replacedBy(made);
  const left = waiting.filter(({ id }) => !replaced.has(id)).length;
  const limit = assistantLimits.waiting;
  if (left + made.length > limit)
    throw commandProblem('assistant_too_many', { limit, count: left });
  const head = { club: uidBase, sender: assistant, file: null, number: 0 };
  const { folder, name } = entryForProposals(pathFor(home, uidBase), createId(tools.randomInt));
  const text = writeProposals(head, made);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWholeFile(join(folder, name), [text]);
  } catch (error) {
    throw fileError(error, folder);
  }
  return made;
}

/** A reason to look at a proposal of an assistant before it is accepted. */
export type ProposalWarning =
  | { readonly kind: 'past' | 'cancels' | 'hides' | 'link' }
  /** Another event is at the place until this moment. */
  | { readonly kind: 'clash'; readonly name: string; readonly until: string }
  /** The event comes from a calendar, which keeps its value. */
  | { readonly kind: 'followed'; readonly calendar: string };

type Warned = Pick<Proposal, 'id' | 'event' | 'values'> & { readonly isAssistant: boolean };

/**
 * Prepares the warnings of proposals; those of people have none. Clashes are those that are there when
 * the proposals without a warning are accepted together, and the others are not. `isSafe` is false for
 * one that needs a decision anyway.
 */
export function prepareWarnings(
  db: Reader,
  userId: number,
  open: readonly Warned[],
  {
    timeZone,
    now,
    isSafe,
  }: {
    readonly timeZone: string;
    readonly now: Date;
    readonly isSafe: (id: string) => boolean;
  },
): (proposal: Warned) => readonly ProposalWarning[] {
  const ofAssistants = open.filter(({ isAssistant }) => isAssistant);
  if (ofAssistants.length === 0) return () => [];
  const clock = zoneNamed(timeZone);
  const { usualLength } = readSettings(db, userId);
  const calendars = new Map(
    readCalendars(db, userId).flatMap((calendar) =>
      readCalendarEvents(db, calendar).map((id) => [id, calendar.name] as const),
    ),
  );
  const events: readonly StoredEvent[] = [...eachEvent(db, userId)];
  const present = new Map(events.map((event) => [event.id, event]));
  const afterOf = new Map(
    ofAssistants.map((proposal, index) => {
      const values = toEventValues(proposal);
      const { date = '' } = values;
      // A new event has no number yet.
      const added = { ...eventDefaults, id: -1 - index, createdAt: date, date, name: '' };
      const before = present.get(proposal.event?.id ?? 0) ?? proposal.event ?? added;
      return [proposal.id, withValues(before, values as Partial<NewEvent>)] as const;
    }),
  );
  const currentOf = ({ event }: Warned) => (event === null ? undefined : present.get(event.id));
  const othersOf = (proposal: Warned): readonly ProposalWarning[] => {
    const { id, values } = proposal;
    const after = afterOf.get(id);
    if (after === undefined) return [];
    const current = currentOf(proposal);
    const calendar = current && calendars.get(current.id);
    const texts = [values.name, values.location, values.description];
    const isPast = [current ?? after, after].some((each) => isOver(clock, each, now));
    const cancels = values.status === 'cancelled' && current?.status !== 'cancelled';
    const hides = values.status === 'draft' && current !== undefined;
    return [
      ...(isPast ? [{ kind: 'past' } as const] : []),
      ...(cancels ? [{ kind: 'cancels' } as const] : []),
      ...(hides ? [{ kind: 'hides' } as const] : []),
      ...(calendar === undefined ? [] : [{ kind: 'followed', calendar } as const]),
      ...(texts.some((text) => hasLink(text ?? '')) ? [{ kind: 'link' } as const] : []),
    ];
  };
  const clashes = new Map<string, ProposalWarning>();
  let accepted = ofAssistants.filter((each) => isSafe(each.id) && othersOf(each).length === 0);
  let clash: readonly [Warned, ProposalWarning] | undefined;
  do {
    const later = new Map(present);
    for (const { id } of accepted) {
      const after = afterOf.get(id);
      if (after !== undefined) later.set(after.id, after);
    }
    const all = [...later.values()].toSorted(byDate);
    const clashOf = (proposal: Warned) => {
      const after = afterOf.get(proposal.id);
      const [other] = after ? samePlaceEvents(clock, after, all, usualLength).clashes : [];
      if (other === undefined) return [];
      const until = new Date(endOrUsual(other, usualLength, clock)).toISOString();
      return [[proposal, { kind: 'clash', name: other.name, until }] as const];
    };
    // One after the other: without the first, the second may have its place.
    clash = accepted.flatMap(clashOf).at(-1);
    if (clash === undefined) {
      for (const [{ id }, found] of ofAssistants.flatMap(clashOf)) {
        if (!clashes.has(id)) clashes.set(id, found);
      }
    } else {
      const [{ id }, found] = clash;
      clashes.set(id, found);
      accepted = accepted.filter((each) => each.id !== id);
    }
  } while (clash !== undefined);
  return (proposal) => {
    const found = clashes.get(proposal.id);
    return [...(found === undefined ? [] : [found]), ...othersOf(proposal)];
  };
}

const isOld = (path: string, now: Date) =>
  (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) <=
  now.getTime() - assistantLimits.days * dayMs;

/** Returns true if there are files of assistants whose time is over. */
export function hasExpiredProposals(home: Home, now: Date): boolean {
  return listFiles(home).some((name) => isOld(join(home.proposals, name), now));
}

export const ExpireProposals = z.strictObject({});

/** Ends the proposals of assistants that nobody answered in time, and removes their files. */
export function expireProposals(
  _: z.output<typeof ExpireProposals>,
  { home, now: readNow }: ActionTools,
): Promise<{ readonly expired: number }> {
  const now = readNow();
  const expire = (db: Writer, userId: number): number => {
    const { files } = readAssistantFiles(home, prepareUserReads(db).uidBase(userId));
    const isDone = (id: string) => isAnswered(db, userId, id);
    const replaced = replacedBy(files.flatMap(({ content }) => content.proposals));
    const ended = files.flatMap(({ content: { sender, proposals } }) =>
      proposals
        .filter((each) => !isDone(each.id) && isExpired(each, now))
        .map((each) => ({
          ...{ id: each.id, accepted: false, reason: '', sender: null },
          assistant: assistantProposalOf(each, sender),
          ended: replaced.has(each.id) ? ('replaced' as const) : ('expired' as const),
        })),
    );
    storeAnswers(db, userId, ended, { ...answerTimes(now), batch: undefined });
    return ended.length;
  };
  const run = (db: Writer) => {
    const users = prepareUserReads(db).all();
    const expired = inTransaction(db, () => users.reduce((sum, { id }) => sum + expire(db, id), 0));
    // Also those of a club that was removed.
    for (const name of listFiles(home)) {
      const path = join(home.proposals, name);
      if (isOld(path, now)) rmSync(path, { force: true });
    }
    return { expired };
  };
  return withWriter(home, run);
}
