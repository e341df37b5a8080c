import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import type { EventValues } from '../../db/event-rows.ts';
import { type EditableField, editableFields, type StoredEvent } from '../../db/model.ts';
import { type Proposal, proposalKinds } from '../../db/proposals.ts';
import { Event as AnyEvent, NewValues, Timestamp } from '../../db/stored-json.ts';
import { Problem, problem } from '../base/errors.ts';
import { readSealed, seal, sealedFormats } from '../copy/seal.ts';
import type { FolderEntry } from '../outside/file-process.ts';
import { callOutside, type OutsideOptions, pathOfFile } from '../outside/outside-files.ts';

/** Limits of a file, for the sender and the reader, and the number of files that are read. */
export const limits = { bytes: 5_000_000, proposals: 1_000, files: 50 } as const;

const line = z.string().max(20_000);

const texts = { name: line.min(1), location: line };
const Event = AnyEvent.extend(texts);
const Values = NewValues.extend(texts).partial({ name: true, location: true });

const FileProposal = z
  .object({
    /** Random, so that no other proposal of any computer has it. */
    id: z.string().regex(/^[0-9a-f]{12}$/),
    kind: z.enum(proposalKinds),
    event: Event.nullable(),
    values: Values,
    revision: z.string().max(200),
    sentAt: Timestamp,
    note: z.string().max(1_000).nullable(),
    replaces: z.array(z.string().max(100)).max(limits.proposals).default([]),
  })
  .refine(({ kind, event, values }) => {
    if (kind === 'add') return event === null && 'name' in values && 'date' in values;
    return event !== null && Object.keys(values).length > 0 === (kind === 'change');
  });

const ProposalsFile = z.object({
  /** The random part of the club's UIDs. */
  club: z.string().min(1),
  /** The name of the person who sent it. */
  sender: z.string().regex(/^\P{Cc}{1,100}$/u),
  /** The id of the computer's file; null in the first version of this format. */
  file: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .nullable()
    .default(null),
  /** Grows with each content of this file, so that an old one is recognized. */
  number: z.int().default(0),
  proposals: z.array(FileProposal).max(limits.proposals),
});

/** The proposals of one computer, all of which are unanswered as far as it knows. */
type ProposalsFile = z.output<typeof ProposalsFile>;

const version = 2;
const Head = z.object({ format: z.literal(sealedFormats.proposals), version: z.int() });

/** The change of a field; a value that is not given is undefined. */
export type ProposedChange = {
  readonly field: EditableField;
  readonly before?: StoredEvent[EditableField];
  readonly after?: StoredEvent[EditableField];
};

/** Returns the changed fields, old and new. */
export function proposedChanges({
  event,
  values,
}: Pick<Proposal, 'event' | 'values'>): readonly ProposedChange[] {
  return editableFields
    .filter((field) => field in values)
    .map((field) => ({ field, before: event?.[field], after: proposedValue(values, field) }));
}

/** Returns a new value; undefined for a registration that is then not given. */
function proposedValue(
  values: Proposal['values'],
  field: EditableField,
): StoredEvent[EditableField] {
  return field === 'registrationOpen' ? (values[field] ?? undefined) : values[field];
}

/** Returns the proposed values as an edit takes them. */
export function toEventValues({ values }: Pick<Proposal, 'values'>): EventValues {
  const fields = editableFields.filter((field) => field in values);
  return Object.fromEntries(fields.map((field) => [field, proposedValue(values, field)]));
}

/** The part that the names of all files with proposals have. */
const mark = '.proposals-';

/**
 * Returns the path of a followed file beside which proposals can lie; undefined for an address, and
 * for a page, whose readers must not see the answers.
 */
export function pathForProposals(url: string): string | undefined {
  const path = pathOfFile(url);
  return path !== undefined && /^\.html?$/i.test(extname(path)) ? undefined : path;
}

