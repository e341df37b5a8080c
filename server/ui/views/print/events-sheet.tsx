import { Button, Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Day, weekStartOf } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { adjustRoute } from '../../base/navigation.ts';
import { useDaysOff, useHasDaysOff } from '../../data/days-off.ts';
import { useTeamChoice } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import {
  ChosenLogo,
  IncludeOptions,
  LayoutOptions,
  PaperOptions,
  TitleField,
  TypeOptions,
} from './choices-form.tsx';
import {
  chosenEvents,
  type MonthOfEntries,
  severalTypes,
  styleOf,
  useMonths,
  useMonthsWithDaysOff,
} from './entries.tsx';
import { layOutList } from './list-pages.tsx';
import { useLogoImage } from './logo.ts';
import { layOutMonths } from './month-pages.tsx';
import { someWeek } from './month-plan.ts';
import type { Frame } from './paper.tsx';
import { type Days, daysOf, monthsOf, PeriodFields, usePeriod } from './period.tsx';
import { type Choices, type Layout, useChoices } from './print-choices.ts';
import { type Snapshot, useFilterNames, useIdentity, useSnapshot } from './print-snapshot.ts';
import { type LayOut, Studio, StudioMessage } from './studio.tsx';
import { SubscribeField, useSubscribeChoice } from './subscribe.tsx';

const maxMonths = 36;

type Content = {
  readonly choices: Choices;
  readonly days: Days;
  readonly events: readonly Event[];
  readonly legend: Frame['legend'];
};

/** Returns the months of a period without those before the first and after the last event. */
function monthsWithin(days: Days, filled: readonly MonthOfEntries[]): readonly Day[] {
  const all = monthsOf(days);
  const [first, last] = [filled[0]?.day, filled.at(-1)?.day];
  if (first === undefined || last === undefined) return all.slice(0, 1);
  return all.filter((day) => first <= day && day <= last);
}

/** Returns functions that lay out the list and the month sheets. */
function useLayouts(): Readonly<Record<Layout, (content: Content, frame: Frame) => LayOut>> {
  const { t, i18n } = useTranslation('print');
  const formats = useFormats();
  const monthsOfEvents = useMonths();
  const withDaysOff = useMonthsWithDaysOff();
  const daysOff = useDaysOff();
  const continued = (title: string) => t('continued', { title });
  const styleFor = (months: readonly MonthOfEntries[], { legend }: Content) =>
    styleOf(
      months.flatMap(({ entries }) => entries),
      legend,
    );
  return {
    list: (content, frame) => (signal, onProgress) => {
      const { choices, days, events } = content;
      const ofEvents = monthsOfEvents(events);
      const months = choices.daysOff ? withDaysOff(ofEvents, days) : ofEvents;
      const groups = months.map(({ title, entries }) => ({
        title,
        entries: entries.map((entry) => ({
          ...entry,
          place: choices.places ? entry.place : '',
          note: choices.notes ? entry.note : '',
        })),
      }));
      const subtitle = formats.range('day', days.first, days.last);
      const empty = t('nothing');
      const list = { groups, style: styleFor(months, content), subtitle, continued, empty };
      return layOutList(list, frame, signal, onProgress);
    },
    month: (content, frame) => (signal, onProgress) => {
      const { choices, days, events } = content;
      const months = monthsOfEvents(events);
      const byMonth = new Map(months.map(({ day, entries }) => [day, entries]));
      const weekStart = weekStartOf(regionalTag(i18n.language));
      const input = {
        months: monthsWithin(days, months).map((day) => ({
          day,
          title: formats.on('month', day),
          entries: byMonth.get(day) ?? [],
        })),
        details: { places: choices.places, notes: choices.monthNotes },
        weekStart,
        holidayOn: (day: Day) => (choices.daysOff && daysOff.namesOn(day)[0]) || '',
        weekdays: someWeek(weekStart).map((day) => formats.on('longWeekday', day)),
        style: styleFor(months, content),
        continued,
        more: (count: number) => t('more', { count, shown: formats.number(count) }),
        moreNote: t('continuedNote'),
      };
      return layOutMonths(input, frame, signal, onProgress);
    },
  };
}

