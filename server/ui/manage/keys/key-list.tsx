import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { RowButton } from '../../base/buttons.tsx';
import { useClock } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useAction, useActionQuery } from '../parts/action-hooks.ts';
import { Confirmation, ErrorNotice } from '../parts/parts.tsx';

type ListedKey = ActionResult<'key list'>['keys'][number];

/** Returns a function that names a key: its label, its service, or else its number. */
function useKeyName(): (key: ListedKey) => string {
  const { t } = useTranslation('keys');
  return ({ id, label, baseUrl }) => {
    if (label !== null) return label;
    return baseUrl === null
      ? t('unnamed', { id })
      : t('ofService', { host: new URL(baseUrl).host });
  };
}

/** Returns a function that words the validity of a key, such as its expiry or revocation. */
function useKeyValidity(): (key: ListedKey) => string {
  const clock = useClock();
  const { t } = useTranslation('keys');
  const formats = useFormats();
  return ({ state, revokedAt, expiresAt }) => {
    if (revokedAt !== null) return t('revokedOn', { when: formats.at('shortDay', revokedAt) });
    if (expiresAt === null) return t('neverExpires');
    const isEndOfDay = clock.timeOf(expiresAt) === '23:59';
    const when = formats.at(isEndOfDay ? 'shortDay' : 'moment', expiresAt);
    return t(state === 'expired' ? 'expiredOn' : 'until', { when });
  };
}

/**
 * Asks before a key is revoked, which cannot be undone. Stays mounted while closed: when it opens,
 * it records the element to which the focus returns.
 */
function RevokeKey(props: {
  readonly item: ListedKey | undefined;
  readonly isOpen: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { item, isOpen, onRevoked, onClose } = props;
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
      onClose={onClose}
    >
      <p>{t('revokeWhy')}</p>
    </Confirmation>
  );
}

/** One key of the list; it has a button to revoke it if `onRevoke` is given. */
function KeyItem(props: { readonly item: ListedKey; readonly onRevoke?: () => void }) {
  const { item, onRevoke } = props;
  const { t } = useTranslation('keys');
  const formats = useFormats();
  const nameOf = useKeyName();
  const validityOf = useKeyValidity();
  return (
    <li className="cluster access-item" data-state={item.state}>
      <div className="access-item-text">
        <span
          className="strong access-name"
          dir="auto"
          data-unnamed={item.label === null || undefined}
        >
          {nameOf(item)}
        </span>
        <span className="access-when">
          {t('created', { when: formats.at('shortDay', item.createdAt) })} · {validityOf(item)}
        </span>
      </div>
      <span className="row access-state">{t(item.state)}</span>
      {onRevoke && (
        <RowButton aria-label={t('revokeNamed', { label: nameOf(item) })} onClick={onRevoke}>
          {t('revoke')}
        </RowButton>
      )}
    </li>
  );
}

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
      <summary>{t('invalid', { count: keys.length, shown: formats.number(keys.length) })}</summary>
      <ul className="boxed ruled item-list">
        {keys.map((item) => (
          <KeyItem key={item.id} item={item} />
        ))}
      </ul>
    </details>
  );
}

function NoKey({ hasOld }: { readonly hasOld: boolean }) {
  const { t } = useTranslation('keys');
  return (
    <p className="quiet optional access-note">
      {hasOld ? t('noneValid') : `${t('none')}. ${t('noneNext')}`}
    </p>
  );
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
    <section className="stack loose access-keys" aria-labelledby="access-keys">
      <h2 ref={heading} id="access-keys" tabIndex={-1} className="row brand-icon">
        {t('keys', { club })}
      </h2>
      <ErrorNotice error={error} />
      <p role="status" className="quiet optional access-note">
        {isGone && t('revokedNow', { label: nameOf(revoked) })}
      </p>
      {isRead && valid.length === 0 && <NoKey hasOld={old.length > 0} />}
      {valid.length > 0 && (
        <ul className="boxed ruled item-list">
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
