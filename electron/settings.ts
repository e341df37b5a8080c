import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type DesktopSettings, themes } from '../server/bridge.ts';
import { standardPort } from '../server/settings.ts';
import { type Language, languages } from '../server/ui/i18n/text.ts';

/** How many ports are tried, from the one that is set on. */
export const portsTried = 10;

const port = z
  .int()
  .min(1024)
  .max(65_536 - portsTried);

/** What the user can set, each with what holds until then. */
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

/** Everything in `settings.json`: what the page can set, and what only a dialog of ours can. */
export type KeptSettings = DesktopSettings & {
  /** The data directory that was chosen; null for the platform's own. */
  readonly home: string | null;
  /** The folder that a dialog was last answered in. */
  readonly folder: string | null;
  /** Whether the user was told that the program goes on while its window is hidden. */
  readonly hidingAnnounced: boolean;
};

const path = z.string().refine(isAbsolute).nullable();
const keptFields = { ...fields, home: path, folder: path, hidingAnnounced: z.boolean() };
export const standardKept: KeptSettings = {
  ...standardSettings,
  home: null,
  folder: null,
  hidingAnnounced: false,
};

type Parsed = {
  readonly settings: KeptSettings;
  /** The settings that had a value which they cannot have. */
  readonly wrong: readonly string[];
};

/**
 * The settings in what a file says: each that is missing or wrong falls back on its own. Undefined
 * when it is no set of settings at all.
 */
export function parseSettings(raw: unknown): Parsed | undefined {
  const given = z.record(z.string(), z.unknown()).safeParse(raw);
  if (!given.success) return undefined;
  const wrong: string[] = [];
  const right = Object.entries(keptFields).flatMap(([name, field]) => {
    if (given.data[name] === undefined) return [];
    const parsed = field.safeParse(given.data[name]);
    if (parsed.success) return [[name, parsed.data]];
    wrong.push(name);
    return [];
  });
  return { settings: { ...standardKept, ...Object.fromEntries(right) }, wrong };
}
