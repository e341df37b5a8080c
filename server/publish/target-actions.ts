import { basename, dirname, extname, resolve } from 'node:path';
import { z } from 'zod';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, problem } from '../base/errors.ts';
import { requireOutsideHome } from '../base/home.ts';
import { type ActionTools, isLanguageTag } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import type { ProblemCode } from '../messages/message.ts';
import {
  addressOf,
  forgetPublishedFile,
  keepContent,
  nextFileId,
  nothingWritten,
  type PublishedFile,
  publishFormats,
  readContents,
  readWithFarewells,
  requirePassword,
  storeNewPassword,
  storeSettings,
  storeState,
  type TargetSettings,
} from '../outside/live-files.ts';
import { callOutside } from '../outside/outside-files.ts';
import { parseWebAddress, testWebSpace } from '../outside/targets.ts';
import { withReader } from '../store/store.ts';
import { KeyStore } from '../store/upstream-keys.ts';
import { parseAddress } from '../web/address.ts';
import { writeFile } from './publish.ts';
import {
  describeFiles,
  type FileStatus,
  filter,
  Id,
  Password,
  requireFile,
  teamIdOf,
  withFile,
  withListLock,
} from './publish-actions.ts';

const invalid = 'publish_address_invalid';

/** An https address for members; an empty one is none. */
const Address = z.string().transform((text, context) => {
  if (text.trim() === '') return null;
  try {
    return parseAddress(text, { http: 'nowhere', invalid }).href;
  } catch {
    context.addIssue({ code: 'custom', message: invalid });
    return z.NEVER;
  }
});

const Account = z.string().max(1_000);

/** The target of a file. */
const targetFields = {
  /** The path of a file in a folder, or else the address of a file in a web space. */
  output: z.string().min(1).optional(),
  url: z.string().optional(),
  /** Replaces a file that is there already. */
  replace: z.boolean().default(false),
};

export const AddPublished = z.strictObject({
  user: UserName,
  format: z
    .enum(publishFormats, { error: 'publish_format_unknown' satisfies ProblemCode })
    .optional(),
  ...targetFields,
  /** The name and the password for the web space. */
  account: Account.default(''),
  password: Password.default(''),
  keyStore: KeyStore,
  ...filter,
  /** The default is `season`, and `all` for a copy, which has no other. */
  since: filter.since.unwrap().optional(),
  /** The default is true for a copy of all events, which is for another computer of the club. */
  drafts: z.boolean().optional(),
  /** Language of a page; by default English. */
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').default('en-GB'),
  address: Address.nullable().default(null),
  /** False: the print view does not offer the code of the address. */
  onSheets: z.boolean().default(true),
});
type AddRequest = z.output<typeof AddPublished>;

type TargetRequest = Pick<AddRequest, 'output' | 'url' | 'account'>;

function targetOf({ output, url, account }: TargetRequest): TargetSettings {
  if ((output === undefined) === (url === undefined)) throw asUsage(problem('publish_where'));
  if (url !== undefined) return { kind: 'web', url: parseWebAddress(url).href, account };
  return { kind: 'folder', path: resolve(output ?? '') };
}

function formatOf({ format, output, url }: AddRequest): PublishedFile['format'] {
  const ending = extname(output ?? url ?? '')
    .slice(1)
    .toLowerCase();
  const found = format ?? publishFormats.find((each) => each === ending);
  if (found !== undefined) return found;
  throw asUsage(problem('publish_format_unknown'));
}

/**
 * Throws `publish_place_taken` for the target of a file that is kept up to date. A file that has left
 * its target says no more there.
 */
function requireFreeTarget(target: TargetSettings, { home }: ActionTools): void {
  const there = readWithFarewells(home).filter(
    (file) => addressOf(file.target) === addressOf(target),
  );
  if (there.some(({ farewell }) => farewell === null)) throw problem('publish_place_taken');
  for (const { id } of there) forgetPublishedFile(home, id);
}

