import './port.css';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedText } from '../../base/unsaved.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';

/** The range of allowed ports; lower ones are reserved for system services. */
const [lowest, highest] = [1024, 65_535];

/** Returns the port, or undefined if the text is not a number in the allowed range. */
function parsePort(text: string): number | undefined {
  const port = /^\d{4,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= lowest && port <= highest ? port : undefined;
}

/** Returns the current address in words, with the reason if its port is not the configured one. */
function usePortHelp(): string {
  const { t } = useTranslation('settings');
  const { service, settings } = useApplication().state;
  if (service.kind !== 'running') return t('portHelp');
  const address = service.baseUrl;
  if (service.port === settings.port) return t('portNow', { address });
  return t('portTaken', { address, wanted: String(settings.port), port: String(service.port) });
}

function PortSetting() {
  const { t } = useTranslation('settings');
  const { state, changeSettings } = useApplication();
  const savedPort = String(state.settings.port);
  const [text, setText, forget] = useUnsavedText('port', { initial: savedPort });
  const [isWrong, setWrong] = useState(false);
  const { run, error, isRunning } = useTask(async (port: number) => {
    await changeSettings({ port });
    forget();
  });
  const help = usePortHelp();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const port = parsePort(text);
    setWrong(port === undefined);
    if (port !== undefined && text !== savedPort) void run(port);
  };
  return (
    <Setting
      name={t('port')}
      help={help}
      error={error}
      hasField
      below={({ field }) => (
        <form className="setting-port" onSubmit={submit}>
          <TextInput
            {...field}
            inputMode="numeric"
            autoComplete="off"
            value={text}
            error={isWrong && t('portWrong', { lowest: String(lowest), highest: String(highest) })}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={isRunning}>
            {t('usePort')}
          </Button>
        </form>
      )}
    />
  );
}

export function ServiceSettings() {
  const { t } = useTranslation('settings');
  return (
    <SettingGroup title={t('forScripts')}>
      <PortSetting />
    </SettingGroup>
  );
}
