import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { IconArrowRight, IconArrowsHorizontal, IconCopy } from '../../base/icons.ts';
import { OptionCards } from '../parts/parts.tsx';
import type { ImportReport, ImportWork } from './choices.ts';
import { dateAndTime } from './field-text.ts';
import { useClubImport } from './import-state.ts';
import { StepTitle } from './step.tsx';

/** The question whether events of last season move or are added again; no answer is chosen at first. */
export function MovedQuestion(props: {
  readonly question: NonNullable<ImportWork['question']>;
  readonly moved: ImportWork['moved'];
}) {
  const { question, moved } = props;
  const { t } = useTranslation('importMoved');
  const { number } = useFormats();
  const { answerMoved } = useClubImport();
  const { count, weeks } = question;
  const values = { count, shown: number(count), weeks: number(weeks) };
  const answers = [
    {
      value: 'move',
      Icon: IconArrowsHorizontal,
      label: t('moveThem'),
      help: t('moveThemHelp', values),
    },
    { value: 'add', Icon: IconCopy, label: t('addAgain'), help: t('addAgainHelp', values) },
  ] as const;
  return (
    <fieldset className="stack close import-question">
      <legend className="only-spoken">{t('question')}</legend>
      <div>
        <StepTitle>{t('title', values)}</StepTitle>
        <p className="quiet">{t('weeks', values)}</p>
      </div>
      <OptionCards name="import-moved" value={moved} options={answers} onChange={answerMoved} />
    </fieldset>
  );
}

/** Number of pairs of dates that are shown with the question. */
const maxPairs = 4;

/** The first events with their dates here and in the files, and what else the files have. */
export function MovedPairs({ report }: { readonly report: ImportReport }): ReactNode {
  const { t } = useTranslation('importMoved');
  const formats = useFormats();
  const pairs = report.files.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const from = row.kind === 'moved' && row.changes.find(({ field }) => field === 'date')?.from;
      return row.kind === 'moved' && typeof from === 'string' ? [{ ...row, from }] : [];
    }),
  );
  const left = report.moved - Math.min(pairs.length, maxPairs);
  const { added } = report;
  const more = [
    ...(left > 0 ? [t('more', { count: left, shown: formats.number(left) })] : []),
    ...(added > 0 ? [t('newRows', { count: added, shown: formats.number(added) })] : []),
  ];
  return (
    <>
      <div className="card card-flush">
        <table className="tbl import-pairs">
          <thead>
            <tr>
              <th scope="col">{t('event')}</th>
              <th scope="col">{t('here')}</th>
              <th scope="col">{t('inFile')}</th>
            </tr>
          </thead>
          <tbody>
            {pairs.slice(0, maxPairs).map(({ id, name, location, from, date }) => (
              <tr key={id}>
                <th scope="row" dir="auto">
                  {name}
                  <span className="small quiet import-pair-place">{location}</span>
                </th>
                <td className="quiet tbl-figures">{dateAndTime(formats, from)}</td>
                <td className="strong tbl-figures">
                  <span className="row close">
                    <IconArrowRight size={18} stroke={1.75} aria-hidden />
                    {dateAndTime(formats, date)}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more.length > 0 && <p className="small quiet">{more.join(' ')}</p>}
    </>
  );
}
