import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconPlus } from '../base/icons.ts';
import { goTo, useRoute } from '../base/navigation.ts';
import { useMirror } from '../data/mirror-context.ts';
import { useProposals } from '../data/proposals.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';

/**
 * The button for a new event, or for its proposal in a copy with proposals; nothing in a browser or
 * in another mirrored club. It is the strong one unless a form, an empty club or the proposals have a
 * strong button of their own.
 */
export function NewEventButton(props: {
  readonly className?: string;
  readonly isStrong?: boolean;
}) {
  const { className, isStrong } = props;
  const { t } = useTranslation(['shell', 'proposals']);
  const { form } = useRoute();
  const { all } = useVisibleEvents();
  const mirror = useMirror();
  const isProposing = useProposals()?.isOn === true;
  if (useMaybeDesktop() === undefined || (mirror && !isProposing)) return null;
  const isFilled = !isProposing && (isStrong ?? (form === null && all?.total !== 0));
  return (
    <Button
      {...(className !== undefined && { className })}
      variant={isFilled ? 'filled' : 'default'}
      leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => goTo({ form: 'new', formDay: null, event: null })}
    >
      {t(isProposing ? 'proposals:new' : 'newEvent')}
    </Button>
  );
}
