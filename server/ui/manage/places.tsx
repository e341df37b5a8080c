import './history/history.css';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconDeviceLaptop } from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { Segments } from '../base/segments.tsx';
import { useFollowed } from '../data/followed.ts';
import { useMirror } from '../data/mirror-context.ts';
import { About } from './about/about.tsx';
import { Backups } from './backups/backups.tsx';
import { ClubSettingsScreen } from './clubs/club-settings-screen.tsx';
import { Clubs } from './clubs/clubs.tsx';
import { FollowedCalendars, isFollowFormOpen } from './follow/calendars.tsx';
import { History } from './history/history.tsx';
import { FirstFile } from './import/file-step.tsx';
import { StartedImport } from './import/started-import.tsx';
import { useApplication, useDesktop } from './parts/desktop-provider.tsx';
import { ScreenIntro } from './parts/parts.tsx';
import { WaitingProposals } from './parts/received-proposals.tsx';
import { AppearanceSettings, KeySettings } from './settings/appearance.tsx';
import { ServiceSettings } from './settings/port.tsx';
import { DataSettings, OnlineServices, Program } from './settings/settings.tsx';
import { ReceiptsCard } from './sync/receipts.tsx';
import { SyncScreen } from './sync/sync.tsx';

/** The way to the events of another computer or of an online service. */
function OtherSources() {
  const { t } = useTranslation(['sources', 'manage']);
  return (
    <section className="card cluster loose brand-icon" aria-labelledby="other-sources">
      <IconDeviceLaptop size={24} stroke={1.5} aria-hidden />
      <div className="source-words">
        <h2 id="other-sources">{t('manage:sync')}</h2>
        <p className="small quiet">{t('otherHelp')}</p>
      </div>
      <Button variant="default" onClick={() => goTo({ manage: 'sync' })}>
        {t('follow')}
      </Button>
    </section>
  );
}

/** Everything that events come from; a mirrored club has one source. */
export function SourcesScreen() {
  const { t } = useTranslation('sources');
  const { club } = useDesktop();
  const mirror = useMirror();
  const isFollowing = isFollowFormOpen.use();
  const { calendars } = useFollowed();
  if (mirror) return <SyncScreen />;
  return (
    <>
      {!isFollowing && (
        <>
          <ScreenIntro>{t('intro', { club: club.name })}</ScreenIntro>
          <FirstFile />
          <StartedImport />
          <WaitingProposals />
        </>
      )}
      {mirror === null && <FollowedCalendars />}
      {mirror === null && !isFollowing && calendars.length > 0 && <ReceiptsCard mirror={null} />}
      {mirror === null && !isFollowing && <OtherSources />}
    </>
  );
}

/** The two ways back: the changes of the club, and the backups, which are there without a club. */
export function HistoryAndBackups() {
  const { t } = useTranslation(['history', 'manage']);
  const { club } = useApplication();
  if (club === null) return <Backups />;
  return (
    <>
      <ScreenIntro>{t('intro')}</ScreenIntro>
      <div className="history-columns">
        <section className="stack" aria-labelledby="changes">
          <h2 id="changes">{t('changes')}</h2>
          {/* Another club starts with its newest changes. */}
          <History key={club.id} />
        </section>
        <section
          id="section-backups"
          className="stack"
          tabIndex={-1}
          aria-label={t('manage:backups')}
        >
          <Backups />
        </section>
      </div>
    </>
  );
}

/** The choice between the settings of the club and those of this computer. */
function Tabs({ current }: { readonly current: 'club-settings' | 'settings' }) {
  const { t } = useTranslation(['settings', 'manage']);
  const { club } = useApplication();
  if (club === null) return null;
  const name = <span dir="auto">{club.name}</span>;
  return (
    <Segments
      className="alone settings-tabs"
      label={t('manage:settings')}
      value={current}
      options={[
        ['club-settings', name],
        ['settings', t('thisComputer')],
      ]}
      onChange={(next) => goTo({ manage: next })}
    />
  );
}

/** The settings of the open club. */
export function ClubSettings() {
  return (
    <>
      <Tabs current="club-settings" />
      <ClubSettingsScreen />
    </>
  );
}

/** The settings of the desktop application, each saved when it changes, its clubs and its versions. */
export function ComputerSettings() {
  const { t } = useTranslation('settings');
  const { club } = useApplication();
  return (
    <>
      <Tabs current="settings" />
      <p className="quiet">{t('intro')}</p>
      <div className="settings">
        <AppearanceSettings />
        <KeySettings />
        {club !== null && <Clubs />}
        <Program />
        <ServiceSettings />
        <OnlineServices />
        <DataSettings />
        <About />
      </div>
    </>
  );
}
