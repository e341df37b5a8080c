import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type EventEdit, editEvents, type NewEvent } from '../../db/event-edit.ts';
import { prepareEventReads } from '../../db/event-rows.ts';
import { assistantLimits, editableFields, type StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { isAnswered, type Proposal, storeAnswers } from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, explain, Problem, packProblem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { backUpBeforeLargeRemoval } from '../club/backup.ts';
import { KnownEvent } from '../club/event-actions.ts';
import { createDraftParser } from '../club/event-draft.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUnmirrored, requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { dayMs } from '../dates/units.ts';
import type { PackedProblem, ProblemCode } from '../messages/message.ts';
import { readWithFarewells } from '../outside/live-files.ts';
import { callOutside } from '../outside/outside-files.ts';
import { readOutsideState, writeOutsideState } from '../outside/state-file.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  answerTimes,
  assistantProposalOf,
  type ProposalWarning,
  prepareWarnings,
  readAssistantFiles,
  waitingProposals,
} from './assistant.ts';
import {
  type FoundProposals,
  isNamedAfter,
  limits,
  listProposals,
  type ProposedChange,
  proposedChanges,
  readProposals,
  toEventValues,
} from './proposals-file.ts';

/** A proposal of another computer or of an assistant, with the name of its sender. */
type Received = FoundProposals['content']['proposals'][number] & {
  readonly sender: string;
  readonly isAssistant: boolean;
};

/** Everything beside the live files of a club, and the files of assistants. */
type Inbox = {
  /** Each proposal once, in the order of sending. */
  readonly proposals: readonly Received[];
  readonly files: readonly FoundProposals[];
  readonly unreadable: readonly { readonly path: string; readonly problem: PackedProblem }[];
};

/** The club whose proposals are read. */
type Club = { readonly userId: number; readonly uidBase: string; readonly timeZone: string };

function readClub(db: Reader, user: string, tools: ActionTools): Club {
  const userId = requireUser(db, user);
  const uidBase = prepareUserReads(db).uidBase(userId);
  return { userId, uidBase, timeZone: zoneOfClub(db, userId, tools) };
}

/** Returns the paths of the copies that a club keeps up to date in folders. */
function copiesOf({ uidBase }: Club, home: Home): readonly string[] {
  // Also their former places, where a proposal may still arrive.
  return readWithFarewells(home).flatMap(({ club, format, target }) =>
    club === uidBase && format === 'json' && target.kind === 'folder' ? target.path : [],
  );
}

/** Most files that are tried, and most unreadable ones that are named. */
const most = { tried: 500, named: 10 } as const;

/** Reads the proposals for a club; `isDone` knows those of assistants that have an answer. */
async function readInbox(
  club: Club,
  isDone: (id: string) => boolean,
  tools: ActionTools,
): Promise<Inbox> {
  const paths = copiesOf(club, tools.home);
  const files: FoundProposals[] = [];
  const unreadable: { path: string; problem: PackedProblem }[] = [];
  const refuse = (path: string, failure: Problem) =>
    unreadable.push({ path, problem: packProblem(failure) });
  const findFlaw = createCheck(club);
  for (const [folder, beside] of Map.groupBy(paths, dirname)) {
    try {
      const all = await listProposals({ folder, name: '' }, tools);
      let [left, named] = [all.length, 0];
      for (const { entry } of all.slice(0, most.tried)) {
        if (files.length === limits.files) break;
        const found = await readProposals(entry, tools);
        const flaw = found && findFlaw(found);
        const isFlawed = flaw !== undefined && isNamedAfter(entry.name, beside);
        if (isFlawed && named === most.named) continue;
        left -= 1;
        named += Number(isFlawed);
        if (isFlawed) refuse(join(folder, entry.name), flaw);
        else if (flaw === undefined && !(found instanceof Problem) && found) files.push(found);
      }
      if (left > 0) refuse(folder, problem('proposal_files_left', { folder, count: left }));
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined || failure.code === 'cancelled') throw error;
      refuse(folder, failure);
    }
  }
  const { current, old } = chooseCurrent(files, tools);
  for (const { entry } of old) {
    const path = join(entry.folder, entry.name);
    refuse(path, problem('proposal_file_old', { path }));
  }
  // A conflict copy has the same ids.
  const proposals = new Map<string, Received>();
  for (const { content } of current) {
    for (const each of content.proposals) {
      const received = { ...each, sender: content.sender, isAssistant: false };
      if (!proposals.has(each.id)) proposals.set(each.id, received);
    }
  }
  for (const id of [...proposals.values()].flatMap(({ replaces }) => replaces)) {
    proposals.delete(id);
  }
  const own = readAssistantFiles(tools.home, club.uidBase);
  for (const { path, problem: failure } of own.unreadable) refuse(path, failure);
  const ofAssistants = own.files.filter((found) => {
    const flaw = findFlaw(found);
    if (flaw !== undefined) refuse(join(found.entry.folder, found.entry.name), flaw);
    return flaw === undefined;
  });
  for (const each of waitingProposals(ofAssistants, isDone, tools.now())) {
    proposals.set(each.id, each);
  }
  const inOrder = [...proposals.values()].toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
  return { proposals: inOrder, files, unreadable };
}

