import { Button, Radio } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { seasonOf } from '../../../dates/days.ts';
import { DayField } from '../../base/day-field.tsx';
import { useToday } from '../../base/days.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { IconAlertTriangle } from '../../base/icons.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import type { PublishedFile } from '../../data/subscriptions.ts';
import { useActionQuery } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';

type Since = PublishedFile['since'];
type Measured = ActionResult<'publish measure'>['periods'][number];

/** The first days to choose from, those of the smallest files first. */
function usePeriods() {
  const { t } = useTranslation('published');
  const today = useToday();
  const { seasonStart } = useClubSettings();
  const { first } = seasonOf(today, seasonStart);
  return [
    { since: today, label: t('sinceToday') },
    ...(first === today ? [] : [{ since: first, label: t('sinceThisSeason') }]),
    { since: 'season', label: t('sinceSeason') },
    { since: 'all', label: t('sinceAll') },
  ];
}

/** The choice of events, as far as the size of the file depends on it. */
type Choice = Pick<PublishedFile, 'format' | 'search' | 'types' | 'drafts' | 'since'> & {
  readonly team: string;
};

/** Time without typing after which files are measured, in milliseconds. */
const pauseMs = 400;

/** Returns the sizes of the file for each of the periods; the last ones while they are measured again. */
function useSizes(choice: Choice, periods: readonly Since[]): ReadonlyMap<Since, Measured> {
  const { i18n } = useTranslation();
  const { club } = useDesktop();
  const { format, types, drafts, team } = choice;
  const [search] = useDebouncedValue(choice.search, pauseMs);
  const language = regionalTag(i18n.language);
  const { data } = useActionQuery(
    'publish measure',
    {
      user: club.name,
      ...{ format, language, search, types: [...types], drafts, team },
      periods: [...periods],
    },
    { keepsPrevious: true },
  );
  return new Map(data?.periods.map((measured) => [measured.since, measured]));
}

/** A sentence about a file that some calendars do not read to its end, and the way to a smaller one. */
function TooLarge(props: {
  readonly measured: Measured;
  readonly smaller: { readonly label: string; readonly measured: Measured } | undefined;
  readonly onChange: (since: Since) => void;
}) {
  const { measured, smaller, onChange } = props;
  const { t } = useTranslation('published');
  const { number, size } = useFormats();
  return (
    <div role="status" className="stack even published-trouble">
      <p className="published-line">
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        <span>
          {t('tooLarge', { size: size(measured.bytes), events: number(measured.events) })}
        </span>
      </p>
      {smaller !== undefined && (
        <div className="cluster published-buttons">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onChange(smaller.measured.since)}
          >
            {t('shorter', { since: smaller.label, size: size(smaller.measured.bytes) })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The choice of the first day, each with the number of events and the size of the file. */
export function PeriodField(props: {
  readonly choice: Choice;
  readonly onChange: (since: Since) => void;
}) {
  const { choice, onChange } = props;
  const { since } = choice;
  const { t } = useTranslation(['published', 'event']);
  const { number, size } = useFormats();
  const periods = usePeriods();
  const isOther = !periods.some((period) => period.since === since);
  // A person who chooses a day may choose one that has a name of its own.
  const [wantsDay, setWantsDay] = useState(false);
  const isDay = isOther || wantsDay;
  const today = useToday();
  const choose = (day: Since) => {
    setWantsDay(false);
    onChange(day);
  };
  const sizes = useSizes(choice, [...new Set([...periods.map((period) => period.since), since])]);
  const sizeOf = (day: Since) => {
    const measured = sizes.get(day);
    if (measured === undefined) return '';
    const { events, bytes } = measured;
    const count = t('event:number', { count: events, shown: number(events) });
    return `${count}, ${size(bytes)}`;
  };
  const present = sizes.get(since);
  const smaller = periods
    .flatMap(({ since: day, label }) => {
      const measured = sizes.get(day);
      const isSmaller = measured && present && measured.bytes < present.bytes;
      return isSmaller ? [{ label, measured }] : [];
    })
    // Of two with the same events, the one that begins earlier.
    .toReversed()
    .toSorted((one, other) => other.measured.bytes - one.measured.bytes);
  // The next smaller one that calendars read to its end; otherwise the smallest.
  const next = smaller.find(({ measured }) => !measured.isLarge) ?? smaller.at(-1);
  return (
    <>
      <Radio.Group
        label={t('sinceTitle')}
        description={since === 'season' ? t('movesOn') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={isDay ? 'day' : since}
        onChange={(value) => {
          if (value !== 'day') return choose(value);
          setWantsDay(true);
          if (since === 'season' || since === 'all') onChange(today);
        }}
      >
        <div className="published-periods">
          {periods.map(({ since: day, label }) => (
            <div key={label} className="ends">
              <Radio value={day} label={label} />
              <span className="quiet small">{sizeOf(day)}</span>
            </div>
          ))}
          <div className="ends">
            <Radio value="day" label={t('sinceDay')} />
            <span className="quiet small">{isDay && sizeOf(since)}</span>
          </div>
        </div>
        {isDay && (
          <DayField
            name="published-since"
            label={t('firstDay')}
            value={since}
            onDay={(day) => day && onChange(day)}
          />
        )}
      </Radio.Group>
      {present?.isLarge && <TooLarge measured={present} smaller={next} onChange={choose} />}
    </>
  );
}
