import './more-menu.css';
import { Button, Menu } from '@mantine/core';
import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { bridge } from '../base/desktop.ts';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconFileImport,
  IconHelp,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMenu2,
  IconPrinter,
  IconShare,
} from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { usePreferences } from '../base/preferences.ts';
import { useAsOf } from './club-state.tsx';

/** Dialogs of the page; the first two are for a browser, which has no management screens. */
export type PageDialog = 'export' | 'settings' | 'keys';

export type MenuActions = {
  readonly open: (dialog: PageDialog) => void;
  readonly signOut: () => void;
};

type Entry = {
  readonly icon: Icon;
  /** The single-key shortcut. */
  readonly letter?: string;
  readonly choose: (actions: MenuActions) => void;
};

const isBrowser = bridge === undefined;

const entries = {
  import: { icon: IconFileImport, letter: 'i', choose: () => goTo({ manage: 'import' }) },
  export: {
    icon: IconShare,
    letter: 'x',
    choose: ({ open }) => (isBrowser ? open('export') : goTo({ manage: 'export' })),
  },
  print: { icon: IconPrinter, letter: 'p', choose: () => goTo({ sheet: 'list' }) },
  history: { icon: IconHistory, letter: 'h', choose: () => goTo({ manage: 'history' }) },
  // Most people come for the language or the theme; the navigation there shows the other screens.
  manage: {
    icon: IconAdjustmentsHorizontal,
    letter: 'm',
    choose: () => goTo({ manage: 'settings' }),
  },
  settings: { icon: IconAdjustmentsHorizontal, choose: ({ open }) => open('settings') },
  out: { icon: IconLogout, choose: ({ signOut }) => signOut() },
  keys: { icon: IconKeyboard, letter: '?', choose: ({ open }) => open('keys') },
  help: { icon: IconHelp, choose: () => goTo({ manage: 'help' }) },
} as const satisfies Readonly<Record<string, Entry>>;
type EntryName = keyof typeof entries;

const groups: readonly (readonly EntryName[])[] = isBrowser
  ? [
      ['export', 'print'],
      ['settings', 'out'],
      ['keys', 'help'],
    ]
  : [
      ['import', 'export', 'print'],
      ['history', 'manage'],
      ['keys', 'help'],
    ];

/** The entries of the menu that have a shortcut, in order. */
export const menuKeys = groups.flat().flatMap((name) => {
  const { letter, choose }: Entry = entries[name];
  return letter === undefined ? [] : [{ name, letter, choose }];
});

function AsOf() {
  return <Menu.Label>{useAsOf()}</Menu.Label>;
}

export function MoreMenu(actions: MenuActions) {
  const { t } = useTranslation('more');
  const { letterKeys } = usePreferences();
  const button = useRef<HTMLButtonElement>(null);
  const choose = (name: EntryName) => {
    // A dialog returns the focus to it, because the menu item unmounts.
    button.current?.focus();
    entries[name].choose(actions);
  };
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      // The placeholder is not a valid child of role=menu.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          ref={button}
          className="head-button page-more"
          variant="subtle"
          color="gray"
          c="var(--ink)"
          aria-label={t('more')}
          leftSection={<IconMenu2 size={18} stroke={1.75} aria-hidden />}
        >
          <span className="page-more-word">{t('more')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="more-menu">
        {groups.map((names, at) => (
          <Fragment key={names[0]}>
            {at > 0 && <Menu.Divider />}
            {names.map((name) => {
              const { icon: EntryIcon, letter }: Entry = entries[name];
              return (
                <Menu.Item
                  key={name}
                  leftSection={<EntryIcon size={18} stroke={1.75} aria-hidden />}
                  rightSection={letterKeys && letter && <kbd aria-hidden>{letter}</kbd>}
                  aria-keyshortcuts={letterKeys ? letter : undefined}
                  onClick={() => choose(name)}
                >
                  {t(name)}
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
        {isBrowser && <AsOf />}
      </Menu.Dropdown>
    </Menu>
  );
}
