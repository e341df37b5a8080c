import { NativeSelect, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Language, languages } from '../../../messages/messages.ts';
import { bridge } from '../../base/desktop.ts';
import { useLanguageChoice } from '../../base/i18n.ts';
import { changePreferences, usePreferences } from '../../base/preferences.ts';
import { type Theme, themes, useThemeChoice } from '../../base/theme.ts';
import { useTask } from '../parts/action-hooks.ts';
import { Setting, SettingGroup } from '../parts/setting.tsx';

function LanguageSetting() {
  const { t } = useTranslation(['settings', 'shell']);
  const [language, setLanguage] = useLanguageChoice();
  const { run, error } = useTask(setLanguage);
  const choices = Object.entries(languages).map(([value, label]) => ({ value, label }));
  const automatic = t(bridge === undefined ? 'shell:followBrowser' : 'shell:auto');
  return (
    <Setting
      name={t('shell:language')}
      help={t('languageHelp')}
      error={error}
      hasField
      control={({ field }) => (
        <NativeSelect
          {...field}
          value={language ?? 'none'}
          data={[{ value: 'none', label: automatic }, ...choices]}
          onChange={({ currentTarget: { value } }) =>
            void run(value === 'none' ? null : (value as Language))
          }
        />
      )}
    />
  );
}

function ThemeSetting() {
  const { t } = useTranslation(['settings', 'shell']);
  const [theme, setTheme] = useThemeChoice();
  return (
    <Setting
      name={t('shell:theme')}
      help={t('themeHelp')}
      hasField
      control={({ field }) => (
        <NativeSelect
          {...field}
          value={theme}
          data={themes.map((value) => ({ value, label: t(`shell:${value}`) }))}
          onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}
        />
      )}
    />
  );
}

/** The settings of language and theme. */
export function AppearanceSettings() {
  const { t } = useTranslation('settings');
  return (
    <SettingGroup title={t('appearance')}>
      <LanguageSetting />
      <ThemeSetting />
    </SettingGroup>
  );
}

/** The setting of the single-key shortcuts. */
export function KeySettings() {
  const { t } = useTranslation(['keyboard', 'shell']);
  const { letterKeys } = usePreferences();
  return (
    <SettingGroup title={t('shell:keys')}>
      <Setting
        name={t('singleKeys')}
        help={t('singleKeysHelp')}
        hasField
        control={({ field }) => (
          <Switch
            {...field}
            className="setting-switch"
            size="md"
            checked={letterKeys}
            onChange={({ currentTarget }) =>
              changePreferences({ letterKeys: currentTarget.checked })
            }
          />
        )}
      />
    </SettingGroup>
  );
}
