import { createContext, use } from 'react';
import { defaultLength } from '../../event/values.ts';
import { usePreferences } from '../base/preferences.ts';

/** The settings of a club that concern its calendar. */
type ClubSettings = {
  /** Minutes that an event without an end lasts. */
  readonly usualLength: number;
  /** The first month of a season, from 1. */
  readonly seasonStart: number;
};

export const ClubSettingsContext = createContext<ClubSettings | undefined>(undefined);

/** Returns the settings of the club; in a browser, which does not get them, those of the browser. */
export function useClubSettings(): ClubSettings {
  const { seasonStart } = usePreferences();
  return use(ClubSettingsContext) ?? { usualLength: defaultLength, seasonStart };
}
