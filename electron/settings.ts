import { z } from 'zod';
import { type DesktopSettings, settingLanguages, themes } from '../server/bridge.ts';
import { standardPort } from '../server/settings.ts';

const port = z.int().min(1024).max(65_535);

/** What the user can set, each with what holds until then. */
const fields = {
  language: z.enum(settingLanguages).nullable(),
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
