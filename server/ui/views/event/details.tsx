import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { useFormats } from '../../base/format.ts';
import { ChangeText } from './changes.tsx';
import { LinkedText } from './linked-text.tsx';
import { NoticeMarks, StateMark } from './marks.tsx';

/** Length of a description that is shown at first, in characters. */
const initialLength = 20_000;

function Description({ text }: { readonly text: string }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const [isWhole, setWhole] = useState(text.length <= initialLength);
  return (
    <>
      <p className="panel-description" dir="auto">
        <LinkedText text={isWhole ? text : `${text.slice(0, initialLength)}…`} />
      </p>
      {!isWhole && (
        <Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>
          {t('whole', { length: formats.number(text.length) })}
        </Button>
      )}
    </>
  );
}

function Field(props: {
  readonly name: string;
  /** True if the field has a line of its own. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  const { name, isWide, children } = props;
  return (
    <div className="panel-field" data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Unspecified({ children }: { readonly children: string }) {
  return <span className="panel-unsaid">{children}</span>;
}

export function EventDetails({ event }: { readonly event: Event }) {
  const { t } = useTranslation(['panel', 'event']);
  const formats = useFormats();
  const { location, description, registrationOpen: open } = event;
  return (
    <>
      <div className="marks">
        <NoticeMarks event={event} />
        <StateMark event={event} />
      </div>
      <ChangeText event={event} />
      <dl className="panel-fields">
        <Field isWide name={t('when')}>
          <time dateTime={event.date} title={formats.utc(event.date)}>
            {formats.fullMoment(event.date)}
          </time>
        </Field>
        <Field isWide name={t('where')}>
          {location === '' ? (
            <Unspecified>{t('notGiven')}</Unspecified>
          ) : (
            <span dir="auto">{location}</span>
          )}
        </Field>
        <Field isWide name={t('description')}>
          {description ? (
            <Description key={event.id} text={description} />
          ) : (
            <Unspecified>{t('notGiven')}</Unspecified>
          )}
        </Field>
        <Field name={t('type')}>{t(`event:${event.eventType ?? 'none'}`)}</Field>
        <Field name={t('registration')}>
          {open === undefined ? (
            <Unspecified>{t('notGiven')}</Unspecified>
          ) : (
            t(open ? 'open' : 'closed')
          )}
        </Field>
        <Field name={t('created')}>
          <time dateTime={event.createdAt}>{formats.at('moment', event.createdAt)}</time>
        </Field>
        <Field name={t('id')}>{event.id}</Field>
      </dl>
    </>
  );
}
