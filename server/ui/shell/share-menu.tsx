import './more-menu.css';
import { Button, Menu } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../base/format.ts';
import { IconShare } from '../base/icons.ts';
import { useAnnounced } from '../data/announced.ts';
import { type EntryName, type MenuActions, MenuGroups, shareGroups } from './menu-entries.tsx';

/** Returns a function that words what an entry gives; undefined where its name says it. */
function useHelp(): (name: EntryName) => string | undefined {
  const { t } = useTranslation('share');
  const { number } = useFormats();
  const { length: count } = useAnnounced().changes;
  return (name) => {
    if (name === 'message')
      return count === 0 ? t('messageHelp') : t('messageOr', { count, shown: number(count) });
    if (name === 'print') return t('printHelp');
    if (name === 'export') return t('fileHelp');
    return name === 'members' ? t('membersHelp') : undefined;
  };
}

/** The menu that gives out the events on view: as a message, on paper, in a file. */
export function ShareMenu(actions: MenuActions) {
  const { t } = useTranslation('manage');
  const button = useRef<HTMLButtonElement>(null);
  const helpOf = useHelp();
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          ref={button}
          // The print preview returns the focus to this button.
          className="page-share"
          variant="default"
          leftSection={<IconShare size={18} stroke={1.75} aria-hidden />}
        >
          {t('share')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="more-menu share-menu">
        <MenuGroups groups={shareGroups} actions={actions} button={button} helpOf={helpOf} />
      </Menu.Dropdown>
    </Menu>
  );
}
