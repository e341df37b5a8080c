import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { focusContent } from '../../base/browser.ts';
import { RowButton } from '../../base/buttons.tsx';
import { refreshEvents } from '../../base/client.ts';
import { perform } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { Confirmation } from '../parts/parts.tsx';

type Counted = { readonly events: number; readonly keys: number };

/** Returns a function that words the contents of a club: “60 events, 2 keys”. */
export function useCounts(): (club: Counted) => string {
  const { t } = useTranslation(['clubs', 'event']);
  const { number } = useFormats();
  return ({ events, keys }) =>
    [
      t('event:number', { count: events, shown: number(events) }),
      t('keys', { count: keys, shown: number(keys) }),
    ].join(', ');
}

export type ListedClub = ActionResult<'user list'>['users'][number];

/** Asks before a club is removed with all its data, and offers to export the events first. */
export function RemoveClub(props: {
  /** The club to remove; undefined while the dialog is closed. */
  readonly club: ListedClub | undefined;
  readonly onClose: () => void;
}) {
  const { club, onClose } = props;
  const { t } = useTranslation('clubs');
  const { club: shownClub, showClub } = useDesktop();
  const describeCounts = useCounts();
  const { data } = useActionQuery('publish list', { user: club?.name }, { enabled: Boolean(club) });
  const files = data?.files.map(({ target }) => (target.kind === 'web' ? target.url : target.path));
  const isShown = club?.id === shownClub.id;
  const remove = useTask(async ({ name }: ListedClub) => {
    await perform('user remove', { name });
    onClose();
    if (isShown) return showClub(null);
    await refreshEvents();
    focusContent();
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
      isOpen={club !== undefined}
      title={t('removeTitle', { name: club?.name })}
      confirm={t('removeNow')}
      task={remove.error ? remove : exportFirst.error ? exportFirst : remove}
      onConfirm={() => club && void remove.run(club)}
      onClose={close}
    >
      {club && (
        <>
          <p>{t('removeWhat', { what: describeCounts(club) })}</p>
          <p>{t('removeEnd')}</p>
          {files?.length ? <p>{t('removeFiles', { files: files.join(', ') })}</p> : null}
          {club.events > 0 && (
            <div>
              <RowButton
                size="sm"
                loading={exportFirst.isRunning}
                onClick={() => void exportFirst.run(club)}
              >
                {t('exportFirst')}
              </RowButton>
            </div>
          )}
        </>
      )}
    </Confirmation>
  );
}
