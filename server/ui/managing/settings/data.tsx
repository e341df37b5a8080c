import { Button } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { useApplication } from '../desktop.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';
import { useTask } from '../parts/use-task.ts';

export function DataSettings() {
  const { t } = useTranslation('settings');
  const { state, showClub } = useApplication();
  const { directory, fixed } = state.home;
  const show = useTask(() => unwrap(requireBridge().showFolder({ folder: 'data' })));
  const choose = useTask(async () => {
    const chosen = await unwrap(requireBridge().chooseHome(null));
    // Another directory has its own clubs.
    if (chosen !== null) await showClub(null);
  });
  return (
    <SettingGroup title={t('data')}>
      <Setting
        name={t('folder')}
        help={t(fixed ? 'folderFixed' : 'folderHelp')}
        error={choose.error ?? show.error}
        below={() => (
          <>
            <span className="setting-path">{directory}</span>
            <Button
              variant="default"
              leftSection={<IconFolderOpen size={18} stroke={1.75} aria-hidden />}
              onClick={() => void show.run()}
            >
              {t('openFolder')}
            </Button>
            {!fixed && (
              <Button
                variant="default"
                loading={choose.isRunning}
                onClick={() => void choose.run()}
              >
                {t('chooseFolder')}
              </Button>
            )}
          </>
        )}
      />
    </SettingGroup>
  );
}
