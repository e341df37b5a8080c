import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Column, columns } from '../place/place.ts';
import { goTo, usePlace } from '../place/use-place.ts';

/** The menu that shows and hides columns, except the name. */
export function ColumnMenu() {
  const { t } = useTranslation('table');
  const { hidden } = usePlace();
  const toggle = (column: Column) =>
    goTo({ hidden: columns.filter((other) => hidden.includes(other) !== (other === column)) });
  return (
    <Menu
      closeOnItemClick={false}
      position="bottom-end"
      withinPortal={false}
      // The placeholder is not a valid child of role=menu.
      withInitialFocusPlaceholder={false}
      shadow="md"
    >
      <Menu.Target>
        <ActionIcon
          className="table-columns"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('columns')}
        >
          <IconColumns3 size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('columns')}</Menu.Label>
        {columns
          .filter((column) => column !== 'name')
          .map((column) => (
            <Menu.CheckboxItem
              key={column}
              checked={!hidden.includes(column)}
              onChange={() => toggle(column)}
            >
              {t(column)}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
