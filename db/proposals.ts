import { prepareUndone } from './history.ts';
import type { EditableField, StoredEvent } from './model.ts';
import { connection, type Reader, type Writer } from './open.ts';

export const proposalKinds = ['add', 'change', 'remove'] as const;

/** A change of a club that another computer decides. */
export type Proposal = {
  readonly id: string;
  readonly kind: (typeof proposalKinds)[number];
  /** The event as the proposing computer had it; null for a new one. */
  readonly event: StoredEvent | null;
  /** The new values; null for a registration that is not given. */
  readonly values: { readonly [Field in EditableField]?: StoredEvent[Field] | null | undefined };
  /** The revision of the file on which it was made. */
  readonly revision: string;
  /** Words to the person who decides. */
  readonly note: string | null;
  readonly sentAt: string | null;
  /** The ids of earlier ones for the same event, which it replaces when it is sent. */
  readonly replaces: readonly string[];
};

/** The decision about a proposal; the reason can be empty. */
export type ProposalAnswer = {
  readonly id: string;
  readonly accepted: boolean;
  readonly reason: string;
};

/** A proposal of an assistant that has ended, for people who look back and for the assistant itself. */
export type AssistantProposal = Pick<Proposal, 'kind'> & {
  /** The name that the assistant gave. */
  readonly assistant: string;
  /** The name and date of the event. */
  readonly name: string;
  readonly date: string;
};

/** The end of a proposal without an answer: after its time, or by a later one for the same event. */
type Ended = 'expired' | 'replaced';

/** The answer to a proposal of an assistant. */
export type AssistantAnswer = AssistantProposal &
  Pick<ProposalAnswer, 'id' | 'reason'> & {
    readonly state: 'accepted' | 'undone' | 'refused' | Ended;
    readonly answeredAt: string;
  };

/** A proposal of this computer. */
export type OwnProposal = Proposal & {
  readonly madeAt: string;
  /** The club on which it was made, by the random part of its UIDs, and its name then. */
  readonly club: string;
  readonly clubName: string;
  readonly sender: string | null;
  readonly withdrawnAt: string | null;
  /** The time at which nothing more was expected: of an answer, or of a copy after the withdrawal. */
  readonly closedAt: string | null;
  /** The answer, with the epoch of the copy that had it. */
  readonly answer: (Omit<ProposalAnswer, 'id'> & { readonly epoch: string | null }) | null;
};

type Row = Omit<OwnProposal, 'event' | 'values' | 'replaces' | 'answer'> & {
  readonly event: string | null;
  readonly values: string;
  readonly replaces: string;
  readonly accepted: number | null;
  readonly reason: string | null;
  readonly epoch: string | null;
};

/** Most answers of a club that are listed, to other computers and to assistants. */
const most = { answers: 1_000, toAssistants: 200 } as const;

export const proposalReads = {
  users: `SELECT DISTINCT user_id FROM proposals ORDER BY user_id LIMIT 100000`,
  byUser: `SELECT id, kind, event, new_values AS "values", revision, made_at AS madeAt, sender, note,
      sent_at AS sentAt, accepted, reason, club, club_name AS clubName, replaces,
      withdrawn_at AS withdrawnAt, closed_at AS closedAt, epoch
    FROM proposals WHERE user_id = @userId ORDER BY made_at, id LIMIT 100000`,
  followed: `SELECT json_extract(state, '$.club') AS club, json_extract(state, '$.revision') AS revision
    FROM sources WHERE user_id = @userId LIMIT 1`,
  answers: `SELECT id, accepted, reason, batch FROM proposal_answers
    WHERE user_id = @userId AND assistant IS NULL
    ORDER BY answered_at DESC, id DESC LIMIT ${most.answers}`,
  toAssistants: `SELECT id, accepted, reason, batch, answered_at AS answeredAt, assistant, ended
    FROM proposal_answers WHERE user_id = @userId AND assistant IS NOT NULL
    ORDER BY answered_at DESC, id DESC LIMIT ${most.toAssistants}`,
  countAnswers: `SELECT count(*) AS number FROM proposal_answers
    WHERE user_id = @userId AND assistant IS NULL LIMIT 1`,
  countOldAnswers: `SELECT count(*) AS number FROM proposal_answers
    WHERE user_id = @userId AND answered_at < @before LIMIT 1`,
  senders: `SELECT sender AS name, max(assistant IS NOT NULL) AS isAssistant
    FROM proposal_answers WHERE batch = @batch AND sender IS NOT NULL
    GROUP BY sender ORDER BY sender LIMIT 3`,
  answer: 'SELECT accepted FROM proposal_answers WHERE user_id = @userId AND id = @id LIMIT 1',
} as const;

