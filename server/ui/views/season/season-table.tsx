import { useTranslation } from 'react-i18next';
import type { Day } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import type { KindCount, SeasonCount } from './counts.ts';
import { useKindName } from './kind-name.ts';

function Numbers({
  kinds,
  total,
}: {
  readonly kinds: readonly KindCount[];
  readonly total: number;
}) {
  const formats = useFormats();
  return (
    <>
      {kinds.map(({ kind, count }) => (
        <td key={kind} data-zero={count === 0 || undefined}>
          {formats.number(count)}
        </td>
      ))}
      <td className="season-row-total" data-zero={total === 0 || undefined}>
        {formats.number(total)}
      </td>
    </>
  );
}

export function SeasonTable({
  count,
  name,
  onChoose,
}: {
  readonly count: SeasonCount;
  readonly name: string;
  readonly onChoose: (month: Day) => void;
}) {
  const { t } = useTranslation(['season', 'event']);
  const nameOf = useKindName();
  const formats = useFormats();
  // Kinds without events have no column.
  const columns = count.kinds.filter(({ count: sum }) => sum > 0);
  const ofColumns = (kinds: readonly KindCount[]) =>
    kinds.filter(({ kind }) => columns.some((column) => column.kind === kind));
  return (
    <table className="season-table">
      <caption className="only-spoken">{t('title', { name })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('month')}</th>
          {columns.map(({ kind }) => (
            <th key={kind} scope="col">
              <span>{nameOf(kind)}</span>
            </th>
          ))}
          <th scope="col">
            <span>{t('total')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {count.months.map(({ month, total, kinds }) => (
          <tr key={month}>
            <th scope="row">
              <button type="button" disabled={total === 0} onClick={() => onChoose(month)}>
                {formats.on('month', month)}
              </button>
            </th>
            <Numbers kinds={ofColumns(kinds)} total={total} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('total')}</th>
          <Numbers kinds={columns} total={count.total} />
        </tr>
      </tfoot>
    </table>
  );
}