/** Writes a file with new settings at once, so that nothing is stored that does not work. */
async function writeFirst(
  file: PublishedFile,
  { password, replace }: Pick<ChangeRequest, 'password' | 'replace'>,
  tools: ActionTools,
): Promise<PublishedFile> {
  const isNew = file.written.digests.length === 0;
  const store = (begun: PublishedFile) => {
    if (!isNew) storeState(tools.home, begun);
  };
  try {
    return await writeFile(file, tools, { password, replaces: replace }, store);
  } catch (error) {
    const isThere = isNew && (error as { code?: unknown } | null)?.code === 'publish_file_changed';
    throw isThere ? problem('publish_file_exists') : error;
  }
}

/**
 * Returns the folder of a target without links. A link that a person chose for the file is followed
 * once; later ones are refused.
 */
async function resolveTarget(
  target: TargetSettings,
  tools: ActionTools,
): Promise<{ readonly target: TargetSettings; readonly real: string | null }> {
  if (target.kind === 'web') return { target, real: null };
  const { path } = target;
  const entry = { folder: dirname(path), name: basename(path) };
  // First, as it is the only one that does not wait forever for a disk that hangs.
  const { real, link } = await callOutside(tools, 'look', entry);
  if (link !== undefined) return await resolveTarget({ ...target, path: link }, tools);
  requireOutsideHome(path, tools.home);
  return { target, real };
}

async function describeFile(file: PublishedFile, tools: ActionTools): Promise<FileStatus> {
  const [status] = await describeFiles([file], tools);
  return status as FileStatus;
}

/** Throws `publish_copy_since` for a copy that would not have all days. */
function requireWholeCopy(format: PublishedFile['format'], since: PublishedFile['since']): void {
  if (format === 'json' && since !== 'all') throw asUsage(problem('publish_copy_since'));
}

/** Writes a file for the first time and keeps it up to date. Stores nothing if that fails. */
export async function addPublished(request: AddRequest, tools: ActionTools): Promise<FileStatus> {
  const { home } = tools;
  const { user, search, types, language, address, onSheets, password, keyStore } = request;
  const { club, team } = await withReader(home, (db) => {
    const userId = requireUser(db, user);
    const uidBase = prepareUserReads(db).uidBase(userId);
    return { club: uidBase, team: teamIdOf(db, userId, user, request.team) };
  });
  const chosen = targetOf(request);
  const format = formatOf(request);
  const isWhole = search.trim() === '' && types.length === 0 && team === null;
  const drafts = request.drafts ?? (format === 'json' && isWhole);
  const since = request.since ?? (format === 'json' ? 'all' : 'season');
  requireWholeCopy(format, since);
  return await withListLock(tools, async () => {
    const { target, real } = await resolveTarget(chosen, tools);
    requireFreeTarget(target, tools);
    const empty: PublishedFile = {
      ...{ club, format, search, types, drafts, team, since, language, target, keyStore },
      ...{ address, onSheets },
      ...{ id: nextFileId(home), farewell: null, addressCheck: null, failure: null },
      written: { ...nothingWritten, real },
    };
    const file = await writeFirst(empty, request, tools);
    storeNewPassword(home, file, password);
    storeState(home, file);
    storeSettings(home, file);
    return await describeFile(file, tools);
  });
}

/** Settings of a file to change; those that are left out stay. */
export const ChangePublished = z.strictObject({
  id: Id,
  ...targetFields,
  account: Account.optional(),
  password: Password.optional(),
  /** The key store for the password, if one is given. */
  keyStore: KeyStore,
  search: filter.search.unwrap().optional(),
  types: filter.types.unwrap().optional(),
  drafts: filter.drafts.unwrap().optional(),
  team: filter.team.unwrap().optional(),
  since: filter.since.unwrap().optional(),
  address: Address.nullable().optional(),
  onSheets: z.boolean().optional(),
});
type ChangeRequest = z.output<typeof ChangePublished>;

/** Returns the target that a request names, or else the present one. */
function changedTarget(
  { output, url, account }: ChangeRequest,
  { target }: PublishedFile,
): TargetSettings {
  const present = target.kind === 'web' ? target : { url: undefined, account: '' };
  const isUnchanged = output === undefined && url === undefined && account === undefined;
  if (isUnchanged) return target;
  const web = output === undefined ? (url ?? present.url) : url;
  return targetOf({ output, url: web, account: account ?? present.account });
}