/** Creates a function that returns the reason why nothing is taken from a file. */
function createCheck({ uidBase, timeZone }: Club) {
  const parse = createDraftParser(timeZone);
  /** Returns true for values that an event can have. */
  const isValid = ({ event, values }: Pick<Proposal, 'event' | 'values'>) => {
    const { registrationOpen: _, ...others } = { ...event, ...values };
    return !('reason' in parse({ values: others }));
  };
  return (found: FoundProposals | Problem): Problem | undefined => {
    if (found instanceof Problem) return found;
    const { entry, content } = found;
    const path = join(entry.folder, entry.name);
    if (content.club !== uidBase) return problem('proposal_file_other_club', { path });
    if (!content.proposals.every(isValid)) return problem('proposal_file_damaged', { path });
    return undefined;
  };
}

/** The number of the newest content of each file, by its id. */
const Newest = z.record(z.string(), z.number());

const newestName = 'inbox.json';

/** Separates old contents, which a sync program brought back, from the newest that was ever read. */
function chooseCurrent(files: readonly FoundProposals[], { home, now }: ActionTools) {
  const known = readOutsideState(home, newestName, Newest) ?? {};
  const newest = { ...known };
  for (const { content } of files) {
    const { file, number } = content;
    // A number is a time; one of a clock that was ahead must not outlast the others.
    if (file === null || number > now().getTime() + dayMs) continue;
    newest[file] = Math.max(number, newest[file] ?? 0);
  }
  if (!isDeepStrictEqual(newest, known)) {
    try {
      writeOutsideState(home, newestName, newest);
    } catch (error) {
      // Proposals can be read also on a disk that is full or write-protected.
      if (!(error instanceof Problem)) throw error;
    }
  }
  const isCurrent = ({ content: { file, number } }: FoundProposals) =>
    file === null || number >= (newest[file] ?? 0);
  const current = files.filter(isCurrent);
  const ids = new Set(current.map(({ content }) => content.file));
  // An old conflict copy beside the newest content is nothing to wait for.
  return { current, old: files.filter((each) => !isCurrent(each) && !ids.has(each.content.file)) };
}

/** A proposal for the person who decides. */
type ReviewedProposal = Pick<
  Received,
  'id' | 'kind' | 'sender' | 'isAssistant' | 'sentAt' | 'note'
> & {
  /** The present event, or the one that was proposed; a new one has no id. */
  readonly event: Pick<StoredEvent, 'name' | 'date'> & { readonly id: number | null };
  readonly changes: readonly ProposedChange[];
  /**
   * `conflict`: a present value is neither the old nor the new one, or another proposal has another
   * value. `gone`: the event is not there any more, and is added again if accepted. `done`: it is so
   * already.
   */
  readonly state: 'open' | 'conflict' | 'gone' | 'done';
  /** The present event; null if it is gone or new. */
  readonly current: StoredEvent | null;
  /** The differences between the event that the sender saw and the present one. */
  readonly since: readonly ProposedChange[];
  /** The other proposals that cannot be accepted as well. */
  readonly rivals: readonly string[];
  /** The reasons to look at it; always none for a proposal of a person. */
  readonly warnings: readonly ProposalWarning[];
};

