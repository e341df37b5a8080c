import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../base/browser.ts';
import { requireBridge } from '../base/desktop.ts';
import { goTo, usePlace } from '../base/navigation.ts';
import { useApplication } from '../manage/parts/desktop.tsx';
import { DropTarget } from './drop-target.tsx';

/** Sets the window title to the screen, the club and the program name. */
function useWindowTitle(): void {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const { manage } = usePlace();
  const parts = [manage && t(manage), club?.name, 'Club Events'];
  const title = parts.filter((part) => part).join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
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
  useWindowTitle();
  useRequestedScreen();
  useContentFocus();
  return <DropTarget />;
}
