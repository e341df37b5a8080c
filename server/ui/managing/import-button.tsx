import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../place/use-place.ts';
import { useMaybeDesktop } from './desktop.tsx';

/** The button that opens the import screen; nothing in a browser. */
export function ImportButton() {
  const { t } = useTranslation('manage');
  if (useMaybeDesktop() === undefined) return null;
  return (
    <Button
      leftSection={<IconFileImport size={18} stroke={1.75} aria-hidden />}
      onClick={() => goTo({ manage: 'import' })}
    >
      {t('importFile')}
    </Button>
  );
}
