import { useTranslation } from 'react-i18next';
import { useWindowTitle } from '../base/browser.ts';
import { useRoute } from '../base/navigation.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';

const maxNameLength = 100;

/** Names the tab or window after the event, the view or screen, and the club, if it is known. */
export function usePageTitle(): void {
  const { t } = useTranslation(['shell', 'manage']);
  const { event, view, manage, sheet } = useRoute();
  const { all } = useVisibleEvents();
  const desktop = useMaybeDesktop();
  const club = desktop?.club?.name;
  const name = event === null ? undefined : all?.byId.get(event)?.name.slice(0, maxNameLength);
  // A sheet has a title of its own, which names the PDF.
  const viewParts = sheet === null ? [name, t(`shell:${view}`), club] : null;
  useWindowTitle(desktop && manage ? [t(`manage:${manage}`), club] : viewParts);
}
