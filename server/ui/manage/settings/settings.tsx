import { Button, NativeSelect, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { syncIntervals } from '../../../actions/bridge.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { IconFolderOpen } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';

type SwitchName = 'closeToTray' | 'startAtLogin' | 'checkForUpdates';

function SwitchSetting({ name, obstacle }: { name: SwitchName; obstacle?: string | undefined }) {
  const { t } = useTranslation('settings');
  const { state, changeSettings } = useApplication();
  const { run, error } = useTask(changeSettings);
  return (
    <Setting
      name={t(name)}
      help={obstacle ?? t(`${name}Help`)}
      error={error}
      hasField
      control={({ field }) => (
        <Switch
          {...field}
          className="setting-switch"
          size="md"
          checked={state.settings[name] && obstacle === undefined}
          disabled={obstacle !== undefined}
          onChange={({ currentTarget }) => void run({ [name]: currentTarget.checked })}
        />
      )}
    />
  );
}

/** The settings for closing the window, starting at login and updates. */
export function Program() {
  const { t } = useTranslation('settings');
  const { update } = useApplication().state;
  return (
    <SettingGroup title={t('program')}>
      <SwitchSetting name="closeToTray" />
      <SwitchSetting name="startAtLogin" />
      <SwitchSetting
        name="checkForUpdates"
        obstacle={update.kind === 'unavailable' ? t('noUpdates') : undefined}
      />
    </SettingGroup>
  );
}

export function OnlineServices() {
  const { t } = useTranslation('settings');
  const { state, changeSettings } = useApplication();
  const { run, error } = useTask(changeSettings);
  const { syncMinutes } = state.settings;
  const choices = syncIntervals.map((minutes) => {
    if (minutes === null) return { value: 'never', label: t('syncNever') };
    const label = minutes === 60 ? t('syncHourly') : t('syncEvery', { minutes });
    return { value: String(minutes), label };
  });
  return (
    <SettingGroup title={t('onlineServices')}>
      <Setting
        name={t('syncMinutes')}
        help={t(syncMinutes === null ? 'syncByHandHelp' : 'syncMinutesHelp')}
        error={error}
        hasField
        control={({ field }) => (
          <NativeSelect
            {...field}
            value={String(syncMinutes ?? 'never')}
            data={choices}
            onChange={({ currentTarget: { value } }) => {
              const chosen = syncIntervals.find((minutes) => String(minutes) === value) ?? null;
              void run({ syncMinutes: chosen });
            }}
          />
        )}
      />
    </SettingGroup>
  );
}

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
            <span className="code setting-path">{directory}</span>
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
