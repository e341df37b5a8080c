import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { useFormats } from '../../time/format.ts';
import type { Entry } from './entries.ts';

const effects = [
  ['removed', 'nowRemoved'],
  ['restored', 'nowRestored'],
] as const;

/** The outcome of an undo; it takes the focus, because the button that had it is gone. */
export function Outcome(props: { readonly entry: Entry; readonly report: ActionResult<'undo'> }) {
  const { entry, report } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Runs after the dialog has returned the focus.
    const timer = setTimeout(() => text.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const title = entry.deed === 'takeBack' ? 'doneBringingBack' : 'doneTakingBack';
  const counts = effects
    .filter(([kind]) => report[kind] > 0)
    .map(([kind, name]) => t(name, { count: report[kind], shown: formats.number(report[kind]) }));
  return (
    <p ref={text} role="status" tabIndex={-1} className="history-outcome">
      <IconCheck size={18} aria-hidden />
      <span>
        {t(title, { source: entry.source })} {counts.join(', ')}.
      </span>
    </p>
  );
}
