import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../actions/bridge.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { Setting } from '../parts/setting.tsx';

type KnownState = Exclude<UpdateState, { readonly kind: 'unavailable' }>;

function useUpdateText(update: KnownState): string {
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

/** The status of updates; nothing in a build without them, as the setting of the checks says so. */
export function Update() {
  const { update } = useApplication().state;
  return update.kind === 'unavailable' ? null : <UpdateStatus update={update} />;
}

/** The update status, with a button that checks for an update or installs it. */
function UpdateStatus({ update }: { readonly update: KnownState }) {
  const { t } = useTranslation('about');
  const text = useUpdateText(update);
  const check = useTask(() => unwrap(requireBridge().checkForUpdate(null)));
  const install = useTask(() => unwrap(requireBridge().installUpdate(null)));
  return (
    <Setting
      name={t('updates')}
      help={<span role="status">{check.isRunning ? t('checking') : text}</span>}
      error={check.error ?? install.error}
      control={() => {
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
