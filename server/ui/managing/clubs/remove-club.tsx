import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { goTo } from '../../place/use-place.ts';
import { refreshEvents } from '../../reading/queries.ts';
import { perform } from '../actions.ts';
import { useDesktop } from '../desktop.tsx';
import { focusPlace } from '../focus.ts';
import { Confirmation } from '../parts/confirmation.tsx';
import { useTask } from '../parts/use-task.ts';
import { useCounts } from './use-counts.ts';

export type ListedClub = ActionResult<'user list'>['users'][number];

/** Asks before a club goes with everything that belongs to it, and offers to save that first. */
export function RemoveClub({
  asked,
  onClose,
}: {
  /** Undefined as long as none is to be removed. */
  readonly asked: ListedClub | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('clubs');
  const { club: shown, showClub } = useDesktop();
  const countsOf = useCounts();
  const isShown = asked?.id === shown.id;
  const remove = useTask(async ({ name }: ListedClub) => {
    await perform('user remove', { name });
    onClose();
    if (isShown) return showClub(null);
    await refreshEvents();
    focusPlace();
  });
  const exportFirst = useTask(async ({ id }: ListedClub) => {
    if (!isShown) await showClub(id);
    goTo({ manage: 'export' });
  });
  const close = () => {
    remove.reset();
    exportFirst.reset();
    onClose();
  };
  return (
    <Confirmation
      isOpen={asked !== undefined}
      title={t('removeTitle', { name: asked?.name })}
      confirm={t('removeNow')}
      task={remove.error ? remove : exportFirst.error ? exportFirst : remove}
      onConfirm={() => asked && void remove.run(asked)}
      onClose={close}
    >
      {asked && (
        <>
          <p>{t('removeWhat', { what: countsOf(asked) })}</p>
          <p>{t('removeEnd')}</p>
          {asked.events > 0 && (
            <div>
              <Button
                variant="default"
                size="sm"
                fw={500}
                loading={exportFirst.isRunning}
                onClick={() => void exportFirst.run(asked)}
              >
                {t('exportFirst')}
              </Button>
            </div>
          )}
        </>
      )}
    </Confirmation>
  );
}
