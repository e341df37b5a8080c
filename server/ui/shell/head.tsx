import { ActionIcon } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { views } from '../base/address.ts';
import icon from '../base/icon.svg';
import { IconSearch } from '../base/icons.ts';
import { goTo, useCurrent, useRoute } from '../base/navigation.ts';
import { Segments } from '../base/segments.tsx';
import { useCalendarIdentity } from '../data/club.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';
import { SearchField } from '../views/filter/search-field.tsx';
import { ClubMenu } from './club-menu.tsx';
import { ClubState } from './club-state.tsx';
import type { MenuActions } from './menu-entries.tsx';
import { MoreMenu } from './more-menu.tsx';
import { NewEventButton } from './new-event.tsx';

/** The club's name in a browser, where a key belongs to one club. */
function ClubName() {
  const { accessKey } = useVisibleEvents();
  const name = useCalendarIdentity(accessKey)?.name ?? '';
  return (
    <h1 className="row tight page-club-name">
      <span className="cut" dir="auto">
        {name === '' ? 'Club Events' : name}
      </span>
    </h1>
  );
}

/** The choice of the view. */
function ViewSwitch() {
  const { t } = useTranslation('shell');
  const view = useCurrent('view');
  return (
    <Segments
      className="page-views"
      label={t('views')}
      value={view}
      options={views.map((name) => [name, t(name)] as const)}
      onChange={(next) => goTo({ view: next })}
    />
  );
}

export function Head(actions: MenuActions) {
  const { t } = useTranslation(['shell', 'filter']);
  const isDesktop = useMaybeDesktop() !== undefined;
  const { words } = useRoute();
  const [isSearchOpen, setSearchOpen] = useState(false);
  const isSearching = isSearchOpen || words !== '';
  useEffect(() => {
    if (isSearchOpen) document.getElementById('search')?.focus();
  }, [isSearchOpen]);
  return (
    <header className="row wide page-head" data-search={isSearching || undefined}>
      <div className="page-club">
        <img src={icon} alt="" />
        {isDesktop ? <ClubMenu /> : <ClubName />}
        <ClubState />
      </div>
      <SearchField onFocusChange={setSearchOpen} />
      <ActionIcon
        className="page-find"
        variant="subtle"
        color="gray"
        c="var(--ink)"
        size="var(--control)"
        aria-label={t('filter:search')}
        aria-expanded={isSearching}
        onClick={() => setSearchOpen(true)}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
      </ActionIcon>
      <ViewSwitch />
      <NewEventButton className="head-button page-new" />
      <MoreMenu {...actions} />
    </header>
  );
}
