import './search-field.css';
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useVisibleEvents } from '../events/shown.tsx';
import { longestSearch } from '../place/place.ts';
import { useFormats } from '../time/format.ts';
import { type Hit, useHits } from './use-hits.ts';
import { useTypedWords } from './use-typed-words.ts';

/** The position among the hits: short on screen, in words for screen readers. */
function HitState({ hit }: { readonly hit: Hit | null }) {
  const { t } = useTranslation('filter');
  const { number } = useFormats();
  const [at, of] = hit === null ? ['', ''] : [number(hit.number), number(hit.count)];
  return (
    <>
      <span className="search-hit" aria-hidden>
        {hit && `${at} / ${of}`}
      </span>
      <span role="status" className="only-spoken">
        {hit && t('hit', { at, of })}
      </span>
    </>
  );
}

/** The search field: searches while the user types; Enter shows the next hit in the calendar. */
export function SearchField() {
  const { t } = useTranslation('filter');
  const { isSearching } = useVisibleEvents();
  const { words, type, settle } = useTypedWords();
  const { hit, goToHit } = useHits(words);
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    settle('');
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
    settle(words);
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
        aria-busy={isSearching}
        data-hit={hit !== null || undefined}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          words === '' ? null : <CloseButton aria-label={t('clearSearch')} onClick={clear} />
        }
        value={words}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <HitState hit={hit} />
    </div>
  );
}
