import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Route } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { type Icon, IconFileExport, IconMessage2, IconPrinter } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useAnnounced } from '../../data/announced.ts';
import { ScreenIntro } from '../parts/parts.tsx';
import { PublishedFiles } from './published.tsx';

type Way = {
  readonly name: 'message' | 'print' | 'file';
  readonly Icon: Icon;
  readonly place: Partial<Route>;
};

const ways: readonly Way[] = [
  { name: 'message', Icon: IconMessage2, place: { manage: 'week' } },
  { name: 'print', Icon: IconPrinter, place: { manage: null, sheet: 'month' } },
  { name: 'file', Icon: IconFileExport, place: { manage: 'export' } },
];

/** The ways to tell members once: a message, paper, a file. */
function Once() {
  const { t } = useTranslation('share');
  const { number } = useFormats();
  const { length: count } = useAnnounced().changes;
  return (
    <section className="stack even" aria-labelledby="share-once">
      <h2 id="share-once">{t('once')}</h2>
      <div className="option-cards">
        {ways.map(({ name, Icon: WayIcon, place }) => (
          <button
            key={name}
            type="button"
            className="brand-icon option-card share-way"
            onClick={() => goTo(place)}
          >
            <WayIcon size={24} stroke={1.5} aria-hidden />
            <strong>{t(name)}</strong>
            <span className="quiet small">
              {name === 'message' && count > 0
                ? t('messageOr', { count, shown: number(count) })
                : t(`${name}Help`)}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** Everything that goes out: files that stay up to date, and what is given once. */
export function ShareScreen() {
  const { t } = useTranslation(['share', 'waits']);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      {!isAdding && <ScreenIntro>{t('intro')}</ScreenIntro>}
      <div className="export-screen">
        <PublishedFiles onAdding={setAdding} />
        {!isAdding && <Once />}
      </div>
    </>
  );
}
