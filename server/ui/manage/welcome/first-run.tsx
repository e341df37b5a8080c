import './welcome.css';
import '../parts/parts.css';
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Icon, IconFileSpreadsheet, IconPrinter, IconShare } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';

function Step(props: {
  readonly icon: Icon;
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}) {
  const { icon: StepIcon, title, help, children } = props;
  return (
    <li>
      <StepIcon size={18} stroke={1.75} aria-hidden />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p className="small quiet">{help}</p>
      </div>
      {children}
    </li>
  );
}

/** The page of a club without events: a line for the first one, and the other ways to begin. */
export function FirstRun({ firstEvent }: { readonly firstEvent: ReactNode }) {
  const { t } = useTranslation(['firstRun', 'manage']);
  const id = useId();
  const later = [
    { icon: IconPrinter, what: 'print', place: { sheet: 'month' } },
    { icon: IconShare, what: 'share', place: { manage: 'share' } },
  ] as const;
  return (
    <div className="stack first-run">
      {firstEvent}
      <section aria-labelledby={`${id}-in`}>
        <h2 id={`${id}-in`}>{t('bringIn')}</h2>
        <ul className="card card-flush ruled brand-icon first-run-list">
          <Step icon={IconFileSpreadsheet} title={t('file')} help={t('fileHelp')}>
            <Button variant="default" size="compact-sm" onClick={() => goTo({ manage: 'import' })}>
              {t('manage:importFile')}
            </Button>
          </Step>
        </ul>
      </section>
      <section aria-labelledby={`${id}-later`}>
        <h2 id={`${id}-later`}>{t('once')}</h2>
        <ul className="card card-flush ruled brand-icon first-run-list">
          {later.map(({ icon, what, place }) => (
            <Step key={what} icon={icon} title={t(what)} help={t(`${what}Help`)}>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('seeHowNamed', { what: t(what) })}
                onClick={() => goTo(place)}
              >
                {t('seeHow')}
              </Button>
            </Step>
          ))}
        </ul>
      </section>
    </div>
  );
}
