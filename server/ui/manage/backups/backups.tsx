import './backups.css';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { daysBetween } from '../../../dates/days.ts';
import { RowButton } from '../../base/buttons.tsx';
import { useClock, useToday } from '../../base/days.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconDatabase,
  IconDeviceFloppy,
} from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { performChange, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useApplication, useWaitingFiles } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { BackupChoice } from './backup-list.tsx';
import { BackupFolders } from './folders.tsx';
import { RestoreQuestion, type Source, useRestoring } from './restore.tsx';
import { type ListedBackup, useBackupWords } from './words.ts';

/** Days after which the screen asks for a backup on another disk. */
const reminderDays = 30;

type Overview = ActionResult<'backup list'>;

/** Returns the days since a backup left this disk; undefined if no reminder is due. */
function useOverdueDays({ backups, elsewhere }: Overview): number | undefined {
  const clock = useClock();
  const today = useToday();
  const oldest = backups.at(-1);
  const hasEvents = (backups[0]?.counts.events ?? 0) > 0;
  const isPast = elsewhere.at !== null && clock.dayOf(elsewhere.at) <= today;
  const since = isPast ? elsewhere.at : oldest?.createdAt;
  if (since === undefined || since === null || !hasEvents || elsewhere.isComplete) return undefined;
  const days = daysBetween(clock.dayOf(since), today);
  return days > reminderDays ? days : undefined;
}

function Reminder({ days }: { readonly days: number }) {
  const { t } = useTranslation('backups');
  const { number } = useFormats();
  return (
    <p className="report">
      <IconAlertTriangle size={20} aria-hidden />
      <span>{t('reminder', { days: number(days) })}</span>
    </p>
  );
}

/** The last backup, the number of kept ones and the last proof. */
function Status({ backups }: { readonly backups: readonly ListedBackup[] }) {
  const clock = useClock();
  const { t } = useTranslation('backups');
  const formats = useFormats();
  const { describeDay, describeRecentDay, describeTime } = useBackupWords();
  const today = useToday();
  const [newest] = backups;
  const oldest = backups.at(-1);
  if (newest === undefined || oldest === undefined) return <p>{t('none')}</p>;
  const proven = backups.find(({ provenAt }) => provenAt && clock.dayOf(provenAt) <= today);
  return (
    <>
      <p>
        {t('last', { when: describeTime(newest.createdAt) })}
        {backups.length > 1 &&
          ` ${t('kept', {
            count: backups.length,
            shown: formats.number(backups.length),
            day: describeDay(oldest.createdAt),
          })}`}
      </p>
      <p className="quiet">
        {proven?.provenAt === undefined
          ? t('notProven')
          : t('proven', {
              day: describeRecentDay(proven.provenAt),
              count: proven.counts.events,
              shown: formats.number(proven.counts.events),
            })}
      </p>
    </>
  );
}

type Done =
  | { readonly kind: 'made'; readonly report: ActionResult<'backup'> }
  | { readonly kind: 'restored'; readonly report: ActionResult<'restore'> };

/** The outcome of the last backup or restore; that of a restore takes the focus. */
function Outcome(props: {
  readonly done: Done | undefined;
  readonly onUndo: (name: string) => void;
  readonly isUndoing: boolean;
}) {
  const { done, onUndo, isUndoing } = props;
  const { t } = useTranslation('backups');
  const { describeCounts } = useBackupWords();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done?.kind !== 'restored') return;
    // Runs after the dialog has returned the focus.
    const timer = setTimeout(() => text.current?.focus());
    return () => clearTimeout(timer);
  }, [done]);
  if (done === undefined) return <p role="status" className="good-icon report backups-outcome" />;
  const what = describeCounts(done.report.counts);
  const { kind, report } = done;
  const sentence =
    kind === 'restored'
      ? report.damaged === null
        ? t('restored', { what })
        : t('restoredDamaged', { what, file: report.damaged })
      : report.name === null
        ? t('saved', { what, file: report.output, record: `${report.output}.json` })
        : t('made', { what });
  const replaced = kind === 'restored' ? report.replaced : null;
  return (
    <>
      <p ref={text} role="status" tabIndex={-1} className="good-icon report backups-outcome">
        <IconCheck size={18} aria-hidden />
        <span>{sentence}</span>
      </p>
      {replaced !== null && (
        <RowButton
          className="alone backups-undo"
          size="sm"
          loading={isUndoing}
          leftSection={<IconArrowBackUp size={18} stroke={1.75} aria-hidden />}
          onClick={() => onUndo(replaced)}
        >
          {t('undo')}
        </RowButton>
      )}
    </>
  );
}

