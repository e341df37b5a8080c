import './keys.css';
import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceState } from '../../../actions/bridge.ts';
import { useAction, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton, ErrorNotice } from '../parts/parts.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { Ways } from './ways.tsx';

/** A warning that the service uses another port, with a button that keeps that port. */
function OtherPort({ port, wanted }: { readonly port: number; readonly wanted: number }) {
  const { t } = useTranslation('keys');
  const { changeSettings } = useDesktop();
  const keeping = useTask(() => changeSettings({ port }));
  return (
    <div className="stack access-other-port">
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
    <p role="status" className="quiet optional access-note">
      {isStarting ? t('starting') : t('stopped', { reason: service.reason })}
    </p>
  );
}

/** The address of the service, or the reason why it is not running. */
function ServiceAddress() {
  const { t } = useTranslation('keys');
  const { service, settings } = useDesktop().state;
  const isRunning = service.kind === 'running';
  const { data } = useActionQuery('key list', {});
  const hasKeys = data?.keys.some(({ state }) => state === 'valid') === true;
  return (
    <section className="stack loose access-address" aria-labelledby="access-address">
      <h2 id="access-address" className="row brand-icon">
        {t('address')}
      </h2>
      {isRunning ? (
        <p className="cluster access-line">
          <code className="code access-value">{service.baseUrl}</code>
          <CopyButton text={service.baseUrl} label={t('copyAddress')} />
        </p>
      ) : (
        <NoService service={service} />
      )}
      {isRunning && service.port !== settings.port && hasKeys ? (
        <OtherPort port={service.port} wanted={settings.port} />
      ) : (
        <p className="quiet optional access-note">{t('addressHelp')}</p>
      )}
    </section>
  );
}

/** Creates a key and shows it. Only this component holds the key; unmounting forgets it. */
function KeyCreation(props: {
  readonly labelRef: RefObject<HTMLInputElement | null>;
  /** Called with the id of the displayed key, or undefined if there is none. */
  readonly onShown: (id: number | undefined) => void;
  readonly onStored: () => void;
}) {
  const { labelRef, onShown, onStored } = props;
  const { club } = useDesktop();
  const creation = useAction('key create');
  const created = creation.result;
  useEffect(() => onShown(created?.id), [created, onShown]);
  if (created !== undefined) return <NewKey created={created} onStored={onStored} />;
  return <CreateKey club={club.name} creation={creation} labelRef={labelRef} />;
}

/** The screen for the keys that let scripts read a club's events. */
export function KeysScreen() {
  const { club } = useDesktop();
  const label = useRef<HTMLInputElement>(null);
  const [newKeyId, setNewKeyId] = useState<number | undefined>();
  // React keeps the previous state of a component until its next render, but not that of an
  // unmounted one: resetting the state would leave the key in memory.
  const [closedKeys, setClosedKeys] = useState(0);
  const closeNewKey = () => setClosedKeys((count) => count + 1);
  // The examples of a new key come before the others.
  const ways = <Ways key="ways" />;
  return (
    <div className="stack access" data-new={newKeyId !== undefined || undefined}>
      {newKeyId === undefined && ways}
      <div key="keys" className="access-side">
        <KeyCreation
          key={closedKeys}
          labelRef={label}
          onShown={setNewKeyId}
          onStored={() => {
            closeNewKey();
            // The form is not mounted before the key is gone.
            setTimeout(() => label.current?.focus());
          }}
        />
        <KeyList
          club={club.name}
          onRevoked={(id) => {
            if (id === newKeyId) closeNewKey();
          }}
        />
        <ServiceAddress />
      </div>
      {newKeyId !== undefined && ways}
    </div>
  );
}
