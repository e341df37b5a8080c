import { useTranslation } from 'react-i18next';
import { Confirmation } from '../parts/confirmation.tsx';
import { useAction } from '../parts/use-action.ts';
import { type ListedKey, useKeyName } from './describe-key.ts';

/**
 * Asks before a key is revoked, which cannot be undone. Stays mounted while closed: when it opens,
 * it records the element to which the focus returns.
 */
export function RevokeKey({
  item,
  isOpen,
  onRevoked,
  onClose,
}: {
  readonly item: ListedKey | undefined;
  readonly isOpen: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('keys');
  const nameOf = useKeyName();
  const revocation = useAction('key revoke');
  const revoke = async () => {
    const done = item && (await revocation.run({ id: item.id }));
    if (done === undefined) return;
    onRevoked();
    onClose();
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={t('revokeAsk', { label: item && nameOf(item) })}
      confirm={t('revokeNow')}
      task={revocation}
      onConfirm={() => void revoke()}
      onClose={() => {
        revocation.reset();
        onClose();
      }}
    >
      <p>{t('revokeWhy')}</p>
    </Confirmation>
  );
}
