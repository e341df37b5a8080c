import './follow.css';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { copyText } from '../../base/browser.ts';
import { RowButton } from '../../base/buttons.tsx';
import { type FollowedCalendar, Questions } from '../../base/calendar-questions.tsx';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import {
  type Icon,
  IconAlertTriangle,
  IconCalendarOff,
  IconCheck,
  IconClock,
  IconDots,
  IconEye,
  IconHelp,
  IconLink,
} from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { createSharedValue } from '../../base/shared-value.ts';
import { useFollowed } from '../../data/followed.ts';
import { useCalendars } from '../nav.tsx';
import { performChange, useAction, useTask } from '../parts/action-hooks.ts';
import { AddressInput, Confirmation, ErrorNotice, Saved } from '../parts/parts.tsx';
import { FollowForm, RuleFields, type RuleTexts, rulesOf } from './follow-form.tsx';

/** Interval of looks at the states, in milliseconds. */
const lookMs = 15_000;

const icons: Readonly<Record<FollowedCalendar['state'], Icon>> = {
  current: IconCheck,
  asks: IconHelp,
  trouble: IconAlertTriangle,
  waits: IconClock,
};

const useIcons: Readonly<Record<FollowedCalendar['rules']['use'], Icon>> = {
  events: IconLink,
  look: IconEye,
  daysOff: IconCalendarOff,
};

/** The form that changes a calendar, or gives it a new address. */
function ChangeForm(props: { readonly calendar: FollowedCalendar; readonly onClose: () => void }) {
  const { calendar, onClose } = props;
  const { t } = useTranslation(['follow', 'manage']);
  const { name, rules } = calendar;
  const { eventType, place, prefix, words, without } = rules;
  const [texts, setTexts] = useState<RuleTexts>({
    ...{ name, place, prefix, words, without },
    eventType: eventType ?? '',
  });
  const [address, setAddress] = useState('');
  const changing = useAction('follow change');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = address.trim() === '' ? {} : { address: address.trim() };
    const changed = await changing.run({ id: calendar.id, ...given, ...rulesOf(texts) });
    if (changed !== undefined) onClose();
  };
  return (
    <form
      noValidate
      className="stack tinted follow-question"
      onSubmit={(event) => void submit(event)}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <AddressInput
        label={t('newAddress')}
        placeholder={t('unchanged')}
        autoFocus
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <RuleFields isOfDays={rules.use === 'daysOff'} rules={texts} onChange={setTexts} />
      <ErrorNotice error={changing.error} />
      <div className="flow">
        <Button type="submit" loading={changing.isRunning}>
          {t('change')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('manage:cancel')}
        </Button>
      </div>
    </form>
  );
}

type Done = (text: string, batch: number | undefined) => void;

/** Asks what happens to the events of a calendar that is no longer followed. */
function StopQuestion(props: {
  readonly calendar: FollowedCalendar;
  readonly isOpen: boolean;
  readonly onDone: Done;
  readonly onClose: () => void;
}) {
  const { calendar, isOpen, onDone, onClose } = props;
  const { t } = useTranslation('follow');
  const [events, setEvents] = useState<'keep' | 'remove'>('keep');
  const removing = useAction('follow remove');
  const { id, name } = calendar;
  const stop = async () => {
    const done = await removing.run({ id, events });
    if (done === undefined) return;
    onClose();
    onDone(t('stopped', { name }), done.batch);
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={t('stopTitle', { name })}
      confirm={t('stop')}
      task={removing}
      isReversible
      onConfirm={() => void stop()}
      onClose={onClose}
    >
      {calendar.rules.use === 'events' && (
        <fieldset className="stack even follow-use">
          <legend>{t('stopEvents')}</legend>
          {(['keep', 'remove'] as const).map((answer) => (
            <label key={answer} className="beside even">
              <input
                type="radio"
                name="follow-stop"
                checked={events === answer}
                onChange={() => setEvents(answer)}
              />
              {t(answer === 'keep' ? 'stopKeep' : 'stopRemove')}
            </label>
          ))}
        </fieldset>
      )}
    </Confirmation>
  );
}

