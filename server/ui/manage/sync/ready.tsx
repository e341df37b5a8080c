import { Button } from '@mantine/core';
import { useId } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconPrinter,
  IconShieldCheck,
  IconX,
} from '../../base/icons.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { type ReadyReport, useClubJobs } from './club-jobs.ts';
import { JobProgress } from './sync-parts.tsx';

/** Returns a function that sums up a passed check, for the card. */
function useCardWords(): (report: ReadyReport) => string {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  return ({ upcoming, until, confirmedAt, missingBefore }) => {
    const missing =
      missingBefore === null
        ? t('noneMissing')
        : t('missingBefore', { day: formats.at('day', missingBefore) });
    if (until === null || confirmedAt === null) return `${t('cardEmpty')} ${missing}`;
    const card = t('card', {
      count: upcoming,
      shown: formats.number(upcoming),
      day: formats.at('day', until),
      when: formats.recentMoment(confirmedAt, now),
    });
    return `${card} ${missing}`;
  };
}

/** The checks, failed ones first and with their reasons. */
function Checks({ checks }: Pick<ReadyReport, 'checks'>) {
  const { t } = useTranslation('sync');
  const words = useWords();
  const failedFirst = checks.toSorted((one, other) => Number(one.isFine) - Number(other.isFine));
  return (
    <ul className="stack tight sync-checks">
      {failedFirst.map(({ name, isFine, problem }) => {
        const CheckIcon = isFine ? IconCheck : IconX;
        return (
          <li key={name} data-fine={isFine}>
            <CheckIcon size={16} aria-hidden />
            <span>
              {problem === undefined
                ? t(`check_${name}`)
                : capitalize(words(problemMessage(problem)))}
              <span className="only-spoken">: {t(isFine ? 'passed' : 'failed')}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The offer to search for upcoming events that may be missing, with its cost. */
function UpcomingSearch({ search }: { readonly search: NonNullable<ReadyReport['search']> }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const jobs = useClubJobs();
  const { running } = jobs.use();
  const cost = {
    requests: formats.number(search.requests),
    duration: formats.duration(search.seconds),
  };
  return (
    <>
      <p className="small">{t('missingUpcoming', cost)}</p>
      <div className="flow sync-buttons">
        <Button
          variant="default"
          size="compact-sm"
          disabled={running !== undefined}
          onClick={() => void jobs.search({ upcoming: true })}
        >
          {t('lookUpcoming')}
        </Button>
      </div>
    </>
  );
}

/** The only part of the page on paper when its button is used. */
function PrintedCard({ report }: { readonly report: ReadyReport }) {
  const { t } = useTranslation('sync');
  const { club } = useDesktop();
  const describe = useCardWords();
  const formats = useFormats();
  return createPortal(
    <div id="sync-print" aria-hidden>
      <p className="sync-print-club" dir="auto">
        {club.name}
      </p>
      <p className="sync-print-title">{t('ready')}</p>
      <p>{describe(report)}</p>
      <ul>
        {report.checks.map(({ name }) => (
          <li key={name}>✓ {t(`check_${name}`)}</li>
        ))}
      </ul>
      <p>{report.confirmedAt && formats.at('moment', report.confirmedAt)}</p>
    </div>,
    document.body,
  );
}

/** The card with the check before a trip; green only if everything passed. */
export function ReadyCard() {
  const { t } = useTranslation('sync');
  const jobs = useClubJobs();
  const { running, failed, ready } = jobs.use();
  const describe = useCardWords();
  const id = useId();
  const error = failed?.kind === 'ready' ? failed.error : undefined;
  const isReady = ready?.isReady === true;
  const isFailed = ready !== undefined && !ready.isReady;
  const TitleIcon = isReady ? IconShieldCheck : IconAlertTriangle;
  return (
    <section
      className="card stack sync-card"
      aria-labelledby={id}
      data-tone={isReady ? 'good' : isFailed ? 'attention' : undefined}
    >
      <div className="titled sync-card-head sync-ready-head">
        {ready && <TitleIcon size={24} stroke={1.75} aria-hidden />}
        <h2 id={id}>{t(isFailed ? 'notReady' : 'ready')}</h2>
      </div>
      {running?.kind === 'ready' ? (
        <JobProgress title={t('checkingReady')} running={running} />
      ) : (
        <>
          <div role="status" className="stack even">
            {ready === undefined && <p>{t('readyHelp')}</p>}
            {ready && <p>{describe(ready)}</p>}
            {ready && <Checks checks={ready.checks} />}
          </div>
          {ready?.search && <UpcomingSearch search={ready.search} />}
          <ErrorNotice error={error} />
          <div className="flow sync-buttons">
            <Button
              variant={isFailed ? 'filled' : 'default'}
              size="compact-sm"
              disabled={running !== undefined}
              onClick={() => void jobs.checkReady()}
            >
              {t(isReady ? 'checkAgain' : 'getReady')}
            </Button>
            {isReady && (
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
                onClick={() => window.print()}
              >
                {t('printCard')}
              </Button>
            )}
          </div>
        </>
      )}
      {isReady && <PrintedCard report={ready} />}
    </section>
  );
}
