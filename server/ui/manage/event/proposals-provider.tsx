import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshLists } from '../../base/client.ts';
import { changePreferences, usePreferences } from '../../base/preferences.ts';
import { areLatest } from '../../data/club.ts';
import { emptyEvent } from '../../data/editor.ts';
import { useMirror } from '../../data/mirror-context.ts';
import {
  isOpen,
  type Proposal,
  ProposalsContext,
  proposedEvent,
  valuesOf,
} from '../../data/proposals.ts';
import { shownEvents, useVisibleEvents } from '../../data/visible-events.tsx';
import { useActionQuery } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { useEditing, whenListed } from './editor-provider.tsx';

const setOn = (isOn: boolean) => changePreferences({ onlyLooks: !isOn });

const none: readonly Proposal[] = [];

/** Returns a function that words a proposal. */
function useProposalWords() {
  const { t } = useTranslation('proposals');
  const { all } = useVisibleEvents();
  const { describeEvent, moment } = useChangeWords();
  return (proposal: Proposal) => {
    const { kind, event } = proposal;
    const title = event.name;
    const when = moment(event.date);
    if (kind === 'add') {
      const { location } = valuesOf(proposal);
      return { title, text: t('newAt', { when: location ? `${when}, ${location}` : when }) };
    }
    if (kind === 'remove') return { title, text: t('deleteAt', { when }) };
    const before = { ...emptyEvent, ...event, id: event.id ?? 0, createdAt: event.date };
    const old = proposal.changes.map(({ field, before: value }) => [field, value]);
    const images = { ...before, ...all?.byId.get(before.id), ...Object.fromEntries(old) };
    const { text } = describeEvent({ before: images, after: proposedEvent(images, [proposal]) });
    return { title, text };
  };
}

/**
 * Returns an answer once the events are as new: a sync brings both, and "accepted" must not stand
 * beside the old time.
 */
function useWithEvents<Data>(data: Data | undefined): Data | undefined {
  const [shown, setShown] = useState<Data | undefined>();
  useEffect(() => {
    if (data === undefined) return;
    let isLatest = true;
    const show = () => {
      if (isLatest) setShown(data);
    };
    // The views show them in slices of time.
    void refreshLists().then(() => whenListed(() => areLatest(shownEvents.get()), show));
    return () => {
      isLatest = false;
    };
  }, [data]);
  return shown;
}

/** Interval of the query, in milliseconds: a sync that sends what waits changes no events. */
const lookMs = 60_000;

/** Provides the proposals of a copy to everything below. */
export function ProposalsProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const { onlyLooks } = usePreferences();
  const { withdraw } = useEditing();
  const isPossible = useMirror()?.takesProposals === true;
  const options = { enabled: isPossible, intervalMs: lookMs, isInBackground: true };
  const { data: read, error } = useActionQuery('proposal list', { user: club.name }, options);
  const data = useWithEvents(read);
  const describe = useProposalWords();
  const list = data?.proposals ?? none;
  const isOn = list.length > 0 && !onlyLooks;
  const shown = useMemo(() => {
    const open = isOn ? list.filter(isOpen) : none;
    const added = open.filter(({ kind }) => kind === 'add');
    const others = open.filter(({ kind }) => kind !== 'add');
    return { added, byEvent: Map.groupBy(others, ({ event }) => event.id ?? 0) };
  }, [list, isOn]);
  const value = {
    ...{ list, isOn, setOn, describe },
    ...shown,
    isRead: data !== undefined || error !== null,
    sender: data?.sender ?? null,
    failure: data?.failure ?? null,
    withdraw: ({ id }: Proposal) => void withdraw(id),
  };
  return <ProposalsContext value={isPossible ? value : undefined}>{children}</ProposalsContext>;
}