/** Returns tasks that make a backup in the data folder, or in a file that the user chooses. */
function useBackingUp(onDone: (done: Done) => void) {
  const clock = useClock();
  const here = useTask(async () => {
    const { result } = await performChange('backup', {});
    onDone({ kind: 'made', report: result });
  });
  const elsewhere = useTask(async () => {
    const name = `club-events-${clock.dayOf(new Date())}.sqlite`;
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    if (file === null) return;
    onDone({ kind: 'made', report: await perform('backup', { output: file.token }) });
  });
  return { here, elsewhere };
}

function BackupsCard({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation('backups');
  const { backups } = overview;
  const [done, setDone] = useState<Done | undefined>();
  const [isChoosing, setChoosing] = useState(false);
  const [source, setSource] = useState<Source | undefined>();
  const [isAsking, setAsking] = useState(false);
  const { here, elsewhere } = useBackingUp(setDone);
  const undoing = useRestoring();
  const overdue = useOverdueDays(overview);
  const { club } = useApplication();
  const ask = (chosen: Source) => {
    setSource(chosen);
    setAsking(true);
  };
  useWaitingFiles('restore', ([file]) => file && ask({ kind: 'file', file }));
  const undo = async (name: string) => {
    const report = await undoing.run({ name });
    if (report !== undefined) setDone({ kind: 'restored', report });
  };
  return (
    <div className="column backups">
      <section className="card stack" aria-labelledby="backups-status">
        <h2 id="backups-status">{t('status')}</h2>
        <Status backups={backups} />
        {overdue !== undefined && <Reminder days={overdue} />}
        <div className="flow backups-buttons">
          <Button
            variant="default"
            loading={here.isRunning}
            leftSection={<IconDatabase size={18} stroke={1.75} aria-hidden />}
            onClick={() => void here.run()}
          >
            {t('now')}
          </Button>
          <Button
            variant="default"
            loading={elsewhere.isRunning}
            leftSection={<IconDeviceFloppy size={18} stroke={1.75} aria-hidden />}
            onClick={() => void elsewhere.run()}
          >
            {t('to')}
          </Button>
          <Button
            variant="default"
            aria-expanded={isChoosing}
            onClick={() => setChoosing(!isChoosing)}
          >
            {t('restore')}
          </Button>
        </div>
        <ErrorNotice error={here.error ?? elsewhere.error ?? undoing.error} />
        <Outcome done={done} isUndoing={undoing.isRunning} onUndo={(name) => void undo(name)} />
      </section>
      <BackupFolders />
      {isChoosing && <BackupChoice backups={backups} onChoose={ask} />}
      <RestoreQuestion
        source={source}
        isOpen={isAsking}
        onRestored={(report) => {
          // On a new computer, there was nothing to go back to.
          if (club === null) goTo({ manage: null });
          setDone({ kind: 'restored', report });
          setChoosing(false);
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

/** The backups: the last one, a new one, and restoring. */
export function Backups() {
  const { t } = useTranslation('backups');
  const { data, error } = useActionQuery('backup list', {});
  return (
    <>
      <ErrorNotice error={error} />
      {data !== undefined && <BackupsCard overview={data} />}
      <p className="small quiet">{t('intro')}</p>
    </>
  );
}
