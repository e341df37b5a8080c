import './desktop-notices.css';
import { Button, CloseButton } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconKey, IconPlugOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo, usePlace } from '../place/use-place.ts';
import { useApplication } from './desktop.tsx';
import { firstSteps } from './first-steps.ts';
import { focusPlace } from './focus.ts';
import { createSharedValue } from './parts/shared-value.ts';

/** What was put away, on whatever screen. */
const dismissed = createSharedValue<ReadonlySet<string>>(new Set());

function dismiss(name: string): void {
  dismissed.set(new Set([...dismissed.get(), name]));
  focusPlace();
}

type NoticeProps = {
  readonly icon: Icon;
  readonly sentence: string;
  /** Puts it away; absent where it has to be known. */
  readonly onClose?: () => void;
  readonly children?: ReactNode;
};

function Notice({ icon: Sign, sentence, onClose, children }: NoticeProps) {
  const { t } = useTranslation('managing');
  return (
    <div className="notice">
      <Sign size={20} aria-hidden />
      <p>{sentence}</p>
      {children}
      {onClose && <CloseButton size="sm" aria-label={t('understood')} onClick={onClose} />}
    </div>
  );
}

function SettingsButton() {
  const { t } = useTranslation('managing');
  const { manage } = usePlace();
  if (manage === 'settings') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => goTo({ manage: 'settings' })}>
      {t('settings')}
    </Button>
  );
}

/** That scripts get no answer, or get it elsewhere than it was set. */
function ServiceNotice() {
  const { t } = useTranslation('managing');
  const { service, settings } = useApplication().state;
  const known = dismissed.use();
  if (service.kind === 'stopped') {
    return (
      <Notice icon={IconPlugOff} sentence={t('stopped', { reason: service.reason })}>
        <SettingsButton />
      </Notice>
    );
  }
  if (service.kind !== 'running' || service.port === settings.port) return null;
  const name = `port ${settings.port} ${service.port}`;
  if (known.has(name)) return null;
  const ports = { wanted: String(settings.port), port: String(service.port) };
  return (
    <Notice
      icon={IconAlertTriangle}
      sentence={t('otherPort', { ...ports, address: service.baseUrl })}
      onClose={() => dismiss(name)}
    >
      <SettingsButton />
    </Notice>
  );
}

/** How it goes on for who has just begun. */
function FirstSteps() {
  const { t } = useTranslation('managing');
  const begunWith = firstSteps.use();
  const { manage } = usePlace();
  if (begunWith === null || manage !== null) return null;
  const end = () => firstSteps.set(null);
  const makeKey = () => {
    end();
    goTo({ manage: 'keys' });
  };
  const close = () => {
    end();
    focusPlace();
  };
  return (
    <Notice icon={IconKey} sentence={t(`${begunWith}FirstSteps`)} onClose={close}>
      <Button size="compact-sm" onClick={makeKey}>
        {t('makeKey')}
      </Button>
    </Notice>
  );
}

/** What is to be known about the application, above the events and every screen alike. */
export function DesktopNotices() {
  const { notices } = useApplication().state;
  const known = dismissed.use();
  return (
    <div role="status" className="desktop-notices">
      <ServiceNotice />
      {notices
        .filter((sentence) => !known.has(sentence))
        .map((sentence) => (
          <Notice
            key={sentence}
            icon={IconAlertTriangle}
            sentence={sentence}
            onClose={() => dismiss(sentence)}
          />
        ))}
      <FirstSteps />
    </div>
  );
}
