import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, problem } from '../base/errors.ts';
import { requireOutsideHome } from '../base/home.ts';
import { type ActionTools, isLanguageTag } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import type { ProblemCode } from '../messages/message.ts';
import { withReader } from '../store/store.ts';
import { composeContent } from './content.ts';
import { openTarget, writeTo } from './publish.ts';
import {
  describeFiles,
  type FileStatus,
  filter,
  Id,
  Password,
  requireFile,
  withPublishLock,
} from './publish-actions.ts';
import {
  KeyStore,
  nextFileId,
  nothingWritten,
  type PublishedFile,
  placeOf,
  publishFormats,
  readPublishedFiles,
  requirePassword,
  storeNewPassword,
  storePublishedFile,
  type TargetSettings,
  type Written,
} from '../outside/live-files.ts';
import { parseWebAddress, testWebSpace } from './targets.ts';

/** An https address for members; an empty one is none. */
const Address = z.string().transform((text, context) => {
  if (text.trim() === '') return null;
  const url = URL.parse(text.trim());
  const isPublic = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (isPublic) return url.href;
  context.addIssue({ code: 'custom', message: 'publish_address_invalid' satisfies ProblemCode });
  return z.NEVER;
});

const Account = z.string().max(1_000);

/** The place of a file. */
const place = {
  /** The path of a file in a folder, or else the address of a file in a web space. */
  output: z.string().min(1).optional(),
  url: z.string().optional(),
  /** Replaces a file that is at the place already. */
  replace: z.boolean().default(false),
};

export const AddPublished = z.strictObject({
  user: UserName,
  format: z
    .enum(publishFormats, { error: 'publish_format_unknown' satisfies ProblemCode })
    .optional(),
  ...place,
  /** The name and the password for the web space. */
  account: Account.default(''),
  password: Password.default(''),
  keyStore: KeyStore,
  ...filter,
  /** The default is true for a copy of all events, which is for another computer of the club. */
  drafts: z.boolean().optional(),
  /** Language of a page; by default English. */
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').default('en-GB'),
  address: Address.nullable().default(null),
  /** False: the print view does not offer the code of the address. */
  onSheets: z.boolean().default(true),
});
type AddRequest = z.output<typeof AddPublished>;

type PlaceRequest = Pick<AddRequest, 'output' | 'url' | 'account'>;

function targetOf({ output, url, account }: PlaceRequest, { home }: ActionTools): TargetSettings {
  if ((output === undefined) === (url === undefined)) throw asUsage(problem('publish_where'));
  if (url !== undefined) return { kind: 'web', url: parseWebAddress(url).href, account };
  const path = resolve(output ?? '');
  requireOutsideHome(path, home);
  return { kind: 'folder', path };
}

function formatOf({ format, output, url }: AddRequest): PublishedFile['format'] {
  const ending = extname(output ?? url ?? '')
    .slice(1)
    .toLowerCase();
  const found = format ?? publishFormats.find((each) => each === ending);
  if (found !== undefined) return found;
  throw asUsage(problem('publish_format_unknown'));
}

/** Throws `publish_place_taken` for the place of a file that is kept up to date. */
function requireFreePlace(target: TargetSettings, { home }: ActionTools): void {
  const others = readPublishedFiles(home).map((file) => placeOf(file.target));
  if (others.includes(placeOf(target))) throw problem('publish_place_taken');
}

/** Writes a file with new settings at once, so that nothing is stored that does not work. */
async function writeFirst(
  file: PublishedFile,
  password: string | undefined,
  tools: ActionTools,
  options: { readonly replaces: boolean; readonly onBegin?: (written: Written) => void },
): Promise<Written> {
  const content = await composeContent(file, tools);
  const target = openTarget(file, tools, password);
  try {
    return await writeTo(target, content, file.written, { ...options, tools });
  } catch (error) {
    const isNew = file.written.digests.length === 0;
    const isThere = isNew && (error as { code?: unknown } | null)?.code === 'publish_file_changed';
    throw isThere ? problem('publish_file_exists') : error;
  }
}

async function describeFile(file: PublishedFile, tools: ActionTools): Promise<FileStatus> {
  const [status] = await describeFiles([file], tools);
  return status as FileStatus;
}

