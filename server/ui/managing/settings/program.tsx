import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useApplication } from '../desktop.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';
import { useTask } from '../parts/use-task.ts';

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
