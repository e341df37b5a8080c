import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { IconMessage2 } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useTold } from '../../data/told.ts';

/** The number of changes that nobody was told of; nothing without any. */
export function UntoldCard() {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { changes } = useTold();
  const count = changes.length;
  if (count === 0) return null;
  return (
    <section className="card stack even untold-card" aria-labelledby="untold-title">
      <h3 id="untold-title">{t('untold', { count, shown: formats.number(count) })}</h3>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconMessage2 size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ manage: 'message' })}
      >
        {t('tell')}
      </Button>
    </section>
  );
}
