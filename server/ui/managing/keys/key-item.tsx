import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import { type ListedKey, useKeyName, useKeyValidity } from './describe-key.ts';

/** One key of the list; it has a button to revoke it if `onRevoke` is given. */
export function KeyItem(props: { readonly item: ListedKey; readonly onRevoke?: () => void }) {
  const { item, onRevoke } = props;
  const { t } = useTranslation('keys');
  const formats = useFormats();
  const nameOf = useKeyName();
  const validityOf = useKeyValidity();
  return (
    <li className="access-item" data-state={item.state}>
      <div className="access-item-text">
        <span className="access-name" dir="auto" data-unnamed={item.label === null || undefined}>
          {nameOf(item)}
        </span>
        <span className="access-when">
          {t('created', { when: formats.at('shortDay', item.createdAt) })} · {validityOf(item)}
        </span>
      </div>
      <span className="access-state">{t(item.state)}</span>
      {onRevoke && (
        <Button
          size="compact-sm"
          fw={500}
          variant="default"
          aria-label={t('revokeNamed', { label: nameOf(item) })}
          onClick={onRevoke}
        >
          {t('revoke')}
        </Button>
      )}
    </li>
  );
}
