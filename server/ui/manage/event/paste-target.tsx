import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isCovered, takesLetters } from '../../base/browser.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useEndLine } from '../../base/event-words.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { useLineContext } from './line-context.ts';
import { tableOfText } from './pasted.ts';

/** Returns true for the line of a new event, the only text field in which several lines are events. */
const isLine = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('.words') !== null;

/** Imports a table, or several lines of plain words, that is pasted outside other text fields. */
export function PasteTarget() {
  const { t } = useTranslation('import');
  const { open } = useDesktop();
  const reading = { context: useLineContext(), endLine: useEndLine(), daysOff: useDaysOff() };
  const paste = useTask(async (text: string) => {
    const name = `${t('pastedText')}.csv`;
    open([await unwrap(requireBridge().takePasted({ name, text }))]);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isCovered()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isInLine = isLine(event.target);
    const isOneLine = !/[\r\n]/.test(text.trim());
    if (isInLine ? isOneLine : takesLetters(event.target)) return;
    const table = tableOfText(text, reading);
    if (table === undefined) return;
    event.preventDefault();
    void paste.run(table);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return <ErrorNotice error={paste.error} onClose={paste.reset} />;
}
