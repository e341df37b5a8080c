import { Button, Skeleton } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { unfiltered } from '../base/address.ts';
import type { ReadingError } from '../base/client.ts';
import { goTo } from '../base/navigation.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop.tsx';

/** The button that opens the import screen; nothing in a browser. */
function ImportButton() {
  const { t } = useTranslation('manage');
  if (useMaybeDesktop() === undefined) return null;
  return (
    <Button
      leftSection={<IconFileImport size={18} stroke={1.75} aria-hidden />}
      onClick={() => goTo({ manage: 'import' })}
    >
      {t('importFile')}
    </Button>
  );
}

const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function Reading() {
  const { t } = useTranslation('shell');
  return (
    <div className="agenda-skeleton" role="status" aria-label={t('reading')}>
      {rows.map((row) => (
        <Skeleton key={row} height={44} radius="sm" />
      ))}
    </div>
  );
}

function EmptyState({ title, next, children }: EmptyStateProps) {
  return (
    <div className="page-state" role="status">
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  );
}

type EmptyStateProps = {
  readonly title: string;
  readonly next: string;
  readonly children?: ReactNode;
};

function ClearButton() {
  const { t } = useTranslation('shell');
  return <Button onClick={() => goTo(unfiltered)}>{t('clearAll')}</Button>;
}

function Failure({ error }: { readonly error: ReadingError }) {
  const { t } = useTranslation('shell');
  const { club } = useVisibleEvents();
  if (error.kind === 'words') {
    return (
      <EmptyState title={t('words')} next={t('wordsNext')}>
        <ClearButton />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t(error.kind === 'unreachable' ? 'unresponsiveEmpty' : 'failedEmpty')}
      next=""
    >
      <Button onClick={club.readAgain}>{t('again')}</Button>
    </EmptyState>
  );
}

/** The events, or the reason why there are none and what to do next. */
export function StateOfEvents({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell');
  const { club, all, source, events, isSearching, searchError } = useVisibleEvents();
  const error = searchError ?? club.error;
  if (source === undefined) {
    return error === null ? <Reading /> : <Failure error={error} />;
  }
  if (events.length > 0 || isSearching) return children;
  if (!source.pastRead || !source.comingRead) return <Reading />;
  if (all?.total === 0) {
    return (
      <EmptyState title={t('empty')} next={t('emptyNext')}>
        <ImportButton />
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('noMatch')} next={t('noMatchNext')}>
      <ClearButton />
    </EmptyState>
  );
}