/** Returns a text that changes with the settings on which the answer of the address depends. */
function membersGet({ target, address, ...file }: PublishedFile): string {
  const { search, types, drafts, team, since } = file;
  return JSON.stringify([search, types, drafts, team, since, target, address]);
}

/** Returns the number of a team of the club of a file. Throws `team_unknown`. */
function chooseTeam({ club }: PublishedFile, name: string, { home }: ActionTools) {
  return withReader(home, (db) => {
    const users = prepareUserReads(db);
    const user = users.all().find(({ id }) => users.uidBase(id) === club);
    return user === undefined ? null : teamIdOf(db, user.id, user.name, name);
  });
}

/**
 * Changes a file and writes it at once. Changes nothing if that fails. A file with another target stays
 * there, and names the new one.
 */
export async function changePublished(
  request: ChangeRequest,
  tools: ActionTools,
): Promise<FileStatus> {
  const { home } = tools;
  const { id, search, types, drafts, address, onSheets, password } = request;
  const change = async (file: PublishedFile): Promise<FileStatus> => {
    const { since = file.since } = request;
    requireWholeCopy(file.format, since);
    const { target, real } = await resolveTarget(changedTarget(request, file), tools);
    const isMoved = addressOf(target) !== addressOf(file.target);
    if (isMoved) requireFreeTarget(target, tools);
    const team =
      request.team === undefined ? file.team : await chooseTeam(file, request.team, tools);
    const changed: PublishedFile = {
      ...file,
      team,
      since,
      search: search ?? file.search,
      types: types ?? file.types,
      drafts: drafts ?? file.drafts,
      target,
      address: address === undefined ? file.address : address,
      onSheets: onSheets ?? file.onSheets,
      written: { ...(isMoved ? nothingWritten : file.written), real },
      failure: null,
    };
    const isSame = membersGet(changed) === membersGet(file);
    const contents = isMoved ? readContents(home, id) : [];
    const written = await writeFirst(changed, request, tools);
    const outcome: PublishedFile = {
      ...written,
      keyStore: password === undefined ? file.keyStore : request.keyStore,
      addressCheck: isSame ? file.addressCheck : null,
    };
    if (isMoved) leaveWord(file, outcome, contents[0], tools);
    const isNew = target.kind === 'folder' || password !== undefined;
    if (isNew) storeNewPassword(home, outcome, password ?? '');
    storeState(home, outcome);
    storeSettings(home, outcome);
    return await describeFile(outcome, tools);
  };
  return await withListLock(tools, () => withFile(id, tools, change));
}

/** Adds the file with the former target to the list, whose last content will name the new place. */
function leaveWord(
  before: PublishedFile,
  after: PublishedFile,
  content: Uint8Array | undefined,
  tools: ActionTools,
): void {
  const { home } = tools;
  // A calendar has no place for it. Only the window has a password that it keeps itself.
  const isPossible = before.target.kind === 'folder' || before.keyStore === 'file';
  if (before.format === 'ics' || content === undefined || !isPossible) return;
  const since = tools.now().toISOString();
  const farewell = { kind: 'moved', to: addressOf(after.target), since } as const;
  const { address } = after;
  const file = { ...before, id: nextFileId(home), farewell, address, failure: null };
  keepContent(home, file.id, content);
  if (before.target.kind === 'web') {
    storeNewPassword(home, file, requirePassword(before, before.target.url, tools));
  }
  storeState(home, file);
  storeSettings(home, file);
}

export const TryPublished = z.strictObject({
  /** The file whose password is used if none is given. */
  id: Id.optional(),
  url: z.string(),
  account: Account.default(''),
  password: Password.optional(),
});

/** Tests whether a file can be written to a web space. */
export async function tryPublished(
  { id, url, account, password }: z.output<typeof TryPublished>,
  tools: ActionTools,
): Promise<{ host: string }> {
  const { href, host } = parseWebAddress(url);
  const sent =
    password ?? (id === undefined ? '' : requirePassword(requireFile(id, tools), href, tools));
  await testWebSpace({ url: href, account, password: sent });
  return { host };
}
