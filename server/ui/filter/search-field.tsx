import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShown } from '../events/shown.tsx';
import { longestSearch } from '../place/place.ts';
import { adjustPlace, usePlace } from '../place/use-place.ts';

/** Searches as its user types; Enter goes from the hits to their day in the calendar. */
export function SearchField() {
  const { t } = useTranslation('filter');
  const { words } = usePlace();
  const { isSearching } = useShown();
  const set = (text: string) => adjustPlace({ words: text });
  return (
    <TextInput
      className="page-search"
      id="search"
      type="search"
      role="searchbox"
      aria-label={t('search')}
      placeholder={t('search')}
      maxLength={longestSearch}
      autoComplete="off"
      spellCheck={false}
      aria-busy={isSearching}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        words === '' ? null : <CloseButton aria-label={t('clearSearch')} onClick={() => set('')} />
      }
      value={words}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
