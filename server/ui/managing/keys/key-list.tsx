import { IconKey } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useActionQuery } from '../parts/use-action-query.ts';
import { type ListedKey, useKeyName } from './describe-key.ts';
import { KeyItem } from './key-item.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** Returns the valid and the old keys of a club, newest first. */
function useKeys(club: string) {
  const { data, error } = useActionQuery('key list', {});
  const own = data?.keys.filter(({ user }) => user === club).reverse();
  const valid = own?.filter(({ state }) => state === 'valid') ?? [];
  const old = own?.filter(({ state }) => state !== 'valid') ?? [];
  return { isRead: own !== undefined, error, valid, old };
}

function OldKeys({ keys }: { readonly keys: readonly ListedKey[] }) {
  const { t } = useTranslation('keys');
  const formats = useFormats();
  if (keys.length === 0) return null;
  return (
    <details className="access-old">
      <summary>{t('old', { count: keys.length, shown: formats.number(keys.length) })}</summary>
      <ul className="item-list">
        {keys.map((item) => (
          <KeyItem key={item.id} item={item} />
        ))}
      </ul>
    </details>
  );
}

function NoKey({ hasOld }: { readonly hasOld: boolean }) {
  const { t } = useTranslation('keys');
  if (hasOld) return <p className="access-note">{t('noneValid')}</p>;
  return <EmptyState icon={IconKey} title={t('none')} next={t('noneNext')} />;
}

/** The keys of a club, newest first; those that are no longer valid are collapsed. */
export function KeyList(props: {
  readonly club: string;
  readonly onRevoked: (id: number) => void;
}) {
  const { club, onRevoked } = props;
  const { t } = useTranslation('keys');
  const nameOf = useKeyName();
  const { isRead, error, valid, old } = useKeys(club);
  const [selected, setSelected] = useState<ListedKey | undefined>();
  const [isAsking, setAsking] = useState(false);
  const [revoked, setRevoked] = useState<ListedKey | undefined>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isGone = revoked !== undefined && old.some(({ id }) => id === revoked.id);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isGone) heading.current?.focus();
  }, [isGone]);
  const askToRevoke = (key: ListedKey) => {
    setSelected(key);
    setAsking(true);
  };
  return (
    <section className="access-keys" aria-labelledby="access-keys">
      <h2 ref={heading} id="access-keys" tabIndex={-1} className="access-heading">
        {t('keys', { club })}
      </h2>
      <ErrorNotice error={error} />
      <p role="status" className="access-note">
        {isGone && t('revokedNow', { label: nameOf(revoked) })}
      </p>
      {isRead && valid.length === 0 && <NoKey hasOld={old.length > 0} />}
      {valid.length > 0 && (
        <ul className="item-list">
          {valid.map((item) => (
            <KeyItem key={item.id} item={item} onRevoke={() => askToRevoke(item)} />
          ))}
        </ul>
      )}
      <OldKeys keys={old} />
      <RevokeKey
        item={selected}
        isOpen={isAsking}
        onRevoked={() => {
          setRevoked(selected);
          if (selected) onRevoked(selected.id);
        }}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}
