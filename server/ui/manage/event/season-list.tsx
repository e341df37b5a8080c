import { CloseButton } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { monthOf, seasonName } from '../../../dates/days.ts';
import type { SeasonRow } from '../../../event/season.ts';
import { listSteps } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useClock } from '../../base/days.ts';
import { useEventTimes, useShortEnd } from '../../base/event-words.ts';
import { useF6Stop } from '../../base/f6.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { IconAlertTriangle, IconArrowRight } from '../../base/icons.ts';
import { goTo, useCurrent, useRoute } from '../../base/navigation.ts';
import { Segments } from '../../base/segments.tsx';
import { TypeName, typeClass } from '../../base/type-mark.tsx';
import type { NextSeasonState } from './season-state.ts';

type RowActions = Pick<NextSeasonState, 'leaveOut' | 'putBack' | 'keepBoth'>;

type RowProps = {
  readonly row: SeasonRow;
  readonly actions: RowActions;
  /** True for the button to which Tab leads; arrows reach the others. */
  readonly isTabStop: boolean;
};

/** The button of a row: it leaves the event out, or puts it back. One that is here has none. */
function RowButton({ row, actions, isTabStop }: RowProps) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const { event, date, reason, dayOff } = row;
  if (reason === 'here') return null;
  const named = { name: event.name, day: formats.at('weekdayAndDay', date) };
  const shared = {
    className: 'agenda-drop',
    tabIndex: isTabStop ? 0 : -1,
    'data-row-button': event.id,
    'aria-keyshortcuts': 'x',
  } as const;
  if (reason === 'day off' || reason === 'out') {
    return (
      <LinkButton
        {...shared}
        aria-label={t('putBackNamed', named)}
        onClick={() => actions.putBack(event.id, reason === 'day off')}
      >
        {t('putBack')}
      </LinkButton>
    );
  }
  return (
    <CloseButton
      {...shared}
      aria-label={t('leaveOut', named)}
      onClick={() => actions.leaveOut(event.id, dayOff !== undefined)}
    />
  );
}

