import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { IconAlertTriangle } from '../../base/icons.ts';
import type { Mirror } from '../../data/mirror-context.ts';
import { useDataState } from '../parts/data-state.tsx';
import { Card, UpToDate, useIsAutomatic, useProblemWords } from './sync-parts.tsx';

/** Something that is not as it should be, in its own line; the sentence stands first. */
function Trouble(props: { readonly sentence: string; readonly children?: ReactNode }) {
  const { sentence, children } = props;
  return (
    <div className="beside sync-trouble">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <div className="stack tight">
        <p dir="auto">{sentence}</p>
        {children}
      </div>
    </div>
  );
}

/** Returns why the file is not read, or that it is old; undefined while it is up to date. */
function useTrouble(mirror: Mirror): string | undefined {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  const describe = useProblemWords();
  const isOld = useDataState()?.isOldFile === true;
  const { problem, question, isPaused, asOf } = mirror;
  // The question has the sentence, too.
  if (question?.kind === 'reset' || isPaused || asOf === null) return undefined;
  if (problem !== null) return describe(mirror);
  return isOld ? t('oldFile', { when: formats.recentMoment(asOf, now) }) : undefined;
}

/** The card about the file of another computer: its age, its events, and what is wrong with it. */
export function FileCard({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  const trouble = useTrouble(mirror);
  const isAutomatic = useIsAutomatic(mirror);
  const { events, asOf, nextAt, unconfirmed, conflictCopies, question, isPaused } = mirror;
  const isOld = useDataState()?.isOldFile === true;
  const when = asOf === null ? '' : formats.recentMoment(asOf, now);
  const isCurrent = trouble === undefined && question === null && !isPaused && asOf !== null;
  const counted = { count: events, shown: formats.number(events), when };
  return (
    <Card
      title={t('here')}
      tone={trouble === undefined ? undefined : 'attention'}
      aside={isCurrent && <UpToDate />}
    >
      {events === 0 ? (
        <p>{t('noEventsFile', { when })}</p>
      ) : (
        // The file may have others meanwhile.
        trouble === undefined && <p>{t(isCurrent ? 'allFile' : 'shownFile', counted)}</p>
      )}
      {unconfirmed > 0 && !isOld && (
        <p>{t('unconfirmedFile', { count: unconfirmed, shown: formats.number(unconfirmed) })}</p>
      )}
      {trouble !== undefined && (
        <Trouble sentence={trouble}>
          <p className="small quiet">
            {events > 0 && t('shownFile', counted)}{' '}
            {isAutomatic && t('nextLookFile', { when: formats.recentMoment(nextAt, now) })}
          </p>
        </Trouble>
      )}
      {conflictCopies.length > 0 && (
        <Trouble sentence={t('conflicts', { names: conflictCopies.join(', ') })} />
      )}
    </Card>
  );
}
