import './side.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { IconMessage2 } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useTold } from '../../data/told.ts';
import { ChangesCard, useChangesTitle } from './changes-card.tsx';
import { GoToDate } from './go-to-date.tsx';
import { NextUp } from './next-up.tsx';
import { ProposalsCards, ReceivedCard } from './proposals-cards.tsx';
import { SmallMonth } from './small-month.tsx';

/** The number of changes that nobody was told of; nothing without any. */
function UntoldCard() {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { changes } = useTold();
  const count = changes.length;
  if (count === 0) return null;
  return (
    <section className="card stack even untold-card" aria-labelledby="untold-title">
      <h3 id="untold-title">{t('untold', { count, shown: formats.number(count) })}</h3>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconMessage2 size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ manage: 'message' })}
      >
        {t('tell')}
      </Button>
    </section>
  );
}

/** The column beside the view: what comes next, and over it an event or its form. */
export function Side(props: {
  readonly hasCards: boolean;
  /** True if an event or its form is open. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  const { hasCards, isOpen, children } = props;
  const { t } = useTranslation('side');
  const changes = useChangesTitle();
  return (
    <div className="side" hidden={!hasCards && !isOpen}>
      <p role="status" className="only-spoken">
        {changes}
      </p>
      {hasCards && (
        <div className="stack wide side-cards" data-covered={isOpen || undefined}>
          <ReceivedCard />
          <ProposalsCards />
          <NextUp />
          <ChangesCard />
          <UntoldCard />
          <section className="card side-month" aria-label={t('goToDate')}>
            <SmallMonth />
            <GoToDate />
          </section>
        </div>
      )}
      {children}
    </div>
  );
}
