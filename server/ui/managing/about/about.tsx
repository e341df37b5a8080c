import './about.css';
import { Button } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { useApplication } from '../desktop.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Setting, SettingGroup } from '../parts/setting.tsx';
import { useTask } from '../parts/use-task.ts';
import { Licences } from './licences.tsx';
import { Update } from './update.tsx';

/** What runs inside, by the names that its makers give it. */
const engines = [
  ['electron', 'Electron'],
  ['chromium', 'Chromium'],
  ['node', 'Node.js'],
  ['sqlite', 'SQLite'],
] as const;

function Versions() {
  const { t } = useTranslation('about');
  const { versions } = useApplication().state;
  return (
    <Setting name={`Club Events ${versions.app}`} help={t('engines')}>
      <dl className="about-versions">
        {engines.map(([key, name]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{versions[key]}</dd>
          </div>
        ))}
      </dl>
    </Setting>
  );
}

function ServiceState() {
  const { t } = useTranslation('about');
  const { service } = useApplication().state;
  if (service.kind === 'running') {
    return (
      <Setting name={t('service')} help={t('running')}>
        <span className="setting-path">{service.baseUrl}</span>
        <CopyButton text={service.baseUrl} label={t('copyAddress')} size="sm" />
      </Setting>
    );
  }
  const words = service.kind === 'starting' ? t('starting') : t('stopped', service);
  return <Setting name={t('service')} help={words} />;
}

function Logs() {
  const { t } = useTranslation('about');
  const { run, error } = useTask(() => unwrap(requireBridge().showFolder({ folder: 'logs' })));
  return (
    <Setting name={t('logs')} help={t('logsHelp')} error={error}>
      <Button
        variant="default"
        leftSection={<IconFolderOpen size={18} stroke={1.75} aria-hidden />}
        onClick={() => void run()}
      >
        {t('openLogs')}
      </Button>
    </Setting>
  );
}

/** What this program is made of, and how it is doing. */
export function AboutScreen() {
  const { t } = useTranslation('about');
  return (
    <div className="settings">
      <SettingGroup title={t('program')}>
        <Versions />
        <Update />
        <Licences />
      </SettingGroup>
      <SettingGroup title={t('whileRunning')}>
        <ServiceState />
        <Logs />
      </SettingGroup>
    </div>
  );
}
