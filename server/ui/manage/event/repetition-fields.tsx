import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, isDay, noonOf, partsOf, weekStartOf } from '../../../dates/days.ts';
import type { Rule } from '../../../dates/repetition.ts';
import type { DaysOff } from '../../base/days-off.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { IconCheck, IconChevronDown } from '../../base/icons.ts';
import { type FormFields, LabelledField } from './fields.tsx';
import { ruleOf, type Series, withToggled } from './series.ts';

/** Returns a function that words a rule, such as "Every 2nd Tuesday of the month". */
function useRuleWords(): (rule: Rule, first: Day) => string {
  const { t, i18n } = useTranslation('repetition');
  const formats = useFormats();
  return ({ unit, interval, weekdays, nth, monthDay, weeks }, first) => {
    const values = { count: interval, shown: formats.number(interval) };
    const chosen = weekdays.length > 0 ? weekdays : [noonOf(first).getUTCDay()];
    // 4 January 1970 was a Sunday.
    const names = chosen.map((day) => formats.on('longWeekday', addDays('1970-01-04', day)));
    const days = new Intl.ListFormat(i18n.language).format(names);
    const { date } = partsOf(first);
    if (unit === 'day') return t('day', values);
    if (weeks !== undefined) return t(`${weeks}Weeks`, { days });
    if (unit === 'week') return t('week', { ...values, days });
    if (nth === undefined && unit === 'month')
      return t('monthDay', { ...values, date: monthDay ?? date });
    if (nth === undefined)
      return t('year', { ...values, date: formats.on('longDayInYear', first) });
    const ordinal = t(nth === -1 ? 'last' : (`nth${nth as 1 | 2 | 3 | 4 | 5}` as const));
    return t('monthNth', { ...values, nth: ordinal, days });
  };
}

/** Returns a function that words a repetition: the rule, and the real last date. */
export function useSeriesWords(): (series: Series, time: string) => string {
  const { t } = useTranslation('repetition');
  const formats = useFormats();
  const words = useRuleWords();
  return ({ rule, days }, time) => {
    const [first = '', last = first] = [days[0], days.at(-1)];
    const rules = [words(rule, first), time].filter(Boolean).join(', ');
    return t('until', { rule: rules, day: formats.on('longDay', last) });
  };
}

/** Returns the choices of the form: with the first date as the day of the month. */
function choicesOf(first: Day, chosen: string): readonly string[] {
  const { date, year, month } = partsOf(first);
  const isLast = partsOf(addDays(first, 7)).month !== month;
  const choices = ['day', 'week', 'week/2', 'month/1/nth', 'month/1/last', 'month/1/day', 'year'];
  const fitting = choices.filter(
    (choice) => (choice !== 'month/1/last' || isLast) && (choice !== 'month/1/nth' || date <= 28),
  );
  return year > 0 && chosen !== '' && !fitting.includes(chosen) ? [...fitting, chosen] : fitting;
}

