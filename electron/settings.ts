import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type DesktopSettings, themes } from '../server/bridge.ts';
import { type Language, languages } from '../server/messages/messages.ts';
import { standardPort } from '../server/settings.ts';

/** Number of ports to try, starting with the port in the settings. */
export const portsTried = 10;

const port = z
  .int()
  .min(1024)
  .max(65_536 - portsTried);

/** Schemas of the settings that the page can change. */
const fields = {
  language: z.enum(Object.keys(languages) as [Language, ...Language[]]).nullable(),
  theme: z.enum(themes),
  port,
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  checkForUpdates: z.boolean(),
  club: z.int().nullable(),
} satisfies { [Name in keyof DesktopSettings]: z.ZodType<DesktopSettings[Name]> };

export const SettingsChange = z.strictObject(fields).partial() as z.ZodType<
  Partial<DesktopSettings>
>;

export const standardSettings: DesktopSettings = {
  language: null,
  theme: 'auto',
  port: standardPort,
  closeToTray: true,
  startAtLogin: false,
  checkForUpdates: true,
  club: null,
};

/** Content of `settings.json`: settings that the page can change, and those of the shell alone. */
export type StoredSettings = DesktopSettings & {
  /** The chosen data directory; null for the default one. */
  readonly home: string | null;
  /** The folder last chosen in a file dialog. */
  readonly folder: string | null;
  /** True if the user was notified that the program keeps running while its window is hidden. */
  readonly hidingAnnounced: boolean;
};

const path = z.string().refine(isAbsolute).nullable();
const storedFields = { ...fields, home: path, folder: path, hidingAnnounced: z.boolean() };
export const standardKept: StoredSettings = {
  ...standardSettings,
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
export function parseSettings(raw: unknown): Parsed | undefined {
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
  return { settings: { ...standardKept, ...Object.fromEntries(valid) }, invalid };
}
