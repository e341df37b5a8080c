import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent, useWindowTitle } from '../base/browser.ts';
import { requireBridge } from '../base/desktop.ts';
import { goTo, usePlace } from '../base/navigation.ts';
import { useApplication } from '../manage/parts/desktop.tsx';
import { DropTarget } from './drop-target.tsx';

/** Names the window while no club is open. */
function useTitleWithoutClub(): void {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const { manage } = usePlace();
  useWindowTitle(club === null ? [manage ? t(manage) : undefined] : null);
}

/** Navigates to the screen that the shell requests, for example by its menu. */
function useRequestedScreen(): void {
  useEffect(
    () =>
      requireBridge().listen((message) => {
        if (message.kind === 'show') goTo({ manage: message.screen, sheet: null });
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
  useRequestedScreen();
  useContentFocus();
  return <DropTarget />;
}
