import './side.css';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuestionsCard } from '../../views/event/questions.tsx';
import { useChangesTitle } from '../../views/filter/changed-choice.tsx';
import { GoToDate } from './go-to-date.tsx';
import { NextUp } from './next-up.tsx';
import { ProposalsCards } from './proposals-cards.tsx';
import { SeasonOffer } from './season-offer.tsx';
import { SmallMonth } from './small-month.tsx';
import { WaitsCard } from './waits-card.tsx';

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
      <p id="changes-since" role="status" className="only-spoken">
        {changes}
      </p>
      {hasCards && (
        <div className="stack wide side-cards" data-covered={isOpen || undefined}>
          <SeasonOffer />
          <ProposalsCards />
          <QuestionsCard />
          <NextUp />
          <WaitsCard />
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
