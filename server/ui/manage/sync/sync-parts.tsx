import { Button, Progress } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import type { Mirror } from '../../data/mirror-context.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { GoodBadge } from '../parts/parts.tsx';
import type { Jobs } from './club-jobs.ts';

type CardProps = {
  readonly title: string;
  /** A badge or link beside the title. */
  readonly aside?: ReactNode;
  readonly tone?: 'good' | 'attention' | undefined;
  readonly children: ReactNode;
};

/** A card of the screen, with a heading. */
export function Card({ title, aside, tone, children }: CardProps) {
  const id = useId();
  return (
    <section className="card stack sync-card" data-tone={tone} aria-labelledby={id}>
      <div className="titled sync-card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The badge of a card whose events are up to date. */
export function UpToDate() {
  const { t } = useTranslation('sync');
  return <GoodBadge>{t('upToDate')}</GoodBadge>;
}

/** The progress of a job, with a button that stops it. */
export function JobProgress(props: {
  readonly title: string;
  readonly running: NonNullable<Jobs['running']>;
  /** The label of the button; “Cancel” by default. */
  readonly stop?: string;
  readonly children?: ReactNode;
}) {
  const { title, running, stop, children } = props;
  const { progress, cancel } = running;
  const { t } = useTranslation(['sync', 'manage']);
  const formats = useFormats();
  const { share = 0, rows = 0 } = progress ?? {};
  return (
    <div className="sync-progress">
      <div className="flow sync-progress-words">
        <span role="status">{title}</span>
        <span className="quiet">
          {children ?? (rows > 0 && t('requests', { count: rows, shown: formats.number(rows) }))}
        </span>
      </div>
      <Progress.Root size="lg">
        <Progress.Section value={Math.round(share * 100)} aria-label={title} />
      </Progress.Root>
      <Button variant="default" size="compact-sm" onClick={cancel}>
        {stop ?? t('manage:cancel')}
      </Button>
    </div>
  );
}

/** Returns true if the next sync of a mirror needs nobody. */
export function useIsAutomatic({ isPaused, isKeyMissing }: Mirror): boolean {
  const { syncMinutes } = useDesktop().state.settings;
  return syncMinutes !== null && !isPaused && !isKeyMissing;
}

/** Returns a function that words the problem of a mirror. */
export function useProblemWords(): (mirror: Mirror) => string {
  const words = useWords();
  return ({ problem, url, name, kind }) => {
    if (problem === null) return '';
    const { code, event } = problem;
    // The path of a file is on the screen.
    const isLocalFile = kind === 'file' && !url.startsWith('http');
    const values = { url: isLocalFile ? name : url, id: event?.id ?? '' };
    return capitalize(words(problemMessage({ code: `sync_${code}`, values })));
  };
}
