import './closed.css';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconInfoCircle } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';

/** The reason why something is closed in a mirrored club, with the way to its source. */
export function ClosedReason({ what }: { readonly what: 'club' | 'import' | 'settings' }) {
  const { t } = useTranslation(['mirrored', 'manage']);
  const mirror = useMirror();
  if (!mirror) return null;
  return (
    <div className="beside closed-reason">
      <IconInfoCircle size={20} stroke={1.75} aria-hidden />
      <p>{t(what, { host: hostOf(mirror) })}</p>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => goTo({ manage: 'sources', form: null })}
      >
        {t('manage:sources')}
      </Button>
    </div>
  );
}
