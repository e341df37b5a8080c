import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent, useWindowTitle } from '../base/browser.ts';
import { requireBridge } from '../base/desktop.ts';
import { goTo, usePlace } from '../base/navigation.ts';
import { useApplication } from '../manage/parts/desktop.tsx';
import { DropTarget } from './drop-target.tsx';
import { takesLetters } from './keyboard.ts';

/** Names the window while no club is open. */
function useTitleWithoutClub(): void {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const { manage } = usePlace();
  useWindowTitle(club === null ? [manage ? t(manage) : undefined] : null);
}

/** Does in all screens what the menu of the shell requests. */
function useRequests(): void {
  useEffect(
    () =>
      requireBridge().listen((message) => {
        if (message.kind === 'show') goTo({ manage: message.screen, sheet: null });
        // Nothing else undoes typing in a field.
        if (message.kind === 'step' && takesLetters(document.activeElement)) {
          document.execCommand(message.step);
        }
      }),
    [],
  );
}

/** Focuses the content when the club changes, and between the events and the other screens. */
function useContentFocus(): void {
  const { club } = useApplication();
  const { manage } = usePlace();
  const isFirst = useRef(true);
  const isManaging = manage !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when one of them changes
  useEffect(() => {
    if (!isFirst.current) focusContent();
    isFirst.current = false;
  }, [club?.id, isManaging]);
}

/** The parts common to all screens: title, menu, focus and dropped files. */
export function DesktopWindow() {
  useTitleWithoutClub();
  useRequests();
  useContentFocus();
  return <DropTarget />;
}
