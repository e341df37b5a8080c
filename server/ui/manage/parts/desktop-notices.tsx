import './desktop-notices.css';
import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../../base/browser.ts';
import { type Icon, IconAlertTriangle, IconPlugOff } from '../../base/icons.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import { createSharedValue } from '../../base/shared-value.ts';
import { useApplication } from './desktop-provider.tsx';

/** The kind of club a new user started with, until the first steps are closed; otherwise null. */
export const firstSteps = createSharedValue<'own' | 'demo' | null>(null);

/** Identifiers of the dismissed notices, shared by all screens. */
const dismissed = createSharedValue<ReadonlySet<string>>(new Set());

function dismiss(name: string): void {
  dismissed.set(new Set([...dismissed.get(), name]));
  focusContent();
}

type NoticeProps = {
  readonly icon: Icon;
  readonly message: string;
  /** Dismisses the notice; absent if it must stay visible. */
  readonly onClose?: () => void;
  readonly children?: ReactNode;
};

export function Notice({ icon: NoticeIcon, message, onClose, children }: NoticeProps) {
  const { t } = useTranslation('manage');
  return (
    <div className="cluster notice">
      <NoticeIcon size={20} aria-hidden />
      <p>{message}</p>
      {children}
      {onClose && <CloseButton size="sm" aria-label={t('closeNotice')} onClick={onClose} />}
    </div>
  );
}

function SettingsButton() {
  const { t } = useTranslation('manage');
  const { manage } = useRoute();
  if (manage === 'settings') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => goTo({ manage: 'settings' })}>
      {t('settings')}
    </Button>
  );
}

/** A warning that the service is stopped. */
function ServiceNotice() {
  const { t } = useTranslation('manage');
  const { service } = useApplication().state;
  if (service.kind !== 'stopped') return null;
  return (
    <Notice icon={IconPlugOff} message={t('stopped', { reason: service.reason })}>
      <SettingsButton />
    </Notice>
  );
}

/** Notices about the application, above the events and every screen. */
export function DesktopNotices() {
  const { notices } = useApplication().state;
  const hidden = dismissed.use();
  return (
    <div role="status" className="desktop-notices">
      <ServiceNotice />
      {notices
        .filter((message) => !hidden.has(message))
        .map((message) => (
          <Notice
            key={message}
            icon={IconAlertTriangle}
            message={message}
            onClose={() => dismiss(message)}
          />
        ))}
    </div>
  );
}
