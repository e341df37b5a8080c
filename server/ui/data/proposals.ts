import { createContext, use } from 'react';
import type { ActionResult } from '../../actions/bridge.ts';
import type { Event } from '../../http/contract.ts';

/** A change that this computer proposes to the one whose file the club follows. */
export type Proposal = ActionResult<'proposal list'>['proposals'][number];

/** The proposals of a copy. */
export type Proposals = {
  /** Oldest first. */
  readonly list: readonly Proposal[];
  /** False until the list is read, or cannot be. */
  readonly isRead: boolean;
  /** Those without an answer, by the id of their event; empty while a person only looks. */
  readonly byEvent: ReadonlyMap<number, readonly Proposal[]>;
  /** New events without an answer; empty while a person only looks. */
  readonly added: readonly Proposal[];
  /** The name that the person gave at the last sending; null before it. */
  readonly sender: string | null;
  /** The reason why those that were sent may not arrive. */
  readonly failure: ActionResult<'proposal list'>['failure'];
  /** True if there are proposals, and the person does not only look. */
  readonly isOn: boolean;
  /** Hides the proposals, which are kept, or shows them again. */
  readonly setOn: (isOn: boolean) => void;
  /** Words a proposal: the name of its event, and old → new. */
  readonly describe: (proposal: Proposal) => { readonly title: string; readonly text: string };
  readonly withdraw: (proposal: Proposal) => void;
};

export const ProposalsContext = createContext<Proposals | undefined>(undefined);

/** Returns the proposals; undefined for a club to whose events nothing can be proposed. */
export function useProposals(): Proposals | undefined {
  return use(ProposalsContext);
}

/** Returns true for a proposal to this club of which the first computer cannot know yet. */
export const isUnsent = ({ otherClub, state }: Proposal): boolean =>
  otherClub === null && (state === 'unsent' || state === 'waiting');

/** Returns true for a proposal to this club that waits to be sent or for its answer. */
export const isOpen = (proposal: Proposal): boolean =>
  isUnsent(proposal) || (proposal.otherClub === null && proposal.state === 'sent');

type Changes = Pick<Proposal, 'changes'>;

/** Returns the proposed values. */
export function valuesOf({ changes }: Changes): Partial<Event> {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
}

/** Returns an event after all of its proposals, except that a deleted one stays. */
export function proposedEvent(event: Event, proposals: readonly Changes[]): Event {
  return Object.assign({}, event, ...proposals.map(valuesOf));
}
