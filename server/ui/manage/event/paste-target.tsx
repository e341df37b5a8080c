import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isCovered, takesLetters } from '../../base/browser.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useEndLine } from '../../base/event-words.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { useLineContext } from './line-context.ts';
import { tableOfText } from './pasted.ts';

/** Returns true for the line of a new event, the only text field in which several lines are events. */
const isLine = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('.words') !== null;

const calendarStart = /^\s*BEGIN:VCALENDAR/i;

/** Opens a table, several lines of plain words or a calendar, pasted outside other text fields. */
export function PasteTarget() {
  const { t } = useTranslation('import');
  const { door } = useDesktop();
  const reading = { context: useLineContext(), endLine: useEndLine(), daysOff: useDaysOff() };
  const open = (text: string, ending: 'csv' | 'ics') => {
    const name = `${t('pastedText')}.${ending}`;
    unwrap(requireBridge().takePasted({ name, text })).then(
      (file) => door.open([file]),
      door.refuse,
    );
  };
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isCovered()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isInLine = isLine(event.target);
    const isOneLine = !/[\r\n]/.test(text.trim());
    if (isInLine ? isOneLine : takesLetters(event.target)) return;
    const isCalendar = calendarStart.test(text);
    const content = isCalendar ? text : tableOfText(text, reading);
    if (content === undefined) return;
    event.preventDefault();
    open(content, isCalendar ? 'ics' : 'csv');
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return null;
}