const isSame = (left: unknown, right: unknown) => (left ?? null) === (right ?? null);

/** Returns true if an event is as a person has seen it, or if what they have seen is not known. */
function isAsSeen(
  current: StoredEvent | undefined,
  seen: z.output<typeof AnswerProposals>['answers'][number]['seen'],
): boolean {
  if (seen === undefined) return true;
  if (seen === null || current === undefined) return seen === null && current === undefined;
  return editableFields.every((field) => isSame(current[field], seen[field]));
}

/** Returns true if accepting both would lose a value of one. */
function compete(one: Received, other: Received): boolean {
  if (one.id === other.id || one.event === null || one.event.id !== other.event?.id) return false;
  if (one.kind === 'remove' || other.kind === 'remove') return one.kind !== other.kind;
  return editableFields.some(
    (field) =>
      field in one.values &&
      field in other.values &&
      !isSame(one.values[field], other.values[field]),
  );
}

/** Returns the present event of a proposal; an id can belong to another one after a restore. */
function currentOf(
  { event }: Pick<Proposal, 'event'>,
  read: (id: number) => StoredEvent | undefined,
) {
  const current = event === null ? undefined : read(event.id);
  return current?.createdAt === event?.createdAt ? current : undefined;
}

/** Returns the differences between the event that the sender saw and the present one. */
function changesSince(
  { event }: Received,
  current: StoredEvent | undefined,
): readonly ProposedChange[] {
  if (event === null || current === undefined) return [];
  return editableFields
    .filter((field) => !isSame(event[field], current[field]))
    .map((field) => ({ field, before: event[field], after: current[field] }));
}

function stateOf(
  proposal: Received,
  current: StoredEvent | undefined,
  others: readonly Received[],
): ReviewedProposal['state'] {
  const { kind, event } = proposal;
  if (event === null) return 'open';
  if (current === undefined) return kind === 'remove' ? 'done' : 'gone';
  const changes = proposedChanges(proposal);
  const isDone = changes.every(({ field, after }) => isSame(current[field], after));
  if (kind === 'change' && isDone) return 'done';
  if (others.some((other) => compete(proposal, other))) return 'conflict';
  const isAsBefore = changes.every(
    ({ field, before, after }) => isSame(current[field], before) || isSame(current[field], after),
  );
  const isEnd = kind === 'remove' || proposal.values.status === 'cancelled';
  const since = changesSince(proposal, current).map(({ field }) => field);
  // An event that changed otherwise may not end.
  const isOfSame = !isEnd || since.every((field) => field in proposal.values);
  return isAsBefore && isOfSame ? 'open' : 'conflict';
}

/** Prepares the judgement of open proposals: whether each needs no decision, and its warnings. */
function judgeIn(db: Reader, { userId, timeZone }: Club, now: Date) {
  return (
    open: readonly Received[],
    others: readonly Received[],
    read: (id: number) => StoredEvent | undefined,
  ) => {
    const states = new Map(
      open.map((each) => [each.id, stateOf(each, currentOf(each, read), others)]),
    );
    const isSettled = (id: string) => ['open', 'done'].includes(states.get(id) ?? '');
    const warningsOf = prepareWarnings(db, userId, open, { timeZone, now, isSafe: isSettled });
    return { isSettled, warningsOf };
  };
}

function review(
  proposal: Received,
  current: StoredEvent | undefined,
  others: readonly Received[],
): Omit<ReviewedProposal, 'warnings'> {
  const { id, kind, sender, isAssistant, sentAt, note, event, values } = proposal;
  const { name = '', date = '' } = current ?? event ?? values;
  return {
    ...{ id, kind, sender, isAssistant, sentAt, note },
    event: { id: event?.id ?? null, name: name ?? '', date: date ?? '' },
    changes: proposedChanges(proposal),
    state: stateOf(proposal, current, others),
    current: current ?? null,
    since: changesSince(proposal, current),
    rivals: others.filter((other) => compete(proposal, other)).map((other) => other.id),
  };
}

