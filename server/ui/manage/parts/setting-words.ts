import { useTranslation } from 'react-i18next';
import { type ClubNumber, clubNumbers, isClubNumber } from '../../../../db/club-settings.ts';
import type { SettingChange } from '../../../../db/model.ts';
import { addMonths } from '../../../dates/days.ts';
import { teamChange } from '../../../event/views.ts';
import { useFormats } from '../../base/format.ts';

/** Returns functions that word the settings of a club and their changes. */
export function useSettingWords() {
  const { t } = useTranslation(['clubs', 'changeWords', 'daysOff']);
  const formats = useFormats();

  /** Words a length in minutes, such as "1½ hours". */
  const lengthOf = (minutes: number): string => {
    const hours = minutes / 60;
    if (hours < 1 || minutes % 30 !== 0) return t('minutes', { shown: formats.number(minutes) });
    const shown = `${formats.number(Math.floor(hours))}${minutes % 60 === 30 ? '½' : ''}`;
    return t('hours', { count: hours, shown });
  };

  const monthOf = (month: number): string =>
    formats.on('longMonth', addMonths('2000-01-01', month - 1));

  /** Words the value of a setting with a number. */
  const numberOf = (setting: ClubNumber, value: number): string =>
    clubNumbers[setting].unit === 'month' ? monthOf(value) : lengthOf(value);

  const valueWords = (setting: SettingChange['setting'], value: string | null): string => {
    if (value === null) return t('daysOff:none');
    if (isClubNumber(setting)) return numberOf(setting, Number(value));
    if (setting === 'assistantProposes') return t(value === '1' ? 'on' : 'off');
    return setting === 'zone' ? value.replaceAll('_', ' ') : value;
  };

  /** Words the change of a setting, such as "Season begins in: July → August". */
  const describeSetting = (change: SettingChange): string => {
    const { setting, before, after } = change;
    const team = teamChange(change);
    if (team !== undefined) return t(team, { team: after ?? before });
    const text = `${valueWords(setting, before)} → ${valueWords(setting, after)}`;
    return t('changeWords:labelled', { label: t(setting), text });
  };

  return { numberOf, describeSetting };
}
