import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Week, WeekItem } from '../../../event/week.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { shortAddress } from '../../data/subscriptions.ts';
import { useTeams } from '../../data/teams.ts';
import { useChangeText } from './change-list.tsx';
import { EventRow, toggled } from './event-row.tsx';

/** The choice of events, and of the address at the end. */
export type WeekChoice = {
  readonly days: number;
  /** The name of a team; empty for all. */
  readonly team: string;
  /** The address of a page; empty for none. */
  readonly link: string;
};

/** Numbers of days that people tell of. */
const periods = [3, 7, 10, 14, 31] as const;

/** The days, the team and the address of the message about what is on. */
export function WeekFields(props: {
  readonly choice: WeekChoice;
  /** The addresses of the pages for members. */
  readonly links: readonly string[];
  readonly onChange: (change: Partial<WeekChoice>) => void;
}) {
  const { choice, links, onChange } = props;
  const { t } = useTranslation(['message', 'teams', 'published']);
  const { number } = useFormats();
  const teams = useTeams();
  const pages = links.map((value) => ({
    value,
    label: links.length === 1 ? t('published:page') : shortAddress(value),
  }));
  return (
    <div className="flow wide announced-fields">
      <NativeSelect
        label={t('days')}
        value={String(choice.days)}
        data={periods.map((days) => ({
          value: String(days),
          label: t('nextDays', { count: days, shown: number(days) }),
        }))}
        onChange={({ currentTarget }) => onChange({ days: Number(currentTarget.value) })}
      />
      {teams.length > 0 && (
        <NativeSelect
          label={t('teams:team')}
          value={choice.team}
          data={[{ value: '', label: t('teams:all') }, ...teams.map(({ name }) => name)]}
          onChange={({ currentTarget }) => onChange({ team: currentTarget.value })}
        />
      )}
      <NativeSelect
        label={t('link')}
        value={choice.link}
        disabled={links.length === 0}
        data={[...pages, { value: '', label: t('noLink') }]}
        onChange={({ currentTarget }) => onChange({ link: currentTarget.value })}
      />
    </div>
  );
}

/** Returns a function that words the times and the place of an event, or what changed. */
function useItemText(): (item: WeekItem) => string {
  const { t } = useTranslation(['message', 'event']);
  const times = useEventTimes('weekdayAndDay');
  const changeText = useChangeText();
  return ({ event, change }) => {
    const text = change === undefined ? '' : changeText(change);
    if (event.status === 'cancelled')
      return text === ''
        ? t('event:cancelled')
        : t('labelled', { label: t('event:cancelled'), text });
    const isPlace = change?.values.some(({ field }) => field === 'location') ?? false;
    if (change === undefined || change.kind === 'changed') {
      const when = times.clock(event) ?? times.whole(event);
      return [when, event.location, text].filter(Boolean).join(', ');
    }
    return [text, change.kind === 'moved' && !isPlace ? event.location : '']
      .filter(Boolean)
      .join(', ');
  };
}

/** The events of some days, each with a tick for the message. */
export function WeekList(props: {
  readonly week: Week;
  readonly omitted: ReadonlySet<number>;
  readonly onOmit: (omitted: ReadonlySet<number>) => void;
}) {
  const { week, omitted, onOmit } = props;
  const { t } = useTranslation('message');
  const formats = useFormats();
  const textOf = useItemText();
  const id = useId();
  if (week.items.length === 0) {
    return (
      <p className="announced-none">{t('nothingUntil', { day: formats.on('day', week.last) })}</p>
    );
  }
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="only-spoken">
        {t('events')}
      </h2>
      <ul className="ruled">
        {week.items.map((item) => {
          const { event, change } = item;
          return (
            <EventRow
              key={event.id}
              event={event}
              isOff={event.status === 'cancelled' || change?.kind === 'removed'}
              text={textOf(item)}
              note={change === undefined ? '' : t('notTold')}
              isChosen={!omitted.has(event.id)}
              onChoose={(isChosen) => onOmit(toggled(omitted, event.id, !isChosen))}
            />
          );
        })}
      </ul>
    </section>
  );
}