/** Reads the ids of the users that have proposals. */
export function readProposers(db: Reader): number[] {
  return connection(db).prepare<[], number>(proposalReads.users).pluck().all();
}

/** Reads the proposals of this computer, oldest first. */
export function readProposals(db: Reader, userId: number): OwnProposal[] {
  const rows = connection(db).prepare<object, Row>(proposalReads.byUser).all({ userId });
  return rows.map(({ event, values, replaces, accepted, reason, epoch, ...row }) => ({
    ...row,
    event: event === null ? null : JSON.parse(event),
    values: JSON.parse(values),
    replaces: JSON.parse(replaces),
    answer: accepted === null ? null : { accepted: accepted === 1, reason: reason ?? '', epoch },
  }));
}

/** The club whose file a user follows, by the random part of its UIDs, and the revision of the copy. */
type FollowedClub = { readonly club: string | null; readonly revision: string | null };

/** Reads the followed club; undefined for a user who follows none. */
export function readFollowedClub(db: Reader, userId: number): FollowedClub | undefined {
  return connection(db).prepare<object, FollowedClub>(proposalReads.followed).get({ userId });
}

/** Reads the answers of this computer, newest first. An acceptance that was undone is a refusal. */
export function readAnswers(db: Reader, userId: number): ProposalAnswer[] {
  type AnswerRow = Omit<ProposalAnswer, 'accepted'> & {
    readonly accepted: number;
    readonly batch: number | null;
  };
  const isUndone = prepareUndone(db);
  const rows = connection(db).prepare<object, AnswerRow>(proposalReads.answers).all({ userId });
  return rows.map(({ accepted, batch, ...row }) => ({
    ...row,
    accepted: accepted === 1 && !(batch !== null && isUndone(batch)),
  }));
}

type Count = { readonly number: number };

export function countAnswers(db: Reader, userId: number): number {
  const row = connection(db).prepare<object, Count>(proposalReads.countAnswers).get({ userId });
  return row?.number ?? 0;
}

/** Reads the ends of the proposals of assistants, newest first. */
export function readAssistantAnswers(db: Reader, userId: number): AssistantAnswer[] {
  type AnswerRow = Pick<AssistantAnswer, 'id' | 'reason' | 'answeredAt'> & {
    readonly accepted: number;
    readonly batch: number | null;
    readonly assistant: string;
    readonly ended: Ended | null;
  };
  const isUndone = prepareUndone(db);
  const statement = connection(db).prepare<object, AnswerRow>(proposalReads.toAssistants);
  return statement.all({ userId }).map(({ accepted, batch, assistant, ended, ...row }) => {
    const answer = batch !== null && isUndone(batch) ? 'undone' : 'accepted';
    const state = ended ?? (accepted === 1 ? answer : 'refused');
    return { ...(JSON.parse(assistant) as AssistantProposal), ...row, state };
  });
}

/** Somebody whose proposals a change accepted. */
export type Sender = { readonly name: string; readonly isAssistant: boolean };

export function readSenders(db: Reader, batch: number): Sender[] {
  type SenderRow = Pick<Sender, 'name'> & { readonly isAssistant: number };
  const rows = connection(db).prepare<object, SenderRow>(proposalReads.senders).all({ batch });
  return rows.map(({ name, isAssistant }) => ({ name, isAssistant: isAssistant === 1 }));
}

