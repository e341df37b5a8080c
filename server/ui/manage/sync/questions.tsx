import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { IconAlertTriangle } from '../../base/icons.ts';
import { createSharedValue } from '../../base/shared-value.ts';
import { hostOf, type Mirror } from '../../data/mirror-context.ts';
import { useClubJobs } from './club-jobs.ts';
import { KeyQuestion } from './source.tsx';
import { useProblemWords } from './sync-parts.tsx';

type Asked<Kind> = Extract<NonNullable<Mirror['question']>, { readonly kind: Kind }>;

/** The questions that a person put off, until the program ends. */
const putOff = createSharedValue<ReadonlySet<string>>(new Set());

function Question(props: {
  readonly title: string;
  readonly children: ReactNode;
  readonly buttons: ReactNode;
}) {
  const { title, children, buttons } = props;
  const id = useId();
  return (
    <section className="card stack sync-card" data-tone="attention" aria-labelledby={id}>
      <div className="titled sync-card-head sync-ready-head">
        <IconAlertTriangle size={24} stroke={1.75} aria-hidden />
        <h2 id={id}>{title}</h2>
      </div>
      {children}
      <div className="flow sync-buttons">{buttons}</div>
    </section>
  );
}

/** A question that was put off: one line, and a button that asks it again. */
function Waiting({ text, onDecide }: { readonly text: string; readonly onDecide: () => void }) {
  const { t } = useTranslation('sync');
  return (
    <div className="cluster tinted sync-waiting">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <p role="status">{text}</p>
      <Button variant="default" size="compact-sm" onClick={onDecide}>
        {t('decide')}
      </Button>
    </div>
  );
}

/** Returns the state of putting a question off. */
function usePutOff(question: NonNullable<Mirror['question']>, user: string) {
  const name = JSON.stringify([user, question]);
  const all = putOff.use();
  return {
    isPutOff: all.has(name),
    putOff: () => putOff.set(new Set([...all, name])),
    ask: () => putOff.set(new Set([...all].filter((other) => other !== name))),
  };
}

/** Number of events shown before a button shows the others. */
const fewEvents = 8;

function EventNames({ events, count }: Pick<Asked<'removals'>, 'events' | 'count'>) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const today = useToday();
  const [isOpen, setOpen] = useState(false);
  const visible = isOpen ? events : events.slice(0, fewEvents);
  const left = count - visible.length;
  const more = t('more', { count: left, shown: formats.number(left) });
  return (
    <ul className="stack tight sync-names">
      {visible.map(({ id, name, date }) => (
        <li key={id}>
          <span className="quiet">{formats.dayNear('weekdayAndDay', date, today)}</span>{' '}
          <span dir="auto">{name}</span>
        </li>
      ))}
      {left > 0 && (
        <li>
          {visible.length < events.length ? (
            <LinkButton onClick={() => setOpen(true)}>{more}</LinkButton>
          ) : (
            more
          )}
        </li>
      )}
    </ul>
  );
}

type AskedProps<Kind> = { readonly mirror: Mirror; readonly question: Asked<Kind> };

function Removals({ mirror, question }: AskedProps<'removals'>) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const jobs = useClubJobs();
  const isBusy = jobs.use().running !== undefined;
  const delay = usePutOff(question, mirror.user);
  const { count, events, reason } = question;
  const counted = { count, shown: formats.number(count) };
  if (delay.isPutOff) return <Waiting text={t('waiting', counted)} onDecide={delay.ask} />;
  return (
    <Question
      title={t(mirror.kind === 'file' ? 'removalsFile' : 'removals', counted)}
      buttons={
        <>
          <Button
            color="red"
            disabled={isBusy}
            onClick={() => void jobs.sync({ confirmRemovals: true })}
          >
            {t('remove', { count })}
          </Button>
          <Button variant="default" onClick={delay.putOff}>
            {t('keep', { count })}
          </Button>
        </>
      }
    >
      <p>{t(`reason_${reason}`)}</p>
      <EventNames events={events} count={count} />
    </Question>
  );
}

function Reset({ mirror, question }: AskedProps<'reset'>) {
  const { t } = useTranslation('sync');
  const jobs = useClubJobs();
  const describe = useProblemWords();
  const isBusy = jobs.use().running !== undefined;
  const delay = usePutOff(question, mirror.user);
  const isFile = mirror.kind === 'file';
  if (delay.isPutOff) {
    return <Waiting text={t(isFile ? 'resetWaitsFile' : 'resetWaits')} onDecide={delay.ask} />;
  }
  return (
    <Question
      title={t(question.code === 'file_older' ? 'resetOlder' : isFile ? 'resetFile' : 'reset')}
      buttons={
        <>
          <Button
            color="red"
            disabled={isBusy}
            onClick={() => void jobs.sync({ acceptReset: true })}
          >
            {t('accept')}
          </Button>
          <Button variant="default" onClick={delay.putOff}>
            {t('notNow')}
          </Button>
        </>
      }
    >
      <p>{describe(mirror)}</p>
      <p>{t(isFile ? 'resetWhatFile' : 'resetWhat')}</p>
    </Question>
  );
}

function MissingKey({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const [isOpen, setOpen] = useState(false);
  const jobs = useClubJobs();
  const words = useWords();
  const { isKeyForeign, url } = mirror;
  return (
    <Question
      title={t(isKeyForeign ? 'reset' : 'noKey')}
      buttons={<Button onClick={() => setOpen(true)}>{t('enterKey')}</Button>}
    >
      <p>
        {isKeyForeign
          ? words(problemMessage({ code: 'mirror_key_foreign', values: { url } }))
          : t('noKeyWhat', { host: hostOf(mirror) })}
      </p>
      <KeyQuestion
        mirror={mirror}
        isOpen={isOpen}
        onSaved={() => {
          setOpen(false);
          void jobs.sync();
        }}
        onClose={() => setOpen(false)}
      />
    </Question>
  );
}

/** The pause after the restore of a backup, until a person syncs. */
function Paused({ isFile }: { readonly isFile: boolean }) {
  const { t } = useTranslation('sync');
  const jobs = useClubJobs();
  const isBusy = jobs.use().running !== undefined;
  return (
    <Question
      title={t(isFile ? 'pausedFile' : 'paused')}
      buttons={
        <Button disabled={isBusy} onClick={() => void jobs.sync()}>
          {t(isFile ? 'nowFile' : 'now')}
        </Button>
      }
    >
      <p>{t(isFile ? 'pausedWhatFile' : 'pausedWhat')}</p>
    </Question>
  );
}

/** Everything that waits for a person, before the cards. */
export function Questions({ mirror }: { readonly mirror: Mirror }) {
  const { question, isPaused, isKeyMissing } = mirror;
  return (
    <>
      {isKeyMissing && <MissingKey mirror={mirror} />}
      {isPaused && <Paused isFile={mirror.kind === 'file'} />}
      {question?.kind === 'removals' && <Removals mirror={mirror} question={question} />}
      {question?.kind === 'reset' && <Reset mirror={mirror} question={question} />}
    </>
  );
}
