import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ManagingScreen, managingScreens } from '../../bridge.ts';
import { type Language, languages } from '../../messages/messages.ts';
import { type View, views } from '../base/address.ts';
import { useLanguageChoice } from '../base/i18n.ts';
import icon from '../base/icon.svg';
import { goTo, usePlace } from '../base/navigation.ts';
import { type Theme, themes, useThemeChoice } from '../base/theme.ts';
import { useCalendarIdentity } from '../data/club.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop.tsx';
import { useDownload } from '../views/download/download.ts';
import { DownloadItems, DownloadOutcome } from '../views/download/download-menu.tsx';
import { SearchField } from '../views/filter/search-field.tsx';
import { ClubMenu } from './club-menu.tsx';
import { ClubState, useAsOf } from './club-state.tsx';
import { NewEventButton } from './new-event.tsx';

function ManagingItems() {
  const { t } = useTranslation('manage');
  const item = (name: ManagingScreen) => (
    <Menu.Item key={name} onClick={() => goTo({ manage: name })}>
      {t(name)}
    </Menu.Item>
  );
  return (
    <>
      {managingScreens.map(item)}
      <Menu.Divider />
    </>
  );
}

function LanguageItems() {
  const { t } = useTranslation('shell');
  const isDesktop = useMaybeDesktop() !== undefined;
  const [language, setLanguage] = useLanguageChoice();
  const choose = (code: string) => setLanguage(code === 'none' ? null : (code as Language));
  return (
    <Menu.RadioGroup value={language ?? 'none'} onChange={choose}>
      <Menu.RadioItem value="none">{t(isDesktop ? 'auto' : 'followBrowser')}</Menu.RadioItem>
      {Object.entries(languages).map(([code, name]) => (
        <Menu.RadioItem key={code} value={code} lang={code}>
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function ThemeItems() {
  const { t } = useTranslation('shell');
  const [theme, setTheme] = useThemeChoice();
  return (
    <Menu.RadioGroup value={theme} onChange={(chosen) => setTheme(chosen as Theme)}>
      {themes.map((name) => (
        <Menu.RadioItem key={name} value={name}>
          {t(name)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

type HeadProps = { readonly onKeys: () => void; readonly onSignOut: () => void };

function MoreMenu({ onKeys, onSignOut }: HeadProps) {
  const { t } = useTranslation('shell');
  const isDesktop = useMaybeDesktop() !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const { last, download, dismiss } = useDownload();
  const openKeys = () => {
    // The focus must return here, because the menu item unmounts.
    button.current?.focus();
    onKeys();
  };
  return (
    <div className="page-more-anchor">
      <Menu
        position="bottom-end"
        withinPortal={false}
        // The placeholder is not a valid child of role=menu.
        withInitialFocusPlaceholder={false}
        shadow="md"
      >
        <Menu.Target>
          <Button
            ref={button}
            className="page-more"
            variant="subtle"
            color="gray"
            c="var(--ink)"
            aria-label={t('more')}
            leftSection={<IconMenu2 size={18} stroke={1.75} aria-hidden />}
          >
            <span className="page-more-word">{t('more')}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="page-more-menu">
          <div>
            {isDesktop && <ManagingItems />}
            <DownloadItems onFile={(kind) => void download(kind)} />
          </div>
          <div>
            <Menu.Label>{t('language')}</Menu.Label>
            <LanguageItems />
            <Menu.Divider />
            <Menu.Label>{t('theme')}</Menu.Label>
            <ThemeItems />
            <Menu.Divider />
            <Menu.Item onClick={openKeys}>{t('keys')}</Menu.Item>
            {!isDesktop && <Menu.Item onClick={onSignOut}>{t('signOut')}</Menu.Item>}
            {!isDesktop && <AsOf />}
          </div>
        </Menu.Dropdown>
      </Menu>
      <DownloadOutcome last={last} onClose={dismiss} />
    </div>
  );
}

function AsOf() {
  return <Menu.Label>{useAsOf()}</Menu.Label>;
}

/** The club's name in a browser, where a key belongs to one club. */
function ClubName() {
  const { accessKey } = useVisibleEvents();
  const name = useCalendarIdentity(accessKey)?.name ?? '';
  return (
    <h1 className="page-club-name">
      <span dir="auto">{name === '' ? 'Club Events' : name}</span>
    </h1>
  );
}

export function Head(actions: HeadProps) {
  const { t } = useTranslation(['shell', 'filter']);
  const isDesktop = useMaybeDesktop() !== undefined;
  const { view, words } = usePlace();
  const [isSearchOpen, setSearchOpen] = useState(false);
  const isSearching = isSearchOpen || words !== '';
  useEffect(() => {
    if (isSearchOpen) document.getElementById('search')?.focus();
  }, [isSearchOpen]);
  return (
    <header className="page-head" data-search={isSearching || undefined}>
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
      <SegmentedControl
        className="page-views"
        aria-label={t('views')}
        withItemsBorders={false}
        value={view}
        onChange={(next) => goTo({ view: next as View })}
        data={views.map((name) => ({ value: name, label: t(name) }))}
      />
      <NewEventButton className="page-new" />
      <MoreMenu {...actions} />
    </header>
  );
}
