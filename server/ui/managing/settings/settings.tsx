import { useTranslation } from 'react-i18next';
import { ScreenIntro } from '../parts/screen-intro.tsx';
import { Appearance } from './appearance.tsx';
import { DataSettings } from './data.tsx';
import { ServiceSettings } from './port.tsx';
import { Program } from './program.tsx';

/** The settings of the desktop application; each is saved when it changes. */
export function SettingsScreen() {
  const { t } = useTranslation('settings');
  return (
    <>
      <ScreenIntro>{t('intro')}</ScreenIntro>
      <div className="settings">
        <Appearance />
        <Program />
        <ServiceSettings />
        <DataSettings />
      </div>
    </>
  );
}
