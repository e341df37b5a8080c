import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { EventEdit } from '../../db/event-edit.ts';
import { eventDefaults } from '../../db/event-import.ts';
import { prepareEventReads, withValues } from '../../db/event-rows.ts';
import { prepareCancellations } from '../../db/history.ts';
import { findSource, type MirrorSource } from '../../db/mirror.ts';
import { labelOfSource } from '../../db/mirror-model.ts';
import { editableFields, type StoredEvent } from '../../db/model.ts';
import { inTransaction, type Reader, type Writer } from '../../db/open.ts';
import {
  insertProposal,
  type OwnProposal,
  type Proposal,
  readFollowedClub,
  readProposals,
  removeProposal,
  updateProposal,
} from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import { problem } from '../base/errors.ts';
import {
  AddEvent,
  CancelEvent,
  EditEvent,
  type PrepareEdit,
  prepareAdd,
  prepareCancel,
  prepareChange,
  prepareRemove,
  RemoveEvent,
  readEditClock,
} from '../club/event-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import type { CopyHead } from '../copy/club-copy.ts';
import { dayMs } from '../dates/units.ts';
import type { PackedProblem, ProblemCode } from '../messages/message.ts';
import { createId } from '../outside/identity.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  pathForProposals,
  proposedChanges,
  toEventValues,
  writeProposals,
} from './proposals-file.ts';
import {
  isOpen,
  openFor,
  readOutboxFailure,
  senderOf,
  settleLater,
  settleOutbox,
} from './settle.ts';

/**
 * Returns the source of a user with its club and revision. Throws `proposal_not_copy`, or
 * `proposal_service` or `proposal_no_folder` for a copy beside which no file can be written.
 */
function requireFollowed(db: Reader, user: string) {
  const userId = requireUser(db, user);
  const source = findSource(db, userId);
  if (source === undefined) throw problem('proposal_not_copy', { user });
  const url = labelOfSource(source.baseUrl);
  if (source.kind === 'service') throw problem('proposal_service', { user, url });
  if (pathForProposals(source.baseUrl) === undefined)
    throw problem('proposal_no_folder', { user, url });
  const { club, revision } = readFollowedClub(db, userId) ?? {};
  return { userId, club: club ?? '', revision: revision ?? '' };
}

/** A proposal for people. */
type ProposalStatus = Pick<OwnProposal, 'id' | 'kind' | 'madeAt' | 'sentAt' | 'note'> & {
  /** The event as it was here, or the values of a new one; new ones have no id yet. */
  readonly event: Pick<StoredEvent, 'name' | 'date'> & { readonly id: number | null };
  readonly changes: ReturnType<typeof proposedChanges>;
  /**
   * `waiting`: sent by a person, but not written yet, as the folder is not there. `withdrawn`: until
   * a later copy has no answer. `acceptedAnyway`: although it was withdrawn.
   */
  readonly state:
    | 'unsent'
    | 'waiting'
    | 'sent'
    | 'withdrawn'
    | 'accepted'
    | 'acceptedAnyway'
    | 'refused';
  /** The club for which it was made and to which alone it is sent; null for the followed one. */
  readonly otherClub: string | null;
  /** The reason for a refusal; empty for none. */
  readonly reason: string;
};

function stateOf({ sender, sentAt, withdrawnAt, answer }: OwnProposal): ProposalStatus['state'] {
  if (answer?.accepted === false) return 'refused';
  if (answer !== null) return withdrawnAt === null ? 'accepted' : 'acceptedAnyway';
  if (withdrawnAt !== null) return 'withdrawn';
  if (sentAt !== null) return 'sent';
  return sender === null ? 'unsent' : 'waiting';
}

/** Returns true for a proposal that only its withdrawal ended. */
function isOver({ withdrawnAt, closedAt, answer }: OwnProposal): boolean {
  return withdrawnAt !== null && closedAt !== null && answer?.accepted !== true;
}

function describe(proposal: OwnProposal, followed: string | undefined): ProposalStatus {
  const { id, kind, event, values, madeAt, sentAt, note, answer, club, clubName } = proposal;
  const { name = '', date = '' } = event ?? values;
  return {
    ...{ id, kind, madeAt, sentAt, note },
    event: { id: event?.id ?? null, name: name ?? '', date: date ?? '' },
    changes: proposedChanges(proposal),
    state: stateOf(proposal),
    otherClub: club === followed ? null : clubName,
    reason: answer?.reason ?? '',
  };
}

type Proposed = { readonly user: string; readonly timeZone: string } & {
  readonly proposal: ProposalStatus;
};

type Draft = Pick<OwnProposal, 'kind' | 'event' | 'values'>;

