import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from '../server/errors.ts';
import { type Home, homeAt } from '../server/home.ts';
import { chooseHome, settings } from '../server/settings.ts';
import { withWriter } from '../server/store.ts';

/** Where the data is, and who said so. */
export type HomeChoice = {
  readonly home: Home;
  /** Whether the environment says it, so that it cannot be chosen here. */
  readonly fixed: boolean;
  /** Whether it was chosen, so that one which is gone is on a disk to be connected. */
  readonly mustExist: boolean;
};

/** The data directory: by the environment, else as chosen, else the platform's own place. */
export function findHome(chosen: string | null, env: NodeJS.ProcessEnv): HomeChoice {
  const fixed = Boolean(env[settings.home.env]);
  const directory = chooseHome(fixed ? undefined : (chosen ?? undefined), env);
  return { home: homeAt(directory), fixed, mustExist: !fixed && chosen !== null };
}

/**
 * Makes a folder that was chosen ready for the data, and gives the data directory: the folder
 * itself, or one of ours in it where it holds other things. Throws a sentence when it cannot be
 * used, with what is there as it was.
 */
export async function prepareChosenHome(folder: string): Promise<Home> {
  const home = homeAt(isOfOthers(folder) ? join(folder, 'Club Events') : folder);
  await withWriter(home, () => undefined);
  return home;
}

function isOfOthers(folder: string): boolean {
  try {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    // A disk of its own has some from the system.
    const others = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
    return others.length > 0 && !existsSync(homeAt(folder).database);
  } catch (error) {
    throw fileError(error, folder);
  }
}
