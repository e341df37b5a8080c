import { NativeSelect, Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { partsOf, seasonName } from '../../../dates/days.ts';
import { useToday } from '../../base/days.ts';
import type { DateOrder, ImportPreview, ImportWork } from './choices.ts';
import { chevron } from './field-row.tsx';
import { useClubImport } from './import-state.ts';

const orders = ['dmy', 'mdy'] as const satisfies readonly DateOrder[];

function DateOrderQuestion(props: {
  readonly previews: readonly ImportPreview[];
  readonly chosen: DateOrder | null;
}) {
  const { previews, chosen } = props;
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const problems = previews.flatMap((preview) => preview.problems);
  const ambiguous = problems.find((problem) => problem.kind === 'dateOrder');
  const detected = previews.find(({ dates }) => dates.order !== null)?.dates.order ?? null;
  return (
    <Radio.Group
      data-open={ambiguous !== undefined || undefined}
      label={ambiguous ? t('dateOrder', { cell: ambiguous.cell }) : t('dateOrderPlain')}
      value={chosen ?? (ambiguous ? null : detected)}
      onChange={(order) => choose({ dateOrder: order as DateOrder })}
    >
      <div className="flow import-orders">
        {orders.map((order) => (
          <Radio key={order} value={order} label={t(order)} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** The month in which the seasons of most clubs begin. */
const seasonStart = 7;

/** The question for the year of dates such as 2 May; a season begins in July. */
function YearQuestion(props: {
  /** A date without a year; undefined once the question is answered. */
  readonly cell: string | undefined;
  readonly chosen: string | null;
}) {
  const { cell, chosen } = props;
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const { year } = partsOf(useToday());
  const years = [year - 1, year, year + 1];
  const season = (first: number) => {
    const day = `${first}-0${seasonStart}-01`;
    return { value: day, label: t('season', { season: seasonName({ first: day, end: day }) }) };
  };
  return (
    <NativeSelect
      rightSection={chevron}
      data-open={cell !== undefined || undefined}
      label={cell === undefined ? t('yearPlain') : t('year', { cell })}
      description={t('yearHelp')}
      error={cell !== undefined}
      value={chosen ?? ''}
      data={[
        { value: '', label: t('chooseYear'), disabled: chosen !== null },
        ...years.map((one) => ({ value: `${one}-01-01`, label: String(one) })),
        ...years.map(season),
      ]}
      onChange={({ currentTarget }) => choose({ from: currentTarget.value || null })}
    />
  );
}

/** Questions about dates with several meanings: the order of day and month, and the year. */
export function DateQuestions({ work: { files, choices } }: { readonly work: ImportWork }) {
  const previews = files.flatMap(({ preview }) => (preview === undefined ? [] : [preview]));
  const haveSlashes = previews.some(({ dates }) => dates.haveSlashes);
  const problems = previews.flatMap((preview) => preview.problems);
  const withoutYear = problems.find(({ kind }) => kind === 'year');
  const cell = withoutYear?.kind === 'year' ? withoutYear.cell : undefined;
  if (!haveSlashes && cell === undefined && choices.from === null) return null;
  return (
    <div className="card flow import-questions">
      {haveSlashes && <DateOrderQuestion previews={previews} chosen={choices.dateOrder} />}
      {(cell !== undefined || choices.from !== null) && (
        <YearQuestion cell={cell} chosen={choices.from} />
      )}
    </div>
  );
}
