import './next-season.css';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { SeasonForm } from './season-form.tsx';
import { SeasonList } from './season-list.tsx';
import { useNextSeason } from './season-state.ts';

/** Windows in which the form covers the list; as in the styles of the side column. */
const coveredList = '(width < 60rem)';

/** The next season: the events that come again in the list, and the form beside them. */
export function NextSeason() {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const season = useNextSeason();
  const isCovered = useMediaQuery(coveredList, false, { getInitialValueInEffect: false });
  const { rows, clashes } = season;
  const counted = (count: number) => ({ count, shown: formats.number(count) });
  const dates = t('seeAll', counted(rows.length));
  return (
    <>
      <div className="list">
        <section id="events" className="page-view" tabIndex={-1} aria-label={t('result')}>
          {!isCovered && rows.length > 0 && <SeasonList season={season} />}
        </section>
      </div>
      <div className="side">
        <SeasonForm season={season}>
          {isCovered && rows.length > 0 && (
            <details className="season-fold">
              <summary>
                {clashes > 0 ? t('withClashes', { dates, ...counted(clashes) }) : dates}
              </summary>
              <SeasonList season={season} />
            </details>
          )}
        </SeasonForm>
      </div>
    </>
  );
}
