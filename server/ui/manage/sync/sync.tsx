import './sync.css';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../../base/browser.ts';
import { queries } from '../../base/client.ts';
import { useFormats } from '../../base/format.ts';
import { IconAlertCircle, IconRefresh } from '../../base/icons.ts';
import { hostOf, type Mirror, useMirror } from '../../data/mirror-context.ts';
import { ConnectForm } from '../parts/connect.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, ScreenIntro } from '../parts/parts.tsx';
import { useClubJobs } from './club-jobs.ts';
import { CoverageCard } from './coverage.tsx';
import { FileCard } from './followed-file.tsx';
import { Questions } from './questions.tsx';
import { ReadyCard } from './ready.tsx';
import { ReceiptsCard } from './receipts.tsx';
import { SourceCard } from './source.tsx';
import { JobProgress, useProblemWords } from './sync-parts.tsx';

/** Returns the key of the sentence about the source, and about the way to change an event. */
function leadOf({ kind, url, takesProposals }: Mirror) {
  if (kind === 'service') return 'lead';
  if (url.startsWith('http')) return 'leadFileAt';
  return takesProposals ? 'leadFileProposals' : 'leadFile';
}

/** The host or the file of the events, as the strong part of a sentence. */
function Lead({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const [before, after] = t(leadOf(mirror), { host: '\n' }).split('\n');
  return (
    <ScreenIntro>
      {before}
      <strong>{hostOf(mirror)}</strong>
      {after}
    </ScreenIntro>
  );
}

/** The button for a sync, its progress and its outcome. */
function SyncNow({ isFile }: { readonly isFile: boolean }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const jobs = useClubJobs();
  const { running, failed, synced } = jobs.use();
  const describe = useProblemWords();
  const problem = synced?.status.problem ? synced.status : undefined;
  const count = synced ? synced.added + synced.changed + synced.removed : 0;
  return (
    <>
      <Button
        className="sync-now"
        variant="default"
        // Not `disabled`, which would lose the focus.
        aria-disabled={running !== undefined}
        {...(running !== undefined && { 'data-disabled': true })}
        leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
        onClick={() => void jobs.sync()}
      >
        {t(isFile ? 'nowFile' : 'now')}
      </Button>
      <div className="stack sync-now-state">
        {running?.kind === 'sync' && (
          <JobProgress title={t(isFile ? 'syncingFile' : 'syncing')} running={running}>
            {
              // Nobody counts the requests for a file.
              isFile && ''
            }
          </JobProgress>
        )}
        {problem && !isFile && (
          <div role="alert" className="managing-error">
            <IconAlertCircle size={20} aria-hidden />
            <p>{describe(problem)}</p>
          </div>
        )}
        <p role="status">
          {synced &&
            problem === undefined &&
            (count === 0
              ? t('nothingNew')
              : t('newsHere', { count, shown: formats.number(count) }))}
          {problem && isFile && t('notTakenFile')}
        </p>
        <ErrorNotice error={failed?.kind === 'sync' ? failed.error : undefined} />
      </div>
    </>
  );
}

/** The state of a mirrored club. */
function MirrorState({ mirror }: { readonly mirror: Mirror }) {
  const isFile = mirror.kind === 'file';
  return (
    <div className="stack sync">
      <div className="sync-head">
        <Lead mirror={mirror} />
        <SyncNow isFile={isFile} />
      </div>
      <Questions mirror={mirror} />
      <div className="sync-columns">
        <div>
          {isFile ? <FileCard mirror={mirror} /> : <CoverageCard mirror={mirror} />}
          <ReceiptsCard mirror={mirror} />
        </div>
        <div>
          {!isFile && <ReadyCard />}
          <SourceCard mirror={mirror} />
        </div>
      </div>
    </div>
  );
}

/** Moves the focus to the title when the form disappears after connecting, or the state at an end. */
function useTitleFocus(isMirror: boolean | undefined): void {
  const before = useRef(isMirror);
  useEffect(() => {
    const isChanged = before.current !== undefined && before.current !== isMirror;
    before.current = isMirror;
    // Runs after a dialog has returned the focus.
    if (isChanged) setTimeout(focusContent);
  }, [isMirror]);
}

/** The screen of the source: its state, or a form to connect an online service. */
export function SyncScreen() {
  const mirror = useMirror();
  const hasCopy = useDesktop().door.waiting.follow.length > 0;
  const [isConnecting, setConnecting] = useState(false);
  useEffect(() => {
    // A new club can follow it.
    if (hasCopy) setConnecting(true);
  }, [hasCopy]);
  // Another program may have changed it in the last moments.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['action', 'mirror status'] }), []);
  useTitleFocus(mirror === undefined ? undefined : mirror !== null);
  if (mirror === undefined) return null;
  return mirror === null || isConnecting ? <Connect /> : <MirrorState mirror={mirror} />;
}

function Connect() {
  const { t } = useTranslation('connect');
  return (
    <>
      <ScreenIntro>{t('intro')}</ScreenIntro>
      <ConnectForm />
    </>
  );
}
