import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type EventEdit, editEvents, type NewEvent } from '../../db/event-edit.ts';
import { type EventValues, prepareEventReads } from '../../db/event-rows.ts';
import { editableFields, type StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import {
  isAnswered,
  type Proposal,
  type ProposalAnswer,
  storeAnswers,
} from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, explain, fileError, packProblem, problem } from '../base/errors.ts';
import { backUpBeforeLargeRemoval } from '../club/backup.ts';
import { KnownEvent } from '../club/event-actions.ts';
import { createDraftParser } from '../club/event-draft.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUnmirrored, requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import type { PackedProblem, ProblemCode } from '../messages/message.ts';
import { readPublishedFiles } from '../outside/live-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  findProposals,
  type ProposedChange,
  proposedChanges,
  proposedValue,
  readProposalsFile,
} from './proposals-file.ts';

/** A proposal of another computer, with the person who sent it. */
type Received = Proposal & { readonly sender: string; readonly sentAt: string };

/** Everything beside the live files of a club. */
type Inbox = {
  /** Each proposal once, in the order of sending. */
  readonly proposals: readonly Received[];
  readonly paths: readonly string[];
  readonly unreadable: readonly { readonly path: string; readonly problem: PackedProblem }[];
};

/** Reads the proposals beside the copies that a club keeps up to date in folders. */
function readInbox(db: Reader, userId: number, tools: ActionTools): Inbox {
  const club = prepareUserReads(db).uidBase(userId);
  const parse = createDraftParser(zoneOfClub(db, userId, tools));
  const proposals = new Map<string, Received>();
  const paths: string[] = [];
  const unreadable: { path: string; problem: PackedProblem }[] = [];
  /** Returns true for values that an event can have. */
  const isValid = ({ event, values }: Proposal) => {
    const { registrationOpen: _, ...others } = { ...event, ...values };
    return !('reason' in parse({ values: others }));
  };
  for (const { club: owner, format, target } of readPublishedFiles(tools.home)) {
    if (owner !== club || format !== 'json' || target.kind !== 'folder') continue;
    try {
      for (const { path, content } of findProposals(target.path)) {
        if (content === undefined || !content.proposals.every(isValid)) {
          unreadable.push({
            path,
            problem: packProblem(problem('proposal_file_damaged', { path })),
          });
        } else if (content.club !== club) {
          unreadable.push({
            path,
            problem: packProblem(problem('proposal_file_other_club', { path })),
          });
        } else {
          paths.push(path);
          // A conflict copy has the same ids.
          for (const each of content.proposals) {
            if (!proposals.has(each.id))
              proposals.set(each.id, { ...each, sender: content.sender });
          }
        }
      }
    } catch (error) {
      const folder = dirname(target.path);
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const failure = isGone
        ? problem('publish_folder_gone', { folder })
        : explain(fileError(error, folder));
      if (failure === undefined) throw error;
      unreadable.push({ path: folder, problem: packProblem(failure) });
    }
  }
  const inOrder = [...proposals.values()].toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
  return { proposals: inOrder, paths, unreadable };
}

