import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { Home } from '../base/home.ts';
import { readOutsideState, writeOutsideState } from './state-file.ts';

const HomeFile = z.object({
  id: z.string(),
  /** The digest of the system's id of this machine; null if it has none. */
  machine: z.string().nullable(),
  /** The number of the data directory on its disk, which a move keeps and a copy does not. */
  folder: z.string(),
});

const fileName = 'home.json';

/** Returns a random id. `randomInt` is that of the tools of an action. */
export function createId(randomInt: (limit: number) => number): string {
  return Array.from({ length: 12 }, () => randomInt(16).toString(16)).join('');
}

/**
 * Returns the random id of a data directory. A copy of the directory, or one that another machine
 * reads, gets another id, so that no two write the same files.
 */
export function readHomeId(home: Home, randomInt: (limit: number) => number): string {
  const machine = digestOfMachine();
  // Without the number of the disk, which changes with each start of some systems.
  const folder = String(statSync(home.directory, { bigint: true }).ino);
  const stored = readOutsideState(home, fileName, HomeFile);
  const isSame =
    stored?.folder === folder &&
    (stored.machine === machine || stored.machine === null || machine === null);
  if (isSame) return stored.id;
  const id = createId(randomInt);
  writeOutsideState(home, fileName, { id, machine, folder });
  return id;
}

let machineDigest: string | null | undefined;

function digestOfMachine(): string | null {
  if (machineDigest === undefined) {
    const id = readMachineId();
    // Not the id itself, which other programs may keep secret.
    machineDigest = id === undefined ? null : hash('sha256', `club-events\n${id}`).slice(0, 32);
  }
  return machineDigest;
}

/** Programs that print the id of the machine, with the text before it. */
const programs: Readonly<Record<string, readonly [string, readonly string[], RegExp]>> = {
  darwin: ['ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID" = "([^"]+)"/],
  win32: [
    'reg',
    ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'],
    /REG_SZ\s+(\S+)/,
  ],
};

function readMachineId(): string | undefined {
  const [command, args, pattern] = programs[process.platform] ?? [];
  for (const path of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    try {
      if (command === undefined) return readFileSync(path, 'utf8').trim() || undefined;
      const options = { timeout: 5_000, windowsHide: true } as const;
      const output = execFileSync(command, args, {
        ...options,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return pattern?.exec(String(output))?.[1];
    } catch {
      // This system has no such file or program: the number of the folder has to do.
    }
  }
  return undefined;
}
