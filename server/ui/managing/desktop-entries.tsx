import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../place/use-place.ts';

const entries = [
  { name: 'import', screen: 'import', Sign: IconFileImport },
  { name: 'manage', screen: 'keys', Sign: IconAdjustmentsHorizontal },
] as const;

/** The ways from the events to the screens that manage them. */
export function DesktopEntries() {
  const { t } = useTranslation('managing');
  return entries.map(({ name, screen, Sign }) => (
    <Button
      key={name}
      className="desktop-entry"
      variant="default"
      leftSection={<Sign size={18} stroke={1.75} aria-hidden />}
      title={t(name)}
      onClick={() => goTo({ manage: screen })}
    >
      <span className="desktop-entry-name">{t(name)}</span>
    </Button>
  ));
}
