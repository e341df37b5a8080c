import { dayMs, hourMs } from '../../../dates/units.ts';
import './data-state.css';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { IconAlertTriangle, IconCheck } from '../../base/icons.ts';
import { type Mirror, useMirror } from '../../data/mirror-context.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Age from which a failing sync is shown beside the club's name, in milliseconds. */
const failingAfterMs = hourMs;
/** Age from which events are called old without a known reason, in milliseconds. */
const oldAfterMs = dayMs;

type Code = NonNullable<Mirror['problem']>['code'];

const reasons = {
  unreachable: 'noConnection',
  timeout: 'noConnection',
  truncated: 'noConnection',
  not_json: 'noConnection',
  key_refused: 'keyRefused',
  forbidden: 'keyRefused',
  too_many_requests: 'service',
  server_failed: 'service',
  not_running: 'service',
  unexpected_status: 'service',
} as const satisfies { readonly [Name in Code]?: string };

const fileReasons = {
  unreachable: 'noConnection',
  timeout: 'noConnection',
  truncated: 'noConnection',
  not_running: 'noConnection',
  too_many_requests: 'webSpace',
  server_failed: 'webSpace',
  not_trusted: 'webSpace',
  file_password: 'webSpace',
  file_elsewhere: 'webSpace',
  file_missing: 'fileMissing',
  file_folder_missing: 'folderMissing',
  file_silent: 'folderMissing',
  file_unreadable: 'fileClosed',
  file_older: 'fileOlder',
} as const satisfies { readonly [Name in Code]?: string };

type Reasons = {
  readonly [Name in Code]?:
    | (typeof reasons)[keyof typeof reasons]
    | (typeof fileReasons)[keyof typeof fileReasons];
};

/** Returns the reason for which a person has to do something; undefined if there is none. */
function reasonToAct({ isKeyMissing, isPaused, question }: Mirror) {
  if (isKeyMissing) return 'keyMissing';
  if (isPaused) return 'paused';
  return question === null ? undefined : 'question';
}

/** Returns the short reason of a sync that has failed for an hour; undefined if there is none. */
function reasonOfFailure({ kind, problem, succeededAt, asOf }: Mirror, now: number) {
  // The time that a file names says nothing about its reading.
  const readAt = kind === 'file' ? (succeededAt ?? asOf) : asOf;
  if (problem === null || now - Date.parse(readAt ?? '') < failingAfterMs) return undefined;
  const known: Reasons = kind === 'file' ? fileReasons : reasons;
  return known[problem.code] ?? (kind === 'file' ? 'fileRefused' : 'stopped');
}

type State = {
  readonly text: string;
  /** True if a person has to know that something is not as it should be. */
  readonly isOld: boolean;
  /** True for a file that another computer wrote more than a day ago. */
  readonly isOldFile: boolean;
};

/** The age of the events of an online service or a file, in words; undefined for a club without one. */
export function useDataState(): State | undefined {
  const { t } = useTranslation('dataState');
  const formats = useFormats();
  const now = useNow();
  const mirror = useMirror();
  const { all } = useVisibleEvents();
  const asOf = mirror?.asOf ?? all?.asOf ?? null;
  if (asOf === null) {
    return mirror ? { text: t('never'), isOld: true, isOldFile: false } : undefined;
  }
  const isFile = mirror?.kind === 'file';
  const isDayOld = now.getTime() - Date.parse(asOf) >= oldAfterMs;
  const isOldFile = isFile && isDayOld;
  const reason =
    (mirror && (reasonToAct(mirror) ?? reasonOfFailure(mirror, now.getTime()))) ??
    (isDayOld ? (isFile ? 'oldFile' : 'old') : undefined);
  const isToday = formats.recentDay(asOf, now) === formats.recentDay(now, now);
  const when = isToday ? formats.recentMoment(asOf, now) : formats.recentDay(asOf, now);
  if (reason === undefined) {
    const text = isFile ? t('asOfFile', { when, name: mirror.name }) : t('asOf', { when });
    return { text, isOld: false, isOldFile };
  }
  return { text: t('because', { when, reason: t(reason) }), isOld: true, isOldFile };
}

/** The age of the events of an online service or a file, with a triangle if they are old. */
export function DataState() {
  const state = useDataState();
  if (state === undefined) return null;
  const StateIcon = state.isOld ? IconAlertTriangle : IconCheck;
  return (
    <span
      className="data-state"
      data-old={state.isOld || undefined}
      data-old-file={state.isOldFile || undefined}
    >
      <StateIcon size={14} aria-hidden />
      {state.text}
    </span>
  );
}
