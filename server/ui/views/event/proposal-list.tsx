import './proposal-list.css';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Proposal, useProposals } from '../../data/proposals.ts';

/** Proposals that wait for an answer, each with a button that withdraws it. */
export function ProposalList(props: {
  readonly title: string;
  readonly list: readonly Proposal[];
  /** True to name the event of each. */
  readonly isNamed: boolean;
}) {
  const { title, list, isNamed } = props;
  const { t } = useTranslation('proposals');
  const proposals = useProposals();
  if (proposals === undefined) return null;
  return (
    <ul className="ruled proposal-list" aria-label={title}>
      {list.map((proposal) => {
        const { title: name, text } = proposals.describe(proposal);
        return (
          <li key={proposal.id}>
            <div>
              {isNamed && (
                <p className="strong" dir="auto">
                  {name}
                </p>
              )}
              <p className="small" dir="auto">
                {text}
              </p>
              {proposal.state === 'sent' && <p className="small quiet">{t('sent')}</p>}
            </div>
            <CloseButton
              aria-label={t('withdraw', { name })}
              onClick={() => proposals.withdraw(proposal)}
            />
          </li>
        );
      })}
    </ul>
  );
}
