import { agendaTexts } from '../agenda/texts.ts';
import { calendarTexts } from '../calendar/texts.ts';
import { changesTexts } from '../changes/texts.ts';
import { eventTexts } from '../events/texts.ts';
import { filterTexts } from '../filter/texts.ts';
import { keysTexts } from '../keys/texts.ts';
import { managingTexts } from '../managing/texts.ts';
import { panelTexts } from '../panel/texts.ts';
import { seasonTexts } from '../season/texts.ts';
import { sheetTexts } from '../sheet/texts.ts';
import { shellTexts } from '../shell/texts.ts';
import { signInTexts } from '../signin/texts.ts';
import { tableTexts } from '../table/texts.ts';
import { takeOutTexts } from '../takeout/texts.ts';

/** Every text of the page, by feature. */
export const texts = {
  agenda: agendaTexts,
  calendar: calendarTexts,
  changes: changesTexts,
  event: eventTexts,
  filter: filterTexts,
  keys: keysTexts,
  managing: managingTexts,
  panel: panelTexts,
  season: seasonTexts,
  sheet: sheetTexts,
  shell: shellTexts,
  signIn: signInTexts,
  table: tableTexts,
  takeOut: takeOutTexts,
} as const;
