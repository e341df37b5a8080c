import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconDotsVertical, IconFileImport } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, languages } from '../../messages/messages.ts';
import { type View, views } from '../base/address.ts';
import { useLanguageChoice } from '../base/i18n.ts';
import icon from '../base/icon.svg';
import { goTo, usePlace } from '../base/navigation.ts';
import { type Theme, themes, useThemeChoice } from '../base/theme.ts';
import { useMaybeDesktop } from '../manage/parts/desktop.tsx';
import { SearchField } from '../views/filter/search-field.tsx';
import { ClubMenu } from './club-menu.tsx';

const entries = [
  { name: 'import', screen: 'import', Icon: IconFileImport },
  { name: 'manage', screen: 'keys', Icon: IconAdjustmentsHorizontal },
] as const;

/** Buttons in the page head that open the import and the management screens. */
function DesktopEntries() {
  const { t } = useTranslation('manage');
  return entries.map(({ name, screen, Icon }) => (
    <Button
      key={name}
      className="desktop-entry"
      variant="default"
      leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
      title={t(name)}
      onClick={() => goTo({ manage: screen })}
    >
      <span className="desktop-entry-name">{t(name)}</span>
    </Button>
  ));
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
