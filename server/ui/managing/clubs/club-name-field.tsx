import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ClubName, maxNameLength } from './use-club-name.ts';

export function ClubNameField({
  clubName,
  ...more
}: TextInputProps & { readonly label: string; readonly clubName: ClubName }) {
  const { t } = useTranslation('clubs');
  return (
    <TextInput
      placeholder={t('example')}
      autoComplete="off"
      maxLength={maxNameLength}
      value={clubName.text}
      error={clubName.error}
      onChange={({ currentTarget }) => clubName.setText(currentTarget.value)}
      {...more}
    />
  );
}
