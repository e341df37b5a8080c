import { ActionIcon, Menu, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDotsVertical } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../filter/search-field.tsx';
import { type Language, languages } from '../i18n/text.ts';
import { type View, views } from '../place/place.ts';
import { goTo, usePlace } from '../place/use-place.ts';
import icon from './icon.svg';
import { prefer, usePreferences } from './preferences.ts';

function Chosen({ when }: { readonly when: boolean }) {
  return when ? <IconCheck size={16} aria-hidden /> : null;
}

function LanguageItems() {
  const { t } = useTranslation('shell');
  const { language } = usePreferences();
  const choices: readonly (readonly [Language | null, string])[] = [
    [null, t('followBrowser')],
    ...Object.entries(languages).map(([code, name]) => [code as Language, name] as const),
  ];
  return choices.map(([code, name]) => (
    <Menu.Item
      key={name}
      role="menuitemradio"
      aria-checked={language === code}
      lang={code ?? undefined}
      rightSection={<Chosen when={language === code} />}
      onClick={() => prefer({ language: code })}
    >
      {name}
    </Menu.Item>
  ));
}

function ThemeItems() {
  const { t } = useTranslation('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (['auto', 'light', 'dark'] as const).map((scheme) => (
    <Menu.Item
      key={scheme}
      role="menuitemradio"
      aria-checked={colorScheme === scheme}
      rightSection={<Chosen when={colorScheme === scheme} />}
      onClick={() => setColorScheme(scheme)}
    >
      {t(scheme)}
    </Menu.Item>
  ));
}

function PageMenu({ onSignOut }: { readonly onSignOut: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('menu')}>
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
        <Menu.Item onClick={onSignOut}>{t('signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The head of the page: its name, the search, the views and the menu. */
export function Head({ onSignOut }: { readonly onSignOut: () => void }) {
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
      <PageMenu onSignOut={onSignOut} />
    </header>
  );
}
