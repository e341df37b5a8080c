import './studio.css';
import './paper.css';
import './print.css';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatRoute, type Sheet } from '../../base/address.ts';
import { useEscape } from '../../base/browser.ts';
import { useRoute } from '../../base/navigation.ts';
import { SheetOfEvent } from './event-sheet.tsx';
import { SheetOfEvents } from './events-sheet.tsx';
import { closeSheet, StudioMessage } from './studio.tsx';

/** Closes the sheet with Escape, and on closing returns the focus to the control that opened it. */
function useClosing(sheet: Sheet): void {
  const isEvent = sheet === 'event';
  useEscape({ own: '.studio', within: 'body' }, closeSheet);
  useEffect(
    () => () => {
      const opener = document.querySelector<HTMLElement>(isEvent ? '#print-event' : '.page-share');
      (opener ?? document.getElementById('events'))?.focus();
    },
    [isEvent],
  );
}

/** The print studio for the sheet that the address names. */
export function SheetView({ sheet }: { readonly sheet: Sheet }) {
  const { t } = useTranslation('panel');
  const route = useRoute();
  useClosing(sheet);
  if (sheet !== 'event') {
    // Other filters in the URL need a new snapshot.
    const key = formatRoute({ ...route, day: null, sheet: null });
    return <SheetOfEvents key={key} sheet={sheet} />;
  }
  return route.event === null ? (
    <StudioMessage text={t('absent')} />
  ) : (
    <SheetOfEvent id={route.event} />
  );
}