/** A calendar: its name and host, its state, and what it asks. */
function CalendarLine(props: {
  readonly calendar: FollowedCalendar;
  readonly isNew: boolean;
  readonly onDone: Done;
}) {
  const { calendar, isNew, onDone } = props;
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const words = useWords();
  const now = useNow();
  const [isChanging, setChanging] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const { questions: all, answer } = useFollowed();
  const questions = all.filter((question) => question.calendar.id === calendar.id);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  const reading = useAction('follow now');
  const {
    id,
    name,
    host,
    events,
    until,
    state,
    goodAt,
    nextAt,
    readableAt,
    failure,
    rules,
    unreadable,
  } = calendar;
  const StateIcon = icons[state];
  const isLater = readableAt !== null && readableAt > now.toISOString();
  const times = [
    goodAt !== null && t('read', { when: formats.recentMoment(goodAt, now) }),
    nextAt !== null && t('next', { when: formats.recentMoment(nextAt, now) }),
  ].filter((text) => text !== false);
  const LineIcon = useIcons[rules.use];
  return (
    <li className="stack even follow-calendar" data-state={state}>
      <div className="follow-line">
        <span className="centred tile">
          <LineIcon size={22} stroke={1.6} aria-hidden />
        </span>
        <div>
          <h3 ref={title} tabIndex={-1}>
            <span dir="auto">{name}</span>{' '}
            {rules.use !== 'events' && <span className="badge badge-quiet">{t(rules.use)}</span>}
          </h3>
          <p className="small quiet">
            <span dir="auto">{host}</span>
            {` · ${
              until === null
                ? t('events', { count: events, shown: formats.number(events) })
                : t('until', { when: formats.on('month', until) })
            }`}
          </p>
        </div>
        <div className="beside follow-state">
          <StateIcon size={18} stroke={1.75} aria-hidden />
          <div>
            <p>{t(`state_${state}`)}</p>
            <p className="small quiet">{times.join('; ')}</p>
          </div>
        </div>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={reading.isRunning}
              aria-label={t('moreNamed', { name })}
            >
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={isLater} onClick={() => void reading.run({ id })}>
              {isLater
                ? t('readFrom', { when: formats.recentMoment(readableAt, now) })
                : t('readNow')}
            </Menu.Item>
            <Menu.Item onClick={() => setChanging(true)}>{t('changeMore')}</Menu.Item>
            <Menu.Item onClick={() => void copyText(host)}>{t('copyHost')}</Menu.Item>
            <Menu.Item onClick={() => setStopping(true)}>{t('stopMore')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {failure !== null && (
        <div className="tinted stack even follow-question">
          <p>{words(problemMessage(failure))}</p>
          {state === 'trouble' && (
            <div className="flow">
              {failure.code === 'follow_outlook_refused' && (
                <RowButton onClick={() => goTo({ manage: 'import' })}>{t('importFile')}</RowButton>
              )}
              <RowButton onClick={() => setChanging(true)}>{t('newAddressMore')}</RowButton>
            </div>
          )}
        </div>
      )}
      {unreadable.length > 0 && (
        <p className="small">{t('unreadable', { names: unreadable.join(', ') })}</p>
      )}
      {questions.length > 0 && (
        <div className="tinted follow-question">
          <Questions questions={questions} answer={answer} />
        </div>
      )}
      {isChanging && <ChangeForm calendar={calendar} onClose={() => setChanging(false)} />}
      <StopQuestion
        calendar={calendar}
        isOpen={isStopping}
        onDone={onDone}
        onClose={() => setStopping(false)}
      />
      <ErrorNotice error={reading.error} />
    </li>
  );
}

/** True while the form to follow another calendar is open, which then has the screen for itself. */
export const isFollowFormOpen = createSharedValue(false);

/** The calendars at addresses, and the way to follow another one. */
export function FollowedCalendars() {
  const { t } = useTranslation('follow');
  const { data, error } = useCalendars({ intervalMs: lookMs });
  const isAdding = isFollowFormOpen.use();
  const setAdding = isFollowFormOpen.set;
  const [added, setAdded] = useState<number | undefined>();
  const [last, setLast] = useState<{ text: string; batch: number | undefined } | undefined>();
  const button = useRef<HTMLButtonElement>(null);
  const wasAdding = useRef(false);
  useEffect(() => () => isFollowFormOpen.set(false), []);
  useEffect(() => {
    if (wasAdding.current && !isAdding && added === undefined) button.current?.focus();
    wasAdding.current = isAdding;
  }, [isAdding, added]);
  const undoing = useTask(async (batch: number) => {
    await performChange('undo', { id: batch });
    setLast(undefined);
  });
  const calendars = data?.calendars ?? [];
  if (isAdding) {
    return (
      <FollowForm
        onFollowed={(id) => {
          setAdded(id);
          setAdding(false);
        }}
        onClose={() => setAdding(false)}
      />
    );
  }
  const { batch } = last ?? {};
  return (
    <section className="card stack" aria-labelledby="followed-calendars">
      <div className="ends">
        <h2 id="followed-calendars">{t('title')}</h2>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
          onClick={() => {
            setAdded(undefined);
            setAdding(true);
          }}
        >
          {t('add')}
        </Button>
      </div>
      <ErrorNotice error={error} />
      {calendars.length === 0 ? (
        <p className="small quiet">{t('none')}</p>
      ) : (
        <ul className="ruled follow-calendars">
          {calendars.map((calendar) => (
            <CalendarLine
              key={calendar.id}
              calendar={calendar}
              isNew={calendar.id === added}
              onDone={(text, number) => setLast({ text, batch: number })}
            />
          ))}
        </ul>
      )}
      <div className="follow-outcome">
        <Saved
          was={last?.text}
          {...(batch !== undefined && { onUndo: () => void undoing.run(batch) })}
        />
      </div>
      <ErrorNotice error={undoing.error} />
    </section>
  );
}
