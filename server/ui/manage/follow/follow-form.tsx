import './follow.css';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '../../../../db/model.ts';
import { teamMatcher } from '../../../../db/team-filter.ts';
import type { ActionResult } from '../../../actions/bridge.ts';
import { useToday } from '../../base/days.ts';
import { perform } from '../../base/desktop.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { IconCalendar, IconCheck, IconEye } from '../../base/icons.ts';
import { performChange, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import {
  AddressInput,
  ErrorNotice,
  OptionCards,
  ScreenIntro,
  StepFooter,
} from '../parts/parts.tsx';

type Found = ActionResult<'follow add'>;
type EventType = (typeof eventTypes)[number];

/** The texts of the form that say what the events are. */
export type RuleTexts = {
  readonly name: string;
  readonly eventType: EventType | '';
  readonly place: string;
  readonly prefix: string;
  readonly words: string;
  readonly without: string;
};

const emptyRules: RuleTexts = {
  ...{ name: '', eventType: '', place: '', prefix: '', words: '', without: '' },
};

/** Returns the rules as the actions take them. */
export const rulesOf = ({ eventType, name, ...rules }: RuleTexts) => ({
  ...rules,
  eventType: eventType || null,
  ...(name.trim() !== '' && { name }),
});

/** The fields of a calendar: its name, and what its events get. */
export function RuleFields(props: {
  readonly rules: RuleTexts;
  readonly isOfDays?: boolean;
  readonly onChange: (rules: RuleTexts) => void;
}) {
  const { rules, isOfDays = false, onChange } = props;
  const { t } = useTranslation(['follow', 'event']);
  const field = (name: Exclude<keyof RuleTexts, 'eventType'>) => (
    <TextInput
      label={t(name)}
      value={rules[name]}
      maxLength={200}
      onChange={({ currentTarget }) => onChange({ ...rules, [name]: currentTarget.value })}
    />
  );
  return (
    <div className="follow-fields">
      {field('name')}
      {!isOfDays && (
        <>
          <NativeSelect
            label={t('type')}
            value={rules.eventType}
            data={[
              { value: '', label: t('event:none') },
              ...eventTypes.map((type) => ({ value: type, label: t(`event:${type}`) })),
            ]}
            onChange={({ currentTarget }) =>
              onChange({ ...rules, eventType: currentTarget.value as RuleTexts['eventType'] })
            }
          />
          {field('place')}
          {field('prefix')}
        </>
      )}
      {field('words')}
      {field('without')}
    </div>
  );
}

/** Number of events in the preview. */
const maxShown = 12;

/** The first events as they will be here; those that the words leave out are struck. */
function Preview({ found, rules }: { readonly found: Found; readonly rules: RuleTexts }) {
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const times = useEventTimes('weekdayAndDay');
  const today = useToday();
  const title = useId();
  const { words, without } = rules;
  const isMeant = useMemo(
    () => teamMatcher({ words, without, place: '', eventType: null }),
    [words, without],
  );
  const events = found.shown.map((event, at) => ({
    ...event,
    id: at,
    createdAt: event.date,
    isMeant: isMeant(event),
    name: `${rules.prefix}${event.name}`,
    location: event.location || rules.place.trim(),
  }));
  const rest = found.events - Math.min(events.length, maxShown);
  return (
    <section className="stack even" aria-labelledby={title}>
      <h2 id={title}>{t('preview')}</h2>
      <ul className="card ruled optional event-list">
        {events.slice(0, maxShown).map((event) => (
          <li key={event.id} data-left-out={!event.isMeant || undefined}>
            <strong dir="auto">
              {event.status === 'cancelled' || !event.isMeant ? <s>{event.name}</s> : event.name}
            </strong>
            <span className="quiet small" dir="auto">
              {times.line(event, today)}
              {!event.isMeant && ` · ${t('leftOut')}`}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="small quiet">{t('more', { count: rest, shown: formats.number(rest) })}</p>
      )}
    </section>
  );
}

/** Returns an address without its name and password, and the name; undefined without one. */
function splitAddress(text: string): { readonly address: string; readonly account?: string } {
  const [, scheme = '', account = '', rest = ''] =
    /^(\s*\w+:\/\/)([^/@:]+)(?::[^/@]*)?@(.*)$/.exec(text) ?? [];
  return account === '' ? { address: text } : { address: scheme + rest, account };
}

/** The address and its check; the outcome is the calendar that it found. */
function useChecking(user: string, onFound: (found: Found) => void) {
  /** The address as it is sent, with a name and a password that the field no longer shows. */
  const secret = useRef('');
  const [shown, setShown] = useState<ReturnType<typeof splitAddress>>({ address: '' });
  const checking = useTask(async (text: string) => {
    const found = await perform('follow add', { user, address: text, dryRun: true });
    setShown(splitAddress(text));
    onFound(found);
    return found;
  });
  const change = (address: string) => {
    secret.current = address;
    checking.reset();
    setShown({ address });
  };
  return {
    ...checking,
    address: shown.address,
    account: shown.account,
    secret,
    change,
    check: () => void checking.run(secret.current),
    paste(text: string) {
      change(text);
      void checking.run(text);
    },
  };
}

/** The form to follow a calendar at an address: paste, look, follow. */
export function FollowForm(props: {
  readonly onFollowed: (id: number) => void;
  readonly onClose: () => void;
}) {
  const { onFollowed, onClose } = props;
  const { t } = useTranslation(['follow', 'daysOff', 'manage']);
  const formats = useFormats();
  const { club } = useDesktop();
  const [rules, setRules] = useState(emptyRules);
  const checking = useChecking(club.name, ({ name }) =>
    setRules((before) => ({ ...before, name: before.name || name })),
  );
  const { result: found, account } = checking;
  const [use, setUse] = useState<'events' | 'look'>('events');
  const refusal = useErrorMessage(checking.error);
  const following = useTask(async () => {
    const args = { user: club.name, address: checking.secret.current, ...rulesOf(rules) };
    const { result } = await performChange('follow add', { ...args, onlyLook: use === 'look' });
    if (result.id !== undefined) onFollowed(result.id);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (found === undefined) checking.check();
    else void following.run();
  };
  const hours = (found?.everyMinutes ?? 60) / 60;
  return (
    <form
      noValidate
      className="stack"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <ScreenIntro>{t('intro')}</ScreenIntro>
      <div className="follow-columns">
        <div className="stack">
          <div className="follow-address">
            <AddressInput
              label={t('address')}
              description={t('addressHelp')}
              autoFocus
              value={checking.address}
              error={refusal}
              onPaste={(event) => {
                event.preventDefault();
                checking.paste(event.clipboardData.getData('text').trim());
              }}
              onChange={({ currentTarget }) => checking.change(currentTarget.value)}
            />
            {/* Enter presses the first button that submits, unless that is disabled. */}
            <Button
              type={found === undefined ? 'submit' : 'button'}
              variant="default"
              loading={checking.isRunning}
              onClick={found && checking.check}
            >
              {t('check')}
            </Button>
          </div>
          <details className="small">
            <summary>{t('where')}</summary>
            <p className="follow-where">{t('whereText')}</p>
          </details>
          <div role="status">
            {found && (
              <div className="tinted beside good-icon">
                <IconCheck size={20} stroke={1.75} aria-hidden />
                <div>
                  <p className="strong" dir="auto">
                    {found.name}
                  </p>
                  <p className="small">
                    {t('found', { count: found.events, shown: formats.number(found.events) })}
                    {found.first !== null &&
                      found.last !== null &&
                      `, ${formats.range('shortDay', found.first, found.last)}`}
                    . {t('every', { count: hours, shown: formats.number(hours) })}
                    {account !== undefined && ` ${t('passwordKept', { account })}`}
                  </p>
                  {found.unreadable.length > 0 && (
                    <p className="small">
                      {t('unreadable', { names: found.unreadable.join(', ') })}
                    </p>
                  )}
                </div>
              </div>
            )}
          </div>
          {found && (
            <>
              <fieldset className="stack even follow-use">
                <legend>{t('what')}</legend>
                <OptionCards
                  name="follow-use"
                  value={use}
                  options={[
                    { value: 'events', Icon: IconCalendar, label: t('ours'), help: t('oursHelp') },
                    { value: 'look', Icon: IconEye, label: t('look'), help: t('lookHelp') },
                  ]}
                  onChange={setUse}
                />
              </fieldset>
              <RuleFields rules={rules} onChange={setRules} />
              <section className="stack even" aria-label={t('later')}>
                <h2>{t('later')}</h2>
                <ul className="small follow-promises">
                  <li>{t('laterMoves')}</li>
                  <li>{t('laterMissing')}</li>
                  <li>{t('laterEdits')}</li>
                </ul>
              </section>
            </>
          )}
        </div>
        {found && <Preview found={found} rules={rules} />}
      </div>
      <ErrorNotice error={following.error} />
      <StepFooter status={found && t('nothingYet')}>
        <Button variant="default" onClick={onClose}>
          {t('back')}
        </Button>
        <Button type="submit" disabled={found === undefined} loading={following.isRunning}>
          {t('follow')}
        </Button>
      </StepFooter>
    </form>
  );
}
