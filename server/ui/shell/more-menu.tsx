import './more-menu.css';
import { Button, Menu } from '@mantine/core';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconFileImport,
  IconHelp,
  IconHistory,
  IconLogout,
  IconMenu2,
  IconPrinter,
  IconShare,
} from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { bridge } from '../base/desktop.ts';
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
  readonly name: 'import' | 'export' | 'print' | 'history' | 'manage' | 'settings' | 'out' | 'help';
  readonly icon: Icon;
  /** The single-key shortcut. */
  readonly letter?: string;
  readonly choose: (actions: MenuActions) => void;
};

const importing: Entry = {
  name: 'import',
  icon: IconFileImport,
  letter: 'i',
  choose: () => goTo({ manage: 'import' }),
};
const exporting: Entry = {
  name: 'export',
  icon: IconShare,
  letter: 'x',
  choose: ({ open }) => (bridge === undefined ? open('export') : goTo({ manage: 'export' })),
};
const printing: Entry = {
  name: 'print',
  icon: IconPrinter,
  letter: 'p',
  choose: () => goTo({ sheet: 'list' }),
};
const history: Entry = {
  name: 'history',
  icon: IconHistory,
  letter: 'h',
  choose: () => goTo({ manage: 'history' }),
};
const manage: Entry = {
  name: 'manage',
  icon: IconAdjustmentsHorizontal,
  letter: 'm',
  // Its navigation shows the other screens, and most people come for the language or the theme.
  choose: () => goTo({ manage: 'settings' }),
};
const settings: Entry = {
  name: 'settings',
  icon: IconAdjustmentsHorizontal,
  choose: ({ open }) => open('settings'),
};
const signOut: Entry = {
  name: 'out',
  icon: IconLogout,
  choose: (actions) => actions.signOut(),
};
const help: Entry = {
  name: 'help',
  icon: IconHelp,
  letter: '?',
  choose: ({ open }) => open('keys'),
};

const groups: readonly (readonly Entry[])[] =
  bridge === undefined
    ? [[exporting, printing], [settings, signOut], [help]]
    : [[importing, exporting, printing], [history, manage], [help]];

/** The entries of the menu, in order. */
export const menuEntries: readonly Entry[] = groups.flat();

function AsOf() {
  return <Menu.Label>{useAsOf()}</Menu.Label>;
}

export function MoreMenu(actions: MenuActions) {
  const { t } = useTranslation('more');
  const { letterKeys } = usePreferences();
  const button = useRef<HTMLButtonElement>(null);
  const choose = (entry: Entry) => {
    // A dialog returns the focus to it, because the menu item unmounts.
    button.current?.focus();
    entry.choose(actions);
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
      <Menu.Dropdown className="more-menu">
        {groups.map((entries, at) => (
          <Fragment key={entries[0]?.name}>
            {at > 0 && <Menu.Divider />}
            {entries.map((entry) => {
              const letter = letterKeys ? entry.letter : undefined;
              return (
                <Menu.Item
                  key={entry.name}
                  leftSection={<entry.icon size={18} stroke={1.75} aria-hidden />}
                  rightSection={letter && <kbd aria-hidden>{letter}</kbd>}
                  aria-keyshortcuts={letter}
                  onClick={() => choose(entry)}
                >
                  {t(entry.name)}
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
        {bridge === undefined && <AsOf />}
      </Menu.Dropdown>
    </Menu>
  );
}
