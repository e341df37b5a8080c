import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import type { Route } from '../../base/address.ts';
import { useServiceUrl } from '../../base/desktop.ts';
import { IconKey } from '../../base/icons.ts';
import { goTo, guardNavigation } from '../../base/navigation.ts';
import { Confirmation, CopyButton } from '../parts/parts.tsx';
import { SnippetTabs } from './snippets.tsx';
import { TryIt } from './try-it.tsx';

/** A navigation guard that asks if the key has been stored. */
function LeaveQuestion() {
  const { t } = useTranslation('newKey');
  const [destination, setDestination] = useState<Route | undefined>();
  const release = useRef<() => void>(undefined);
  useEffect(() => {
    release.current = guardNavigation((next) => {
      setDestination(next);
      return false;
    });
    return release.current;
  }, []);
  const leave = () => {
    release.current?.();
    if (destination !== undefined) goTo(destination);
  };
  return (
    <Confirmation
      isOpen={destination !== undefined}
      title={t('leaveAsk')}
      confirm={t('leave')}
      onConfirm={leave}
      onClose={() => setDestination(undefined)}
    >
      <p>{t('leaveWhy')}</p>
    </Confirmation>
  );
}

/** A new key, shown only once, with example scripts and a test request. */
export function NewKey(props: {
  readonly created: ActionResult<'key create'>;
  readonly onStored: () => void;
}) {
  const { created, onStored } = props;
  const { t } = useTranslation('newKey');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { key, label } = created;
  const baseUrl = useServiceUrl();
  return (
    <section className="boxed stack loose access-card access-new" aria-labelledby="access-new">
      <h2 ref={heading} id="access-new" tabIndex={-1} className="row brand-icon">
        <IconKey size={20} aria-hidden />
        {label === null ? t('newKey') : t('newKeyNamed', { label })}
      </h2>
      <p className="access-once">{t('once')}</p>
      <p className="cluster access-line">
        <code className="code access-value">{key}</code>
        <CopyButton text={key} label={t('copyKey')} variant="filled" />
      </p>
      <SnippetTabs baseUrl={baseUrl} accessKey={key} />
      <TryIt accessKey={key} />
      <Button className="alone access-stored" variant="default" onClick={onStored}>
        {t('saved')}
      </Button>
      <LeaveQuestion />
    </section>
  );
}
