import './days-off.css';
import { Button, CloseButton, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFile } from '../../../actions/bridge.ts';
import { addDays, type Day, lastHoliday, partsOf } from '../../../dates/days.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { IconFilePlus, IconFlag, IconLink, IconSchool } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { type DaysOffCalendar, DaysOffContext, useDaysOff } from '../../data/days-off.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { performChange, useAction, useTask } from '../parts/action-hooks.ts';
import { useDesktop, useWaitingFiles } from '../parts/desktop-provider.tsx';
import { AddressInput, Saved } from '../parts/parts.tsx';
import { listRegions, publicHolidays } from './public-holidays.ts';

/** A change of the days off, in words, and its undo. */
type LastChange = { readonly text: string; readonly undo: () => Promise<unknown> };

type ChangeProps = { readonly onChange: (change: LastChange | undefined) => void };

type StoredCalendar = Omit<DaysOffCalendar, 'id' | 'kind'> & {
  readonly kind: Exclude<DaysOffCalendar['kind'], 'address'>;
  readonly id?: number;
};

/** Returns functions that change the days off of the club. */
function useDaysOffChanges() {
  const { club } = useDesktop();
  const user = club.name;
  const put = ({ id: _, days, ...calendar }: StoredCalendar) =>
    performChange('days-off put', { user, calendar: { ...calendar, days: [...days] } });
  const remove = (id: number) => performChange('days-off remove', { user, id });
  return { user, put, remove };
}

function CalendarRow(props: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly state: ReactNode;
  readonly children: ReactNode;
}) {
  const { icon, name, state, children } = props;
  return (
    <li className="cluster days-off-calendar">
      {icon}
      <div className="days-off-about">
        <p className="strong" dir="auto">
          {name}
        </p>
        <p className="small quiet">{state}</p>
      </div>
      <div>{children}</div>
    </li>
  );
}

/** Returns the month of the last day of a calendar in words. */
function useKnownUntil(): (calendar: DaysOffCalendar | undefined) => string {
  const formats = useFormats();
  return (calendar) => {
    const last = lastHoliday(calendar?.days ?? []);
    return last === undefined ? '' : formats.on('month', last);
  };
}

