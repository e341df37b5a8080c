import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { type EditableField, editableFields, type StoredEvent } from '../../db/model.ts';
import { type OwnProposal, type Proposal, proposalKinds } from '../../db/proposals.ts';
import { Event as AnyEvent, NewValues, Timestamp } from '../../db/stored-json.ts';
import { readSealed, seal } from '../base/club-copy.ts';
import { pathOfFile } from '../outside/outside-files.ts';

const limits = { files: 50, bytes: 5_000_000, proposals: 1_000 };

const line = z.string().max(20_000);

const texts = { name: line.min(1), location: line };
const Event = AnyEvent.extend(texts).strict();
const Values = NewValues.extend(texts).partial({ name: true, location: true }).strict();

const FileProposal = z
  .strictObject({
    /** Random, so that no other proposal of any computer has it. */
    id: z.string().regex(/^[0-9a-f]{12}$/),
    kind: z.enum(proposalKinds),
    event: Event.nullable(),
    values: Values,
    revision: z.string().max(200),
    sentAt: Timestamp,
    note: z.string().max(1_000).nullable(),
  })
  .refine(({ kind, event, values }) => {
    if (kind === 'add') return event === null && 'name' in values && 'date' in values;
    return event !== null && Object.keys(values).length > 0 === (kind === 'change');
  });

const ProposalsFile = z.strictObject({
  format: z.literal('club-events-proposals'),
  version: z.literal(1),
  /** The random part of the club's UIDs. */
  club: z.string().min(1),
  /** The name of the person who sent it. */
  sender: z.string().regex(/^\P{Cc}{1,100}$/u),
  proposals: z.array(FileProposal).max(limits.proposals),
  sha256: z.string(),
});

/** The proposals of one computer, all of which are unanswered as far as it knows. */
export type ProposalsFile = Omit<z.infer<typeof ProposalsFile>, 'format' | 'version' | 'sha256'>;

/** A file with proposals as it was found. */
export type FoundProposals = {
  readonly path: string;
  /** Undefined for a file that is cut, damaged, too large or foreign. */
  readonly content: ProposalsFile | undefined;
};

/** The change of a field; a value that is not given is undefined. */
export type ProposedChange = {
  readonly field: EditableField;
  readonly before?: StoredEvent[EditableField];
  readonly after?: StoredEvent[EditableField];
};

/** Returns the changed fields, old and new. */
export function proposedChanges({ event, values }: Proposal): readonly ProposedChange[] {
  return editableFields
    .filter((field) => field in values)
    .map((field) => ({ field, before: event?.[field], after: proposedValue(values, field) }));
}

/** Returns a new value; undefined for a registration that is then not given. */
export function proposedValue(
  values: Proposal['values'],
  field: EditableField,
): StoredEvent[EditableField] {
  return field === 'registrationOpen' ? (values[field] ?? undefined) : values[field];
}

const mark = '.proposals-';

/**
 * Returns the path of a followed file beside which proposals can lie; undefined for an address, and
 * for a page, whose readers must not see the answers.
 */
export function pathForProposals(url: string): string | undefined {
  const path = pathOfFile(url);
  return path !== undefined && /^\.html?$/i.test(extname(path)) ? undefined : path;
}

/** Returns the path of the proposals of a computer, beside the file that it follows. */
export function proposalsPath(file: string, computer: string): string {
  return `${file}${mark}${computer}.json`;
}

/** Returns true for the name of a file with proposals, or of a conflict copy of one. */
export function hasProposalsName(name: string): boolean {
  return name.includes(mark);
}

/** Writes proposals that were sent. */
export function writeProposals(
  club: string,
  sender: string,
  proposals: readonly OwnProposal[],
): string {
  const list = proposals.map(({ id, kind, event, values, revision, sentAt, note }) =>
    JSON.stringify({ id, kind, event, values, revision, sentAt, note }),
  );
  const head = { format: 'club-events-proposals', version: 1, club, sender };
  return seal(`${JSON.stringify(head).slice(0, -1)},\n"proposals":[\n${list.join(',\n')}\n]`);
}

/** Reads a file with proposals; undefined if there is none. */
export function readProposalsFile(path: string): FoundProposals | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > limits.bytes) return { path, content: undefined };
  const text = readFileSync(path, 'utf8');
  return { path, content: ProposalsFile.safeParse(readSealed(text)).data };
}

/** Reads all files with proposals beside a file, with conflict copies of sync programs. */
export function findProposals(file: string): readonly FoundProposals[] {
  const [folder, start] = [dirname(file), `${basename(file)}${mark}`];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && name.endsWith('.json'))
    .sort()
    .slice(0, limits.files)
    .flatMap((name) => readProposalsFile(join(folder, name)) ?? []);
}
