import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { requireBridge, unwrap } from '../../base/desktop.ts';
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
      <Modal.Root
        opened={result !== undefined}
        onClose={reset}
        size="xl"
        centered
        lockScroll={false}
      >
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Body>
            {/* Modal.Header would add a second banner landmark. */}
            <div className="about-licences-head">
              <Modal.Title className="about-licences-title">{t('licences')}</Modal.Title>
              <Modal.CloseButton aria-label={t('manage:close')} />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
            <pre className="about-licences" tabIndex={0}>
              {result}
            </pre>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