/** The choice of the country or region whose public holidays are days off. */
function PublicHolidays({ onChange }: ChangeProps) {
  const { t, i18n } = useTranslation('daysOff');
  const { language } = i18n;
  const today = useToday();
  const { put, remove } = useDaysOffChanges();
  const knownUntil = useKnownUntil();
  const { calendars } = use(DaysOffContext);
  const current = calendars.find(({ kind }) => kind === 'public');
  const regions = useQuery({
    queryKey: ['regions', language],
    queryFn: () => listRegions(language),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  const choosing = useTask(async (code: string) => {
    const name = regions.data?.find((region) => region.code === code)?.name ?? code;
    const undo = () => (current ? put({ ...current, kind: 'public' }) : removePublic());
    const removePublic = async () => {
      if (stored !== undefined) await remove(stored);
    };
    let stored: number | undefined;
    if (code === '') {
      if (current) await remove(current.id);
    } else {
      const days = await publicHolidays(code, { language, year: partsOf(today).year });
      const readAt = new Date().toISOString();
      stored = (await put({ kind: 'public', name, source: code, readAt, days })).result.id;
    }
    onChange({ text: t('was', { name: current?.name ?? t('none') }), undo });
  });
  const refusal = useErrorMessage(choosing.error ?? regions.error ?? undefined);
  const data = [
    { value: '', label: t('none') },
    ...(regions.data ?? []).map(({ code, name }) => ({ value: code, label: name })),
  ];
  const known = data.some(({ value }) => value === current?.source);
  return (
    <CalendarRow
      icon={<IconFlag size={20} stroke={1.75} aria-hidden />}
      name={t('public')}
      state={current && t('knownUntil', { when: knownUntil(current) })}
    >
      <Select
        aria-label={t('region')}
        className="days-off-region"
        searchable
        // What is typed before the list arrives finds its first option then.
        selectFirstOptionOnChange={regions.isSuccess}
        limit={60}
        data={current && !known ? [...data, { value: current.source, label: current.name }] : data}
        value={current?.source ?? ''}
        disabled={choosing.isRunning}
        error={refusal}
        nothingFoundMessage={t('noRegion')}
        allowDeselect={false}
        withScrollArea={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(code) =>
          code !== null && code !== (current?.source ?? '') && void choosing.run(code)
        }
      />
    </CalendarRow>
  );
}

/** A calendar at an address, which has its state and its menu in the sources. */
function FollowedCalendar({ calendar }: { readonly calendar: DaysOffCalendar }) {
  const { t } = useTranslation(['daysOff', 'manage']);
  const when = useKnownUntil()(calendar);
  const { name, source } = calendar;
  return (
    <CalendarRow
      icon={<IconSchool size={20} stroke={1.75} aria-hidden />}
      name={name}
      state={
        <>
          <span dir="auto">{source}</span>
          {`, ${t('knownUntil', { when })}`}
        </>
      }
    >
      <LinkButton onClick={() => goTo({ manage: 'sources' })}>{t('manage:sources')}</LinkButton>
    </CalendarRow>
  );
}

function AddedCalendar(props: ChangeProps & { readonly calendar: DaysOffCalendar }) {
  const { calendar, onChange } = props;
  const { t } = useTranslation('daysOff');
  const formats = useFormats();
  const { put, remove } = useDaysOffChanges();
  const until = useKnownUntil()(calendar);
  const { id, name, readAt } = calendar;
  const removing = useTask(async () => {
    await remove(id);
    onChange({ text: t('removed', { name }), undo: () => put({ ...calendar, kind: 'file' }) });
  });
  const refusal = useErrorMessage(removing.error);
  const when = formats.recentDay(readAt, new Date());
  return (
    <CalendarRow
      icon={<IconSchool size={20} stroke={1.75} aria-hidden />}
      name={name}
      state={
        <>
          {t('readWhen', { when, until })}
          {refusal !== undefined && <span role="alert"> {refusal}</span>}
        </>
      }
    >
      <CloseButton
        aria-label={t('remove', { name })}
        disabled={removing.isRunning}
        onClick={() => void removing.run()}
      />
    </CalendarRow>
  );
}

/** The ways to add days off: a file, or an address that is read once a day. */
function AddDaysOff({ onChange }: ChangeProps) {
  const { t } = useTranslation(['daysOff', 'manage']);
  const formats = useFormats();
  const { door } = useDesktop();
  const { user, remove } = useDaysOffChanges();
  const adding = useAction('days-off add');
  const [address, setAddress] = useState<string | undefined>();
  const refusal = useErrorMessage(adding.error);
  const add = async (from: { readonly file: string } | { readonly url: string }) => {
    onChange(undefined);
    const added = await adding.run({ user, ...from });
    if (added === undefined) return;
    setAddress(undefined);
    const { id, name, timed, kind } = added;
    const leftOut =
      timed > 0 ? ` ${t('leftOut', { count: timed, shown: formats.number(timed) })}` : '';
    const undo = () => (kind === 'address' ? performChange('follow remove', { id }) : remove(id));
    onChange({ text: `${t('added', { name })}${leftOut}`, undo });
  };
  const addFiles = async (files: readonly ChosenFile[]) => {
    for (const { token } of files) await add({ file: token });
  };
  const dialog = useTask(async () => {
    const files = await unwrap(requireBridge().chooseFiles(null));
    await door.open(files, { use: 'daysOff', take: addFiles });
  });
  const ways = useRef<HTMLDivElement>(null);
  useWaitingFiles('daysOff', async (files) => {
    await addFiles(files);
    // After the screen has begun at its upper edge; the outcome is below.
    ways.current?.scrollIntoView({ block: 'center' });
  });
  const dialogRefusal = useErrorMessage(dialog.error);
  const failure = address === undefined ? (refusal ?? dialogRefusal) : dialogRefusal;
  return (
    <>
      <div ref={ways} className="flow days-off-ways">
        <Button
          size="sm"
          variant="default"
          leftSection={<IconFilePlus size={18} stroke={1.75} aria-hidden />}
          loading={adding.isRunning && address === undefined}
          onClick={() => void dialog.run()}
        >
          {t('addFile')}
        </Button>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
          aria-expanded={address !== undefined}
          onClick={() => {
            adding.reset();
            setAddress(address === undefined ? '' : undefined);
          }}
        >
          {t('addAddress')}
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className="days-off-failure">
          {failure}
        </p>
      )}
      {address !== undefined && (
        <form
          noValidate
          className="days-off-address"
          onSubmit={(event) => {
            event.preventDefault();
            void add({ url: address.trim() });
          }}
        >
          <AddressInput
            label={t('address')}
            description={t('addressHelp')}
            data-autofocus
            value={address}
            error={refusal}
            onChange={({ currentTarget }) => {
              adding.reset();
              setAddress(currentTarget.value);
            }}
          />
          <Button type="submit" loading={adding.isRunning}>
            {t('add')}
          </Button>
        </form>
      )}
    </>
  );
}

