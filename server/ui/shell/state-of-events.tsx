import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShown } from '../events/shown.tsx';
import { home } from '../place/place.ts';
import { goTo } from '../place/use-place.ts';

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

function Nothing({ title, next, children }: NothingProps) {
  return (
    <div className="page-state" role="status">
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  );
}

type NothingProps = {
  readonly title: string;
  readonly next: string;
  readonly children?: ReactNode;
};

/** The events, or in plain words why there are none to see and what to do next. */
export function StateOfEvents({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell');
  const { club, all, source, events, isSearching, searchError } = useShown();
  const error = searchError ?? club.error;
  if (source === undefined) {
    if (error === null) return <Reading />;
    const title = t(error.kind === 'unreachable' ? 'goneEmpty' : 'failedEmpty');
    return (
      <Nothing title={title} next="">
        <Button onClick={club.readAgain}>{t('again')}</Button>
      </Nothing>
    );
  }
  if (events.length > 0 || isSearching) return children;
  if (!source.pastRead || !source.comingRead) return <Reading />;
  if (all?.total === 0) return <Nothing title={t('empty')} next={t('emptyNext')} />;
  const clear = () =>
    goTo({ words: '', statuses: [], types: [], period: home.period, changedOnly: false });
  return (
    <Nothing title={t('noMatch')} next={t('noMatchNext')}>
      <Button onClick={clear}>{t('clearAll')}</Button>
    </Nothing>
  );
}
