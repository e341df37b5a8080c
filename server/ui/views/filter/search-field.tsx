import './search-field.css';
import { CloseButton, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { indexAt } from '../../../event/places.ts';
import { longestSearch } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { IconSearch } from '../../base/icons.ts';
import { adjustRoute, goTo, useCurrent, useRoute } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

type Direction = 1 | -1;

/** Media query for screens with room for the panel beside the calendar. */
const roomForPanel = '(width >= 60rem)';

/** Position of the current hit, counted from 1, and the number of hits. */
type Hit = { readonly number: number; readonly count: number };

/**
 * Steps through the hits of a search and shows each on its day in the calendar. The first step
 * goes to the next hit from today on; after the last hit, the first one follows.
 */
function useHits(
  words: string,
  isAnswered: boolean,
): {
  readonly hit: Hit | null;
  readonly goToHit: (direction: Direction) => void;
} {
  const { events, source, today, clock } = useVisibleEvents();
  const { view } = useRoute();
  const chosen = useCurrent('event');
  /** Id of the last shown hit. Without room beside the calendar, it is not opened in the panel. */
  const [lastShown, setLastShown] = useState<number | null>(null);
  const hasRoomForPanel = useMediaQuery(roomForPanel, true, { getInitialValueInEffect: false });
  /** Step to take once the search has a result. */
  const [pendingStep, setPendingStep] = useState<Direction | null>(null);
  const isWhole = source?.pastRead === true && source.comingRead;
  const current = lastShown === null ? null : (chosen ?? lastShown);
  const at = current === null ? -1 : events.findIndex(({ id }) => id === current);
  const count = events.length;

  useEffect(() => {
    if (pendingStep === null || !isAnswered) return;
    const firstComing = indexAt(events, clock.startOf(today));
    const next = at < 0 ? firstHit(pendingStep, firstComing, count) : at + pendingStep;
    // The next hit may not have been read yet.
    if (!isWhole && (next < 0 || next >= count)) return;
    setPendingStep(null);
    const event = events[(next + count) % count];
    if (event === undefined) return;
    setLastShown(event.id);
    const opened = hasRoomForPanel ? event.id : null;
    goTo({ view: 'calendar', span: 'month', day: clock.dayOf(event.date), event: opened });
  }, [pendingStep, isAnswered, isWhole, events, today, at, count, hasRoomForPanel, clock]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have other hits
  useEffect(() => {
    setLastShown(null);
    setPendingStep(null);
  }, [words.trim()]);

  const isOnHit = at >= 0 && view === 'calendar' && isAnswered && words.trim() !== '';
  return { hit: isOnHit ? { number: at + 1, count } : null, goToHit: setPendingStep };
}

/** Returns the index of the next hit from today on, else the last; backwards, the one before today. */
function firstHit(direction: Direction, firstComing: number, count: number): number {
  if (direction === -1) return firstComing - 1;
  return firstComing < count ? firstComing : count - 1;
}

/** The position among the hits: short on screen, in words for screen readers. */
function HitState({ hit }: { readonly hit: Hit | null }) {
  const { t } = useTranslation('filter');
  const { number } = useFormats();
  const [at, of] = hit === null ? ['', ''] : [number(hit.number), number(hit.count)];
  return (
    <>
      <span className="quiet figures search-hit" aria-hidden>
        {hit && `${at} / ${of}`}
      </span>
      <span role="status" className="only-spoken">
        {hit && t('hit', { at, of })}
      </span>
    </>
  );
}

/** The search field: searches while the user types; Enter shows the next hit in the calendar. */
export function SearchField(props: { readonly onFocusChange: (hasFocus: boolean) => void }) {
  const { onFocusChange } = props;
  const { t } = useTranslation('filter');
  const { isSearching } = useVisibleEvents();
  const words = useCurrent('words');
  // The events follow the field.
  const isAnswered = useRoute().words === words && !isSearching;
  const { hit, goToHit } = useHits(words, isAnswered);
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    adjustRoute({ words: '' });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method, for example for Japanese, Enter confirms a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && words !== '') {
      event.preventDefault();
      clear();
    }
    if (event.key !== 'Enter' || words.trim() === '') return;
    event.preventDefault();
    goToHit(event.shiftKey ? -1 : 1);
  };
  return (
    <div className="page-search">
      <TextInput
        ref={field}
        id="search"
        type="search"
        role="searchbox"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={longestSearch}
        autoComplete="off"
        spellCheck={false}
        aria-busy={!isAnswered}
        data-hit={hit !== null || undefined}
        leftSection={<IconSearch size={18} aria-hidden />}
        aria-keyshortcuts="/"
        rightSection={
          words === '' ? (
            <kbd aria-hidden>/</kbd>
          ) : (
            <CloseButton aria-label={t('clearSearch')} onClick={clear} />
          )
        }
        onFocus={() => onFocusChange(true)}
        onBlur={() => onFocusChange(false)}
        value={words}
        onChange={({ currentTarget }) => adjustRoute({ words: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <HitState hit={hit} />
    </div>
  );
}
