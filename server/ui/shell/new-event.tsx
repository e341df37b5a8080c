import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { goTo, usePlace } from '../base/navigation.ts';
import { useMirror } from '../data/mirror-context.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';

/**
 * The button for a new event; nothing in a browser or a mirrored club. It is the strong one unless a form or an empty
 * club has a strong button of its own.
 */
export function NewEventButton({
  className,
  isStrong,
}: {
  readonly className?: string;
  readonly isStrong?: boolean;
}) {
  const { t } = useTranslation('shell');
  const { form } = usePlace();
  const { all } = useVisibleEvents();
  const mirror = useMirror();
  if (useMaybeDesktop() === undefined || mirror) return null;
  const isFilled = isStrong ?? (form === null && all?.total !== 0);
  return (
    <Button
      {...(className !== undefined && { className })}
      variant={isFilled ? 'filled' : 'default'}
      leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => goTo({ form: 'new', formDay: null, event: null })}
    >
      {t('newEvent')}
    </Button>
  );
}
