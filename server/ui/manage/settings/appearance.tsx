import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Language, languages } from '../../../messages/messages.ts';
import { useLanguageChoice } from '../../base/i18n.ts';
import { type Theme, themes, useThemeChoice } from '../../base/theme.ts';
import { useTask } from '../parts/actions.ts';
import { Setting, SettingGroup } from '../parts/setting.tsx';

function LanguageSetting() {
  const { t } = useTranslation(['settings', 'shell']);
  const [language, setLanguage] = useLanguageChoice();
  const { run, error } = useTask(setLanguage);
  const choices = Object.entries(languages).map(([value, label]) => ({ value, label }));
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
          data={[{ value: 'none', label: t('shell:auto') }, ...choices]}
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
      control={({ group }) => (
        <SegmentedControl
          {...group}
          value={theme}
          onChange={(chosen) => setTheme(chosen as Theme)}
          data={themes.map((name) => ({ value: name, label: t(`shell:${name}`) }))}
        />
      )}
    />
  );
}

export function Appearance() {
  const { t } = useTranslation('settings');
  return (
    <SettingGroup title={t('appearance')}>
      <LanguageSetting />
      <ThemeSetting />
    </SettingGroup>
  );
}
