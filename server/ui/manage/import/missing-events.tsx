import { Button, Radio } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { type ImportReport, type ImportWork, missingEvents } from './choices.ts';
import { dateAndTime } from './field-text.ts';
import { useClubImport } from './import-state.ts';

/** Maximum number of events in the list; the others have the answer for all. */
const maxListed = 200;

/** The events to come that are no longer in the files: each is cancelled or stays, and none is chosen. */
export function MissingEvents(props: { readonly report: ImportReport; readonly work: ImportWork }) {
  const { report, work } = props;
  const { t } = useTranslation('importMoved');
  const formats = useFormats();
  const { cancelMissing } = useClubImport();
  const id = useId();
  const missing = missingEvents(report);
  if (missing.length === 0) return null;
  const count = { count: report.missing, shown: formats.number(report.missing) };
  const all = missing.map((event) => event.id);
  const answers = [
    { isCancelled: true, label: t('cancelIt'), forAll: t('cancelAll') },
    { isCancelled: false, label: t('keepIt'), forAll: t('keepAll') },
  ];
  return (
    <section className="stack import-missing" aria-labelledby={id}>
      <div className="ends import-report-head">
        <div>
          <h2 id={id} className="import-title">
            {t('missing', count)}
          </h2>
          <p className="quiet">{t('missingHelp', count)}</p>
        </div>
        {missing.length > 1 && (
          <div className="flow close">
            {answers.map(({ isCancelled, forAll }) => (
              <Button
                key={forAll}
                size="sm"
                variant="default"
                onClick={() => cancelMissing(all, isCancelled)}
              >
                {forAll}
              </Button>
            ))}
          </div>
        )}
      </div>
      <ul className="card ruled import-missing-list">
        {missing.slice(0, maxListed).map(({ id: event, name, date, location }) => (
          <li key={event}>
            <div dir="auto">
              <p className="strong">{name}</p>
              <p className="small quiet">
                {[dateAndTime(formats, date), location].filter((text) => text !== '').join(' · ')}
              </p>
            </div>
            <fieldset className="flow">
              <legend className="only-spoken">{`${name}, ${dateAndTime(formats, date)}`}</legend>
              {answers.map(({ isCancelled, label }) => (
                <Radio
                  key={label}
                  name={`${id} ${event}`}
                  label={label}
                  size="sm"
                  checked={work.cancelled.get(event) === isCancelled}
                  onChange={() => cancelMissing([event], isCancelled)}
                />
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
    </section>
  );
}
