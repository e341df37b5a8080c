import './club-settings.css';
import { Button, Select } from '@mantine/core';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ClubNumber, clubNumberNames, clubNumbers } from '../../../../db/club-settings.ts';
import { proposeFileName } from '../../../export/file-name.ts';
import type { Event } from '../../../http/contract.ts';
import { asSeenIn, computerZone, useClock, useNow } from '../../base/days.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { IconDeviceFloppy } from '../../base/icons.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { SavedFile } from '../../download/export-way.tsx';
import { performChange, useAction, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { ClosedReason } from '../parts/closed.tsx';
import { ClubNameField, useClubName } from '../parts/club-name.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, Saved } from '../parts/parts.tsx';
import { useSettingWords } from '../parts/setting-words.ts';
import { DaysOffSetting, NextDaysOff } from './days-off-setting.tsx';
import { TeamsSetting } from './teams-setting.tsx';

/** A setting that is saved when its field is left. */
function ClubSetting({
  id,
  name,
  help,
  children,
}: {
  /** The id of the field, if there is only one; its help has the same with `-help`. */
  readonly id?: string;
  readonly name: string;
  readonly help: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="club-setting">
      <div>
        {id === undefined ? <h2>{name}</h2> : <label htmlFor={id}>{name}</label>}
        <p id={id && `${id}-help`} className="small quiet">
          {help}
        </p>
      </div>
      <div>{children}</div>
    </div>
  );
}

/** The field that renames the club, with the old name and an undo below. */
function NameSetting() {
  const { t } = useTranslation(['clubs', 'welcome']);
  const { club, showClub } = useDesktop();
  const { data } = useActionQuery('user list', {});
  const taken = (data?.users ?? []).filter(({ id }) => id !== club.id).map(({ name }) => name);
  const field = useClubName('name of the club', club.name);
  const renaming = useAction('user rename');
  const refusal = useErrorMessage(renaming.error);
  const [before, setBefore] = useState<string | undefined>();
  const rename = async (newName: string) => {
    const renamed = await renaming.run({ name: club.name, newName });
    if (renamed === undefined) return;
    setBefore(renamed.before);
    await showClub(club.id);
    field.forget();
  };
  const save = () => {
    const checked = field.check(taken);
    if (checked === undefined) return;
    if (checked === club.name) field.forget();
    else void rename(checked);
  };
  return (
    <ClubSetting id="club-name" name={t('name')} help={t('welcome:nameHelp')}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save();
        }}
      >
        <ClubNameField
          clubName={field}
          id="club-name"
          aria-describedby="club-name-help"
          error={field.error ?? refusal}
          onChange={({ currentTarget }) => {
            renaming.reset();
            field.setText(currentTarget.value);
          }}
          onBlur={save}
          onKeyDown={({ key }) => {
            if (key !== 'Escape') return;
            renaming.reset();
            field.forget();
          }}
        />
      </form>
      <Saved
        was={before && t('was', { name: before })}
        onUndo={() => before !== undefined && void rename(before)}
      />
    </ClubSetting>
  );
}

/** Maximum number of zones in the list; typing finds the others. */
const maxZones = 60;

const zoneLabel = (zone: string) => zone.replaceAll('_', ' ');

type Times = 'keep' | 'convert';

/** Returns an event whose time would look different in another zone, to come if there is one. */
function useZoneExample(): (zone: string) => Event | undefined {
  const { all, clock } = useVisibleEvents();
  const now = useNow();
  return (zone) => {
    const differs = ({ date }: Event) =>
      !clock.isDayStart(date) && asSeenIn(clock, zone, date).getTime() !== Date.parse(date);
    const events = all?.events ?? [];
    return (
      events.find((event) => event.date >= now.toISOString() && differs(event)) ??
      events.findLast(differs)
    );
  };
}

