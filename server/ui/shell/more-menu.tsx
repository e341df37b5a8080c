import './more-menu.css';
import { Button, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { bridge } from '../base/desktop.ts';
import { IconMenu2 } from '../base/icons.ts';
import { useRoute } from '../base/navigation.ts';
import { useAsOf } from './club-state.tsx';
import { type MenuActions, MenuGroups, moreGroups, otherGroups } from './menu-entries.tsx';

function AsOf() {
  return <Menu.Label>{useAsOf()}</Menu.Label>;
}

export function MoreMenu(actions: MenuActions) {
  const { t } = useTranslation('more');
  const isNarrow = useMediaQuery('(max-width: 43.75rem)', false, {
    getInitialValueInEffect: false,
  });
  const button = useRef<HTMLButtonElement>(null);
  const { view } = useRoute();
  // Elsewhere the menu to share stands beside the list.
  const groups = isNarrow || view === 'calendar' ? [...otherGroups, ...moreGroups] : moreGroups;
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
        <MenuGroups groups={groups} actions={actions} button={button} />
        {bridge === undefined && <AsOf />}
      </Menu.Dropdown>
    </Menu>
  );
}