/**
 * Runs an edit on events, as they are with the values of a proposal, without changing them, and
 * returns it as a proposal.
 */
export function draftOf(
  edit: ReturnType<PrepareEdit<unknown>>,
  readEvent: (id: number) => StoredEvent | undefined,
  cancellation: EventEdit['cancellation'],
  /** Returns the last proposal for an event; `isKept` if its values stay. */
  findLast: (event: StoredEvent) => {
    readonly last?: Pick<Proposal, 'event' | 'values'> | undefined;
    readonly isKept: boolean;
  },
): Draft | undefined {
  let draft: Draft | undefined;
  const read: EventEdit['read'] = (id) => {
    const event = readEvent(id);
    if (event === undefined) return undefined;
    const { last, isKept } = findLast(event);
    return last !== undefined && isKept ? withValues(event, toEventValues(last)) : event;
  };
  edit({
    read,
    cancellation,
    add(values) {
      draft = { kind: 'add', event: null, values };
      const { name, date } = values;
      return withValues({ ...eventDefaults, name, date, id: 0, createdAt: date }, values);
    },
    change(id, values) {
      const [event, proposed] = [readEvent(id), read(id)];
      if (event === undefined || proposed === undefined) return undefined;
      const after = withValues(proposed, values);
      const fields = editableFields.filter((field) => after[field] !== event[field]);
      if (fields.length === 0) return undefined;
      const { last } = findLast(event);
      const known = last === undefined ? {} : toEventValues(last);
      // Their old values stay too: a change since the last proposal needs a decision.
      const kept = fields.filter((field) => field in known && known[field] === after[field]);
      draft = {
        kind: 'change',
        event: withValues(
          event,
          Object.fromEntries(kept.map((each) => [each, last?.event?.[each]])),
        ),
        values: Object.fromEntries(fields.map((field) => [field, after[field] ?? null])),
      };
      return after;
    },
    remove(id) {
      draft = { kind: 'remove', event: readEvent(id) ?? null, values: {} };
    },
    set: () => false,
    batch: () => undefined,
  });
  return draft;
}

type Proposing = {
  readonly user: string;
  readonly timeZone?: string | undefined;
  /** The last proposal for the same event, if none of its values stay. */
  readonly replaces?: string | undefined;
};

/**
 * Stores a proposal. An earlier one for the same event gets its values, too, and is replaced: at once
 * if it was not sent, otherwise when this one is sent.
 */
function propose(
  { user, timeZone, replaces }: Proposing,
  tools: ActionTools,
  prepare: PrepareEdit<unknown>,
): Promise<Proposed> {
  const store = (db: Writer) => {
    const { userId, club, revision } = requireFollowed(db, user);
    const clock = readEditClock(db, userId, timeZone, tools);
    const { byId } = prepareEventReads(db);
    const open = openFor(club, readProposals(db, userId));
    const earlierFor = ({ id, createdAt }: StoredEvent) =>
      open.filter(({ event }) => event?.id === id && event.createdAt === createdAt);
    const draft = draftOf(
      prepare(clock),
      (id) => byId(userId, id) ?? undefined,
      prepareCancellations(db, userId),
      (event) => {
        const earlier = earlierFor(event);
        const last = earlier.findLast(({ sentAt }) => sentAt === null) ?? earlier.at(-1);
        return { ...(last && { last }), isKept: last?.id !== replaces };
      },
    );
    if (draft === undefined) throw problem('proposal_unchanged');
    const earlier = draft.event === null ? [] : earlierFor(draft.event);
    const unsent = earlier.filter(({ sentAt }) => sentAt === null);
    for (const { id } of unsent) removeProposal(db, id);
    const sent = earlier.filter(({ sentAt }) => sentAt !== null).map(({ id }) => id);
    const proposal: OwnProposal = {
      ...draft,
      id: createId(tools.randomInt),
      ...{ club, clubName: user, revision },
      replaces: [...new Set([...unsent.flatMap((each) => each.replaces), ...sent])],
      madeAt: clock.now.toISOString(),
      ...{
        sender: null,
        note: null,
        sentAt: null,
        answer: null,
        withdrawnAt: null,
        closedAt: null,
      },
    };
    requireSendable(club, [...open.filter((each) => !earlier.includes(each)), proposal], tools);
    insertProposal(db, userId, proposal);
    return { user, timeZone: clock.timeZone, proposal: describe(proposal, club) };
  };
  return withWriter(tools.home, (db) => inTransaction(db, () => store(db)), tools);
}

/** Throws what `writeProposals` throws if these proposals cannot be sent in one file. */
function requireSendable(
  club: string,
  proposals: readonly OwnProposal[],
  { now }: ActionTools,
): void {
  const sentAt = now().toISOString();
  const head = { club, sender: senderOf(proposals) ?? '', file: '', number: 0 };
  writeProposals(
    head,
    proposals.map((each) => ({ ...each, sentAt })),
  );
}

