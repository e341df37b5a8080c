import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServiceState } from '../../../bridge.ts';
import { useDesktop } from '../desktop.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useTask } from '../parts/use-task.ts';

/** A warning that the service uses another port, with a button that keeps that port. */
function OtherPort({ port, wanted }: { readonly port: number; readonly wanted: number }) {
  const { t } = useTranslation('keys');
  const { changeSettings } = useDesktop();
  const keeping = useTask(() => changeSettings({ port }));
  return (
    <div className="access-other-port">
      <p>{t('portTaken', { port, wanted })}</p>
      <Button
        size="compact-sm"
        variant="default"
        loading={keeping.isRunning}
        onClick={() => void keeping.run()}
      >
        {t('keepPort', { port })}
      </Button>
      <ErrorNotice error={keeping.error} />
    </div>
  );
}

function NoService({ service }: { readonly service: Exclude<ServiceState, { kind: 'running' }> }) {
  const { t } = useTranslation('keys');
  const isStarting = service.kind === 'starting';
  return (
    <p role="status" className="access-note">
      {isStarting ? t('starting') : t('stopped', { reason: service.reason })}
    </p>
  );
}

/** The address of the service, or the reason why it is not running. */
export function ServiceAddress() {
  const { t } = useTranslation('keys');
  const { service, settings } = useDesktop().state;
  const isRunning = service.kind === 'running';
  return (
    <section className="access-address" aria-labelledby="access-address">
      <h2 id="access-address" className="access-heading">
        {t('address')}
      </h2>
      {isRunning ? (
        <p className="access-line">
          <code className="access-value">{service.baseUrl}</code>
          <CopyButton text={service.baseUrl} label={t('copyAddress')} />
        </p>
      ) : (
        <NoService service={service} />
      )}
      {isRunning && service.port !== settings.port ? (
        <OtherPort port={service.port} wanted={settings.port} />
      ) : (
        <p className="access-note">{t('addressWhy')}</p>
      )}
    </section>
  );
}
