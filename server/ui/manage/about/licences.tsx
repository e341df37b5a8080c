import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { Dialog } from '../../base/dialog.tsx';
import { useTask } from '../parts/action-hooks.ts';
import { Setting } from '../parts/setting.tsx';

/** The licences of all bundled software, in a dialog. */
export function Licences() {
  const { t } = useTranslation(['about', 'manage']);
  const { run, result, error, isRunning, reset } = useTask(() =>
    unwrap(requireBridge().readLicences(null)),
  );
  return (
    <>
      <Setting
        name={t('licences')}
        help={t('licencesHelp')}
        error={error}
        control={() => (
          <Button variant="default" loading={isRunning} onClick={() => void run()}>
            {t('showLicences')}
          </Button>
        )}
      />
      <Dialog
        title={t('licences')}
        close={t('manage:close')}
        size="xl"
        isOpen={result !== undefined}
        onClose={reset}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <pre className="code about-licences" tabIndex={0}>
          {result}
        </pre>
      </Dialog>
    </>
  );
}