export const ProposeEvent = AddEvent.omit({ repeat: true, except: true, days: true });

/** Proposes a new event to the computer whose file a club follows. */
export function proposeEvent(
  { user, timeZone, ...request }: z.output<typeof ProposeEvent>,
  tools: ActionTools,
): Promise<Proposed> {
  return propose({ user, timeZone }, tools, prepareAdd({ ...request, except: [] }));
}

/** The last proposal for the same event, if none of its values stay. */
const Replaced = { replaces: z.string().optional() };

export const ProposeChange = EditEvent.extend(Replaced);

export function proposeChange(
  { user, timeZone, replaces, ...request }: z.output<typeof ProposeChange>,
  tools: ActionTools,
): Promise<Proposed> {
  return propose({ user, timeZone, replaces }, tools, prepareChange(request));
}

export const ProposeCancel = CancelEvent;

export function proposeCancel(
  { user, ...request }: z.output<typeof ProposeCancel>,
  tools: ActionTools,
): Promise<Proposed> {
  return propose({ user }, tools, prepareCancel(request));
}

export const ProposeRemove = RemoveEvent.extend(Replaced);

export function proposeRemove(
  { user, id, replaces }: z.output<typeof ProposeRemove>,
  tools: ActionTools,
): Promise<Proposed> {
  return propose({ user, replaces }, tools, prepareRemove(id));
}

export const ListProposals = z.strictObject({ user: UserName });

type Proposals = {
  readonly user: string;
  readonly timeZone: string;
  /** The name of the person at the last sending; null before it. */
  readonly sender: string | null;
  /** Oldest first. */
  readonly proposals: readonly ProposalStatus[];
  /** The reason why the file beside the followed one is not as it should be. */
  readonly failure: PackedProblem | null;
};

function describeAll(db: Reader, user: string, tools: ActionTools): Proposals {
  const userId = requireUser(db, user);
  const timeZone = zoneOfClub(db, userId, tools);
  const all = readProposals(db, userId);
  const followed = readFollowedClub(db, userId)?.club ?? undefined;
  const listed = all.filter((each) => !isOver(each));
  const failure = readOutboxFailure(tools.home, prepareUserReads(db).uidBase(userId));
  const proposals = listed.map((each) => describe(each, followed));
  return { user, timeZone, sender: senderOf(all), proposals, failure };
}

/** Lists the proposals of this computer with their states. */
export function listProposals(
  { user }: z.output<typeof ListProposals>,
  tools: ActionTools,
): Promise<Proposals> {
  return withReader(tools.home, (db) => describeAll(db, user, tools));
}

/** Withdraws those without an answer that another one, which a person sent, replaces. */
function withdrawReplaced(proposals: readonly OwnProposal[], now: string): readonly OwnProposal[] {
  const sent = proposals.filter((each) => isOpen(each) && each.sender !== null);
  const replaced = new Set(sent.flatMap(({ replaces }) => replaces));
  return proposals.map((each) =>
    isOpen(each) && replaced.has(each.id) ? { ...each, withdrawnAt: now, closedAt: now } : each,
  );
}

export const SendProposals = z.strictObject({
  user: UserName,
  /** The name of the person, for the one who decides; without it, that of the last sending. */
  name: z
    .string()
    .trim()
    .regex(/^\P{Cc}{1,100}$/u, { error: 'proposal_name_invalid' satisfies ProblemCode })
    .optional(),
  /** Words to the person who decides. */
  note: z
    .string()
    .trim()
    .max(1_000, { error: 'proposal_note_long' satisfies ProblemCode })
    .default(''),
});

/**
 * Sends all proposals without an answer, in a file beside the followed one. While its folder is not
 * there, they wait. Throws the reason if the file cannot be written; they are then tried again.
 */
export function sendProposals(
  { user, name, note }: z.output<typeof SendProposals>,
  tools: ActionTools,
): Promise<Proposals & { readonly sent: number }> {
  const release = (db: Writer) => {
    const { userId, club } = requireFollowed(db, user);
    const all = readProposals(db, userId);
    const open = openFor(club, all);
    if (open.length === 0) throw problem('proposal_none');
    const sender = name ?? senderOf(all);
    if (sender === null) throw problem('proposal_name_invalid');
    const named = open.map((each) => ({
      ...each,
      ...{ sender, note: each.note ?? (note === '' ? null : note) },
    }));
    const released = withdrawReplaced(named, tools.now().toISOString());
    const sent = released.filter(isOpen);
    requireSendable(club, sent, tools);
    for (const each of released) updateProposal(db, each);
    return { userId, sent: sent.map(({ id }) => id) };
  };
  const send = async (db: Writer) => {
    const { userId, sent } = inTransaction(db, () => release(db));
    const [failure] = await settleOutbox(tools, { db, userId, isChosen: true });
    if (failure !== undefined && failure.code !== 'publish_folder_gone') throw failure;
    const result = describeAll(db, user, tools);
    const isSent = ({ id, state }: ProposalStatus) => sent.includes(id) && state === 'sent';
    return { ...result, sent: failure === undefined ? result.proposals.filter(isSent).length : 0 };
  };
  return withWriter(tools.home, send, tools);
}

