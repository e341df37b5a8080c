import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { Setting } from '../parts/setting.tsx';
import { useTask } from '../parts/use-task.ts';

/** The licences of everything inside, in a dialog. */
export function Licences() {
  const { t } = useTranslation(['about', 'managing']);
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
            {/* Not in a header of the modal's, which would be a second banner of the page. */}
            <div className="about-licences-head">
              <Modal.Title className="about-licences-title">{t('licences')}</Modal.Title>
              <Modal.CloseButton aria-label={t('managing:close')} />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys */}
            <pre className="about-licences" tabIndex={0}>
              {result}
            </pre>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
