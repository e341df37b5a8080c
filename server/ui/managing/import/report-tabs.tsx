import { Tabs } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import { ReportRows } from './report-rows.tsx';
import type { ImportReport, ReportedRow } from './work.ts';

const kinds = ['added', 'changed', 'unchanged', 'skipped'] as const;
type Kind = (typeof kinds)[number];

function sortRows({ files }: ImportReport): Readonly<Record<Kind, readonly ReportedRow[]>> {
  const rows: Record<Kind, ReportedRow[]> = { added: [], changed: [], unchanged: [], skipped: [] };
  for (const { file, rows: all } of files) {
    for (const row of all) rows[row.kind].push(files.length > 1 ? { ...row, file } : row);
  }
  return rows;
}

/** Returns the most important kind: rows that cannot be imported, then changed ones. */
function firstKind(report: ImportReport): Kind {
  const order = ['skipped', 'changed', 'added', 'unchanged'] as const;
  return order.find((kind) => report[kind] > 0) ?? 'added';
}

function KindPanel({
  kind,
  count,
  rows,
}: {
  readonly kind: Kind;
  readonly count: number;
  readonly rows: readonly ReportedRow[];
}) {
  const { t } = useTranslation(['importReport', 'import']);
  const { number } = useFormats();
  if (count === 0) return <p>{t(`${kind}None`)}</p>;
  return (
    <>
      {(kind === 'unchanged' || kind === 'skipped') && <p>{t(`${kind}Some`)}</p>}
      {rows.length > 0 && <ReportRows label={t(kind)} rows={rows} />}
      {rows.length > 0 && rows.length < count && (
        <p className="import-help">
          {t('listed', { shown: number(rows.length), all: number(count) })}
        </p>
      )}
    </>
  );
}

/** The report in tabs: new, changed, unchanged and skipped rows. */
export function ReportTabs({ report }: { readonly report: ImportReport }) {
  const { t } = useTranslation(['importReport', 'import']);
  const { number } = useFormats();
  const [chosen, setChosen] = useState<Kind | undefined>();
  const rows = useMemo(() => sortRows(report), [report]);
  const shown = chosen ?? firstKind(report);
  return (
    <Tabs value={shown} onChange={(kind) => setChosen(kinds.find((one) => one === kind))}>
      <Tabs.List aria-label={t('import:check')}>
        {kinds.map((kind) => (
          <Tabs.Tab
            key={kind}
            value={kind}
            data-kind={kind}
            data-empty={report[kind] === 0 || undefined}
          >
            {t(kind)} <span className="import-count">{number(report[kind])}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {kinds.map((kind) => (
        <Tabs.Panel key={kind} value={kind} className="import-panel">
          {kind === shown && <KindPanel kind={kind} count={report[kind]} rows={rows[kind]} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
