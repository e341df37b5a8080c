import './season-plan.css';
import { Button, Radio } from '@mantine/core';
import { type CSSProperties, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, daysBetween, monthOf } from '../../../dates/days.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { IconCheck, IconPlus } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import { useClubSettings } from '../../data/club-settings.ts';
import { useDaysOff } from '../../data/days-off.ts';
import {
  type Answer,
  areAlike,
  type Clash,
  changesHere,
  isSameAnswer,
  laterStarts,
  omittedKeys,
  type PlannedEvent,
  planSeason,
  type SeasonPlan,
  sameAnswerFor,
} from '../../data/season-plan.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import type { Decisions, ImportReport, ImportWork } from './choices.ts';
import { keyedRows } from './corrections.ts';
import { useClubImport } from './import-state.ts';
import { useFileDialog } from './step.tsx';

/** The plan of several files, and what the answers to its clashes decide. */
export type PlannedImport = {
  readonly plan: SeasonPlan | undefined;
  readonly decisions: Decisions;
  /** The number of new events that are left out because their clashes have no answer yet. */
  readonly undecided: number;
};

const unplanned: PlannedImport = {
  plan: undefined,
  decisions: { omitted: new Set(), begins: new Map(), changes: [] },
  undecided: 0,
};

/** Returns the plan of a checked import of several files; one file is an import as before. */
export function usePlannedImport(
  report: ImportReport | undefined,
  { files, answers }: ImportWork,
): PlannedImport {
  const daysOff = useDaysOff();
  const today = useToday();
  const { all, clock } = useVisibleEvents();
  const { usualLength } = useClubSettings();
  const plan = useMemo(() => {
    if (report === undefined || files.length < 2) return undefined;
    const rows = keyedRows(report, files);
    const added = rows.flatMap(({ key, file, row }) =>
      row.kind === 'added' ? { ...row, key, file } : [],
    );
    const changed = new Map(
      rows.flatMap(({ row }) => ('changes' in row ? [[row.id, row] as const] : [])),
    );
    const options = { clock, changed, daysOff, usualLength, today };
    return planSeason(added, all?.events ?? [], options);
  }, [report, files, all, daysOff, usualLength, today, clock]);
  return useMemo(() => {
    if (plan === undefined) return unplanned;
    const { clashes } = plan;
    const omitted = omittedKeys(clashes, answers);
    const answered = omittedKeys(
      clashes.filter(({ id }) => answers.has(id)),
      answers,
    );
    const changes = changesHere(clashes, answers).map((answer) => {
      const { id, date } = answer.planned.event;
      if (answer.kind === 'cancel') return { kind: 'cancel' as const, id, date };
      return { kind: 'move' as const, id, date, days: daysBetween(clock.dayOf(date), answer.day) };
    });
    const begins = laterStarts(clashes, answers);
    return {
      plan,
      decisions: { omitted, begins, changes },
      undecided: omitted.size - answered.size,
    };
  }, [plan, answers, clock]);
}

/** The letter of a file, or a tick for what is here already. */
function Source({ file }: { readonly file: number | null }) {
  const { t } = useTranslation('seasonPlan');
  if (file === null) {
    return (
      <span className="plan-source" data-here role="img" aria-label={t('here')}>
        <IconCheck size={14} stroke={2.5} aria-hidden />
      </span>
    );
  }
  return (
    <span className="plan-source" data-second={file % 2 === 1 || undefined}>
      {letterOf(file)}
    </span>
  );
}

const letterOf = (file: number) => String.fromCharCode(65 + (file % 26));

/** The files with their letters and periods, and a button for a further one. */
function Files({ work, report }: { readonly work: ImportWork; readonly report: ImportReport }) {
  const clock = useClock();
  const { t } = useTranslation(['seasonPlan', 'import']);
  const formats = useFormats();
  const { addFiles } = useClubImport();
  const add = useFileDialog(addFiles);
  const periodOf = (file: number) => {
    const dates = (report.files[file]?.rows ?? []).flatMap((row) =>
      row.kind === 'skipped' ? [] : clock.dayOf(row.date),
    );
    const [first, ...later] = dates.toSorted();
    return first && formats.range('month', first, later.at(-1) ?? first);
  };
  return (
    <>
      <ul className="plan-files">
        {work.files.map(({ token, name }, file) => {
          const { added = 0, moved = 0, changed = 0, unchanged = 0 } = report.files[file] ?? {};
          const count = added + moved + changed + unchanged;
          const words = t('fileEvents', { count, shown: formats.number(count) });
          return (
            <li key={token} className="card row loose plan-file">
              <Source file={file} />
              <div>
                <p className="strong plan-file-name" dir="auto">
                  {name}
                </p>
                <p className="small quiet">{[words, periodOf(file)].filter(Boolean).join(', ')}</p>
              </div>
            </li>
          );
        })}
        <li>
          <button
            type="button"
            className="row loose plan-file plan-file-add"
            disabled={add.isRunning}
            onClick={() => void add.run()}
          >
            <IconPlus size={18} stroke={1.75} aria-hidden />
            {t('import:addAnother')}
          </button>
        </li>
      </ul>
      <ErrorNotice error={add.error} />
    </>
  );
}