/** The days of a week as toggles. */
function Weekdays({ form, first }: { readonly form: FormFields; readonly first: Day }) {
  const { t, i18n } = useTranslation('eventForm');
  const formats = useFormats();
  const start = weekStartOf(regionalTag(i18n.language));
  const { weekdays } = ruleOf(form.stored, first);
  const chosen = new Set(weekdays.length > 0 ? weekdays : [noonOf(first).getUTCDay()]);
  const toggle = (day: number) => {
    const next = new Set(chosen);
    if (!next.delete(day)) next.add(day);
    // The last day cannot be taken away.
    if (next.size > 0) form.change({ weekdays: [...next].toSorted().join(',') });
  };
  return (
    <fieldset className="stack tight event-field">
      <legend className="only-spoken">{t('weekdays')}</legend>
      <div className="event-weekdays">
        {Array.from({ length: 7 }, (_, at) => (start + at) % 7).map((day) => (
          <button
            key={day}
            type="button"
            className="chip"
            aria-pressed={chosen.has(day)}
            onClick={() => toggle(day)}
          >
            {formats.on('weekday', addDays('1970-01-04', day))}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

type DatesProps = {
  readonly form: Pick<FormFields, 'stored' | 'change'>;
  readonly series: Series;
  readonly daysOff: DaysOff;
};

/** The dates on days off, by holiday, and those that were left out by hand; each can be put back. */
function DatesOff({ form, series, daysOff }: DatesProps) {
  const { t } = useTranslation('repetition');
  const formats = useFormats();
  const added = new Set(series.days);
  const holidays = daysOff.among(series.possible);
  const off = new Set(holidays.flatMap(({ days }) => days));
  const byHand = series.possible.filter((day) => !added.has(day) && !off.has(day));
  if (holidays.length === 0) return null;
  const rows = [...holidays, ...(byHand.length > 0 ? [{ name: t('byHand'), days: byHand }] : [])];
  return (
    <section className="small event-off" aria-labelledby="event-off">
      <header>
        <h3 id="event-off">{t('notOnDaysOff')}</h3>
        <span>{t('putBackHint')}</span>
      </header>
      <dl>
        {rows.map(({ name, days }) => (
          <div key={`${name} ${days[0]}`}>
            <dt dir="auto">{name}</dt>
            <dd className="flow tight">
              {days.map((day) => (
                <button
                  key={day}
                  type="button"
                  className="inline quiet event-out"
                  aria-label={formats.on('weekdayAndDay', day)}
                  aria-pressed={added.has(day)}
                  onClick={() => form.change({ except: withToggled(form.stored, day) })}
                >
                  {added.has(day) && <IconCheck size={14} stroke={3} aria-hidden />}
                  {formats.on('shortDayInYear', day)}
                </button>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** All dates of a repetition, each of which can be left out or put back. */
function Dates({ form, series, daysOff }: DatesProps) {
  const { t } = useTranslation('repetition');
  const formats = useFormats();
  const added = new Set(series.days);
  const left = series.possible.filter((day) => !added.has(day));
  const off = left.filter((day) => daysOff.namesOn(day).length > 0).length;
  const byHand = left.length - off;
  const counted = (count: number) => ({ count, shown: formats.number(count) });
  const counts = [
    t('count', counted(series.days.length)),
    off > 0 && t('offCount', counted(off)),
    byHand > 0 && t('leftOut', counted(byHand)),
    series.isCut && t('isCut'),
  ];
  return (
    <details className="small event-dates">
      <summary>
        <span role="status">{counts.filter(Boolean).join(' ')}</span> {t('seeAll')}
      </summary>
      <div className="flow close event-chips">
        {series.possible.map((day) => (
          <button
            key={day}
            type="button"
            className="chip"
            aria-pressed={added.has(day)}
            title={daysOff.namesOn(day).join(', ') || undefined}
            onClick={() => form.change({ except: withToggled(form.stored, day) })}
          >
            {formats.on('weekdayAndDay', day)}
          </button>
        ))}
      </div>
    </details>
  );
}

/** The dates of a repetition, and those that fall on days off. */
export function SeriesDates(props: DatesProps) {
  return (
    <div className="stack loose event-repetition">
      <DatesOff {...props} />
      <Dates {...props} />
    </div>
  );
}

/** The fields of a repetition: shut until the line or the person asks for them. */
export function RepetitionFields({
  form,
  series,
  daysOff,
}: {
  readonly form: FormFields;
  /** The dates; undefined while something is missing. */
  readonly series: Series | undefined;
  /** Days that are left out at first. */
  readonly daysOff: DaysOff;
}) {
  const { t } = useTranslation('eventForm');
  const words = useRuleWords();
  const formats = useFormats();
  const [typed, setTyped] = useState<string | undefined>();
  const { date, repeats, until } = form.stored;
  if (!isDay(date)) return null;
  if (repeats === '') {
    return (
      <Button
        className="alone event-repeat"
        variant="default"
        size="compact-md"
        onClick={() => form.change({ repeats: 'week' })}
      >
        {t('repeat')}
      </Button>
    );
  }
  const shownUntil = isDay(until) ? formats.on('weekdayAndDay', until) : until;
  return (
    <div className="stack loose event-repetition">
      <LabelledField form={form} field="repeats">
        {(props) => (
          <span className="event-select">
            <select
              {...props}
              className="field figures event-input"
              value={repeats}
              onChange={({ currentTarget }) =>
                form.change({ repeats: currentTarget.value, weekdays: '' })
              }
            >
              <option value="">{t('never')}</option>
              {choicesOf(date, repeats).map((choice) => {
                const weekdays = choice === repeats ? form.stored.weekdays : '';
                const rule = ruleOf({ repeats: choice, weekdays }, date);
                return (
                  <option key={choice} value={choice}>
                    {words(rule, date)}
                  </option>
                );
              })}
            </select>
            <IconChevronDown size={16} aria-hidden />
          </span>
        )}
      </LabelledField>
      {repeats.startsWith('week') && <Weekdays form={form} first={date} />}
      <LabelledField form={form} field="until">
        {(props) => (
          <input
            {...props}
            className="field figures event-input"
            autoComplete="off"
            placeholder={t('untilExample')}
            value={typed ?? shownUntil}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              form.change({ until: currentTarget.value });
            }}
            onBlur={() => {
              setTyped(undefined);
              form.leave('until');
            }}
          />
        )}
      </LabelledField>
      {series !== undefined && <SeriesDates form={form} series={series} daysOff={daysOff} />}
    </div>
  );
}
