import { Radio, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  automaticChoices,
  type DateOrder,
  type ImportPreview,
  type ImportWork,
} from './choices.ts';
import { useClubImport } from './state.ts';

const orders = ['dmy', 'mdy'] as const satisfies readonly DateOrder[];

/** Maximum number of zones in the list; typing finds the others. */
const maxZones = 60;

function DateOrderChoice({
  previews,
  chosen,
}: {
  readonly previews: readonly ImportPreview[];
  readonly chosen: DateOrder | null;
}) {
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const problems = previews.flatMap((preview) => preview.problems);
  const ambiguous = problems.find((problem) => problem.kind === 'dateOrder');
  const detected = previews.find(({ dates }) => dates.order !== null)?.dates.order ?? null;
  return (
    <Radio.Group
      label={ambiguous ? t('dateOrder', { cell: ambiguous.cell }) : t('dateOrderPlain')}
      value={chosen ?? (ambiguous ? null : detected)}
      onChange={(order) => choose({ dateOrder: order as DateOrder })}
    >
      <div className="import-orders">
        {orders.map((order) => (
          <Radio key={order} value={order} label={t(order)} />
        ))}
      </div>
    </Radio.Group>
  );
}

function ZoneChoice({ chosen }: { readonly chosen: string }) {
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  // The likely zones first: this computer's, the chosen one and UTC.
  const zones = useMemo(() => {
    const { timeZone } = automaticChoices();
    return [...new Set([timeZone, chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  }, [chosen]);
  return (
    <Select
      label={t('zone')}
      description={t('zoneHelp')}
      searchable
      allowDeselect={false}
      limit={maxZones}
      data={zones}
      value={chosen}
      nothingFoundMessage={t('noZone')}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      onChange={(timeZone) => timeZone !== null && choose({ timeZone })}
    />
  );
}

/** Choices for ambiguous dates: the order of day and month, and the time zone. */
export function DateChoices({ work: { files, choices } }: { readonly work: ImportWork }) {
  const previews = files.flatMap(({ preview }) => (preview === undefined ? [] : [preview]));
  const haveSlashes = previews.some(({ dates }) => dates.haveSlashes);
  const areLocal = previews.some(({ dates }) => dates.areLocal);
  if (!haveSlashes && !areLocal) return null;
  return (
    <div className="import-dates">
      {haveSlashes && <DateOrderChoice previews={previews} chosen={choices.dateOrder} />}
      {areLocal && <ZoneChoice chosen={choices.timeZone} />}
    </div>
  );
}