export const ReviewProposals = z.strictObject({ user: UserName });

type Review = {
  readonly user: string;
  readonly timeZone: string;
  /** Those without an answer. */
  readonly proposals: readonly ReviewedProposal[];
  /** True if assistants proposed many of them, which a person should not answer without a look. */
  readonly areMany: boolean;
  readonly unreadable: Inbox['unreadable'];
};

/** Lists the proposals that wait, with their old, new and present values. */
export function reviewProposals(
  { user }: z.output<typeof ReviewProposals>,
  tools: ActionTools,
): Promise<Review> {
  return withReader(tools.home, async (db) => {
    const club = readClub(db, user, tools);
    const { userId, timeZone } = club;
    const isDone = (id: string) => isAnswered(db, userId, id);
    const { proposals, unreadable } = await readInbox(club, isDone, tools);
    const open = proposals.filter(({ id }) => !isDone(id));
    const { byId } = prepareEventReads(db);
    const read = (id: number) => byId(userId, id) ?? undefined;
    const judge = judgeIn(db, club, tools.now());
    const { warningsOf } = judge(open, open, read);
    const reviewed = open.map((each) => ({
      ...review(each, currentOf(each, read), open),
      warnings: warningsOf(each),
    }));
    const made = open.filter(({ isAssistant }) => isAssistant).length;
    const areMany = made >= assistantLimits.many;
    return { user, timeZone, proposals: reviewed, areMany, unreadable };
  });
}

export const AnswerProposals = z.strictObject({
  user: UserName,
  answers: z
    .array(
      z.strictObject({
        proposal: z.string(),
        accepted: z.boolean(),
        /** Accepts also what needs a decision: it replaces the present value, or adds an event again. */
        anyway: z.boolean().default(false),
        /** The present event that the person has seen, for such a decision; null if it is gone. */
        seen: KnownEvent.nullish(),
        /** The reason for a refusal, for the person who proposed. */
        reason: z
          .string()
          .trim()
          .max(500, { error: 'proposal_reason_long' satisfies ProblemCode })
          .default(''),
      }),
    )
    .max(1_000)
    .default([]),
  /** Accepts all others that need no decision. */
  acceptAll: z.boolean().default(false),
});

type Answered = {
  readonly user: string;
  readonly accepted: number;
  readonly refused: number;
  /** The number of proposals that still wait. */
  readonly open: number;
  /** The number of the change in the history; absent if no event changed. */
  readonly batch?: number;
};

function apply(events: EventEdit, proposal: Received): void {
  const { kind, event } = proposal;
  const current = currentOf(proposal, events.read);
  if (kind === 'remove') {
    if (current !== undefined) events.remove(current.id);
  } else if (current !== undefined) {
    events.change(current.id, toEventValues(proposal));
  } else {
    const { id: _, createdAt: __, ...before } = event ?? ({} as Partial<StoredEvent>);
    const added = events.add({ ...before, ...toEventValues(proposal) } as NewEvent);
    if (added === undefined) throw problem('event_ids_exhausted');
  }
}

type Given = z.output<typeof AnswerProposals>;

/**
 * Returns the proposals without an answer, and those of them to accept. Throws if one has an answer
 * already or needs a decision.
 */
function decide(
  proposals: readonly Received[],
  { answers, acceptAll }: Given,
  {
    read,
    isDone,
    judge,
  }: {
    read: EventEdit['read'];
    isDone: (id: string) => boolean;
    judge: ReturnType<typeof judgeIn>;
  },
) {
  const answered = new Map(answers.map((each) => [each.proposal, each]));
  for (const id of answered.keys()) {
    if (isDone(id)) throw problem('proposal_answered', { id });
    if (!proposals.some((each) => each.id === id)) throw problem('proposal_unknown', { id });
  }
  const open = proposals.filter(({ id }) => !isDone(id));
  const others = open.filter(({ id }) => answered.get(id)?.accepted !== false);
  const { isSettled, warningsOf } = judge(open, others, read);
  const accepted = others.filter((proposal) => {
    const answer = answered.get(proposal.id);
    const current = currentOf(proposal, read);
    if (answer?.anyway === true && isAsSeen(current, answer.seen)) return true;
    const isSafe = isSettled(proposal.id);
    const hasWarning = warningsOf(proposal).length > 0;
    if (answer === undefined) return acceptAll && isSafe && !hasWarning;
    if (isSafe && !hasWarning) return true;
    const name = (proposal.event ?? proposal.values).name ?? '';
    throw problem(isSafe ? 'proposal_warned' : 'proposal_needs_decision', { name });
  });
  return { open, accepted };
}

