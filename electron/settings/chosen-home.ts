import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from '../../server/base/errors.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { chooseHome, settings } from '../../server/base/settings.ts';
import { withWriter } from '../../server/store/store.ts';

/** The data directory and how it was chosen. */
export type HomeChoice = {
  readonly home: Home;
  /** True if the environment sets it, so that the user cannot choose another one. */
  readonly fixed: boolean;
  /** True if the user chose it: if it is missing, its disk is not connected. */
  readonly mustExist: boolean;
};

/** Returns the data directory of the environment, else the chosen one, else the default one. */
export function findHome(chosen: string | null, env: NodeJS.ProcessEnv): HomeChoice {
  const fixed = Boolean(env[settings.home.env]);
  const directory = chooseHome(fixed ? undefined : (chosen ?? undefined), env);
  return { home: homeAt(directory), fixed, mustExist: !fixed && chosen !== null };
}

/**
 * Prepares a chosen folder and returns the data directory: the folder itself, or the folder
 * `Club Events` in it if it holds other files. Throws if the folder cannot be used, and leaves its
 * files unchanged.
 */
export async function prepareChosenHome(folder: string): Promise<Home> {
  const home = homeAt(holdsOtherFiles(folder) ? join(folder, 'Club Events') : folder);
  await withWriter(home, () => undefined);
  return home;
}

function holdsOtherFiles(folder: string): boolean {
  try {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    // The system adds such files to the root of a disk.
    const otherNames = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
    return otherNames.length > 0 && !existsSync(homeAt(folder).database);
  } catch (error) {
    throw fileError(error, folder);
  }
}
