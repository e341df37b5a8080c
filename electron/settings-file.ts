import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { translator } from '../server/messages/messages.ts';
import { renameFile } from '../server/write-file.ts';
import { readJsonFile, writeJsonFile } from './kept-file.ts';
import { parseSettings, type StoredSettings, standardKept } from './settings.ts';
import type { LocalizedText } from './texts.ts';

export type SettingsFile = {
  readonly current: () => StoredSettings;
  /** Applies and saves a change. If saving fails, the change applies until the program ends. */
  change(change: Partial<StoredSettings>): void;
  /** Problems with the file, for the user. */
  readonly notices: () => readonly LocalizedText[];
};

type Loaded = { readonly settings: StoredSettings; readonly notice?: LocalizedText };

function load(path: string, brokenPath: string): Loaded {
  const values = { aside: basename(brokenPath) };
  const unreadable: Loaded = {
    settings: standardKept,
    notice: (language) => translator(language)('desktopSettings:unreadable', values),
  };
  try {
    const raw = readJsonFile(path);
    if (raw === undefined) return { settings: standardKept };
    const parsed = parseSettings(raw);
    if (parsed === undefined) return unreadable;
    const { settings, invalid } = parsed;
    if (invalid.length === 0) return { settings };
    const names = invalid.join(', ');
    const notice: LocalizedText = (language) =>
      translator(language)('desktopSettings:wrongValues', { ...values, names });
    return { settings, notice };
  } catch {
    // An unreadable file must not prevent the start.
    return unreadable;
  }
}

/** Opens `settings.json` in a folder. Before the first save, a broken file is renamed. */
export function openSettingsFile(folder: string): SettingsFile {
  const path = join(folder, 'settings.json');
  const brokenPath = join(folder, 'settings.broken.json');
  const { settings, notice: loadNotice } = load(path, brokenPath);
  let current = settings;
  let isBroken = loadNotice !== undefined;
  let saveNotice: LocalizedText | undefined;

  function save(): void {
    if (isBroken && existsSync(path)) renameFile(path, brokenPath);
    writeJsonFile(path, current);
    isBroken = false;
    saveNotice = undefined;
  }

  return {
    current: () => current,
    change(change) {
      current = { ...current, ...change };
      try {
        save();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        saveNotice = (language) => translator(language)('desktopSettings:unsaved', { reason });
      }
    },
    notices: () => [loadNotice, saveNotice].filter((notice) => notice !== undefined),
  };
}
