import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renameFile } from '../server/write-file.ts';
import { readKeptFile, writeKeptFile } from './kept-file.ts';
import { type KeptSettings, parseSettings, standardKept } from './settings.ts';
import { settingsTexts } from './settings-texts.ts';
import { fillIn, type Tell } from './texts.ts';

/** The settings of this user on this machine, which outlast the program. */
export type SettingsFile = {
  readonly current: () => KeptSettings;
  /** Makes a change hold and saves it; one that cannot be saved holds until the program ends. */
  change(change: Partial<KeptSettings>): void;
  /** What the user should know about the file. */
  readonly notices: () => readonly Tell[];
};

type Loaded = { readonly settings: KeptSettings; readonly notice?: Tell };

function load(path: string, aside: string): Loaded {
  const values = { aside: basename(aside) };
  const unreadable: Loaded = {
    settings: standardKept,
    notice: (language) => fillIn(settingsTexts[language].unreadable, values),
  };
  try {
    const raw = readKeptFile(path);
    if (raw === undefined) return { settings: standardKept };
    const parsed = parseSettings(raw);
    if (parsed === undefined) return unreadable;
    const { settings, wrong } = parsed;
    if (wrong.length === 0) return { settings };
    const names = wrong.join(', ');
    const notice: Tell = (language) =>
      fillIn(settingsTexts[language].wrongValues, { ...values, names });
    return { settings, notice };
  } catch {
    // Whatever is wrong with the file, the program works without it.
    return unreadable;
  }
}

/** Opens `settings.json` in a folder; a broken one is kept aside before another takes its place. */
export function openSettingsFile(folder: string): SettingsFile {
  const path = join(folder, 'settings.json');
  const aside = join(folder, 'settings.broken.json');
  const { settings, notice: ofLoading } = load(path, aside);
  let current = settings;
  let broken = ofLoading !== undefined;
  let ofSaving: Tell | undefined;

  function save(): void {
    if (broken && existsSync(path)) renameFile(path, aside);
    writeKeptFile(path, current);
    broken = false;
    ofSaving = undefined;
  }

  return {
    current: () => current,
    change(change) {
      current = { ...current, ...change };
      try {
        save();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        ofSaving = (language) => fillIn(settingsTexts[language].unsaved, { reason });
      }
    },
    notices: () => [ofLoading, ofSaving].filter((notice) => notice !== undefined),
  };
}
