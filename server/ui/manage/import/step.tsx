import { Button, Progress } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFile, Progress as ImportProgress } from '../../../actions/bridge.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { type Task, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import type { ImportStep } from './choices.ts';

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
    <div className="stack import-progress">
      <div className="flow figures import-progress-words">
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

/** Returns true if nothing has the focus, for example because its button was removed. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** Focuses the title of the step. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('.import-title[tabindex]')?.focus();
}

/** Focuses the title of a new step if the focus was lost with the previous one. */
export function useStepFocus(step: ImportStep): void {
  const lastStep = useRef(step);
  useEffect(() => {
    if (lastStep.current === step) return;
    lastStep.current = step;
    window.scrollTo(0, 0);
    if (isFocusLost()) focusTitle();
  }, [step]);
}

/** Returns a task that lets the user choose files in a dialog; those for the import are taken. */
export function useFileDialog(take: (files: readonly ChosenFile[]) => void): Task<[], void> {
  const { door } = useDesktop();
  return useTask(async () => {
    await door.open(await unwrap(requireBridge().chooseFiles(null)), { use: 'import', take });
  });
}

/** The title of a step, which takes the focus when the step appears. */
export function StepTitle(props: { readonly id?: string; readonly children: ReactNode }) {
  const { id, children } = props;
  return (
    <h2 id={id} tabIndex={-1} className="import-title">
      {children}
    </h2>
  );
}
