import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../bridge.ts';
import { useFormats } from '../../time/format.ts';
import { unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { useApplication } from '../desktop.tsx';
import { Setting } from '../parts/setting.tsx';
import { useTask } from '../parts/use-task.ts';

function useWords(update: UpdateState): string {
  const { t } = useTranslation('about');
  const formats = useFormats();
  switch (update.kind) {
    case 'current':
      return t('current', { when: formats.at('moment', update.checkedAt) });
    case 'ready':
      return t('ready', { version: update.version });
    case 'failed':
      return t('failed', { reason: update.reason });
    default:
      return t(update.kind);
  }
}

/** Whether there is a newer version, and the way to it. */
export function Update() {
  const { t } = useTranslation('about');
  const { update } = useApplication().state;
  const words = useWords(update);
  const check = useTask(() => unwrap(requireBridge().checkForUpdate(null)));
  const install = useTask(() => unwrap(requireBridge().installUpdate(null)));
  return (
    <Setting
      name={t('updates')}
      help={<span role="status">{check.isRunning ? t('checking') : words}</span>}
      error={check.error ?? install.error}
      control={() => {
        if (update.kind === 'unavailable') return null;
        if (update.kind === 'ready') {
          return (
            <Button loading={install.isRunning} onClick={() => void install.run()}>
              {t('install')}
            </Button>
          );
        }
        return (
          <Button variant="default" loading={check.isRunning} onClick={() => void check.run()}>
            {t('checkNow')}
          </Button>
        );
      }}
    />
  );
}