/** The days off of the club: its calendars, and the ways to add more. */
export function DaysOffSetting() {
  const [last, setLast] = useState<LastChange | undefined>();
  const { calendars } = use(DaysOffContext);
  const undoing = useTask(async (change: LastChange) => {
    setLast(undefined);
    await change.undo();
  });
  const refusal = useErrorMessage(undoing.error);
  return (
    <>
      <ul className="card ruled days-off-calendars">
        <PublicHolidays onChange={setLast} />
        {calendars
          .filter(({ kind }) => kind === 'file')
          .map((calendar) => (
            <AddedCalendar key={calendar.id} calendar={calendar} onChange={setLast} />
          ))}
        {calendars
          .filter(({ kind }) => kind === 'address')
          .map((calendar) => (
            <FollowedCalendar key={calendar.id} calendar={calendar} />
          ))}
      </ul>
      <AddDaysOff onChange={setLast} />
      <Saved
        was={refusal ?? last?.text}
        onUndo={() => last !== undefined && void undoing.run(last)}
      />
    </>
  );
}

/** Number of days off in the card. */
const maxShown = 8;

function Holiday(props: { readonly first: Day; readonly last: Day; readonly name: string }) {
  const { first, last, name } = props;
  const formats = useFormats();
  const when =
    first === last
      ? formats.on('weekdayInYear', first)
      : formats.range('shortDayInYear', first, last);
  return (
    <li className="small days-off-holiday">
      <span className="days-off-when">{when}</span>
      <span dir="auto">{name}</span>
    </li>
  );
}

/** The next days off, and the number of events that fall on one. */
export function NextDaysOff() {
  const { t } = useTranslation('daysOff');
  const formats = useFormats();
  const today = useToday();
  const daysOff = useDaysOff();
  const { all, clock } = useVisibleEvents();
  const { calendars } = use(DaysOffContext);
  const next = daysOff.between(today, addDays(today, 400)).slice(0, maxShown);
  const onDaysOff = (all?.events ?? []).filter(
    ({ date, status }) =>
      status !== 'cancelled' &&
      date >= clock.startOf(today) &&
      daysOff.namesOn(clock.dayOf(date)).length > 0,
  );
  const [first] = onDaysOff;
  const count = onDaysOff.length;
  return (
    <section className="card days-off-next" aria-labelledby="next-days-off">
      <h2 id="next-days-off">{t('next')}</h2>
      {calendars.length === 0 ? (
        <p className="small">{t('noneYet')}</p>
      ) : (
        <ul>
          {next.map((day) => (
            <Holiday key={`${day.first} ${day.name}`} {...day} />
          ))}
        </ul>
      )}
      {first !== undefined && (
        <p className="small">
          {t('onDaysOff', { count, shown: formats.number(count) })}{' '}
          <LinkButton
            onClick={() =>
              goTo({ manage: null, view: 'calendar', span: 'month', day: clock.dayOf(first.date) })
            }
          >
            {t('show')}
          </LinkButton>
        </p>
      )}
    </section>
  );
}
