import { useTranslation } from 'react-i18next';
import { RowButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import { useAction } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';
import { ErrorNotice } from './parts.tsx';

/** The button that imports the events which an import left out, and its result. */
export function ImportRest(props: {
  /** The number of the import in the history. */
  readonly batch: number;
  readonly count: number;
  /** True to say that the history offers the events, too. */
  readonly hasHelp?: boolean;
}) {
  const { batch, count, hasHelp = false } = props;
  const { t } = useTranslation('seasonPlan');
  const { number } = useFormats();
  const { club } = useDesktop();
  const importing = useAction('import rest');
  const counts = { count, shown: number(count) };
  const { result } = importing;
  if (result !== undefined) {
    const done = result.added + result.changed;
    return (
      <p role="status">
        {done > 0 ? t('restDone', { count: done, shown: number(done) }) : t('restHere')}
      </p>
    );
  }
  return (
    <>
      {hasHelp && <p>{t('restHelp', counts)}</p>}
      <RowButton
        loading={importing.isRunning}
        onClick={() => void importing.run({ user: club.name, id: batch })}
      >
        {t('rest', counts)}
      </RowButton>
      <ErrorNotice error={importing.error} />
    </>
  );
}
