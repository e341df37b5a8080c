import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { ChangeText } from '../changes/change-text.tsx';
import { NoticeMarks, StateMark } from '../events/marks.tsx';
import { useFormats } from '../time/format.ts';
import { LinkedText } from './linked-text.tsx';

/** How much of a description is laid out at once, in characters: longer ones are asked for. */
const textAtOnce = 20_000;

function Description({ text }: { readonly text: string }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const [isWhole, setWhole] = useState(text.length <= textAtOnce);
  return (
    <>
      <p className="panel-description" dir="auto">
        <LinkedText text={isWhole ? text : `${text.slice(0, textAtOnce)} …`} />
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
  /** Whether it has a line of its own. */
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

function Unsaid({ children }: { readonly children: string }) {
  return <span className="panel-unsaid">{children}</span>;
}

/** All that is known of an event. */
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
          <time dateTime={event.date}>{formats.at('fullMoment', event.date)}</time>
          <span className="panel-utc">{formats.utc(event.date)}</span>
        </Field>
        <Field isWide name={t('where')}>
          {location === '' ? <Unsaid>{t('unsaid')}</Unsaid> : <span dir="auto">{location}</span>}
        </Field>
        <Field isWide name={t('about')}>
          {description ? (
            <Description key={event.id} text={description} />
          ) : (
            <Unsaid>{t('unsaid')}</Unsaid>
          )}
        </Field>
        <Field name={t('state')}>{t(`event:${event.status}`)}</Field>
        <Field name={t('type')}>{t(`event:${event.eventType ?? 'none'}`)}</Field>
        <Field name={t('registration')}>
          {open === undefined ? <Unsaid>{t('unsaid')}</Unsaid> : t(open ? 'open' : 'closed')}
        </Field>
        <Field name={t('created')}>
          <time dateTime={event.createdAt}>{formats.at('moment', event.createdAt)}</time>
        </Field>
        <Field name={t('id')}>{event.id}</Field>
      </dl>
    </>
  );
}