/** Returns the position of a day in the lanes as a share of their width. */
function shareOf(day: Day, { first, last }: SeasonPlan): number {
  // The last day has room to the right of its start.
  return daysBetween(first, day) / (daysBetween(first, last) + 1);
}

const at = (share: number, to?: number) =>
  ({
    '--at': `${share * 100}%`,
    ...(to !== undefined && { '--to': `${to * 100}%` }),
  }) as CSSProperties;

/** Maximum number of marks in a lane, which is a picture. */
const maxMarks = 400;

/** Number of dates above the lanes, at most. */
const maxTicks = 7;

/** Share of the width from which on a date would not fit above the lanes. */
const maxTickShare = 0.93;

/** Returns the days above the lanes, some whole weeks apart. */
function ticksOf({ first, last }: SeasonPlan): readonly Day[] {
  const weeks = Math.max(1, Math.ceil((daysBetween(first, last) + 1) / 7 / maxTicks));
  const count = Math.floor(daysBetween(first, last) / (7 * weeks)) + 1;
  return Array.from({ length: count }, (_, index) => addDays(first, index * 7 * weeks));
}

/** Distance below which the number of a clash would cover the one before it. */
const minDistance = 0.03;

/** A part of the lanes, with the numbers of its clashes. */
type Flag = { readonly share: number; readonly clashes: readonly number[] };

/** Joins the clashes whose numbers would cover each other. */
function flagsOf(plan: SeasonPlan): readonly Flag[] {
  const flags: { share: number; clashes: number[] }[] = [];
  for (const [index, { day }] of plan.clashes.entries()) {
    const share = shareOf(day, plan);
    const before = flags.at(-1);
    if (before !== undefined && share - before.share < minDistance) before.clashes.push(index);
    else flags.push({ share, clashes: [index] });
  }
  return flags;
}

const rowId = (index: number) => `plan-clash-${index + 1}`;