export function isAnswered(db: Reader, userId: number, id: string): boolean {
  return connection(db).prepare(proposalReads.answer).get({ userId, id }) !== undefined;
}

export const proposalWrites = {
  insert: `INSERT INTO proposals
      (id, user_id, kind, event, new_values, revision, made_at, club, club_name, replaces)
    VALUES (@id, @userId, @kind, @event, @values, @revision, @madeAt, @club, @clubName, @replaces)`,
  update: `UPDATE proposals SET sender = @sender, note = @note, sent_at = @sentAt,
      withdrawn_at = @withdrawnAt, closed_at = @closedAt, accepted = @accepted, reason = @reason,
      epoch = @epoch
    WHERE id = @id`,
  remove: 'DELETE FROM proposals WHERE id = @id',
  answer: `INSERT INTO proposal_answers
      (user_id, id, accepted, reason, answered_at, batch, sender, assistant, ended)
    VALUES (@userId, @id, @accepted, @reason, @answeredAt, @batch, @sender, @assistant, @ended)`,
  forgetAnswers: 'DELETE FROM proposal_answers WHERE user_id = @userId AND answered_at < @before',
} as const;

type NewProposal = Pick<
  OwnProposal,
  'id' | 'kind' | 'event' | 'values' | 'revision' | 'madeAt' | 'club' | 'clubName' | 'replaces'
>;

/** Stores a proposal. Call it, as the others, within a transaction. */
export function insertProposal(db: Writer, userId: number, proposal: NewProposal): void {
  const { id, kind, revision, madeAt, club, clubName } = proposal;
  const event = proposal.event && JSON.stringify(proposal.event);
  const [values, replaces] = [proposal.values, proposal.replaces].map((each) =>
    JSON.stringify(each),
  );
  const row = { userId, id, kind, event, values, revision, madeAt, club, clubName, replaces };
  connection(db).prepare(proposalWrites.insert).run(row);
}

/** Stores everything that changes after a proposal was made, in the transaction that read it. */
export function updateProposal(db: Writer, proposal: OwnProposal): void {
  const { id, sender, note, sentAt, withdrawnAt, closedAt, answer } = proposal;
  const { reason = null, epoch = null } = answer ?? {};
  const accepted = answer && Number(answer.accepted);
  const row = { id, sender, note, sentAt, withdrawnAt, closedAt, accepted, reason, epoch };
  connection(db).prepare(proposalWrites.update).run(row);
}

export function removeProposal(db: Writer, id: string): void {
  connection(db).prepare(proposalWrites.remove).run({ id });
}

/**
 * Stores answers of this computer, and forgets those from before a time; `batch` is the change in the
 * history that accepts.
 */
export function storeAnswers(
  db: Writer,
  userId: number,
  answers: readonly (ProposalAnswer & {
    readonly sender: string | null;
    readonly assistant: AssistantProposal | null;
    readonly ended?: Ended;
  })[],
  {
    answeredAt,
    before,
    batch,
  }: {
    readonly answeredAt: string;
    readonly before: string;
    readonly batch: number | undefined;
  },
): void {
  const sqlite = connection(db);
  const answer = sqlite.prepare(proposalWrites.answer);
  for (const { id, accepted, reason, sender, assistant, ended = null } of answers) {
    answer.run({
      ...{ userId, id, reason, sender, answeredAt, ended },
      assistant: assistant && JSON.stringify(assistant),
      accepted: Number(accepted),
      batch: accepted ? (batch ?? null) : null,
    });
  }
  const old = { userId, before };
  const count = sqlite.prepare<object, Count>(proposalReads.countOldAnswers).get(old)?.number;
  // A copy is written again when their number changes.
  if (count !== answers.length) sqlite.prepare(proposalWrites.forgetAnswers).run(old);
}
