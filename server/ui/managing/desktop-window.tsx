import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo, usePlace } from '../place/use-place.ts';
import { requireBridge } from './bridge.ts';
import { useApplication } from './desktop.tsx';
import { DropTarget } from './drop-target.tsx';
import { focusPlace } from './focus.ts';

/** Says in the window's title where it is. */
function useTitle(): void {
  const { t } = useTranslation('managing');
  const { club } = useApplication();
  const { manage } = usePlace();
  const parts = [manage && t(manage), club?.name, 'Club Events'];
  const title = parts.filter((part) => part).join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Goes where the menu leads. */
function useMenu(): void {
  useEffect(
    () =>
      requireBridge().listen((message) => {
        if (message.kind === 'show') goTo({ manage: message.screen, sheet: null });
      }),
    [],
  );
}

/** Leads the focus along when the events come back, or another club does. */
function useFocusAlong(): void {
  const { club } = useApplication();
  const { manage } = usePlace();
  const isFirst = useRef(true);
  const isManaging = manage !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one of them changes
  useEffect(() => {
    if (!isFirst.current) focusPlace();
    isFirst.current = false;
  }, [club?.id, isManaging]);
}

/** What is the same wherever the window is: its title, its menu, its focus, files dropped on it. */
export function DesktopWindow() {
  useTitle();
  useMenu();
  useFocusAlong();
  return <DropTarget />;
}