/** The question about the times of the events in another zone, with an event as the example. */
function ZoneQuestion({
  zone,
  example,
  onChoose,
  onCancel,
}: {
  readonly zone: string;
  readonly example: Event;
  readonly onChoose: (times: Times) => void;
  readonly onCancel: () => void;
}) {
  const clock = useClock();
  const { t } = useTranslation(['clubs', 'manage']);
  const formats = useFormats();
  const seen = asSeenIn(clock, zone, example.date);
  const [day, otherDay] = [example.date, seen].map((date) => formats.at('longDay', date));
  const time = formats.at('time', example.date);
  const converted = formats.at('time', seen);
  const then = day === otherDay ? converted : `${otherDay}, ${converted}`;
  return (
    <fieldset className="card club-setting-question">
      <legend className="only-spoken">{t('zoneQuestion')}</legend>
      <p>{t('zoneQuestion')}</p>
      <p dir="auto">{t('zoneExample', { name: example.name, day })}</p>
      <div className="flow club-setting-answers">
        <Button size="sm" variant="default" onClick={() => onChoose('keep')}>
          {t('zoneKeep', { time })}
        </Button>
        <Button size="sm" variant="default" onClick={() => onChoose('convert')}>
          {t('zoneConvert', { time, converted: then })}
        </Button>
        <Button size="sm" variant="subtle" onClick={onCancel}>
          {t('manage:cancel')}
        </Button>
      </div>
    </fieldset>
  );
}

/** The choice of the club's time zone, with the time there and an undo below. */
function ZoneSetting() {
  const clock = useClock();
  const { t } = useTranslation('clubs');
  const { club, showClub } = useDesktop();
  const formats = useFormats();
  const now = useNow();
  const changing = useAction('user zone');
  const refusal = useErrorMessage(changing.error);
  const [last, setLast] = useState<{ zone: string; times: Times } | undefined>();
  const [asked, setAsked] = useState<string | undefined>();
  const exampleIn = useZoneExample();
  const isMirror = Boolean(useMirror());
  const zone = club.zone || clock.name;
  const example = asked === undefined ? undefined : exampleIn(asked);
  // The likely zones first: the club's, this computer's and UTC.
  const zones = useMemo(() => {
    const names = new Set([zone, computerZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]);
    return [...names].map((value) => ({ value, label: zoneLabel(value) }));
  }, [zone]);
  const change = async (next: string, times: Times) => {
    setAsked(undefined);
    const changed = await changing.run({ name: club.name, zone: next, times });
    if (changed === undefined) return;
    setLast({ zone: changed.before, times });
    await showClub(club.id);
  };
  const choose = (next: string) => {
    changing.reset();
    // The events of an online service stay at its moments.
    if (!isMirror && exampleIn(next) !== undefined) setAsked(next);
    else void change(next, 'convert');
  };
  return (
    <ClubSetting id="club-zone" name={t('zone')} help={t('zoneHelp')}>
      <Select
        id="club-zone"
        aria-describedby="club-zone-help"
        searchable
        limit={maxZones}
        data={zones}
        value={asked ?? zone}
        error={refusal}
        nothingFoundMessage={t('noZone')}
        allowDeselect={false}
        withScrollArea={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          if (next === zone) setAsked(undefined);
          else if (next !== null) choose(next);
        }}
      />
      {asked !== undefined && example !== undefined && (
        <ZoneQuestion
          zone={asked}
          example={example}
          onChoose={(times) => void change(asked, times)}
          onCancel={() => setAsked(undefined)}
        />
      )}
      <p className="small quiet club-setting-note">
        {t('zoneNow', { time: formats.at('time', now) })}
      </p>
      <Saved
        was={
          last &&
          t(last.times === 'keep' ? 'zoneWasKept' : 'zoneWas', { zone: zoneLabel(last.zone) })
        }
        onUndo={() => last !== undefined && void change(last.zone, last.times)}
      />
    </ClubSetting>
  );
}

