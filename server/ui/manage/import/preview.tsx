import { Select } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '../../../../db/model.ts';
import type { Clock } from '../../../dates/clock.ts';
import { monthOf } from '../../../dates/days.ts';
import { noteOf } from '../../../event/values.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { computerZone, useClock } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { IconAlertTriangle } from '../../base/icons.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import type { ImportPreview, PreviewedFile } from './choices.ts';
import { isTimestamp, notedOf, useFieldText } from './field-text.ts';
import { useClubImport } from './import-state.ts';
import { useReasonText } from './reasons.ts';
import { StepTitle } from './step.tsx';

/** Maximum number of zones in the list; typing finds the others. */
const maxZones = 60;

/** Returns the name of a time zone in a language: `Central European Time`. */
function zoneName(language: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(regionalTag(language), {
    timeZone,
    timeZoneName: 'longGeneric',
  });
  const parts = format.formatToParts(new Date());
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** The time zone of the times in the file, with a button to change it. */
function Zone({ chosen }: { readonly chosen: string }) {
  const clock = useClock();
  const { t, i18n } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const [isChanging, setChanging] = useState(false);
  const name = useMemo(() => zoneName(i18n.language, chosen), [i18n.language, chosen]);
  // The likely zones first: the club's, the chosen one, this computer's and UTC.
  const zones = useMemo(() => {
    const likely = [clock.name, chosen, computerZone(), 'UTC'];
    return [...new Set([...likely, ...Intl.supportedValuesOf('timeZone')])];
  }, [chosen, clock]);
  return (
    <>
      <p className="small quiet">
        {t('timesIn', { zone: name })}{' '}
        <LinkButton aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
          {t('changeZone')}
        </LinkButton>
      </p>
      {isChanging && (
        <Select
          label={t('zone')}
          description={t('zoneHelp')}
          searchable
          allowDeselect={false}
          limit={maxZones}
          data={zones}
          value={chosen}
          nothingFoundMessage={t('noZone')}
          comboboxProps={{ withinPortal: false }}
          withScrollArea={false}
          onChange={(timeZone) => timeZone !== null && choose({ timeZone })}
        />
      )}
    </>
  );
}

type Row = ImportPreview['rows'][number];

/** An event as in the agenda; a date that cannot be read stays as in the file. */
function PreviewRow({ row: { place, values, problem } }: { readonly row: Row }) {
  const formats = useFormats();
  const textOf = useFieldText();
  const words = useWords();
  const reasonText = useReasonText();
  const clock = useClock();
  const times = useEventTimes('weekdayAndDay');
  const { name, location, eventType, status } = values;
  const type = eventTypes.find((one) => one === eventType) ?? null;
  const event = notedOf(values);
  const hours = event ? times.clock(event) : textOf('date', values.date);
  const time =
    event && hours === undefined ? [formats.time(event.date), times.end(event)] : [hours];
  const note = event ? noteOf(event, clock).text : String(values.description ?? '');
  const state = status === 'draft' || status === 'cancelled' ? textOf('status', status) : '';
  const facts = [...time, String(location ?? ''), state].filter(Boolean);
  return (
    <li className={`import-event ${typeClass(type)}`}>
      <span className="import-day">
        {event && (
          <>
            <span className="small quiet">{formats.at('weekday', event.date)}</span>
            <span className="import-date">{formats.at('date', event.date)}</span>
          </>
        )}
      </span>
      <span className="import-what" dir="auto">
        <strong>{String(name ?? '')}</strong>
        <span className="small quiet">{facts.join(' · ')}</span>
        {note !== '' && <span className="small quiet cut">{note}</span>}
        {problem && (
          <span className="small field-error">
            <IconAlertTriangle size={16} aria-hidden />
            {capitalize(words(place))}: {reasonText(problem.reason)}
          </span>
        )}
      </span>
      {type !== null && (
        <span>
          <TypeMark type={type} />
          <span className="only-spoken">{textOf('eventType', type)}</span>
        </span>
      )}
    </li>
  );
}

/** Returns the rows by month, in the order of the calendar; rows without a date come last. */
function groupByMonth({ dayOf }: Clock, rows: readonly Row[]) {
  const monthOfRow = ({ values: { date } }: Row) => (isTimestamp(date) ? monthOf(dayOf(date)) : '');
  const dated = rows.filter((row) => monthOfRow(row) !== '');
  const undated = rows.filter((row) => monthOfRow(row) === '');
  const sorted = dated.toSorted((one, other) =>
    String(one.values.date) < String(other.values.date) ? -1 : 1,
  );
  return [...Map.groupBy([...sorted, ...undated], monthOfRow)];
}

/** The first events of a file as in the agenda, as the current choices read them. */
export function Preview(props: {
  readonly file: PreviewedFile;
  readonly zone: string;
  /** True if the preview is the only part of the step. */
  readonly isMain: boolean;
}) {
  const { file, zone, isMain } = props;
  const { preview } = file;
  const { t } = useTranslation(['importColumns', 'import']);
  const formats = useFormats();
  const clock = useClock();
  const id = useId();
  const { rows, dates, table } = preview;
  const left = (table?.count ?? 0) - rows.length;
  return (
    <section className="stack import-preview" aria-labelledby={id}>
      {isMain ? (
        <StepTitle id={id}>{t('import:preview')}</StepTitle>
      ) : (
        <h2 id={id} className="import-title">
          {t('import:preview')}
        </h2>
      )}
      {dates.areLocal ? <Zone chosen={zone} /> : <p className="small quiet">{t('localTimes')}</p>}
      {rows.length > 0 && (
        <div className="card import-agenda">
          {groupByMonth(clock, rows).map(([month, own]) => (
            <div key={month}>
              {month !== '' && <h3>{formats.on('month', month)}</h3>}
              <ol className="ruled">
                {own.map((row) => (
                  <PreviewRow key={JSON.stringify(row.place)} row={row} />
                ))}
              </ol>
            </div>
          ))}
        </div>
      )}
      {left > 0 && (
        <p className="small quiet">{t('andMore', { count: left, shown: formats.number(left) })}</p>
      )}
    </section>
  );
}
