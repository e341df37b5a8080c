import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, seasonName, weekStartOf } from '../../../dates/days.ts';
import type { SeasonGroup, SeasonRow } from '../../../event/season.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useClock } from '../../base/days.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { IconCheck, IconChevronDown } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { ErrorNotice } from '../parts/parts.tsx';
import { closeForm, FormFrame } from './form-frame.tsx';
import type { NextSeasonState } from './season-state.ts';

type SeasonProps = { readonly season: NextSeasonState };

/** A choice among seasons. */
function SeasonSelect(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}) {
  const { label, value, options, onChoose } = props;
  const id = useId();
  return (
    <div className="stack tight event-field">
      <label htmlFor={id}>{label}</label>
      <span className="event-select">
        <select
          id={id}
          className="field figures event-input"
          value={value}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
        <IconChevronDown size={16} aria-hidden />
      </span>
    </div>
  );
}

/** The greatest number of years between two seasons. */
const maxYears = 2;

/** The two seasons, and what becomes of the first event. */
function SeasonFields({ season: state }: SeasonProps) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const { season, seasons, seasonIn, stored, rows, choose } = state;
  if (season === undefined) return null;
  const targets = Array.from({ length: maxYears }, (_, at) => at + 1).flatMap((years) => {
    const target = seasonIn(years);
    return target === undefined ? [] : [[String(years), seasonName(target)] as const];
  });
  const [example] = rows;
  return (
    <>
      <div className="halves">
        <SeasonSelect
          label={t('from')}
          value={season.first}
          options={seasons.map((one) => [one.first, seasonName(one)])}
          onChoose={(from: Day) => choose({ from })}
        />
        <SeasonSelect
          label={t('to')}
          value={String(stored.years)}
          options={targets}
          onChoose={(years) => choose({ years: Number(years) })}
        />
      </div>
      <p className="small quiet">
        <span role="status">
          {example &&
            t('becomes', {
              old: formats.at('weekdayAndDay', example.event.date),
              now: formats.at('weekdayAndDay', example.date),
            })}
        </span>{' '}
        <LinkButton onClick={() => choose({ isWeekLater: !stored.isWeekLater })}>
          {t(stored.isWeekLater ? 'weekEarlier' : 'weekLater')}
        </LinkButton>
      </p>
    </>
  );
}

/** Maximum number of weekdays in the words for a group. */
const maxWeekdays = 3;

/** Number of names that stand for a group. */
const maxNames = 2;

/** Returns a function that words what is in a group, such as "Tue and Thu, 18:30". */
function useGroupWords() {
  const { t, i18n } = useTranslation('season');
  const clock = useClock();
  const formats = useFormats();
  const start = weekStartOf(regionalTag(i18n.language));
  return ({ kind }: SeasonGroup, rows: readonly SeasonRow[]): string => {
    if (kind === 'fixture') return t('fixturesHelp');
    const names = [...new Set(rows.map(({ event }) => event.name))];
    if (names.length > 1 || kind !== 'name') {
      const listed = names.slice(0, maxNames).join(', ');
      return names.length > maxNames ? `${listed} …` : listed;
    }
    const days = new Set(rows.map(({ event }) => new Date(clock.wallOf(event.date)).getUTCDay()));
    const times = [...new Set(rows.map(({ event }) => formats.time(event.date)))];
    const [time = ''] = times.length === 1 ? times : [];
    // 4 January 1970 was a Sunday.
    const weekdays = Array.from({ length: 7 }, (_, at) => (start + at) % 7)
      .filter((day) => days.has(day))
      .map((day) => formats.on('weekday', addDays('1970-01-04', day)));
    if (weekdays.length > maxWeekdays) return time;
    const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(weekdays);
    return time === '' ? list : t('timesAt', { days: list, time });
  };
}

/** Moves the focus among the boxes of a list with the arrows. */
function onArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const boxes = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('input'));
  const at = boxes.indexOf(event.target as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  boxes[at + step]?.focus();
}

