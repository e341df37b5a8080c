import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../dates/days.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, useCurrent } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Returns the number of changes and the day since when; empty without changes. */
export function useChangesTitle(): string {
  const { t } = useTranslation('side');
  const formats = useFormats();
  const today = useToday();
  const { changes, lastVisit, clock } = useVisibleEvents();
  const { since } = lastVisit;
  if (changes.size === 0 || since === null) return '';
  const count = t('changes', { count: changes.size, shown: formats.number(changes.size) });
  const day = clock.dayOf(since);
  if (day === today) return t('sinceTime', { changes: count, when: formats.at('time', since) });
  if (day === addDays(today, -1)) return t('sinceYesterday', { changes: count });
  if (day > addDays(today, -7)) {
    return t('sinceWeekday', { changes: count, when: formats.at('longWeekday', since) });
  }
  return t('sinceDay', { changes: count, when: formats.dayNear('day', since, today) });
}

/** The filter for the changes since the last visit, and a way to mark them as seen. */
export function ChangedChoice() {
  const { t } = useTranslation('side');
  const changedOnly = useCurrent('changedOnly');
  const { changes, markSeen } = useVisibleEvents();
  const title = useChangesTitle();
  if (title === '' && !changedOnly) return null;
  return (
    <div className="ends">
      <Checkbox
        label={title === '' ? t('onlyChanged') : title}
        checked={changedOnly}
        onChange={({ currentTarget }) => goTo({ changedOnly: currentTarget.checked })}
      />
      {title !== '' && (
        <LinkButton className="small" onClick={() => markSeen(changes.keys())}>
          {t('seen')}
        </LinkButton>
      )}
    </div>
  );
}