/** The studio for the events of a period. */
function EventsStudio({
  snapshot,
  layout,
}: {
  readonly snapshot: Snapshot;
  readonly layout: Layout;
}) {
  const { t } = useTranslation(['print', 'shell']);
  const formats = useFormats();
  const { account, today, clock } = useVisibleEvents();
  const [choices, onChange] = useChoices(account);
  const [period, onPeriod] = usePeriod(choices, onChange);
  const filters = useFilterNames();
  const [isMatching, setMatching] = useState(filters !== '');
  const identity = useIdentity();
  const image = useLogoImage(choices.logo);
  const subscription = useSubscribeChoice(choices);
  const { foot } = subscription;
  const layouts = useLayouts();
  const [daysOff, hasDaysOff] = [useDaysOff(), useHasDaysOff()];
  const { team } = useTeamChoice();
  const ofClub = identity?.name || t('listTitle');
  const defaultTitle = team === null ? ofClub : `${ofClub}, ${team.name}`;
  const title = choices.title ?? defaultTitle;
  const days = daysOf(period, today);
  const isTooLong = layout === 'month' && monthsOf(days).length > maxMonths;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions depend on the language only
  const sheet = useMemo(() => {
    const all = isMatching ? snapshot.matching : snapshot.all;
    const events = chosenEvents(clock, all, choices, days);
    const legend = severalTypes(events);
    const frame: Frame = {
      kind: layout,
      paper: choices.paper,
      title,
      logo: image,
      legend,
      stamp: t('shell:asOf', { when: formats.at('day', snapshot.asOf) }),
      foot,
    };
    const content = { choices, days, events, legend };
    return { frame, layOut: layouts[layout](content, frame) };
  }, [
    snapshot,
    isMatching,
    choices,
    layout,
    days.first,
    days.last,
    title,
    image,
    foot,
    formats,
    daysOff,
  ]);

  const props = { choices, onChange };
  const form = (
    <>
      <TitleField
        title={title}
        onTitle={(text) => onChange({ title: text === defaultTitle ? null : text })}
      />
      <ChosenLogo {...props} image={image} />
      <LayoutOptions
        layout={layout}
        onLayout={(next) => {
          onChange({ layout: next });
          adjustRoute({ sheet: next });
        }}
      />
      <PeriodFields period={period} onPeriod={onPeriod} />
      <IncludeOptions
        {...props}
        options={[
          'places',
          'cancelled',
          layout === 'month' ? 'monthNotes' : 'notes',
          'drafts',
          ...(hasDaysOff ? (['daysOff'] as const) : []),
        ]}
      >
        {filters !== '' && (
          <Checkbox
            label={t('print:onlyMatching', { filters })}
            checked={isMatching}
            onChange={({ currentTarget }) => setMatching(currentTarget.checked)}
          />
        )}
      </IncludeOptions>
      <TypeOptions {...props} />
      <SubscribeField choice={subscription} onChange={onChange} />
      <PaperOptions {...props} />
    </>
  );
  if (isTooLong) {
    return <StudioMessage text={t('print:tooManyMonths', { count: maxMonths })} form={form} />;
  }
  // Without the identity, the title would change a moment later.
  const isWaiting = [identity, image, foot].includes(undefined);
  return (
    <Studio frame={sheet.frame} layOut={isWaiting ? undefined : sheet.layOut}>
      {form}
    </Studio>
  );
}

/** The list or the month sheets of the club's events, once all of them have been read. */
export function SheetOfEvents({ sheet }: { readonly sheet: Layout }) {
  const { t } = useTranslation('shell');
  const { account, club, searchError } = useVisibleEvents();
  const [{ layout }] = useChoices(account);
  const snapshot = useSnapshot();
  if (snapshot !== undefined) {
    // The address names a month sheet; otherwise the last layout of the club counts.
    return <EventsStudio snapshot={snapshot} layout={sheet === 'month' ? sheet : layout} />;
  }
  const error = searchError ?? club.error;
  return (
    <StudioMessage text={t(error === null ? 'reading' : 'failedEmpty')}>
      {error && <Button onClick={club.readAgain}>{t('again')}</Button>}
    </StudioMessage>
  );
}
