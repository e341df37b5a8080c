import { Tabs } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remInPixels } from '../../base/browser.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import type { ImportReport, ReportedRow } from './choices.ts';
import { useFieldText } from './first-events.tsx';

type Changes = Extract<ReportedRow, { readonly kind: 'changed' }>['changes'];

function ChangedFields({ changes }: { readonly changes: Changes }) {
  const { t } = useTranslation(['importReport', 'importColumns']);
  const textOf = useFieldText();
  const show = (field: Changes[number]['field'], value: unknown) => {
    const text = textOf(field, value);
    return text === '' ? <em>{t('notGiven')}</em> : text;
  };
  return (
    <dl className="import-changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{t(`importColumns:${field}`)}</dt>
          <dd dir="auto">
            <span className="only-spoken">{t('before')} </span>
            <del>{show(field, from)}</del>
            <span aria-hidden> → </span>
            <span className="only-spoken">{t('after')} </span>
            <ins>{show(field, to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One row of the report: its place in the file and its outcome. */
function ReportRow({ row }: { readonly row: ReportedRow }) {
  const textOf = useFieldText();
  const words = useWords();
  const place = [row.file, words(row.place)].filter(Boolean).join(', ');
  return (
    <div className="import-row">
      <span className="import-place" dir="auto">
        {place}
      </span>
      <div className="import-what" dir="auto">
        {row.kind === 'skipped' ? (
          <p className="import-reason">{capitalize(words(row.reason))}</p>
        ) : (
          <strong>{row.name}</strong>
        )}
        {row.kind === 'changed' && <ChangedFields changes={row.changes} />}
      </div>
      {row.kind === 'added' && <time dateTime={row.date}>{textOf('date', row.date)}</time>}
    </div>
  );
}

/** Estimated height of a row before it is measured, in rem. */
const estimatedHeight = 2.75;

/** A virtual list of rows of a report. */
function ReportRows({
  label,
  rows,
}: {
  readonly label: string;
  readonly rows: readonly ReportedRow[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight * remInPixels(),
    overscan: 8,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section ref={scroller} className="import-rows" tabIndex={0} aria-label={label}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ReportRow row={row} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

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
  const openKind = chosen ?? firstKind(report);
  return (
    <Tabs value={openKind} onChange={(kind) => setChosen(kinds.find((one) => one === kind))}>
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
          {kind === openKind && <KindPanel kind={kind} count={report[kind]} rows={rows[kind]} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
