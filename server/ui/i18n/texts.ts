import { agendaTexts } from '../agenda/texts.ts';
import { calendarTexts } from '../calendar/texts.ts';
import { changesTexts } from '../changes/texts.ts';
import { eventTexts } from '../events/texts.ts';
import { filterTexts } from '../filter/texts.ts';
import { keysTexts } from '../keys/texts.ts';
import { aboutTexts } from '../managing/about/texts.ts';
import { clubsTexts } from '../managing/clubs/texts.ts';
import { exportTexts } from '../managing/export/texts.ts';
import { historyTexts } from '../managing/history/texts.ts';
import { columnTexts } from '../managing/import/column-texts.ts';
import { reportTexts } from '../managing/import/report-texts.ts';
import { importTexts } from '../managing/import/texts.ts';
import { newKeyTexts } from '../managing/keys/new-key-texts.ts';
import { scriptKeysTexts } from '../managing/keys/texts.ts';
import { settingsTexts } from '../managing/settings/texts.ts';
import { managingTexts } from '../managing/texts.ts';
import { welcomeTexts } from '../managing/welcome/texts.ts';
import { panelTexts } from '../panel/texts.ts';
import { seasonTexts } from '../season/texts.ts';
import { sheetTexts } from '../sheet/texts.ts';
import { shellTexts } from '../shell/texts.ts';
import { signInTexts } from '../signin/texts.ts';
import { tableTexts } from '../table/texts.ts';
import { takeOutTexts } from '../takeout/texts.ts';

export const texts = {
  about: aboutTexts,
  agenda: agendaTexts,
  calendar: calendarTexts,
  changes: changesTexts,
  clubs: clubsTexts,
  columns: columnTexts,
  event: eventTexts,
  export: exportTexts,
  filter: filterTexts,
  history: historyTexts,
  import: importTexts,
  keys: keysTexts,
  managing: managingTexts,
  newKey: newKeyTexts,
  panel: panelTexts,
  scriptKeys: scriptKeysTexts,
  report: reportTexts,
  season: seasonTexts,
  settings: settingsTexts,
  sheet: sheetTexts,
  shell: shellTexts,
  signIn: signInTexts,
  table: tableTexts,
  takeOut: takeOutTexts,
  welcome: welcomeTexts,
} as const;
