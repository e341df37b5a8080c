import { createContext, use } from 'react';
import { type ClubNumbers, clubNumbers, mapNumbers } from '../../../db/club-settings.ts';
import { usePreferences } from '../base/preferences.ts';

export const ClubSettingsContext = createContext<ClubNumbers | undefined>(undefined);

/** Returns the settings of the club; in a browser, which does not get them, those of the browser. */
export function useClubSettings(): ClubNumbers {
  const { seasonStart } = usePreferences();
  return (
    use(ClubSettingsContext) ?? {
      ...mapNumbers((name) => clubNumbers[name].initial),
      seasonStart,
    }
  );
}
