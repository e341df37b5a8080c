import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { BridgeMessage, MenuScreen } from '../../actions/bridge.ts';
import { focusContent, takesLetters, useWindowTitle } from '../base/browser.ts';
import { requireBridge } from '../base/desktop.ts';
import { goTo, useRoute } from '../base/navigation.ts';
import { useApplication } from '../manage/parts/desktop-provider.tsx';
import { DropTarget } from './drop-target.tsx';
import { FileAnswers } from './file-answers.tsx';
import { openPrintView } from './keyboard.ts';

/** Names the window while no club is open. */
function useTitleWithoutClub(): void {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const { manage } = useRoute();
  useWindowTitle(club === null ? [manage ? t(manage) : undefined] : null);
}

/** Shows what the menu of the shell requests; without a club there are no events to add or print. */
function show(screen: MenuScreen, hasClub: boolean): void {
  if (screen !== 'newEvent' && screen !== 'print') goTo({ manage: screen, sheet: null });
  else if (hasClub && screen === 'print') openPrintView();
  else if (hasClub) goTo({ manage: null, sheet: null, event: null, form: 'new', formDay: null });
}

/** Does in all screens what the menu of the shell requests. */
function useRequests(): void {
  const { club } = useApplication();
  const onMessage = useEffectEvent((message: BridgeMessage) => {
    if (message.kind === 'show') show(message.screen, club !== null);
    // Nothing else undoes typing in a field.
    if (message.kind === 'step' && takesLetters(document.activeElement)) {
      document.execCommand(message.step);
    }
  });
  useEffect(() => requireBridge().listen((message) => onMessage(message)), []);
}

/** Focuses the content when the club changes, and between the events and the other screens. */
function useContentFocus(): void {
  const { club } = useApplication();
  const { manage } = useRoute();
  const isFirst = useRef(true);
  const isManaging = manage !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when one of them changes
  useEffect(() => {
    if (!isFirst.current) focusContent();
    isFirst.current = false;
  }, [club?.id, isManaging]);
}

/** The parts common to all screens: title, menu, focus and files. */
export function DesktopWindow() {
  useTitleWithoutClub();
  useRequests();
  useContentFocus();
  return (
    <>
      <DropTarget />
      <FileAnswers />
    </>
  );
}
