import { Menu } from '@mantine/core';
import { Fragment, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { bridge } from '../base/desktop.ts';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconCalendarRepeat,
  IconFileExport,
  IconFileImport,
  IconHelp,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMessage2,
  IconPrinter,
  IconSettings,
  IconShare,
  IconWorld,
} from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { usePreferences } from '../base/preferences.ts';
import { openNextSeason } from './side/season-offer.tsx';

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
  message: { icon: IconMessage2, letter: 'w', choose: () => goTo({ manage: 'week' }) },
  print: { icon: IconPrinter, letter: 'p', choose: () => goTo({ sheet: 'list' }) },
  export: {
    icon: IconFileExport,
    letter: 'x',
    choose: ({ open }) => (isBrowser ? open('export') : goTo({ manage: 'export' })),
  },
  members: { icon: IconWorld, choose: () => goTo({ manage: 'share' }) },
  share: { icon: IconShare, choose: () => goTo({ manage: 'share' }) },
  import: { icon: IconFileImport, letter: 'i', choose: () => goTo({ manage: 'import' }) },
  season: { icon: IconCalendarRepeat, choose: openNextSeason },
  history: { icon: IconHistory, letter: 'h', choose: () => goTo({ manage: 'history' }) },
  manage: { icon: IconSettings, letter: 'm', choose: () => goTo({ manage: 'club-settings' }) },
  settings: { icon: IconAdjustmentsHorizontal, choose: ({ open }) => open('settings') },
  out: { icon: IconLogout, choose: ({ signOut }) => signOut() },
  keys: { icon: IconKeyboard, letter: '?', choose: ({ open }) => open('keys') },
  help: { icon: IconHelp, choose: () => goTo({ manage: 'help' }) },
} as const satisfies Readonly<Record<string, Entry>>;
export type EntryName = keyof typeof entries;

type Groups = readonly (readonly EntryName[])[];

/** The menu that gives out the events on view. */
export const shareGroups: Groups = isBrowser
  ? [['print', 'export']]
  : [['message', 'print', 'export'], ['members']];

/** The entries to share, or the way to them, for windows without room for a menu of their own. */
export const otherGroups: Groups = isBrowser ? shareGroups : [['share']];

export const moreGroups: Groups = isBrowser
  ? [
      ['settings', 'out'],
      ['keys', 'help'],
    ]
  : [
      ['import', 'season', 'history'],
      ['manage', 'keys', 'help'],
    ];

const withKeys = new Set<EntryName>([...shareGroups.flat(), ...moreGroups.flat(), 'keys']);

/** The entries that have a shortcut, in order. */
export const menuKeys = [...withKeys].flatMap((name) => {
  const { letter, choose }: Entry = entries[name];
  return letter === undefined ? [] : [{ name, letter, choose }];
});

/** The groups of entries of a menu, which opens from a button. */
export function MenuGroups(props: {
  readonly groups: Groups;
  readonly actions: MenuActions;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** Returns what an entry gives, in words; undefined where its name says it. */
  readonly helpOf?: (name: EntryName) => string | undefined;
}) {
  const { groups, actions, button, helpOf } = props;
  return groups.map((names, at) => (
    <Fragment key={names[0]}>
      {at > 0 && <Menu.Divider />}
      {names.map((name) => (
        <MenuEntry
          key={name}
          name={name}
          help={helpOf?.(name)}
          onChoose={(choose) => {
            // A dialog returns the focus to it, because the menu item unmounts.
            button.current?.focus();
            choose(actions);
          }}
        />
      ))}
    </Fragment>
  ));
}

/** An entry of a menu, with what it leads to and its shortcut. */
function MenuEntry(props: {
  readonly name: EntryName;
  readonly help?: string | undefined;
  readonly onChoose: (choose: Entry['choose']) => void;
}) {
  const { name, help, onChoose } = props;
  const { t } = useTranslation('more');
  const { letterKeys } = usePreferences();
  const { icon: EntryIcon, letter, choose }: Entry = entries[name];
  return (
    <Menu.Item
      leftSection={<EntryIcon size={18} stroke={1.75} aria-hidden />}
      rightSection={letterKeys && letter && <kbd aria-hidden>{letter}</kbd>}
      aria-keyshortcuts={letterKeys ? letter : undefined}
      onClick={() => onChoose(choose)}
    >
      {t(name)}
      {help !== undefined && <span className="small quiet menu-help">{help}</span>}
    </Menu.Item>
  );
}