/** The files under each other with what is here already, day by day, and the numbers of the clashes. */
function Lanes(props: {
  readonly plan: SeasonPlan;
  readonly work: ImportWork;
  readonly onShow: (clash: number) => void;
}) {
  const { plan, work, onShow } = props;
  const clock = useClock();
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const daysOff = useDaysOff();
  const { first, last, events, clashes } = plan;
  const lanes = [...work.files.keys(), null];
  const label = t('lanes', {
    first: formats.on('day', first),
    last: formats.on('day', last),
    clashes: formats.number(clashes.length),
  });
  const spans = daysOff.between(first, last).map((holiday) => ({
    from: holiday.first < first ? first : holiday.first,
    to: addDays(holiday.last > last ? last : holiday.last, 1),
  }));
  return (
    <div className="card plan-lanes">
      <div role="img" aria-label={label}>
        <div className="plan-lane plan-lane-head">
          <span />
          <span className="plan-track">
            {ticksOf(plan)
              .filter((day) => shareOf(day, plan) < maxTickShare)
              .map((day) => (
                <span key={day} className="plan-tick" style={at(shareOf(day, plan))}>
                  {formats.on('shortDayInYear', day)}
                </span>
              ))}
          </span>
        </div>
        {lanes.map((file) => (
          <div key={file ?? 'here'} className="plan-lane">
            <span className="row plan-lane-name">
              <Source file={file} />
              <span className="cut" dir="auto">
                {file === null ? t('here') : work.files[file]?.name.replace(/\.\w+$/, '')}
              </span>
            </span>
            <span className="plan-track">
              {spans.map(({ from, to }) => (
                <span
                  key={from + to}
                  className="plan-rest"
                  style={at(shareOf(from, plan), shareOf(to, plan))}
                />
              ))}
              {events
                .filter((each) => each.file === file)
                .slice(0, maxMarks)
                .map(({ key, event }) => (
                  <span
                    key={key}
                    className={`plan-mark ${typeClass(event.eventType)}`}
                    style={at(shareOf(clock.dayOf(event.date), plan))}
                  >
                    <TypeMark type={event.eventType} />
                  </span>
                ))}
            </span>
          </div>
        ))}
      </div>
      <div className="plan-over">
        {flagsOf(plan).map(({ share, clashes: [index = 0, ...others] }) => {
          const all = [index, ...others].flatMap((one) => clashes[one] ?? []);
          const isDone = all.every(({ id }) => work.answers.has(id)) || undefined;
          const day = formats.on('weekdayAndDay', all[0]?.day ?? first);
          return (
            <span key={index} className="plan-frame" data-done={isDone} style={at(share)}>
              <button
                type="button"
                className="centred round plan-number"
                aria-label={`${t('clash', { number: index + 1 })}, ${day}`}
                onClick={() => onShow(index)}
              >
                {index + 1}
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** Returns the time of an event from its start to its end. */
function usePeriod(): (planned: PlannedEvent) => string {
  const formats = useFormats();
  return ({ time, event }) =>
    time === undefined
      ? ''
      : `${formats.time(event.date)}–${formats.time(new Date(time.to).toISOString())}`;
}

function ClashEvent(props: {
  readonly planned: PlannedEvent;
  readonly answer: Answer | undefined;
}) {
  const { planned, answer } = props;
  const formats = useFormats();
  const periodOf = usePeriod();
  const { file, event, key } = planned;
  const own =
    answer !== undefined && answer.kind !== 'keep' && answer.planned.key === key
      ? answer
      : undefined;
  const isOut = own?.kind === 'leave' || own?.kind === 'cancel';
  return (
    <li>
      <Source file={file} />
      <span className="plan-time">{periodOf(planned)}</span>
      <span dir="auto">{isOut ? <s>{event.name}</s> : event.name}</span>
      {own?.kind === 'begin' && <span className="plan-when">→ {formats.time(own.date)}</span>}
      {own?.kind === 'move' && (
        <span className="plan-when">→ {formats.on('weekdayInYear', own.day)}</span>
      )}
    </li>
  );
}

/** Returns a function that words an answer to a clash. */
function useAnswerWords(): (answer: Answer, clash: Clash) => string {
  const clock = useClock();
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  return (answer, { events }) => {
    if (answer.kind === 'keep') {
      return t(events.length === 1 ? 'keep' : events.length === 2 ? 'keepBoth' : 'keepAll');
    }
    const { file, event } = answer.planned;
    // Two events of one name need their times.
    const isNamed = events.filter((other) => other.event.name === event.name).length === 1;
    const name = isNamed ? event.name : `${event.name}, ${formats.time(event.date)}`;
    const isAlone = events.filter((other) => other.file === file).length === 1;
    switch (answer.kind) {
      case 'leave':
        return t('leave', { name: isAlone ? letterOf(file ?? 0) : name });
      case 'begin':
        return t('begin', {
          name: isAlone ? letterOf(file ?? 0) : name,
          time: formats.time(answer.date),
        });
      case 'move': {
        const isInMonth = monthOf(answer.day) === monthOf(clock.dayOf(event.date));
        const day = formats.on(isInMonth ? 'weekdayDate' : 'weekdayInYear', answer.day);
        return t('move', { name, day });
      }
      case 'cancel':
        return t('cancel', { name });
    }
  };
}

/** A clash with its events and its answers, none of which is chosen at first. */
function ClashRow(props: {
  readonly clash: Clash;
  readonly number: number;
  readonly answer: Answer | undefined;
  /** The clashes without an answer between events of the same names. */
  readonly alike: readonly Clash[];
}) {
  const { clash, number, answer, alike } = props;
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const { answer: store } = useClubImport();
  const wordsOf = useAnswerWords();
  const id = useId();
  const { kind, title, day, events, answers } = clash;
  const others = alike.flatMap((other) => {
    const same = answer && sameAnswerFor(other, answer);
    return same === undefined ? [] : [[other.id, same] as const];
  });
  const titles = {
    place: t('twice', { place: title }),
    time: t('sameTime'),
    dayOff: t('dayOff', { name: title }),
  };
  return (
    <li
      id={rowId(number - 1)}
      tabIndex={-1}
      className="plan-clash"
      data-done={answer !== undefined || undefined}
    >
      <span className="centred round plan-number">
        <span className="only-spoken">{t('clash', { number })}</span>
        <span aria-hidden>{number}</span>
      </span>
      <div>
        <h3 id={id}>
          <span dir="auto">{titles[kind]}</span>{' '}
          <span className="plan-when">{formats.on('weekdayAndDay', day)}</span>
        </h3>
        <ul className="stack tight plan-events">
          {events.map((planned) => (
            <ClashEvent key={planned.key} planned={planned} answer={answer} />
          ))}
        </ul>
      </div>
      <fieldset className="stack close plan-answers" aria-labelledby={id}>
        {answers.map((each) => {
          const words = wordsOf(each, clash);
          return (
            <Radio
              key={words}
              name={id}
              label={words}
              size="sm"
              checked={isSameAnswer(each, answer)}
              onChange={() => store(new Map([[clash.id, each]]))}
            />
          );
        })}
        {others.length > 0 && (
          <Button
            className="alone"
            size="compact-sm"
            variant="default"
            onClick={() => store(new Map(others))}
          >
            {t('alike', { count: others.length, shown: formats.number(others.length) })}
          </Button>
        )}
      </fieldset>
    </li>
  );
}

/** Maximum number of clashes to list; the files are then for another club, or for no season. */
const maxClashes = 200;

function FreeEvenings({ plan }: { readonly plan: SeasonPlan }) {
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const { freeEvenings, freePlace: place, last } = plan;
  const day = formats.on('day', last);
  const isFree = freeEvenings.length > 0;
  return (
    <section className="card plan-free" aria-labelledby="plan-free">
      <h2 id="plan-free">{t('free')}</h2>
      <p className="small quiet">
        {place === null
          ? t(isFree ? 'freeHelp' : 'freeNone', { day })
          : t(isFree ? 'freePlace' : 'freePlaceNone', { place, day })}
      </p>
      {isFree && (
        <>
          <div className="plan-days">
            {freeEvenings.map((free) => (
              <Button
                key={free}
                size="compact-sm"
                variant="default"
                onClick={() => goTo({ manage: null, form: 'new', formDay: free, event: null })}
              >
                <span className="only-spoken">{t('newOn')} </span>
                {formats.on('weekdayInYear', free)}
              </Button>
            ))}
          </div>
          <p className="small quiet">{t('freeDate')}</p>
        </>
      )}
    </section>
  );
}

/** The rows of the plan: its clashes, the new events, or all rows of the files. */
export type PlanRows = 'clashes' | 'added' | 'all';

/** The season plan: several files beside what is here, with their clashes and free evenings. */
export function SeasonPlanView(props: {
  readonly plan: SeasonPlan;
  readonly work: ImportWork;
  readonly report: ImportReport;
  readonly shown: PlanRows;
  readonly onShow: (rows: PlanRows) => void;
}) {
  const { plan, work, report, shown, onShow } = props;
  const { t } = useTranslation(['seasonPlan', 'importReport']);
  const formats = useFormats();
  const { answer } = useClubImport();
  const { clashes } = plan;
  const { added, moved, changed, unchanged, skipped } = report;
  const open = clashes.filter(({ id }) => !work.answers.has(id));
  const openDaysOff = open.filter(({ kind }) => kind === 'dayOff');
  const count = { count: clashes.length, shown: formats.number(clashes.length) };
  const chips = [
    ['clashes', clashes.length, t('clashes')],
    ['added', added, t('importReport:added')],
    ['all', added + moved + changed + unchanged + skipped, t('all')],
  ] as const;
  const showClash = (clash: number) => {
    onShow('clashes');
    // After the list is there.
    requestAnimationFrame(() => {
      const row = document.getElementById(rowId(clash));
      row?.scrollIntoView({ block: 'nearest' });
      row?.focus({ preventScroll: true });
    });
  };
  return (
    <section className="stack wide plan" aria-labelledby="plan-title">
      <Files work={work} report={report} />
      <Lanes plan={plan} work={work} onShow={showClash} />
      <div className="plan-columns">
        <div>
          <div className="ends plan-head">
            <h2 id="plan-title">
              {clashes.length > 0 ? (
                t('title', { ...count, open: formats.number(open.length) })
              ) : (
                <>
                  <IconCheck size={20} stroke={2} aria-hidden /> {t('none')}
                </>
              )}
            </h2>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, which is not needed here */}
            <div
              role="group"
              aria-label={t('importReport:show')}
              className="flow close import-chips"
            >
              {chips.map(([rows, number, words]) => (
                <button
                  key={rows}
                  type="button"
                  className="chip"
                  aria-pressed={shown === rows}
                  onClick={() => onShow(rows)}
                >
                  {words} <strong>{formats.number(number)}</strong>
                </button>
              ))}
            </div>
          </div>
          {shown === 'clashes' && clashes.length > 0 && (
            <>
              <p className="small quiet">{t('help')}</p>
              {openDaysOff.length > 1 && (
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => answer(new Map(openDaysOff.map(({ id }) => [id, keep])))}
                >
                  {t('allOnDaysOff', {
                    count: openDaysOff.length,
                    shown: formats.number(openDaysOff.length),
                  })}
                </Button>
              )}
              <ol className="card ruled plan-clashes">
                {clashes.slice(0, maxClashes).map((clash, index) => (
                  <ClashRow
                    key={clash.id}
                    clash={clash}
                    number={index + 1}
                    answer={work.answers.get(clash.id)}
                    alike={open.filter((other) => areAlike(clash, other))}
                  />
                ))}
              </ol>
            </>
          )}
        </div>
        <FreeEvenings plan={plan} />
      </div>
    </section>
  );
}

const keep = { kind: 'keep' } as const;