/** A proposal for the person who decides. */
export type ReviewedProposal = Pick<Received, 'id' | 'kind' | 'sender' | 'sentAt' | 'note'> & {
  /** The event as it was proposed; a new one has no id. */
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
  /** The other proposals that cannot be accepted as well. */
  readonly rivals: readonly string[];
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
function currentOf({ event }: Proposal, read: (id: number) => StoredEvent | undefined) {
  const current = event === null ? undefined : read(event.id);
  return current?.createdAt === event?.createdAt ? current : undefined;
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
  const isAsBefore =
    kind === 'remove'
      ? editableFields.every((field) => isSame(current[field], event[field]))
      : changes.every(
          ({ field, before, after }) =>
            isSame(current[field], before) || isSame(current[field], after),
        );
  return isAsBefore ? 'open' : 'conflict';
}

function review(
  proposal: Received,
  current: StoredEvent | undefined,
  others: readonly Received[],
): ReviewedProposal {
  const { id, kind, sender, sentAt, note, event, values } = proposal;
  const { name = '', date = '' } = event ?? values;
  return {
    ...{ id, kind, sender, sentAt, note },
    event: { id: event?.id ?? null, name: name ?? '', date: date ?? '' },
    changes: proposedChanges(proposal),
    state: stateOf(proposal, current, others),
    current: current ?? null,
    rivals: others.filter((other) => compete(proposal, other)).map((other) => other.id),
  };
}

export const ReviewProposals = z.strictObject({ user: UserName });

type Review = {
  readonly user: string;
  readonly timeZone: string;
  /** Those without an answer. */
  readonly proposals: readonly ReviewedProposal[];
  readonly unreadable: Inbox['unreadable'];
};

/** Lists the proposals of other computers with their old, new and present values. */
export function reviewProposals(
  { user }: z.output<typeof ReviewProposals>,
  tools: ActionTools,
): Promise<Review> {
  return withReader(tools.home, (db) => {
    const userId = requireUser(db, user);
    const { proposals, unreadable } = readInbox(db, userId, tools);
    const open = proposals.filter(({ id }) => !isAnswered(db, userId, id));
    const { byId } = prepareEventReads(db);
    const read = (id: number) => byId(userId, id) ?? undefined;
    return {
      user,
      timeZone: zoneOfClub(db, userId, tools),
      proposals: open.map((each) => review(each, currentOf(each, read), open)),
      unreadable,
    };
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

function toEventValues(proposal: Proposal): EventValues {
  const fields = editableFields.filter((field) => field in proposal.values);
  return Object.fromEntries(fields.map((field) => [field, proposedValue(proposal.values, field)]));
}

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

/**
 * Answers proposals: the accepted ones are one change of the history. Throws, and changes nothing, if
 * one of them has an answer already or needs a decision.
 */
export function answerProposals(
  { user, answers: given, acceptAll }: z.output<typeof AnswerProposals>,
  tools: ActionTools,
): Promise<Answered> {
  const answered = new Map(given.map((each) => [each.proposal, each]));
  if (answered.size < given.length) throw asUsage(problem('proposal_answer_twice'));
  const run = (db: Writer) => {
    const userId = requireUser(db, user);
    const { proposals, paths } = readInbox(db, userId, tools);
    const byId = new Map(proposals.map((each) => [each.id, each]));
    const removed = given.filter(
      ({ proposal, accepted }) => accepted && byId.get(proposal)?.kind === 'remove',
    ).length;
    backUpBeforeLargeRemoval({ removed, total: prepareUserReads(db).countEvents(userId) }, tools);
    const now = tools.now().toISOString();
    const { result, batch } = editEvents(db, { userId, now }, (events) => {
      // Within the transaction: another program may have answered meanwhile.
      for (const id of answered.keys()) {
        if (isAnswered(db, userId, id)) throw problem('proposal_answered', { id });
        if (!byId.has(id)) throw problem('proposal_unknown', { id });
      }
      const open = proposals.filter(({ id }) => !isAnswered(db, userId, id));
      const others = open.filter(({ id }) => answered.get(id)?.accepted !== false);
      const accepted = others.filter((proposal) => {
        const answer = answered.get(proposal.id);
        const current = currentOf(proposal, events.read);
        if (answer?.anyway === true && isAsSeen(current, answer.seen)) return true;
        const state = stateOf(proposal, current, others);
        const isSafe = state === 'open' || state === 'done';
        if (answer === undefined) return acceptAll && isSafe;
        if (isSafe) return true;
        throw problem('proposal_needs_decision', { name: proposal.event?.name ?? '' });
      });
      if (accepted.length > 0) requireUnmirrored(db, userId);
      for (const proposal of accepted) apply(events, proposal);
      const refused = given.filter((each) => !each.accepted);
      const stored: ProposalAnswer[] = [
        ...accepted.map(({ id }) => ({ id, accepted: true, reason: '' })),
        ...refused.map(({ proposal, reason }) => ({ id: proposal, accepted: false, reason })),
      ];
      storeAnswers(db, userId, stored, { answeredAt: now, batch: events.batch() });
      return {
        accepted: accepted.length,
        refused: refused.length,
        open: open.length - stored.length,
      };
    });
    for (const path of paths) removeAnswered(db, userId, path, tools);
    return { user, ...result, ...(batch !== undefined && { batch }) };
  };
  return withWriter(tools.home, run, tools);
}

/** Removes a file if all its proposals have an answer, also those that arrived meanwhile. */
function removeAnswered(db: Reader, userId: number, path: string, { warn }: ActionTools): void {
  try {
    const proposals = readProposalsFile(path)?.content?.proposals ?? null;
    if (proposals?.every(({ id }) => isAnswered(db, userId, id))) rmSync(path, { force: true });
  } catch (error) {
    // The answers are stored, and the file is not read again.
    const failure = explain(fileError(error, path));
    if (failure === undefined) throw error;
    warn?.(failure);
  }
}
