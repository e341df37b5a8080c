import { useTranslation } from 'react-i18next';
import { Confirmation } from '../parts/confirmation.tsx';
import { useAction } from '../parts/use-action.ts';
import { type ListedKey, useKeyName } from './describe-key.ts';

/**
 * Asks before a key is revoked, as that is for good. It is there before it is opened, as that is
 * when it sees where the focus has to go back to.
 */
export function RevokeKey({
  asked,
  isOpen,
  onRevoked,
  onClose,
}: {
  readonly asked: ListedKey | undefined;
  readonly isOpen: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('scriptKeys');
  const nameOf = useKeyName();
  const revocation = useAction('key revoke');
  const revoke = async () => {
    const done = asked && (await revocation.run({ id: asked.id }));
    if (done === undefined) return;
    onRevoked();
    onClose();
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={t('revokeAsk', { label: asked && nameOf(asked) })}
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
