import { existsSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { type DesktopSettings, syncIntervals, themes } from '../../server/actions/bridge.ts';
import { explain } from '../../server/base/errors.ts';
import { defaultPort } from '../../server/base/settings.ts';
import { renameFile } from '../../server/base/write-file.ts';
import {
  type Language,
  languages,
  supportedLanguage,
  translator,
  wordProblem,
} from '../../server/messages/messages.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

/** Returns the configured language, else that of the system if supported, else English. */
export function chooseLanguage(configured: Language | null, locale: string): Language {
  return configured ?? supportedLanguage([locale]);
}

/** Returns an error in words; an unexpected one in its own. */
export function describeError(error: unknown, language: Language): string {
  const explained = explain(error);
  if (explained !== undefined) return wordProblem(explained, language);
  return error instanceof Error ? error.message : String(error);
}

/** A text for the user in the language that is current when it is shown. */
export type LocalizedText = (language: Language) => string;

/** Number of ports to try, starting with the port in the settings. */
export const portCount = 10;

const port = z
  .int()
  .min(1024)
  .max(65_536 - portCount);

/** Schemas of the settings that the page can change. */
const fields = {
  language: z.enum(Object.keys(languages) as [Language, ...Language[]]).nullable(),
  theme: z.enum(themes),
  port,
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  checkForUpdates: z.boolean(),
  syncMinutes: z.literal(syncIntervals),
  club: z.int().nullable(),
} satisfies { [Name in keyof DesktopSettings]: z.ZodType<DesktopSettings[Name]> };

export const SettingsChange = z.strictObject(fields).partial() as z.ZodType<
  Partial<DesktopSettings>
>;

export const defaultSettings: DesktopSettings = {
  language: null,
  theme: 'auto',
  port: defaultPort,
  closeToTray: true,
  startAtLogin: false,
  checkForUpdates: true,
  syncMinutes: 15,
  club: null,
};

/** Content of `settings.json`: settings that the page can change, and those of the shell alone. */
type StoredSettings = DesktopSettings & {
  /** The chosen data directory; null for the default one. */
  readonly home: string | null;
  /** The folder last chosen in a file dialog. */
  readonly folder: string | null;
  /** True if the user was notified that the program keeps running while its window is hidden. */
  readonly hidingAnnounced: boolean;
};

const path = z.string().refine(isAbsolute).nullable();
const storedFields = { ...fields, home: path, folder: path, hidingAnnounced: z.boolean() };
export const defaultStoredSettings: StoredSettings = {
  ...defaultSettings,
  home: null,
  folder: null,
  hidingAnnounced: false,
};

type Parsed = {
  readonly settings: StoredSettings;
  /** Names of settings with invalid values. */
  readonly invalid: readonly string[];
};

/**
 * Parses the content of a settings file. A missing or invalid value becomes the default. Returns
 * undefined if the content is not an object.
 */
function parseSettings(raw: unknown): Parsed | undefined {
  const record = z.record(z.string(), z.unknown()).safeParse(raw);
  if (!record.success) return undefined;
  const invalid: string[] = [];
  const valid = Object.entries(storedFields).flatMap(([name, field]) => {
    if (record.data[name] === undefined) return [];
    const parsed = field.safeParse(record.data[name]);
    if (parsed.success) return [[name, parsed.data]];
    invalid.push(name);
    return [];
  });
  return { settings: { ...defaultStoredSettings, ...Object.fromEntries(valid) }, invalid };
}

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
    settings: defaultStoredSettings,
    notice: (language) => translator(language)('desktopSettings:unreadable', values),
  };
  try {
    const raw = readJsonFile(path);
    if (raw === undefined) return { settings: defaultStoredSettings };
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
        saveNotice = (language) =>
          translator(language)('desktopSettings:unsaved', {
            reason: describeError(error, language),
          });
      }
    },
    notices: () => [loadNotice, saveNotice].filter((notice) => notice !== undefined),
  };
}
