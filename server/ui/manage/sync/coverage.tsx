import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { problemMessage } from '../../../messages/message.ts';
import { useNow, useToday } from '../../base/days.ts';
import { perform } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { hostOf, type Mirror } from '../../data/mirror-context.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useDataState } from '../parts/data-state.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { useClubJobs } from './club-jobs.ts';
import { Card, JobProgress, UpToDate } from './sync-parts.tsx';

type Estimate = ActionResult<'mirror search-ids'>['estimate'];

/** Limits of the hatched part of the bar, in percent, so that both parts are visible. */
const [minShare, maxShare] = [12, 60];

/** A bar of all events by creation: solid where all are known, hatched where some may be missing. */
function CoverageBar({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  const { events, asOf } = mirror;
  const { since, older } = mirror.coverage;
  const share = Math.min(maxShare, Math.max(minShare, (100 * older) / Math.max(1, events)));
  return (
    <div className="sync-bar" aria-hidden>
      {since !== null && <span className="sync-bar-some" style={{ flexBasis: `${share}%` }} />}
      <span className="sync-bar-all" />
      <span className="small quiet sync-marks">
        {since !== null && (
          <>
            <span style={{ width: `${share}%` }}>
              {older > 0 && t('olderMark', { shown: formats.number(older) })}
            </span>
            <strong>{formats.recentDay(since, now)}</strong>
          </>
        )}
        <span className="sync-mark-now">{asOf && formats.recentMoment(asOf, now)}</span>
      </span>
    </div>
  );
}

/** The known events in words. */
function CoverageWords({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const today = useToday();
  const words = useWords();
  const { events, coverage, unconfirmed, unreadable, unknownMembers, minutesAhead } = mirror;
  const { since, older, holes } = coverage;
  const day = (moment: string) => formats.dayNear('day', moment, today);
  const list = (names: readonly string[]) => names.join(', ');
  const shown = formats.number;
  return (
    <>
      {since === null ? (
        <p>{events === 0 ? t('noEvents') : t('all', { count: events, shown: shown(events) })}</p>
      ) : (
        <p>
          {older === 0
            ? t('since', { day: formats.at('day', since) })
            : t('sinceAnd', {
                count: older,
                shown: shown(older),
                day: formats.at('day', since),
              })}
        </p>
      )}
      {holes.map(({ from, to }) => (
        <p key={from}>{t('hole', { from: day(from), to: day(to) })}</p>
      ))}
      {unconfirmed > 0 && (
        <p>{t('unconfirmed', { count: unconfirmed, shown: shown(unconfirmed) })}</p>
      )}
      {minutesAhead > 0 && (
        <p>{words(problemMessage({ code: 'ready_clock', values: { minutes: minutesAhead } }))}</p>
      )}
      {unreadable.length > 0 && (
        <p dir="auto">
          {t('unreadable', { names: list(unreadable.map(({ id, name }) => name || String(id))) })}
        </p>
      )}
      {unknownMembers.length > 0 && (
        <p className="small quiet">{t('unknownMembers', { names: list(unknownMembers) })}</p>
      )}
    </>
  );
}

/** The cost of a search, and the consent. */
function Consent(props: {
  readonly mirror: Mirror;
  readonly estimate: Estimate;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}) {
  const { mirror, estimate, onStart, onCancel } = props;
  const { t } = useTranslation(['sync', 'manage']);
  const formats = useFormats();
  const { requests, seconds, isTooSparse } = estimate;
  const cost = { requests: formats.number(requests), duration: formats.duration(seconds) };
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => start.current?.focus(), []);
  if (isTooSparse) return <p role="status">{t('sparse', { requests: cost.requests })}</p>;
  return (
    <>
      <p id="search-cost">
        <strong>{t('estimate', cost)}</strong> {t('consent', { host: hostOf(mirror) })}
      </p>
      <div className="flow sync-buttons">
        <Button
          ref={start}
          variant="default"
          size="compact-sm"
          aria-describedby="search-cost"
          onClick={onStart}
        >
          {t('startSearch')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          {t('manage:cancel')}
        </Button>
      </div>
    </>
  );
}

/** The search for older events: its cost and a consent first, then its progress. */
function Search({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const { club } = useDesktop();
  const jobs = useClubJobs();
  const { running, failed, searched } = jobs.use();
  const [isAsking, setAsking] = useState(false);
  const estimating = useTask(() => perform('mirror search-ids', { user: club.name }));
  const { coverage, idsLeft } = mirror;
  if (running?.kind === 'search') {
    return <JobProgress title={t('searching')} running={running} stop={t('stop')} />;
  }
  const found = searched?.found ?? null;
  if (found !== null) {
    return <p role="status">{t('searchDone', { count: found, shown: formats.number(found) })}</p>;
  }
  if (coverage.since === null || idsLeft === 0) return null;
  const isStopped = searched !== undefined;
  const estimate = isAsking ? estimating.result?.estimate : undefined;
  const ask = () => {
    setAsking(true);
    void estimating.run();
  };
  return (
    <>
      {isStopped && (
        <p role="status">{t('searchPaused', { count: idsLeft, shown: formats.number(idsLeft) })}</p>
      )}
      {estimate === undefined ? (
        <div className="flow sync-buttons">
          <Button
            variant="default"
            size="compact-sm"
            loading={estimating.isRunning}
            disabled={running !== undefined}
            onClick={isStopped ? () => void jobs.search() : ask}
          >
            {t(isStopped ? 'resume' : 'look')}
          </Button>
        </div>
      ) : (
        <Consent
          mirror={mirror}
          estimate={estimate}
          onStart={() => {
            setAsking(false);
            void jobs.search();
          }}
          onCancel={() => setAsking(false)}
        />
      )}
      <ErrorNotice
        error={estimating.error ?? (failed?.kind === 'search' ? failed.error : undefined)}
      />
    </>
  );
}

/** The card about the known events of a service, and the search for older ones. */
export function CoverageCard({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const isOld = useDataState()?.isOld === true;
  const isCurrent = !isOld && mirror.problem === null;
  return (
    <Card title={t('here')} aside={isCurrent && <UpToDate />}>
      <CoverageBar mirror={mirror} />
      <CoverageWords mirror={mirror} />
      <Search mirror={mirror} />
    </Card>
  );
}