export const WithdrawProposal = z.strictObject({ user: UserName, proposal: z.string() });

/**
 * Withdraws a proposal, also from the file beside the followed one, or clears one that has an answer
 * or was withdrawn.
 */
export function withdrawProposal(
  { user, proposal: id }: z.output<typeof WithdrawProposal>,
  tools: ActionTools,
): Promise<Proposed> {
  const withdraw = (db: Writer) => {
    const userId = requireUser(db, user);
    const found = readProposals(db, userId).find((each) => each.id === id && !isOver(each));
    if (found === undefined) throw problem('proposal_unknown', { id });
    const followed = readFollowedClub(db, userId)?.club ?? undefined;
    const now = tools.now().toISOString();
    const { answer, withdrawnAt, sentAt, club } = found;
    const withdrawn = answer === null ? { ...found, withdrawnAt: withdrawnAt ?? now } : found;
    // A later copy of another club cannot say whether it was accepted.
    const closedAt = withdrawnAt === null && club === followed ? null : now;
    // The first computer may have it, and may accept it still.
    if (answer === null && sentAt !== null) updateProposal(db, { ...withdrawn, closedAt });
    else removeProposal(db, id);
    const timeZone = zoneOfClub(db, userId, tools);
    return { userId, result: { user, timeZone, proposal: describe(withdrawn, followed) } };
  };
  const run = async (db: Writer) => {
    const { userId, result } = inTransaction(db, () => withdraw(db));
    await settleLater(tools, { db, userId });
    return result;
  };
  return withWriter(tools.home, run, tools);
}

/** Days for which proposals are remembered after their answer. */
const rememberedDays = 90;

const epochOf = (revision: string) => revision.slice(0, revision.lastIndexOf('.'));

/** Returns a proposal as it is after the reading of a copy; undefined for one that is forgotten. */
function afterCopy(proposal: OwnProposal, head: CopyHead, now: Date): OwnProposal | undefined {
  const [time, epoch] = [now.toISOString(), epochOf(head.revision)];
  // The clock may have been ahead.
  const [withdrawnAt, closedAt] = [proposal.withdrawnAt, proposal.closedAt].map((each) =>
    each !== null && each > time ? time : each,
  ) as [string | null, string | null];
  const known = { ...proposal, withdrawnAt, closedAt };
  const oldest = new Date(now.getTime() - rememberedDays * dayMs).toISOString();
  if (closedAt !== null && closedAt < oldest) return undefined;
  const found = head.answers?.find(({ id }) => id === proposal.id);
  if (found !== undefined) {
    const { accepted, reason } = found;
    // The undo of an acceptance makes it a refusal.
    const isNew = known.answer?.accepted !== accepted;
    return { ...known, answer: { accepted, reason, epoch }, closedAt: isNew ? time : closedAt };
  }
  if (known.club !== head.uidBase) return known;
  // The first computer has restored a backup.
  const isLost = known.answer !== null && ![null, epoch].includes(known.answer.epoch);
  if (isLost) return { ...known, answer: null, closedAt: null };
  const isOver = known.answer === null && withdrawnAt !== null && head.asOf > withdrawnAt;
  return isOver ? { ...known, closedAt: closedAt ?? time } : known;
}

/** Stores the answers that a copy has, and brings the file beside it up to date. */
export async function takeAnswers(
  head: CopyHead,
  db: Writer,
  { userId }: MirrorSource,
  tools: ActionTools,
): Promise<void> {
  if (readProposals(db, userId).length === 0) return;
  inTransaction(db, () => {
    const now = tools.now();
    const all = readProposals(db, userId);
    const known = all.flatMap((each) => afterCopy(each, head, now) ?? []);
    // One that lost its answer may have been replaced since.
    const next = new Map(withdrawReplaced(known, now.toISOString()).map((each) => [each.id, each]));
    for (const each of all) {
      const changed = next.get(each.id);
      if (changed === undefined) removeProposal(db, each.id);
      else if (!isDeepStrictEqual(changed, each)) updateProposal(db, changed);
    }
  });
  await settleLater(tools, { db, userId });
}
