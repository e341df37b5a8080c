import { z } from 'zod';
import { inspectStore } from '../../db/inspect.ts';
import { digestOfKey } from '../../db/keys.ts';
import { StoreError } from '../../db/open.ts';
import { explain, packProblem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { defaultHost, defaultPort } from '../base/settings.ts';
import type { ActionTools } from '../club/tools.ts';
import { type ProblemCode, problemMessage } from '../messages/message.ts';
import { findFlaw } from '../store/backup-check.ts';
import { listBackups } from '../store/backup-records.ts';
import {
  probeBackupFolders,
  probeBackups,
  probeClock,
  probeDatabase,
  probeJournal,
  probeMirrors,
  probeZones,
} from './data.ts';
import { probeDiskSpace, probePermissions, probePlace } from './files.ts';
import { type Case, type Finding, type Findings, type Surroundings, trouble } from './finding.ts';
import { probeGivenKey, probeKeys, probeRequest, readKeyText } from './key-probes.ts';
import {
  findServiceStates,
  probeAddress,
  probeLocalhost,
  probeProxy,
  probeServices,
  probeVersion,
} from './services.ts';

/** A test of the installation, under the question that it helps to answer. */
type Probe = {
  readonly question: 'connection' | 'data';
  readonly look: (given: Case) => Findings | Promise<Findings>;
};

const probes = {
  services: { question: 'connection', look: probeServices },
  address: { question: 'connection', look: probeAddress },
  localhost: { question: 'connection', look: probeLocalhost },
  version: { question: 'connection', look: probeVersion },
  proxy: { question: 'connection', look: probeProxy },
  keys: { question: 'connection', look: probeKeys },
  givenKey: { question: 'connection', look: probeGivenKey },
  request: { question: 'connection', look: probeRequest },
  clock: { question: 'connection', look: probeClock },
  database: { question: 'data', look: probeDatabase },
  journal: { question: 'data', look: probeJournal },
  backups: { question: 'data', look: probeBackups },
  backupFolders: { question: 'data', look: probeBackupFolders },
  mirrors: { question: 'data', look: probeMirrors },
  zones: { question: 'data', look: probeZones },
  permissions: { question: 'data', look: probePermissions },
  diskSpace: { question: 'data', look: probeDiskSpace },
  place: { question: 'data', look: probePlace },
} as const satisfies Record<string, Probe>;

type ProbeName = keyof typeof probes;

export const Doctor = z.strictObject({
  /** The base URL of the script; by default, the usual address. */
  url: z
    .url({ protocol: /^https?$/, error: 'mirror_url_invalid' satisfies ProblemCode })
    .optional(),
  /** The text that the script takes as its key. */
  key: z.string().max(10_000).optional(),
});

type Diagnosis = {
  readonly findings: readonly (Finding & {
    readonly probe: ProbeName;
    readonly question: Probe['question'];
  })[];
};

function inspect(home: Home, keyText: string | undefined): Case['store'] {
  try {
    const digest = keyText === undefined ? undefined : digestOfKey(readKeyText(keyText).key);
    return inspectStore(home.database, digest);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Lists the backups and verifies the newest, or returns the finding about an unreadable folder. */
async function readBackups(home: Home): Promise<Pick<Case, 'backups' | 'flaw'> | Finding> {
  try {
    const backups = listBackups(home);
    return { backups, flaw: backups[0] && (await findFlaw(home, backups[0].name)) };
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    return trouble('not_examined', { reason: problemMessage(packProblem(explained)) });
  }
}

/**
 * Examines an installation: the answers to "Why can't my script connect?" and "Is my data safe?". It
 * changes nothing, and needs no database that can be opened. Only a backup from before an update is
 * copied beside it, for its check.
 */
export async function examine(
  { url, key: keyText }: z.infer<typeof Doctor>,
  home: Home,
  surroundings: Surroundings,
): Promise<Diagnosis> {
  // Before the requests: a check of the pages blocks this thread, and their time would run out.
  const store = inspect(home, keyText);
  const listed = await readBackups(home);
  const registered = await findServiceStates(home.registration).catch(() => undefined);
  const given: Case = {
    ...surroundings,
    home,
    address: new URL(url ?? `http://${defaultHost}:${defaultPort}`),
    isAddressGiven: url !== undefined,
    keyText,
    services: registered ?? [],
    store,
    ...('code' in listed ? { backups: [], flaw: undefined } : listed),
  };
  const unreadable: Readonly<Partial<Record<string, Finding>>> = {
    ...(registered === undefined && {
      services: trouble('registration_unreadable', { path: home.registration }),
    }),
    ...('code' in listed && { backups: listed }),
  };
  const looks = Object.entries(probes).map(async ([name, { question, look }]) => {
    const found = unreadable[name] === undefined ? await look(given) : [unreadable[name]];
    return found.map((finding) => ({ probe: name as ProbeName, question, ...finding }));
  });
  return { findings: (await Promise.all(looks)).flat() };
}

export function doctor(
  args: z.infer<typeof Doctor>,
  { home, now }: ActionTools,
): Promise<Diagnosis> {
  return examine(args, home, { env: process.env, platform: process.platform, now: now() });
}
