import { z } from 'zod';
import { clubNumbers, mapNumbers } from '../../db/club-settings.ts';
import { digestOf } from '../../db/event-hash.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { ProposalAnswer } from '../../db/proposals.ts';
import { ClubTeam, Day, Timestamp } from '../../db/stored-json.ts';
import { findCopyInPage } from './page.ts';
import { readSealed, seal, sealedFormats } from './seal.ts';

const DaysOff = z.object({ name: z.string().max(200), days: z.array(Day).max(5_000).readonly() });

/** The facts about a club and its copy, beside the events. */
const CopyHead = z.object({
  format: z.literal(sealedFormats.copy),
  version: z.literal(1),
  club: z.string(),
  userId: z.int(),
  /** The random part of the club's UIDs, which no other club has. */
  uidBase: z.string().min(1),
  timeZone: z.string().max(100),
  // Earlier versions of the program wrote no such facts.
  ...mapNumbers((name) =>
    z.int().min(clubNumbers[name].min).max(clubNumbers[name].max).optional().catch(undefined),
  ),
  /** The calendars of days off, without their addresses, which can be secret. */
  daysOff: z.array(DaysOff).max(100).optional().catch(undefined),
  /** The teams of the club in their order. Earlier versions wrote none. */
  teams: z.array(ClubTeam).max(1_000).optional().catch(undefined),
  /** An epoch, a dot and a number, as `Events-Revision`. */
  revision: z.string().regex(/^[!-~]{1,100}\.\d{1,20}$/),
  /** The digest of the events, as `Events-Digest`. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** False if events of the club were left out. */
  complete: z.boolean(),
  /** The time at which the club had these events. */
  asOf: Timestamp,
  /** For a copy of an online service: when it last confirmed each event, by its id. */
  confirmations: z.record(z.string().regex(/^-?\d+$/), Timestamp).optional(),
  /** Answers to proposals of other computers; earlier versions of the program ignore them. */
  answers: z
    .array(z.object({ id: z.string(), accepted: z.boolean(), reason: z.string() }))
    .optional()
    // Answers of a later form must not make the events unreadable.
    .catch(undefined),
  /** The reason why the file is kept up to date no more: its new place, or that the club is gone. */
  farewell: z
    .object({ kind: z.enum(['moved', 'gone']), to: z.string() })
    .optional()
    .catch(undefined),
});
export type CopyHead = z.infer<typeof CopyHead>;

/** The facts that do not follow from the events. */
export type CopyFacts = Omit<CopyHead, 'format' | 'version' | 'digest' | 'answers'>;

/** A whole copy; its events are not checked yet. */
type ClubCopy = { readonly head: CopyHead; readonly events: readonly unknown[] };

/**
 * Writes a copy of a club: a JSON object with its events first, one per line, so that a reader of
 * lists reads it too. It can stand in a script element.
 */
export function writeCopy(
  events: readonly StoredEvent[],
  facts: CopyFacts & { readonly answers?: readonly ProposalAnswer[] },
): string {
  const { confirmations, answers = [], ...others } = facts;
  const head: CopyHead = {
    ...{ format: sealedFormats.copy, version: 1, ...others, digest: digestOf(events) },
    ...(confirmations && { confirmations }),
    ...(answers.length > 0 && { answers: [...answers] }),
  };
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return seal(`{"events":[\n${lines}\n],\n${JSON.stringify(head).slice(1, -1)}`);
}

/** Returns a copy; undefined if one byte of it is missing or differs, and for any other text. */
export function readCopy(text: string): ClubCopy | undefined {
  const content = readSealed(text);
  const { data: head } = CopyHead.safeParse(content);
  const { data: list } = z.object({ events: z.array(z.unknown()) }).safeParse(content);
  return head && list && { head, events: list.events };
}

/** Returns the copy in a file, which can be a page; undefined as `readCopy` does. */
export function readCopyBytes(bytes: Uint8Array): ClubCopy | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8, so not written by this program.
    return undefined;
  }
  if (!/^\s*</.test(text)) return readCopy(text);
  const found = findCopyInPage(text);
  return typeof found === 'object' ? readCopy(found.json) : undefined;
}

/** Returns true for a JSON object that says that it is a copy. */
export function isCopy(content: object): boolean {
  return 'sha256' in content || ('format' in content && content.format === sealedFormats.copy);
}
