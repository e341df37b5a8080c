import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { useFormats } from '../../base/format.ts';
import { useAction } from '../parts/action-hooks.ts';
import { Confirmation } from '../parts/parts.tsx';
import { type Entry, useSubject } from './entry.tsx';

/** The kinds of changes and the effect of an undo on each. */
const effects = [
  ['added', 'willRemove'],
  ['changed', 'willRestore'],
  ['removed', 'willReturn'],
] as const;

function Effects({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation('history');
  const formats = useFormats();
  return (
    <>
      <ul className="history-effects">
        {effects
          .filter(([kind]) => entry[kind] > 0)
          .map(([kind, effect]) => (
            <li key={kind}>
              {t(effect, { count: entry[kind], shown: formats.number(entry[kind]) })}
            </li>
          ))}
      </ul>
      <p>{t('unlessEdited')}</p>
      <p>{t('reversible')}</p>
    </>
  );
}

/**
 * Asks before a batch is undone, and shows the effects and any error. Stays mounted while closed:
 * when it opens, it records the element to which the focus returns.
 */
export function UndoQuestion(props: {
  readonly entry: Entry | undefined;
  readonly isOpen: boolean;
  readonly onUndone: (report: ActionResult<'undo'>) => void;
  readonly onClose: () => void;
}) {
  const { entry, isOpen, onUndone, onClose } = props;
  const { t } = useTranslation('history');
  const subjectOf = useSubject();
  const undoing = useAction('undo');
  const label = entry?.kind === 'undo' ? 'redo' : 'undo';
  const source = entry && subjectOf(entry);
  const title = entry?.common
    ? t(`${label}Common`, { source })
    : t(entry?.isEdit ? `${label}EditAsk` : `${label}Ask`, { source });
  const undo = async () => {
    const report = entry && (await undoing.run({ id: entry.id }));
    if (report === undefined) return;
    onUndone(report);
    onClose();
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={title}
      confirm={t(entry?.isEdit ? `${label}Edit` : label)}
      task={undoing}
      isReversible
      onConfirm={() => void undo()}
      onClose={onClose}
    >
      {entry && <Effects entry={entry} />}
    </Confirmation>
  );
}
