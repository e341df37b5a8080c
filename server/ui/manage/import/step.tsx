import { Button, Progress } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Progress as ImportProgress } from '../../../bridge.ts';
import { useFormats } from '../../base/format.ts';

type Props = {
  /** Returns the label for a file in progress. */
  readonly title: (file: string) => string;
  readonly progress: ImportProgress | undefined;
  /** Name of the last file, after which the import is committed; absent for a check. */
  readonly last?: string | undefined;
  readonly onCancel: () => void;
};

/** The progress of a check or an import, with a button to cancel it. */
export function JobProgress({ title, progress, last, onCancel }: Props) {
  const { t } = useTranslation(['import', 'manage']);
  const { number } = useFormats();
  const { share = 0, rows = 0, file = '', done = false } = progress ?? {};
  const isStoring = done && file === last;
  const name = isStoring ? t('saving') : file === '' ? t('reading') : title(file);
  return (
    <div className="import-progress">
      <div className="import-progress-words">
        <span dir="auto">{name}</span>
        {rows > 0 && <span>{t('rows', { count: rows, shown: number(rows) })}</span>}
      </div>
      <Progress.Root size="lg">
        <Progress.Section value={Math.round(share * 100)} aria-label={name} />
      </Progress.Root>
      {/* During the commit it is too late to cancel: the outcome would be uncertain. */}
      <Button variant="default" disabled={isStoring} onClick={onCancel}>
        {t('manage:cancel')}
      </Button>
    </div>
  );
}

/**
 * Returns the ref of a container. If nothing has the focus after a change of `state`, for example
 * because a button was removed, the container takes it. It scrolls into view if it has the focus.
 */
export function useFocusBack(state: string): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  const lastState = useRef(state);
  useEffect(() => {
    if (lastState.current === state) return;
    lastState.current = state;
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (isLost) container.current?.focus({ preventScroll: true });
    if (container.current?.contains(document.activeElement)) {
      container.current.scrollIntoView({ block: 'nearest' });
    }
  }, [state]);
  return container;
}

export function Step({
  title,
  help,
  children,
}: {
  readonly title: string;
  readonly help?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="import-step" aria-labelledby={id}>
      <div className="import-step-head">
        <h2 id={id}>{title}</h2>
        {help && <p className="import-help">{help}</p>}
      </div>
      {children}
    </section>
  );
}
