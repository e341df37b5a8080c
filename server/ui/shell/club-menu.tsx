import './club-menu.css';
import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { useActionQuery, useTask } from '../manage/parts/action-hooks.ts';
import { useDesktop } from '../manage/parts/desktop-provider.tsx';
import { ErrorNotice } from '../manage/parts/parts.tsx';

function ClubItems({ onChoose }: { readonly onChoose: (club: number) => void }) {
  const { club } = useDesktop();
  const { data } = useActionQuery('user list', {});
  const clubs = data?.users ?? [club];
  return (
    <Menu.RadioGroup value={String(club.id)} onChange={(id) => onChoose(Number(id))}>
      {clubs.map(({ id, name }) => (
        <Menu.RadioItem key={id} value={String(id)} dir="auto">
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** The page title in the desktop window: a menu that names the club and switches to another. */
export function ClubMenu() {
  const { t } = useTranslation('manage');
  const { club, showClub } = useDesktop();
  const [isOpen, setOpen] = useState(false);
  const { run, error, reset } = useTask(showClub);
  const choose = (id: number) => {
    setOpen(false);
    if (id !== club.id) void run(id);
  };
  return (
    <>
      <h1 className="only-spoken">{club.name}</h1>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        withinPortal={false}
        // The placeholder is not a valid child of role=menu.
        withInitialFocusPlaceholder={false}
        shadow="md"
      >
        <Menu.Target>
          <button
            type="button"
            className="row tight club-menu-button page-club-name"
            aria-label={t('club', club)}
          >
            <span className="cut" dir="auto">
              {club.name}
            </span>
            <IconChevronDown size={16} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown className="club-menu-choices">
          <Menu.Label>{t('currentClub')}</Menu.Label>
          {isOpen && <ClubItems onChoose={choose} />}
          <Menu.Divider />
          <Menu.Item onClick={() => goTo({ manage: 'clubs' })}>{t('allClubs')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error && (
        <div className="club-menu-error">
          <ErrorNotice error={error} onClose={reset} />
        </div>
      )}
    </>
  );
}