/** Returns the folder entry of the proposals of a computer, beside the file that it follows. */
export function entryForProposals(path: string, id: string): FolderEntry {
  return { folder: dirname(path), name: `${basename(path)}${mark}${id}.json` };
}

/** Returns true for the name of a file with proposals, or of a conflict copy of one. */
export function hasProposalsName(name: string): boolean {
  return name.includes(mark);
}

/** Returns true for the name of the file with this id, or of a conflict copy of it. */
export function hasProposalsId(name: string, id: string): boolean {
  return name.includes(`${mark}${id}`);
}

// Some systems store an umlaut as two characters, and others know no case.
const normalized = (name: string) => name.normalize('NFC').toLowerCase();

/** Returns true for the name of a file with proposals beside one of these files. */
export function isNamedAfter(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => normalized(name).startsWith(normalized(basename(path)) + mark));
}

/**
 * Writes proposals that were sent. Throws `proposal_too_many`, `proposal_too_long` or
 * `proposal_file_full` for a file that its reader would refuse.
 */
export function writeProposals(
  { club, sender, file, number }: Omit<ProposalsFile, 'proposals'>,
  proposals: readonly Proposal[],
): string {
  if (proposals.length > limits.proposals) throw problem('proposal_too_many');
  const list = proposals.map((proposal) => {
    const { id, kind, event, values, revision, sentAt, note, replaces } = proposal;
    const each = { id, kind, event, values, revision, sentAt, note, replaces };
    const { name = '' } = event ?? values;
    if (!FileProposal.safeParse(each).success)
      throw problem('proposal_too_long', { name: name ?? '' });
    return JSON.stringify(each);
  });
  const start = { format: sealedFormats.proposals, version, club, sender, file, number };
  const text = seal(
    `${JSON.stringify(start).slice(0, -1)},\n"proposals":[\n${list.join(',\n')}\n]`,
  );
  if (Buffer.byteLength(text) > limits.bytes) throw problem('proposal_file_full');
  return text;
}

/** Reads the content of a file, or the code of its problem. */
export function parseProposals(
  bytes: Uint8Array,
): ProposalsFile | 'proposal_file_damaged' | 'proposal_file_newer' {
  const content = readSealed(Buffer.from(bytes).toString('utf8'));
  const { data: head } = Head.safeParse(content);
  if (head !== undefined && head.version > version) return 'proposal_file_newer';
  return (head && ProposalsFile.safeParse(content).data) ?? 'proposal_file_damaged';
}

/** Lists the files with proposals in the folder of an entry, the newest first. */
export async function listProposals({ folder, real }: FolderEntry, tools: OutsideOptions) {
  const found = await callOutside(tools, 'list', { folder, real, name: mark });
  return found
    .filter(({ name }) => name.endsWith('.json'))
    .toSorted((one, other) => other.modifiedAt - one.modifiedAt)
    .map(({ name, stamp }) => ({ entry: { folder, real, name }, stamp }));
}

/** A file with proposals as it was found. */
export type FoundProposals = {
  readonly entry: FolderEntry;
  readonly stamp: string;
  readonly content: ProposalsFile;
};

/** Failures that are not those of one file. */
const failuresOfFolder = ['cancelled', 'place_silent', 'place_folder_moved', 'publish_folder_gone'];

/** Reads a file with proposals, or returns its problem; undefined if there is none. */
export async function readProposals(
  entry: FolderEntry,
  tools: OutsideOptions,
): Promise<FoundProposals | Problem | undefined> {
  const path = join(entry.folder, entry.name);
  try {
    const read = await callOutside(tools, 'read', entry, limits.bytes);
    if (read === undefined) return undefined;
    const content = parseProposals(Buffer.from(read.bytes, 'base64'));
    if (typeof content === 'string') return problem(content, { path });
    return { entry, stamp: read.found.stamp, content };
  } catch (error) {
    if (!(error instanceof Problem) || failuresOfFolder.includes(error.code)) throw error;
    return error.code === 'place_too_large' ? problem('proposal_file_too_large', { path }) : error;
  }
}