/** The groups of last season's events, each with its box. */
function Groups({ season: state }: SeasonProps) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const words = useGroupWords();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const { plan, take } = state;
  const isThere = plan !== undefined;
  useLayoutEffect(() => {
    if (isThere) list.current?.querySelector('input')?.focus();
  }, [isThere]);
  if (plan === undefined) return null;
  const byGroup = Map.groupBy(plan.rows, ({ group }) => group);
  const nameOf = ({ kind, name }: SeasonGroup) => {
    if (kind === 'name') return name;
    return t(kind === 'fixture' ? 'fixtures' : kind);
  };
  return (
    <fieldset className="event-field">
      <legend>{t('take')}</legend>
      <ul ref={list} className="ruled season-take" onKeyDown={onArrows}>
        {plan.groups.map((group, at) => (
          <li key={group.key}>
            <input
              type="checkbox"
              id={`${id}${at}`}
              checked={group.isTaken}
              data-autofocus={at === 0 || undefined}
              aria-describedby={`${id}${at}-count`}
              onChange={({ currentTarget }) => take(group.key, currentTarget.checked)}
            />
            <label htmlFor={`${id}${at}`}>
              <span className="strong" dir="auto">
                {nameOf(group)}
              </span>{' '}
              <span className="small quiet">{words(group, byGroup.get(group.key) ?? [])}</span>
            </label>
            <span id={`${id}${at}-count`} className="small figures">
              {formats.number(group.count)}
            </span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Number of days off that the form shows; the list has all. */
const maxDaysOff = 12;

/** The events on days off, by holiday; each can be put back. */
function DaysOff({ season: state }: SeasonProps) {
  const { t } = useTranslation(['season', 'repetition']);
  const clock = useClock();
  const formats = useFormats();
  const { rows, leaveOut, putBack } = state;
  const off = rows.filter(({ dayOff }) => dayOff !== undefined);
  if (off.length === 0) return null;
  const counted = (count: number) => ({ count, shown: formats.number(count) });
  const left = off.filter(({ reason }) => reason === 'day off').length;
  const more = off.length - maxDaysOff;
  const holidays = Map.groupBy(off.slice(0, maxDaysOff), ({ dayOff }) => dayOff);
  return (
    <section className="small event-off" aria-labelledby="season-off">
      <header>
        <h3 id="season-off">{t('repetition:notOnDaysOff')}</h3>
        <span>{t('season:off', counted(left))}</span>
      </header>
      <dl>
        {[...holidays].map(([holiday, events]) => (
          <div key={holiday}>
            <dt dir="auto">{holiday}</dt>
            <dd className="flow tight">
              {events.map(({ event, date, reason }) => {
                const isBack = reason !== 'day off';
                return (
                  <button
                    key={event.id}
                    type="button"
                    className="inline quiet event-out"
                    aria-label={`${formats.on('weekdayAndDay', clock.dayOf(date))}, ${event.name}`}
                    aria-pressed={isBack}
                    onClick={() => (isBack ? leaveOut(event.id, true) : putBack(event.id, true))}
                  >
                    {isBack && <IconCheck size={14} stroke={3} aria-hidden />}
                    {formats.at('shortDayInYear', date)}
                  </button>
                );
              })}
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 && <p className="season-more">{t('season:moreOff', counted(more))}</p>}
    </section>
  );
}

/** The next steps of a club without events. */
function NoSeason() {
  const { t } = useTranslation('season');
  return (
    <div className="stack event-form-body" role="status">
      <p className="strong">{t('empty')}</p>
      <p>{t('emptyNext')}</p>
      <div className="flow">
        <Button variant="default" onClick={() => goTo({ form: null, manage: 'import' })}>
          {t('import')}
        </Button>
        <Button variant="default" onClick={() => goTo({ form: 'new', formDay: null })}>
          {t('write')}
        </Button>
      </div>
    </div>
  );
}

/** The form of the next season, in the column beside its events. */
export function SeasonForm(props: SeasonProps & { readonly children: ReactNode }) {
  const { season: state, children } = props;
  const { t } = useTranslation('season');
  const formats = useFormats();
  const { season, isReading, added, open, adding } = state;
  const counted = (count: number) => ({ count, shown: formats.number(count) });
  if (season === undefined && !isReading) {
    return (
      <FormFrame title={t('name')}>
        <NoSeason />
      </FormFrame>
    );
  }
  return (
    <FormFrame title={t('name')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (added > 0) void adding.run();
        }}
      >
        <div className="stack loose event-form-body">
          <SeasonFields season={state} />
          <Groups season={state} />
          <DaysOff season={state} />
          {children}
        </div>
        <div className="cluster event-form-foot">
          <ErrorNotice error={adding.error} />
          {open > 0 && (
            <p className="small season-open" role="status">
              {t('open', counted(open))}
            </p>
          )}
          <Button type="submit" disabled={added === 0} aria-busy={adding.isRunning || undefined}>
            {added === 0 ? t('addNone') : t('add', counted(added))}
          </Button>
          <Button variant="default" onClick={closeForm}>
            {t('close')}
          </Button>
          <p className="small quiet season-note">{t('oneUndo')}</p>
        </div>
      </form>
    </FormFrame>
  );
}
