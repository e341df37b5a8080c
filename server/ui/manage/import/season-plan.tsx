import './season-plan.css';
import { Button, Radio } from '@mantine/core';
import { type CSSProperties, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Day, dayOf, daysBetween, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import { useDaysOff } from '../../data/days-off.ts';
import {
  type Clash,
  omittedKeys,
  type PlannedEvent,
  planSeason,
  type SeasonPlan,
} from '../../data/season-plan.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { ImportReport, ImportWork } from './choices.ts';
import { keyedRows } from './corrections.ts';
import { useClubImport } from './import-state.ts';

/** The plan of several files, and the new events that are left out of their import. */
export type PlannedImport = {
  readonly plan: SeasonPlan | undefined;
  readonly omitted: ReadonlySet<string>;
};

const nothingOmitted: PlannedImport = { plan: undefined, omitted: new Set() };

/** Returns the plan of a checked import of several files; one file is an import as before. */
export function usePlannedImport(
  report: ImportReport | undefined,
  { files, answers }: ImportWork,
): PlannedImport {
  const daysOff = useDaysOff();
  const today = useToday();
  const { all } = useVisibleEvents();
  const plan = useMemo(() => {
    if (report === undefined || files.length < 2) return undefined;
    const rows = keyedRows(report, files);
    const added = rows.flatMap(({ key, file, row }) =>
      row.kind === 'added' ? { ...row, key, file } : [],
    );
    const changed = new Map(
      rows.flatMap(({ row }) => (row.kind === 'changed' ? [[row.id, row] as const] : [])),
    );
    return planSeason(added, all?.events ?? [], { changed, daysOff, today });
  }, [report, files, all, daysOff, today]);
  return useMemo(
    () =>
      plan === undefined ? nothingOmitted : { plan, omitted: omittedKeys(plan.clashes, answers) },
    [plan, answers],
  );
}

/** The letter of a file, or a tick for what is here already. */
function Source({ file }: { readonly file: number | null }) {
  const { t } = useTranslation('seasonPlan');
  if (file === null) {
    return (
      <span className="plan-source" data-here role="img" aria-label={t('here')}>
        ✓
      </span>
    );
  }
  return <span className="plan-source">{letterOf(file)}</span>;
}

const letterOf = (file: number) => String.fromCharCode(65 + (file % 26));

/** Returns the position of a day in the lanes, in percent. */
function positionOf(day: Day, { first, last }: SeasonPlan): string {
  const length = Math.max(1, daysBetween(first, last));
  return `${(daysBetween(first, day) / length) * 100}%`;
}

const at = (position: string) => ({ '--at': position }) as CSSProperties;

/** Maximum number of marks in a lane, which is a picture. */
const maxMarks = 400;

/** The files under each other with what is here already, day by day. */
function Lanes({ plan, work }: { readonly plan: SeasonPlan; readonly work: ImportWork }) {
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
    to: holiday.last > last ? last : holiday.last,
  }));
  return (
    <div className="card plan-lanes" role="img" aria-label={label}>
      <div className="plan-lane-ends">
        <span>{formats.on('shortDayInYear', first)}</span>
        <span>{formats.on('shortDayInYear', last)}</span>
      </div>
      {lanes.map((file) => (
        <div key={file ?? 'here'} className="plan-lane">
          <span className="plan-lane-name">
            <Source file={file} />
            <span dir="auto">{file === null ? t('here') : work.files[file]?.name}</span>
          </span>
          <span className="plan-track">
            {spans.map(({ from, to }) => (
              <span
                key={from + to}
                className="plan-rest"
                style={
                  {
                    '--at': positionOf(from, plan),
                    '--to': positionOf(to, plan),
                  } as CSSProperties
                }
              />
            ))}
            {events
              .filter((each) => each.file === file)
              .slice(0, maxMarks)
              .map(({ key, event }) => (
                <span
                  key={key}
                  className={`plan-mark ${typeClass(event.eventType)}`}
                  style={at(positionOf(dayOf(event.date), plan))}
                >
                  <TypeMark type={event.eventType} />
                </span>
              ))}
          </span>
        </div>
      ))}
      <div className="plan-lane">
        <span />
        <span className="plan-track plan-numbers">
          {clashes.map(({ id, day }, index) => (
            <span
              key={id}
              className="plan-number"
              data-done={work.answers.has(id) || undefined}
              style={at(positionOf(day, plan))}
            >
              {index + 1}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

function ClashEvent({
  planned: { file, event },
  isOmitted,
}: {
  readonly planned: PlannedEvent;
  readonly isOmitted: boolean;
}) {
  const formats = useFormats();
  return (
    <li>
      <Source file={file} />
      <span className="plan-time">{formats.time(event.date)}</span>
      <span dir="auto">{isOmitted ? <s>{event.name}</s> : event.name}</span>
    </li>
  );
}

/** A clash with its events and its answers, none of which is chosen at first. */
function ClashRow({
  clash,
  number,
  answer,
}: {
  readonly clash: Clash;
  readonly number: number;
  readonly answer: ReadonlySet<string> | undefined;
}) {
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const { answer: store } = useClubImport();
  const id = useId();
  const { kind, title, day, events } = clash;
  const fresh = events.filter(({ file }) => file !== null);
  const choices = [
    ...fresh.map(({ key, event }) => ({
      value: key,
      label: fresh.length === 1 ? t('leaveOne') : t('leave', { name: event.name }),
      omitted: new Set([key]),
    })),
    {
      value: 'none',
      label: t(events.length === 1 ? 'keepOne' : 'keep'),
      omitted: new Set<string>(),
    },
  ];
  const [omittedKey = 'none'] = answer ?? [];
  return (
    <li className="plan-clash" data-done={answer !== undefined || undefined}>
      <span className="plan-number">
        <span className="only-spoken">{t('clash', { number })}</span>
        <span aria-hidden>{number}</span>
      </span>
      <div>
        <h3 id={id}>
          <span dir="auto">
            {kind === 'place' ? t('twice', { place: title }) : t('dayOff', { name: title })}
          </span>{' '}
          <span className="plan-when">{formats.on('weekdayAndDay', day)}</span>
        </h3>
        <ul className="plan-events">
          {events.map((planned) => (
            <ClashEvent
              key={planned.key}
              planned={planned}
              isOmitted={answer?.has(planned.key) ?? false}
            />
          ))}
        </ul>
      </div>
      <fieldset className="plan-answers" aria-labelledby={id}>
        {choices.map(({ value, label, omitted }) => (
          <Radio
            key={value}
            name={id}
            label={label}
            size="sm"
            checked={answer !== undefined && value === omittedKey}
            onChange={() => store(clash.id, omitted)}
          />
        ))}
      </fieldset>
    </li>
  );
}

/** Maximum number of clashes to list; the files are then for another club, or for no season. */
const maxClashes = 200;

function FreeEvenings({ plan }: { readonly plan: SeasonPlan }) {
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const { freeEvenings, last } = plan;
  const day = formats.on('day', last);
  return (
    <section className="card plan-free" aria-labelledby="plan-free">
      <h2 id="plan-free">{t('free')}</h2>
      <p className="small quiet">
        {t(freeEvenings.length === 0 ? 'freeNone' : 'freeHelp', { day })}
      </p>
      <div className="plan-days">
        {freeEvenings.map((free) => (
          <Button
            key={free}
            size="compact-sm"
            variant="default"
            onClick={() => goTo({ manage: null, form: 'new', formDay: free, event: null })}
          >
            {formats.on('weekdayInYear', free)}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** The season plan: several files beside what is here, with their clashes and free evenings. */
export function SeasonPlanView({
  plan,
  work,
}: {
  readonly plan: SeasonPlan;
  readonly work: ImportWork;
}) {
  const { t } = useTranslation('seasonPlan');
  const formats = useFormats();
  const { answer } = useClubImport();
  const { clashes } = plan;
  const open = clashes.filter(({ id }) => !work.answers.has(id));
  const openDaysOff = open.filter(({ kind }) => kind === 'dayOff');
  const count = { count: clashes.length, shown: formats.number(clashes.length) };
  return (
    <section className="plan" aria-labelledby="plan-title">
      <Lanes plan={plan} work={work} />
      <div className="plan-columns">
        <div>
          <h2 id="plan-title">
            {clashes.length === 0
              ? t('none')
              : t('title', { ...count, open: formats.number(open.length) })}
          </h2>
          {clashes.length > 0 && <p className="small quiet">{t('help')}</p>}
          {openDaysOff.length > 1 && (
            <Button
              size="sm"
              variant="default"
              onClick={() => {
                for (const { id } of openDaysOff) answer(id, new Set());
              }}
            >
              {t('allOnDaysOff', {
                count: openDaysOff.length,
                shown: formats.number(openDaysOff.length),
              })}
            </Button>
          )}
          {clashes.length > 0 && (
            <ol className="card plan-clashes">
              {clashes.slice(0, maxClashes).map((clash, index) => (
                <ClashRow
                  key={clash.id}
                  clash={clash}
                  number={index + 1}
                  answer={work.answers.get(clash.id)}
                />
              ))}
            </ol>
          )}
        </div>
        <FreeEvenings plan={plan} />
      </div>
    </section>
  );
}
