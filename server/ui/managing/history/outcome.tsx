import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { useFormats } from '../../time/format.ts';
import type { Entry } from './entries.ts';

const parts = [
  ['removed', 'nowRemoved'],
  ['restored', 'nowRestored'],
] as const;

/** What undoing did, with the focus: the button that asked for it is gone. */
export function Outcome(props: { readonly entry: Entry; readonly report: ActionResult<'undo'> }) {
  const { entry, report } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // After the question has given the focus back.
    const timer = setTimeout(() => text.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const done = entry.deed === 'takeBack' ? 'doneBringingBack' : 'doneTakingBack';
  const counts = parts
    .filter(([kind]) => report[kind] > 0)
    .map(([kind, name]) => t(name, { count: report[kind], shown: formats.number(report[kind]) }));
  return (
    <p ref={text} role="status" tabIndex={-1} className="history-outcome">
      <IconCheck size={18} aria-hidden />
      <span>
        {t(done, { source: entry.source })} {counts.join(', ')}.
      </span>
    </p>
  );
}
