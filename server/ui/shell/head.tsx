import {
  ActionIcon,
  type MantineColorScheme,
  Menu,
  SegmentedControl,
  useMantineColorScheme,
} from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../filter/search-field.tsx';
import { type Language, languages } from '../i18n/text.ts';
import { type View, views } from '../place/place.ts';
import { goTo, usePlace } from '../place/use-place.ts';
import icon from './icon.svg';
import { prefer, usePreferences } from './preferences.ts';

function LanguageItems() {
  const { t } = useTranslation('shell');
  const { language } = usePreferences();
  const choose = (code: string) =>
    prefer({ language: code === 'browser' ? null : (code as Language) });
  return (
    <Menu.RadioGroup value={language ?? 'browser'} onChange={choose}>
      <Menu.RadioItem value="browser">{t('followBrowser')}</Menu.RadioItem>
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
  // Turning transitions off for a moment would take a style element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu.RadioGroup
      value={colorScheme}
      onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
    >
      {(['auto', 'light', 'dark'] as const).map((scheme) => (
        <Menu.RadioItem key={scheme} value={scheme}>
          {t(scheme)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

type HeadProps = { readonly onKeys: () => void; readonly onSignOut: () => void };

function PageMenu({ onKeys, onSignOut }: HeadProps) {
  const { t } = useTranslation('shell');
  const button = useRef<HTMLButtonElement>(null);
  const openKeys = () => {
    // To which the focus is to come back: the menu's item will be gone.
    button.current?.focus();
    onKeys();
  };
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      // It would be a child that a menu may not have.
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
        <Menu.Item onClick={onSignOut}>{t('signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The head of the page: its name, the search, the views and the menu. */
export function Head(actions: HeadProps) {
  const { t } = useTranslation('shell');
  const { view } = usePlace();
  return (
    <header className="page-head">
      <h1 className="page-name">
        <img src={icon} alt="" />
        Club Events
      </h1>
      <SearchField />
      <SegmentedControl
        className="page-views"
        aria-label={t('views')}
        value={view}
        onChange={(next) => goTo({ view: next as View })}
        data={views.map((name) => ({ value: name, label: t(name) }))}
      />
      <PageMenu {...actions} />
    </header>
  );
}
