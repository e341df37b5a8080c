import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../place/use-place.ts';

const entries = [
  { name: 'import', screen: 'import', Icon: IconFileImport },
  { name: 'manage', screen: 'keys', Icon: IconAdjustmentsHorizontal },
] as const;

/** Buttons in the page head that open the import and the management screens. */
export function DesktopEntries() {
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
