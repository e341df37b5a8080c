import { hash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { eventDefaults } from '../../db/event-import.ts';
import { prepareEventReads, withValues } from '../../db/event-rows.ts';
import { findSource, type MirrorSource, readMirror } from '../../db/mirror.ts';
import { labelOfSource } from '../../db/mirror-model.ts';
import { editableFields, type StoredEvent } from '../../db/model.ts';
import { inTransaction, type Reader, type Writer } from '../../db/open.ts';
import {
  insertProposal,
  learnAnswers,
  markSent,
  maxProposals,
  type OwnProposal,
  type Proposal,
  readProposals,
  removeProposal,
} from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import type { CopyHead } from '../base/club-copy.ts';
import { explain, fileError, problem } from '../base/errors.ts';
import { writeWholeFile } from '../base/write-file.ts';
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
import type { ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  pathForProposals,
  proposalsPath,
  proposedChanges,
  writeProposals,
} from './proposals-file.ts';

/**
 * Returns the source of a user and the path of its file. Throws `proposal_not_copy`, or
 * `proposal_service` or `proposal_no_folder` for a copy beside which no file can be written.
 */
function requireFollowed(
  db: Reader,
  user: string,
): { readonly source: MirrorSource; readonly path: string } {
  const source = findSource(db, requireUser(db, user));
  if (source === undefined) throw problem('proposal_not_copy', { user });
  const url = labelOfSource(source.baseUrl);
  if (source.kind === 'service') throw problem('proposal_service', { user, url });
  const path = pathForProposals(source.baseUrl);
  if (path === undefined) throw problem('proposal_no_folder', { user, url });
  return { source, path };
}

/** A proposal for people. */
export type ProposalStatus = Pick<OwnProposal, 'id' | 'kind' | 'madeAt' | 'sentAt' | 'note'> & {
  /** The event as it was here, or the values of a new one; new ones have no id yet. */
  readonly event: Pick<StoredEvent, 'name' | 'date'> & { readonly id: number | null };
  readonly changes: ReturnType<typeof proposedChanges>;
  /** Those that wait were sent while their folder was not there. */
  readonly state: 'unsent' | 'waiting' | 'sent' | 'accepted' | 'refused';
  /** The reason for a refusal; empty for none. */
  readonly reason: string;
};

function stateOf({ sender, sentAt, answer }: OwnProposal): ProposalStatus['state'] {
  if (answer !== null) return answer.accepted ? 'accepted' : 'refused';
  if (sentAt !== null) return 'sent';
  return sender === null ? 'unsent' : 'waiting';
}

function describe(proposal: OwnProposal): ProposalStatus {
  const { id, kind, event, values, madeAt, sentAt, note, answer } = proposal;
  const { name = '', date = '' } = event ?? values;
  return {
    ...{ id, kind, madeAt, sentAt, note },
    event: { id: event?.id ?? null, name: name ?? '', date: date ?? '' },
    changes: proposedChanges(proposal),
    state: stateOf(proposal),
    reason: answer?.reason ?? '',
  };
}

type Proposed = { readonly user: string; readonly timeZone: string } & {
  readonly proposal: ProposalStatus;
};

type Draft = Pick<Proposal, 'kind' | 'event' | 'values'>;

/** Runs an edit on the events of a copy without changing them, and returns it as a proposal. */
function draftOf(
  db: Reader,
  userId: number,
  edit: ReturnType<PrepareEdit<unknown>>,
): Draft | undefined {
  const { byId } = prepareEventReads(db);
  const read = (id: number) => byId(userId, id) ?? undefined;
  let draft: Draft | undefined;
  edit({
    read,
    add(values) {
      draft = { kind: 'add', event: null, values };
      const { name, date } = values;
      return withValues({ ...eventDefaults, name, date, id: 0, createdAt: date }, values);
    },
    change(id, values) {
      const event = read(id);
      if (event === undefined) return undefined;
      const after = withValues(event, values);
      const fields = editableFields.filter((field) => after[field] !== event[field]);
      if (fields.length === 0) return undefined;
      const changed = Object.fromEntries(fields.map((field) => [field, after[field] ?? null]));
      draft = { kind: 'change', event, values: changed };
      return after;
    },
    remove(id) {
      draft = { kind: 'remove', event: read(id) ?? null, values: {} };
    },
    set: () => false,
    batch: () => undefined,
  });
  return draft;
}

type Proposing = {
  readonly user: string;
  readonly timeZone?: string | undefined;
  /** An unsent proposal that the new one replaces. */
  readonly replaces?: string | undefined;
};

function propose(
  { user, timeZone, replaces }: Proposing,
  tools: ActionTools,
  prepare: PrepareEdit<unknown>,
): Promise<Proposed> {
  const store = (db: Writer) => {
    const { source } = requireFollowed(db, user);
    const { userId } = source;
    const clock = readEditClock(db, userId, timeZone, tools);
    const draft = draftOf(db, userId, prepare(clock));
    if (draft === undefined) throw problem('proposal_unchanged');
    const all = readProposals(db, userId);
    if (all.some(({ id, sentAt }) => id === replaces && sentAt === null)) {
      removeProposal(db, String(replaces));
    } else if (all.length >= maxProposals) throw problem('proposal_too_many');
    const digit = () => tools.randomInt(16).toString(16);
    const proposal: OwnProposal = {
      ...draft,
      id: Array.from({ length: 12 }, digit).join(''),
      revision: readMirror(db, source.id).source.revision ?? '',
      madeAt: clock.now.toISOString(),
      ...{ sender: null, note: null, sentAt: null, answer: null },
    };
    insertProposal(db, userId, proposal);
    return { user, timeZone: clock.timeZone, proposal: describe(proposal) };
  };
  return withWriter(tools.home, (db) => inTransaction(db, () => store(db)), tools);
}

export const ProposeEvent = AddEvent.omit({ repeat: true, except: true, days: true });

/** Proposes a new event to the computer whose file a club follows. */
export function proposeEvent(
  { user, timeZone, ...request }: z.output<typeof ProposeEvent>,
  tools: ActionTools,
): Promise<Proposed> {
  return propose({ user, timeZone }, tools, prepareAdd({ ...request, except: [] }));
}

/** An unsent proposal for the same event, which a new one replaces. */
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
};