/** A setting with a number, which is saved at once, with the old one and an undo below. */
function NumberSetting({ setting }: { readonly setting: ClubNumber }) {
  const { t } = useTranslation('clubs');
  const { club, showClub } = useDesktop();
  const { numberOf } = useSettingWords();
  const [last, setLast] = useState<{ before: number; batch: number } | undefined>();
  const value = club[setting];
  const { command, choices } = clubNumbers[setting];
  const changing = useTask(async (next: number) => {
    const { result } = await performChange(command, { name: club.name, value: next });
    await showClub(club.id);
    setLast(result.batch === undefined ? undefined : { before: value, batch: result.batch });
  });
  const undoing = useTask(async (batch: number) => {
    await performChange('undo', { id: batch });
    await showClub(club.id);
    setLast(undefined);
  });
  const refusal = useErrorMessage(changing.error ?? undoing.error);
  const all = [...new Set([...choices, value])].toSorted((one, other) => one - other);
  const id = `club-${setting}`;
  return (
    <ClubSetting id={id} name={t(setting)} help={t(`${setting}Help`)}>
      <Select
        id={id}
        className="club-setting-choice"
        aria-describedby={`${id}-help`}
        data={all.map((each) => ({ value: String(each), label: numberOf(setting, each) }))}
        value={String(value)}
        error={refusal}
        allowDeselect={false}
        withScrollArea={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          if (next !== null && Number(next) !== value) void changing.run(Number(next));
        }}
      />
      <Saved
        was={last && t('wasValue', { value: numberOf(setting, last.before) })}
        onUndo={() => last !== undefined && void undoing.run(last.batch)}
      />
    </ClubSetting>
  );
}

/** The button that writes a backup with this club alone, for the next person who keeps it. */
function GiveClub() {
  const { t } = useTranslation(['clubs', 'event']);
  const clock = useClock();
  const { club } = useDesktop();
  const { number } = useFormats();
  const giving = useTask(async () => {
    const name = proposeFileName(club.name, clock.dayOf(new Date()), 'sqlite');
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    return file && perform('backup', { user: club.name, output: file.token });
  });
  const { result } = giving;
  const count = result?.counts.events ?? 0;
  const what = t('event:number', { count, shown: number(count) });
  return (
    <ClubSetting name={t('give')} help={t('giveHelp')}>
      <Button
        variant="default"
        loading={giving.isRunning}
        leftSection={<IconDeviceFloppy size={18} stroke={1.75} aria-hidden />}
        onClick={() => void giving.run()}
      >
        {t('giveButton')}
      </Button>
      <SavedFile text={result ? t('given', { file: result.output, what }) : undefined} />
      <ErrorNotice error={giving.error} onClose={giving.reset} />
    </ClubSetting>
  );
}

/** The settings of the open club; each is saved when its field is left, unless its file has them. */
export function ClubSettingsScreen() {
  const { t } = useTranslation(['clubs', 'daysOff', 'teams']);
  const { club } = useDesktop();
  const isFollowed = useMirror()?.kind === 'file';
  return (
    <>
      {isFollowed ? (
        <ClosedReason what="settings" />
      ) : (
        <p className="quiet">{t('settingsIntro')}</p>
      )}
      <div className="club-settings">
        <div>
          <fieldset className="club-settings-own" disabled={isFollowed}>
            <NameSetting key={club.id} />
            <ZoneSetting key={`zone ${club.id}`} />
            <ClubSetting name={t('daysOff')} help={t('daysOff:help')}>
              <DaysOffSetting key={club.id} />
            </ClubSetting>
            <ClubSetting name={t('teams:teams')} help={t('teams:help')}>
              <TeamsSetting key={club.id} />
            </ClubSetting>
            {clubNumberNames.map((setting) => (
              <NumberSetting key={`${setting} ${club.id}`} setting={setting} />
            ))}
          </fieldset>
          <GiveClub key={`give ${club.id}`} />
        </div>
        <NextDaysOff />
      </div>
    </>
  );
}