/** Writes a file for the first time and keeps it up to date. Stores nothing if that fails. */
export async function addPublished(request: AddRequest, tools: ActionTools): Promise<FileStatus> {
  const { home } = tools;
  const { user, search, types, language, address, onSheets, password, replace, keyStore } = request;
  const target = targetOf(request, tools);
  const format = formatOf(request);
  const isWholeCopy = format === 'json' && search.trim() === '' && types.length === 0;
  const drafts = request.drafts ?? isWholeCopy;
  const club = await withReader(home, (db) => prepareUserReads(db).uidBase(requireUser(db, user)));
  return await withPublishLock(tools, async () => {
    requireFreePlace(target, tools);
    const empty: PublishedFile = {
      ...{ club, format, search, types, drafts, language, target, keyStore, address, onSheets },
      id: nextFileId(home),
      addressCheck: null,
      written: nothingWritten,
      failure: null,
    };
    const written = await writeFirst(empty, password, tools, { replaces: replace });
    const file = { ...empty, written };
    storeNewPassword(home, file, password);
    storePublishedFile(home, file);
    return await describeFile(file, tools);
  });
}

/** Settings of a file to change; those that are left out stay. */
export const ChangePublished = z.strictObject({
  id: Id,
  ...place,
  account: Account.optional(),
  password: Password.optional(),
  /** The place for the password, if one is given. */
  keyStore: KeyStore,
  search: filter.search.unwrap().optional(),
  types: filter.types.unwrap().optional(),
  drafts: filter.drafts.unwrap().optional(),
  address: Address.nullable().optional(),
  onSheets: z.boolean().optional(),
});
type ChangeRequest = z.output<typeof ChangePublished>;

/** Returns the place that a request names, or else the present one. */
function changedTarget(
  { output, url, account }: ChangeRequest,
  { target }: PublishedFile,
  tools: ActionTools,
): TargetSettings {
  const present = target.kind === 'web' ? target : { url: undefined, account: '' };
  const isUnchanged = output === undefined && url === undefined && account === undefined;
  if (isUnchanged) return target;
  const web = output === undefined ? (url ?? present.url) : url;
  return targetOf({ output, url: web, account: account ?? present.account }, tools);
}

/** Returns a text that changes with the settings on which the answer of the address depends. */
function membersGet({ search, types, drafts, target, address }: PublishedFile): string {
  return JSON.stringify([search, types, drafts, target, address]);
}

/**
 * Changes a file and writes it at once. Changes nothing if that fails. A file at another place stays
 * there.
 */
export async function changePublished(
  request: ChangeRequest,
  tools: ActionTools,
): Promise<FileStatus> {
  const { home } = tools;
  const { id, search, types, drafts, address, onSheets, password, replace } = request;
  return await withPublishLock(tools, async () => {
    const file = requireFile(id, tools);
    const target = changedTarget(request, file, tools);
    const isMoved = placeOf(target) !== placeOf(file.target);
    if (isMoved) requireFreePlace(target, tools);
    // The numbers of the events never fall, also at another place.
    const { changes } = file.written;
    const changed: PublishedFile = {
      ...file,
      search: search ?? file.search,
      types: types ?? file.types,
      drafts: drafts ?? file.drafts,
      target,
      address: address === undefined ? file.address : address,
      onSheets: onSheets ?? file.onSheets,
      written: isMoved ? { ...nothingWritten, changes } : file.written,
      failure: null,
    };
    const isSame = membersGet(changed) === membersGet(file);
    const onBegin = (written: Written) => storePublishedFile(home, { ...file, written });
    const written = await writeFirst(changed, password, tools, {
      replaces: replace,
      ...(!isMoved && { onBegin }),
    });
    const keyStore = password === undefined ? file.keyStore : request.keyStore;
    const addressCheck = isSame ? file.addressCheck : null;
    const outcome = { ...changed, keyStore, written, addressCheck };
    const isNew = target.kind === 'folder' || password !== undefined;
    if (isNew) storeNewPassword(home, outcome, password ?? '');
    storePublishedFile(home, outcome);
    return await describeFile(outcome, tools);
  });
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
