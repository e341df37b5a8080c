import { ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, languages } from '../../messages/messages.ts';
import { SearchField } from '../filter/search-field.tsx';
import { useLanguageChoice } from '../i18n/use-language.ts';
import { ClubMenu } from '../managing/club-menu.tsx';
import { useMaybeDesktop } from '../managing/desktop.tsx';
import { DesktopEntries } from '../managing/desktop-entries.tsx';
import { type View, views } from '../place/place.ts';
import { goTo, usePlace } from '../place/use-place.ts';
import icon from './icon.svg';
import { type Theme, themes, useThemeChoice } from './theme-choice.ts';

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

function PageMenu({ onKeys, onSignOut }: HeadProps) {
  const { t } = useTranslation('shell');
  const isDesktop = useMaybeDesktop() !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const openKeys = () => {
    // The focus must return here, because the menu item unmounts.
    button.current?.focus();
    onKeys();
  };
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      // The placeholder is not a valid child of role=menu.
      withInitialFocusPlaceholder={false}
      shadow="md"
    >
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={t('menu')}>
          <IconDotsVertical size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('language')}</Menu.Label>
        <LanguageItems />
        <Menu.Divider />
        <Menu.Label>{t('theme')}</Menu.Label>
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item onClick={openKeys}>{t('keys')}</Menu.Item>
        {!isDesktop && <Menu.Item onClick={onSignOut}>{t('signOut')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

function PageName() {
  const sign = <img src={icon} alt="" />;
  if (useMaybeDesktop() === undefined) {
    return (
      <h1 className="page-name">
        {sign}
        Club Events
      </h1>
    );
  }
  return (
    <div className="page-name">
      {sign}
      <ClubMenu />
    </div>
  );
}

export function Head(actions: HeadProps) {
  const { t } = useTranslation('shell');
  const isDesktop = useMaybeDesktop() !== undefined;
  const { view } = usePlace();
  return (
    <header className="page-head">
      <PageName />
      <SearchField />
      <SegmentedControl
        className="page-views"
        aria-label={t('views')}
        value={view}
        onChange={(next) => goTo({ view: next as View })}
        data={views.map((name) => ({ value: name, label: t(name) }))}
      />
      {isDesktop && <DesktopEntries />}
      <PageMenu {...actions} />
    </header>
  );
}
