import { useTranslation } from 'react-i18next';
import { Dialog } from '../base/dialog.tsx';
import { DownloadWays } from '../download/download-ways.tsx';
import { AppearanceSettings, KeySettings } from '../manage/settings/appearance.tsx';
import { useKeys } from './keyboard.ts';
import { KeyHelp } from './keyboard-help.tsx';
import type { MenuActions, PageDialog } from './menu-entries.tsx';

/** The dialogs of the page, which its menu and its keys open. */
export function PageDialogs(props: {
  readonly opened: PageDialog | null;
  readonly actions: MenuActions;
  readonly onClose: () => void;
}) {
  const { opened, actions, onClose } = props;
  const { t } = useTranslation('manage');
  useKeys(actions);
  const dialogProps = (name: PageDialog) => ({ isOpen: opened === name, onClose });
  return (
    <>
      <KeyHelp {...dialogProps('keys')} />
      <Dialog title={t('export')} close={t('close')} {...dialogProps('export')}>
        <DownloadWays />
      </Dialog>
      <Dialog title={t('settings')} close={t('close')} {...dialogProps('settings')}>
        <div className="settings">
          <AppearanceSettings />
          <KeySettings />
        </div>
      </Dialog>
    </>
  );
}
