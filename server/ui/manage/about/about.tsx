import './about.css';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { IconFolderOpen } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { CopyButton } from '../parts/parts.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';
import { Installation } from './installation.tsx';
import { Licences } from './licences.tsx';
import { Update } from './update.tsx';

function Versions() {
  const { t } = useTranslation('about');
  const { app, electron, chromium, node, sqlite } = useApplication().state.versions;
  const engines = `Electron ${electron} · Chromium ${chromium} · Node.js ${node} · SQLite ${sqlite}`;
  return <Setting name={`Club Events ${app}`} help={t('with', { engines })} />;
}

function ServiceState() {
  const { t } = useTranslation('about');
  const { service } = useApplication().state;
  if (service.kind === 'running') {
    return (
      <Setting
        name={t('service')}
        help={t('running')}
        below={() => (
          <>
            <span className="code setting-path">{service.baseUrl}</span>
            <CopyButton text={service.baseUrl} label={t('copyAddress')} size="sm" />
          </>
        )}
      />
    );
  }
  const text = service.kind === 'starting' ? t('starting') : t('stopped', service);
  return <Setting name={t('service')} help={text} />;
}

function Logs() {
  const { t } = useTranslation('about');
  const { run, error } = useTask(() => unwrap(requireBridge().showFolder({ folder: 'logs' })));
  return (
    <Setting
      name={t('logs')}
      help={t('logsHelp')}
      error={error}
      control={({ described }) => (
        <Button
          variant="default"
          leftSection={<IconFolderOpen size={18} stroke={1.75} aria-hidden />}
          {...described}
          onClick={() => void run()}
        >
          {t('openLogs')}
        </Button>
      )}
    />
  );
}

/** Versions, updates, licences, the service, the log and the check. */
export function About() {
  const { t } = useTranslation(['about', 'manage']);
  return (
    <>
      <SettingGroup title={t('manage:about')} address="about">
        <Versions />
        <Update />
        <Licences />
      </SettingGroup>
      <SettingGroup title={t('whileRunning')}>
        <ServiceState />
        <Logs />
        <Installation />
      </SettingGroup>
    </>
  );
}
