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
};

/** The decision about a proposal; the reason can be empty. */
export type ProposalAnswer = {
  readonly id: string;
  readonly accepted: boolean;
  readonly reason: string;
};

/** A proposal of this computer. */
export type OwnProposal = Proposal & {
  readonly madeAt: string;
  readonly sender: string | null;
  readonly answer: Omit<ProposalAnswer, 'id'> | null;
};

type Row = Omit<OwnProposal, 'event' | 'values' | 'answer'> & {
  readonly event: string | null;
  readonly values: string;
  readonly accepted: number | null;
  readonly reason: string | null;
};

/** Most proposals and answers of a club that are listed. */
export const maxProposals = 1_000;

export const proposalReads = {
  byUser: `SELECT id, kind, event, new_values AS "values", revision, made_at AS madeAt, sender, note,
      sent_at AS sentAt, accepted, reason
    FROM proposals WHERE user_id = @userId ORDER BY made_at, id LIMIT ${maxProposals}`,
  answers: `SELECT id, accepted, reason, batch FROM proposal_answers
    WHERE user_id = @userId ORDER BY answered_at DESC, id DESC LIMIT ${maxProposals}`,
  countAnswers: 'SELECT count(*) AS number FROM proposal_answers WHERE user_id = @userId LIMIT 1',
  answer: 'SELECT accepted FROM proposal_answers WHERE user_id = @userId AND id = @id LIMIT 1',
} as const;

/** Reads the proposals of this computer, oldest first. */
export function readProposals(db: Reader, userId: number): OwnProposal[] {
  const rows = connection(db).prepare<object, Row>(proposalReads.byUser).all({ userId });
  return rows.map(({ event, values, accepted, reason, ...row }) => ({
    ...row,
    event: event === null ? null : JSON.parse(event),
    values: JSON.parse(values),
    answer: accepted === null ? null : { accepted: accepted === 1, reason: reason ?? '' },
  }));
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

export function countAnswers(db: Reader, userId: number): number {
  type Count = { readonly number: number };
  const row = connection(db).prepare<object, Count>(proposalReads.countAnswers).get({ userId });
  return row?.number ?? 0;
}

export function isAnswered(db: Reader, userId: number, id: string): boolean {
  return connection(db).prepare(proposalReads.answer).get({ userId, id }) !== undefined;
}

export const proposalWrites = {
  insert: `INSERT INTO proposals (id, user_id, kind, event, new_values, revision, made_at)
    VALUES (@id, @userId, @kind, @event, @values, @revision, @madeAt)`,
  send: `UPDATE proposals SET sender = @sender, note = ifnull(note, @note),
      sent_at = ifnull(sent_at, @sentAt)
    WHERE id = @id`,
  learn: `UPDATE proposals SET accepted = @accepted, reason = @reason
    WHERE id = @id AND user_id = @userId`,
  remove: 'DELETE FROM proposals WHERE id = @id',
  answer: `INSERT INTO proposal_answers (user_id, id, accepted, reason, answered_at, batch)
    VALUES (@userId, @id, @accepted, @reason, @answeredAt, @batch)`,
} as const;

type NewProposal = Pick<OwnProposal, 'id' | 'kind' | 'event' | 'values' | 'revision' | 'madeAt'>;

/** Stores a proposal. Call it, as the others, within a transaction. */
export function insertProposal(db: Writer, userId: number, proposal: NewProposal): void {
  const { id, kind, values, revision, madeAt } = proposal;
  const event = proposal.event && JSON.stringify(proposal.event);
  const row = { userId, id, kind, event, values: JSON.stringify(values), revision, madeAt };
  connection(db).prepare(proposalWrites.insert).run(row);
}

/**
 * Marks proposals as sent, or to be sent later if there is no time. Their first time and their first
 * words stay.
 */
export function markSent(
  db: Writer,
  proposals: readonly OwnProposal[],
  sent: { readonly sender: string; readonly note: string | null; readonly sentAt: string | null },
): void {
  const send = connection(db).prepare(proposalWrites.send);
  for (const { id } of proposals) send.run({ id, ...sent });
}

/** Stores the answers to proposals of this computer. */
export function learnAnswers(db: Writer, userId: number, answers: readonly ProposalAnswer[]): void {
  const learn = connection(db).prepare(proposalWrites.learn);
  for (const { id, accepted, reason } of answers) {
    learn.run({ userId, id, accepted: Number(accepted), reason });
  }
}

export function removeProposal(db: Writer, id: string): void {
  connection(db).prepare(proposalWrites.remove).run({ id });
}

/** Stores answers of this computer; `batch` is the change in the history that accepts. */
export function storeAnswers(
  db: Writer,
  userId: number,
  answers: readonly ProposalAnswer[],
  { answeredAt, batch }: { readonly answeredAt: string; readonly batch: number | undefined },
): void {
  const answer = connection(db).prepare(proposalWrites.answer);
  for (const { id, accepted, reason } of answers) {
    answer.run({
      ...{ userId, id, reason, answeredAt },
      accepted: Number(accepted),
      batch: accepted ? (batch ?? null) : null,
    });
  }
}