const senderOf = (all: readonly OwnProposal[]) =>
  all.findLast(({ sender }) => sender !== null)?.sender ?? null;

function describeAll(db: Reader, user: string, tools: ActionTools): Proposals {
  const userId = requireUser(db, user);
  const timeZone = zoneOfClub(db, userId, tools);
  const all = readProposals(db, userId);
  return { user, timeZone, sender: senderOf(all), proposals: all.map(describe) };
}

/** Lists the proposals of this computer with their states. */
export function listProposals(
  { user }: z.output<typeof ListProposals>,
  tools: ActionTools,
): Promise<Proposals> {
  return withReader(tools.home, (db) => describeAll(db, user, tools));
}

/** Returns the path of the proposals of this computer. */
function ownPath(db: Reader, { source, path }: ReturnType<typeof requireFollowed>): string {
  // A restored backup on a third computer must not replace the file of this one.
  const own = `${prepareUserReads(db).uidBase(source.userId)}\n${hostname()}`;
  return proposalsPath(path, hash('sha256', own).slice(0, 8));
}

const isFolderThere = (path: string): boolean => existsSync(dirname(path));

/** Writes the sent proposals without an answer beside the followed file; removes theirs without any. */
function writeSent(
  db: Reader,
  followed: ReturnType<typeof requireFollowed>,
  tools: ActionTools,
): void {
  const { source, path } = followed;
  if (!isFolderThere(path)) throw problem('publish_folder_gone', { folder: dirname(path) });
  const output = ownPath(db, followed);
  const sent = readProposals(db, source.userId).filter((each) => stateOf(each) === 'sent');
  const club = readMirror(db, source.id).source.club ?? '';
  if (sent.length > 0) {
    const content = writeProposals(club, senderOf(sent) ?? '', sent);
    writeWholeFile(output, [content], { umask: tools.umask ?? 0o022 });
    return;
  }
  try {
    rmSync(output, { force: true });
  } catch (error) {
    throw fileError(error, output);
  }
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
 * there, they wait for the next sync.
 */
export function sendProposals(
  { user, name, note }: z.output<typeof SendProposals>,
  tools: ActionTools,
): Promise<Proposals & { readonly sent: number }> {
  const send = (db: Writer) => {
    const followed = requireFollowed(db, user);
    const all = readProposals(db, followed.source.userId);
    const open = all.filter(({ answer }) => answer === null);
    if (open.length === 0) throw problem('proposal_none');
    const sender = name ?? senderOf(all);
    if (sender === null) throw problem('proposal_name_invalid');
    const isThere = isFolderThere(followed.path);
    const sentAt = isThere ? tools.now().toISOString() : null;
    markSent(db, open, { sender, note: note === '' ? null : note, sentAt });
    // If the file is written and the commit fails, they are sent again with the same ids.
    if (isThere) writeSent(db, followed, tools);
    return { ...describeAll(db, user, tools), sent: isThere ? open.length : 0 };
  };
  // Of two at the same time, the later one writes the proposals of both.
  return withWriter(tools.home, (db) => inTransaction(db, () => send(db)), tools);
}

export const WithdrawProposal = z.strictObject({ user: UserName, proposal: z.string() });

/** Takes one proposal back, also from the file beside the followed one, or clears an answered one. */
export function withdrawProposal(
  { user, proposal: id }: z.output<typeof WithdrawProposal>,
  tools: ActionTools,
): Promise<Proposed> {
  const withdraw = (db: Writer) => {
    const userId = requireUser(db, user);
    const found = readProposals(db, userId).find((each) => each.id === id);
    if (found === undefined) throw problem('proposal_unknown', { id });
    removeProposal(db, id);
    const isFollowing = findSource(db, userId) !== undefined;
    if (stateOf(found) === 'sent' && isFollowing) writeSent(db, requireFollowed(db, user), tools);
    return { user, timeZone: zoneOfClub(db, userId, tools), proposal: describe(found) };
  };
  return withWriter(tools.home, (db) => inTransaction(db, () => withdraw(db)), tools);
}

/**
 * Stores the answers that a followed file of these facts has for proposals of this computer, sends those
 * that wait, and leaves only those without an answer in the file beside it.
 */
export function settleProposals(
  head: CopyHead,
  db: Writer,
  source: MirrorSource,
  tools: ActionTools,
): void {
  const path = pathForProposals(source.baseUrl);
  if (path === undefined) return;
  const given = readProposals(db, source.userId).filter(({ sender }) => sender !== null);
  if (given.length === 0) return;
  const answers = new Map((head.answers ?? []).map((answer) => [answer.id, answer]));
  // The undo of an acceptance makes it a refusal.
  const learned = given.flatMap(({ id, answer: known }) => {
    const answer = answers.get(id);
    return answer === undefined || answer.accepted === known?.accepted ? [] : answer;
  });
  const open = given.filter(({ id, answer }) => answer === null && !answers.has(id));
  const waiting = open.filter((each) => stateOf(each) === 'waiting');
  const sender = senderOf(waiting);
  const followed = { source, path };
  try {
    if (learned.length > 0) inTransaction(db, () => learnAnswers(db, source.userId, learned));
    // A sync program can lose the file, and the first computer its answers by a restore.
    const isLost = open.length > 0 && !existsSync(ownPath(db, followed));
    // The first computer has removed the file, unless it was sent again meanwhile.
    if (learned.length === 0 && !isLost && sender === null) return;
    inTransaction(db, () => {
      const sentAt = tools.now().toISOString();
      if (sender !== null) markSent(db, waiting, { sender, note: null, sentAt });
      writeSent(db, followed, tools);
    });
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined) throw error;
    tools.warn?.(failure);
  }
}
