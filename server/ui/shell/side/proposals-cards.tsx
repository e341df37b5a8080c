import './proposals-cards.css';
import { Button, CloseButton, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { IconCheck, IconSend, IconX } from '../../base/icons.ts';
import {
  isOpen,
  isUnsent,
  type Proposal,
  type Proposals,
  useProposals,
} from '../../data/proposals.ts';
import { useAction } from '../../manage/parts/action-hooks.ts';
import { useClubText, useDesktop } from '../../manage/parts/desktop-provider.tsx';
import { ErrorMessage, ErrorNotice } from '../../manage/parts/parts.tsx';
import { ProposalList } from '../../views/event/proposal-list.tsx';

/** The proposals without an answer, and the form that sends those that were not sent. */
function OpenCard({ proposals }: { readonly proposals: Proposals }) {
  const { t } = useTranslation('proposals');
  const formats = useFormats();
  const { club } = useDesktop();
  const { list, sender, failure } = proposals;
  const problemWords = useWords();
  const sending = useAction('proposal send');
  const [note, setNote, forgetNote] = useClubText('proposal note');
  const [name, setName] = useState<string | undefined>();
  const [sent, setSent] = useState(0);
  const open = list.filter(isOpen);
  const unsent = open.filter(({ state }) => state === 'unsent').length;
  const waiting = open.filter(({ state }) => state === 'waiting').length;
  const isAllSent = !open.some(isUnsent);
  if (open.length === 0) return null;
  const counted = { count: unsent, shown: formats.number(unsent) };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const given = name ?? sender ?? '';
    const result = await sending.run({ user: club.name, name: given, note });
    if (result === undefined) return;
    forgetNote();
    setSent(Math.min(unsent, result.sent));
  };
  const total = { count: open.length, shown: formats.number(open.length) };
  return (
    <section className="card" aria-labelledby="proposals-waiting">
      <p className="proposals-eyebrow">{t(isAllSent ? 'sent' : 'notSent')}</p>
      <h2 id="proposals-waiting">{t('mine', total)}</h2>
      <ProposalList title={t('mine', total)} list={open} isNamed />
      {failure !== null && <ErrorMessage>{problemWords(problemMessage(failure))}</ErrorMessage>}
      <p role="status" className="small proposals-state">
        {waiting > 0 && t('waits', { count: waiting, shown: formats.number(waiting) })}
        {isAllSent && sent > 0 && t('wasSent', { count: sent, shown: formats.number(sent) })}
      </p>
      {unsent > 0 && (
        <form className="stack loose" onSubmit={(event) => void send(event)}>
          <TextInput
            label={t('name')}
            description={t('nameHelp')}
            maxLength={100}
            autoComplete="name"
            value={name ?? sender ?? ''}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label={t('note')}
            rows={2}
            maxLength={1_000}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <ErrorNotice error={sending.error} onClose={sending.reset} />
          <Button type="submit" leftSection={<IconSend size={18} stroke={1.75} aria-hidden />}>
            {t('send', counted)}
          </Button>
          <p className="small quiet">{t('sendHelp')}</p>
        </form>
      )}
    </section>
  );
}

/** An answer of the other computer, with the reason for a refusal, or another end. */
function Answer(props: { readonly proposal: Proposal; readonly proposals: Proposals }) {
  const { proposal, proposals } = props;
  const { t } = useTranslation('proposals');
  const { state, reason, otherClub } = proposal;
  const { title, text } = proposals.describe(proposal);
  const isAccepted = state === 'accepted' || state === 'acceptedAnyway';
  const AnswerIcon = isAccepted ? IconCheck : IconX;
  const words = () => {
    if (otherClub !== null) return t('forOtherClub', { club: otherClub });
    if (state === 'accepted' || state === 'acceptedAnyway') return t(state);
    if (state === 'withdrawn') return t('withdrawnSent');
    return reason === '' ? t('refused') : t('refusedBecause', { reason });
  };
  return (
    <li data-accepted={isAccepted || undefined}>
      <AnswerIcon size={16} stroke={2} aria-hidden />
      <p className="small" dir="auto">
        <strong>{title}</strong>, {text}: {words()}
      </p>
      <CloseButton
        size="sm"
        aria-label={t('clear', { name: title })}
        onClick={() => proposals.withdraw(proposal)}
      />
    </li>
  );
}

/** The proposals of a copy and their answers; nothing while a person only looks. */
export function ProposalsCards() {
  const { t } = useTranslation('proposals');
  const proposals = useProposals();
  if (!proposals?.isOn) return null;
  const answered = proposals.list.filter((proposal) => !isOpen(proposal));
  return (
    <>
      <OpenCard proposals={proposals} />
      {answered.length > 0 && (
        <section className="card" aria-labelledby="proposals-answered">
          <h3 id="proposals-answered">{t('answers')}</h3>
          <ul className="ruled proposals-answers">
            {answered.toReversed().map((proposal) => (
              <Answer key={proposal.id} proposal={proposal} proposals={proposals} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
