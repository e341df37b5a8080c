import './data-state.css';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { type Mirror, useMirror } from '../../data/mirror-context.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Age from which a failing sync is shown beside the club's name, in milliseconds. */
const failingAfterMs = 60 * 60 * 1000;
/** Age from which events are called old without a known reason, in milliseconds. */
const oldAfterMs = 24 * 60 * 60 * 1000;

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
} as const;

/** Returns the reason for which a person has to do something; undefined if there is none. */
function reasonToAct({ isKeyMissing, isPaused, question }: Mirror) {
  if (isKeyMissing) return 'keyMissing';
  if (isPaused) return 'paused';
  return question === null ? undefined : 'question';
}

/** Returns the key of the short reason for old events; undefined while they are up to date. */
function reasonOf(mirror: Mirror | null | undefined, ageMs: number) {
  const toAct = mirror ? reasonToAct(mirror) : undefined;
  if (toAct !== undefined) return toAct;
  const code = mirror?.problem?.code;
  if (code !== undefined && ageMs >= failingAfterMs) {
    return Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : 'stopped';
  }
  return ageMs >= oldAfterMs ? 'old' : undefined;
}

/** The age of the events of an online service, in words; undefined for a club without one. */
export function useDataState(): { readonly text: string; readonly isOld: boolean } | undefined {
  const { t } = useTranslation('dataState');
  const formats = useFormats();
  const now = useNow();
  const mirror = useMirror();
  const { all } = useVisibleEvents();
  const asOf = mirror?.asOf ?? all?.asOf ?? null;
  if (asOf === null) return mirror ? { text: t('never'), isOld: true } : undefined;
  const reason = reasonOf(mirror, now.getTime() - Date.parse(asOf));
  const isToday = formats.recentDay(asOf, now) === formats.recentDay(now, now);
  const when = isToday ? formats.recentMoment(asOf, now) : formats.recentDay(asOf, now);
  if (reason === undefined) {
    const isFile = mirror?.kind === 'file';
    const text = isFile ? t('asOfFile', { when, name: mirror.name }) : t('asOf', { when });
    return { text, isOld: false };
  }
  return { text: t('because', { when, reason: t(reason) }), isOld: true };
}

/** The age of the events of an online service, with a triangle if they are old. */
export function DataState() {
  const state = useDataState();
  if (state === undefined) return null;
  const StateIcon = state.isOld ? IconAlertTriangle : IconCheck;
  return (
    <span className="data-state" data-old={state.isOld || undefined}>
      <StateIcon size={14} aria-hidden />
      {state.text}
    </span>
  );
}