/**
 * Answers proposals: the accepted ones are one change of the history. Throws, and changes nothing, if
 * one of them has an answer already or needs a decision.
 */
export function answerProposals(given: Given, tools: ActionTools): Promise<Answered> {
  const { user, answers } = given;
  const refusals = answers.filter(({ accepted }) => !accepted);
  if (new Set(answers.map(({ proposal }) => proposal)).size < answers.length) {
    throw asUsage(problem('proposal_answer_twice'));
  }
  const run = async (db: Writer) => {
    const club = readClub(db, user, tools);
    const { userId } = club;
    const isDone = (id: string) => isAnswered(db, userId, id);
    const { proposals, files } = await readInbox(club, isDone, tools);
    const { byId } = prepareEventReads(db);
    const read = (id: number) => byId(userId, id) ?? undefined;
    const judge = judgeIn(db, club, tools.now());
    const { accepted: planned } = decide(proposals, given, { read, isDone, judge });
    const removed = planned.filter(({ kind }) => kind === 'remove').length;
    backUpBeforeLargeRemoval({ removed, total: prepareUserReads(db).countEvents(userId) }, tools);
    const now = tools.now();
    const times = answerTimes(now);
    const { result, batch } = editEvents(db, { userId, now: times.answeredAt }, (events) => {
      // Again within the transaction: another program may have changed or answered meanwhile.
      const { open, accepted } = decide(proposals, given, {
        read: events.read,
        isDone,
        judge,
      });
      if (accepted.length > 0) requireUnmirrored(db, userId);
      for (const proposal of accepted) apply(events, proposal);
      const byId = new Map(open.map((each) => [each.id, each]));
      const assistantOf = (id: string) => {
        const proposal = byId.get(id);
        return proposal?.isAssistant ? assistantProposalOf(proposal, proposal.sender) : null;
      };
      const answered = [
        ...accepted.map(({ id, sender }) => ({ id, accepted: true, reason: '', sender })),
        ...refusals.map(({ proposal: id, reason }) => ({
          ...{ id, accepted: false, reason },
          sender: null,
        })),
      ].map((each) => ({ ...each, assistant: assistantOf(each.id) }));
      // A file of an assistant is never written again, so what it replaced must not come back.
      const replaced = answered.flatMap(({ id, assistant }) =>
        (assistant === null ? [] : (byId.get(id)?.replaces ?? []))
          .filter((each) => !isDone(each))
          .map((each) => ({
            ...{ id: each, accepted: false, reason: '', sender: null, assistant },
            ended: 'replaced' as const,
          })),
      );
      storeAnswers(db, userId, [...answered, ...replaced], { ...times, batch: events.batch() });
      return {
        accepted: accepted.length,
        refused: refusals.length,
        open: open.length - answered.length,
      };
    });
    for (const file of files) await removeAnswered(file, isDone, tools);
    return { user, ...result, ...(batch !== undefined && { batch }) };
  };
  return withWriter(tools.home, run, tools);
}

/** Removes a file if all its proposals have an answer, unless others arrived meanwhile. */
async function removeAnswered(
  { entry, stamp, content }: FoundProposals,
  isDone: (id: string) => boolean,
  tools: ActionTools,
): Promise<void> {
  if (!content.proposals.every(({ id }) => isDone(id))) return;
  try {
    await callOutside(tools, 'remove', entry, stamp);
  } catch (error) {
    // The answers are stored, and the file is not read again.
    const failure = explain(error);
    if (failure === undefined) throw error;
    tools.warn?.(failure);
  }
}