/** A clash with its two answers; without one, the new event is left out. */
function Clash({ row, actions }: Pick<RowProps, 'row' | 'actions'>) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const times = useEventTimes('weekdayAndDay');
  const name = useId();
  const { event, date, reason, clash } = row;
  if (clash === undefined) return null;
  const hours = times.clock(clash);
  const other = hours ? `${clash.name} (${hours})` : clash.name;
  const day = formats.at('weekdayAndDay', date);
  const answers = [
    ['both', reason === undefined, () => actions.keepBoth(event.id)],
    ['leave', reason === 'out', () => actions.leaveOut(event.id, false)],
  ] as const;
  return (
    <div className="small season-clash">
      <p>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />{' '}
        <strong>{t('twice', { place: event.location })}</strong>{' '}
        {t(clash.isNew ? 'clashNew' : 'clashHere', { event: other })}
      </p>
      <fieldset className="yes-no">
        <legend className="only-spoken">{t('answer', { name: event.name, day })}</legend>
        {answers.map(([answer, isChosen, choose]) => (
          <label key={answer} className="choice" data-accept={answer === 'both' || undefined}>
            <input type="radio" name={name} checked={isChosen} onChange={choose} />
            <span>{t(answer)}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** Returns a function that words why an event is left out; empty for one that comes again. */
function useReasonWords(): (row: SeasonRow) => string {
  const { t } = useTranslation('season');
  return ({ reason, dayOff, isBesideCancelled }) => {
    if (reason === 'here') return t('here');
    if (reason === 'day off') return t('notIn', { holiday: dayOff });
    if (reason === 'out') return t('leftOut');
    return isBesideCancelled ? t('besideCancelled') : '';
  };
}

/** An event on its new date, with the old one. */
function AgendaRow({ row, actions, isTabStop }: RowProps) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const words = useReasonWords();
  const { event, date, description, reason, dayOff, clash } = row;
  const end = useShortEnd()({ date, description });
  const time = formats.time(date);
  const was = formats.at('weekdayAndDay', event.date);
  const why = words(row);
  const isOut = reason !== undefined && reason !== 'clash';
  const spoken = [formats.at('longDay', date), time, t('was', { day: was }), why];
  return (
    <li>
      <div
        className={`agenda-event agenda-draft season-row ${typeClass(event.eventType)}`}
        data-left-out={isOut || undefined}
        data-off={dayOff !== undefined || undefined}
        data-clash={reason === 'clash' || undefined}
      >
        <span className="agenda-day" aria-hidden>
          <span>{formats.at('weekday', date)}</span>
          <b data-range={end?.days ? true : undefined}>{end?.days || formats.at('date', date)}</b>
        </span>
        <span className="agenda-time" aria-hidden>
          {time}
          {end && <small>– {end.to}</small>}
        </span>
        <span className="agenda-what">
          <span className="cut agenda-name">
            <strong dir="auto">{event.name}</strong>
            <span className="only-spoken">
              – {spoken.filter((part) => part !== '').join(', ')}{' '}
            </span>
          </span>
          <span className="cut small quiet agenda-place" dir="auto">
            <span className="agenda-short-time" aria-hidden>
              {[time, event.location].filter((part) => part !== '').join(' · ')}
            </span>
            <span className="season-place">{event.location}</span>
          </span>
          <span className="small season-was-narrow" aria-hidden>
            {why || t('was', { day: was })}
          </span>
        </span>
        <span className="agenda-badges" aria-hidden>
          {why !== '' && (
            <span
              className={`badge ${dayOff !== undefined && isOut ? 'mark-off' : 'badge-plain'}`}
              dir="auto"
            >
              {why}
            </span>
          )}
          {!isOut && (
            <span className="small inline season-was">
              {was}
              <IconArrowRight size={16} stroke={1.75} />
            </span>
          )}
        </span>
        <span className="agenda-type">
          {event.eventType && <TypeName type={event.eventType} />}
        </span>
        <RowButton row={row} actions={actions} isTabStop={isTabStop} />
      </div>
      {clash && <Clash row={row} actions={actions} />}
    </li>
  );
}

/** The events by month. */
function AsAgenda({ rows, actions, tabStop }: ListProps) {
  const { t } = useTranslation('agenda');
  const clock = useClock();
  const formats = useFormats();
  const months = Map.groupBy(rows, ({ date }) => monthOf(clock.dayOf(date)));
  return [...months].map(([month, events]) => {
    const count = events.filter(({ reason }) => reason === undefined).length;
    return (
      <section key={month} aria-labelledby={`season-${month}`}>
        <div className="row wide agenda-month">
          <h2 id={`season-${month}`}>{capitalize(formats.on('month', month))}</h2>
          <span>{t('notAddedYet', { count, shown: formats.number(count) })}</span>
        </div>
        <ol className="season-rows">
          {events.map((row) => (
            <AgendaRow
              key={row.event.id}
              row={row}
              actions={actions}
              isTabStop={row.event.id === tabStop}
            />
          ))}
        </ol>
      </section>
    );
  });
}

/** The old and the new dates beside each other. */
function SideBySide({ rows, actions, tabStop, names }: ListProps) {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const words = useReasonWords();
  const moment = (date: string) =>
    [formats.at('weekdayInYear', date), formats.time(date)].filter(Boolean).join(', ');
  return (
    <div className="boxed season-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{names.from}</th>
            <th scope="col">{names.to}</th>
            <th scope="col">{t('event')}</th>
            <th scope="col">
              <span className="only-spoken">{t('answerColumn')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { event, date, reason, dayOff } = row;
            const isOut = reason !== undefined && reason !== 'clash';
            const why = words(row);
            return (
              <tr
                key={event.id}
                data-left-out={isOut || undefined}
                data-off={(isOut && dayOff !== undefined) || undefined}
                data-clash={reason === 'clash' || undefined}
              >
                <td className="figures">{moment(event.date)}</td>
                <td className="figures">
                  <IconArrowRight size={16} stroke={1.75} aria-hidden />{' '}
                  {isOut ? <s>{moment(date)}</s> : <strong>{moment(date)}</strong>}
                </td>
                <th scope="row">
                  <span dir="auto">{event.name}</span>{' '}
                  <span className="small quiet" dir="auto">
                    {why || event.location}
                  </span>
                  <Clash row={row} actions={actions} />
                </th>
                <td>
                  <RowButton row={row} actions={actions} isTabStop={event.id === tabStop} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type ListProps = {
  readonly rows: readonly SeasonRow[];
  readonly actions: RowActions;
  /** The id of the event with the button to which Tab leads. */
  readonly tabStop: number | undefined;
  /** The names of both seasons. */
  readonly names: { readonly from: string; readonly to: string };
};

const filters = ['all', 'clashes', 'daysOff'] as const;
type Filter = (typeof filters)[number];

const passes: Readonly<Record<Filter, (row: SeasonRow) => boolean>> = {
  all: () => true,
  clashes: ({ clash }) => clash !== undefined,
  daysOff: ({ dayOff }) => dayOff !== undefined,
};

/** Moves the focus among the buttons of the rows; x presses one, which stays focused. */
function onRowKeys(event: KeyboardEvent<HTMLElement>, onFocus: (id: number) => void): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { currentTarget: list, target } = event;
  const buttons = Array.from(list.querySelectorAll<HTMLElement>('[data-row-button]'));
  const at = buttons.indexOf(target as HTMLElement);
  if (at === -1) return;
  const to = listSteps[event.key]?.(at, buttons.length, 10);
  if (to !== undefined) {
    buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
  } else if (event.key === 'x') {
    const id = Number(buttons[at]?.dataset['rowButton']);
    buttons[at]?.click();
    onFocus(id);
  } else return;
  event.preventDefault();
}

/** The result of the form: the events on their new dates, with what a person decides of each. */
export function SeasonList({ season: state }: { readonly season: NextSeasonState }): ReactNode {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const list = useRef<HTMLDivElement>(null);
  useF6Stop(list);
  const [filter, setFilter] = useState<Filter>('all');
  const isTable = useRoute().view === 'table';
  const isTableChosen = useCurrent('view') === 'table';
  const [focused, setFocused] = useState<number | undefined>();
  const { rows, season, seasonIn, stored, clashes, daysOff, leaveOut, putBack, keepBoth } = state;
  const counts = { all: rows.length, clashes, daysOff };
  // The last clash may have gone with another choice.
  const chosen = counts[filter] === 0 ? 'all' : filter;
  const shown = rows.filter(passes[chosen]);
  const withButton = shown.filter(({ reason }) => reason !== 'here');
  const stop = withButton.find(({ event }) => event.id === focused) ?? withButton[0];
  const target = seasonIn(stored.years);
  const focusRow = (id: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-row-button="${id}"]`)?.focus(),
    );
  const props: ListProps = {
    rows: shown,
    actions: { leaveOut, putBack, keepBoth },
    tabStop: stop?.event.id,
    names: { from: season ? seasonName(season) : '', to: target ? seasonName(target) : '' },
  };
  return (
    <>
      <div className="ends season-filters">
        <fieldset className="cluster">
          <legend className="only-spoken">{t('show')}</legend>
          {filters
            .filter((name) => name === 'all' || counts[name] > 0)
            .map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={name === chosen}
                data-chosen={name === chosen || undefined}
                onClick={() => setFilter(name)}
              >
                {t(name)} <b className="figures">{formats.number(counts[name])}</b>
              </button>
            ))}
        </fieldset>
        <Segments
          className="season-views"
          label={t('how')}
          value={isTableChosen ? 'table' : 'agenda'}
          options={[
            ['agenda', t('asAgenda')],
            ['table', t('sideBySide')],
          ]}
          onChange={(view) => goTo({ view })}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its buttons */}
      <div
        ref={list}
        className="season-list"
        onKeyDown={(event) => onRowKeys(event, focusRow)}
        onFocus={({ target: { dataset } }: { target: HTMLElement }) => {
          const id = dataset['rowButton'];
          if (id !== undefined) setFocused(Number(id));
        }}
        onClick={({ target: clicked }) => {
          // Another button takes the place of the one that was pressed.
          const id = (clicked as HTMLElement).closest<HTMLElement>('[data-row-button]')?.dataset;
          if (id?.['rowButton'] !== undefined) focusRow(Number(id['rowButton']));
        }}
      >
        {shown.length === 0 && !state.isReading && <p className="quiet">{t('none')}</p>}
        {isTable ? <SideBySide {...props} /> : <AsAgenda {...props} />}
      </div>
    </>
  );
}
