import './facts.css';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../../dates/days.ts';
import type { Moment } from '../../../dates/end-line.ts';
import type { Formats } from '../../../dates/formats.ts';
import { dayCount, isOver, lastDayOf, noteOf } from '../../../event/values.ts';
import { mapAddress } from '../../../export/links-in-text.ts';
import type { Event } from '../../../http/contract.ts';
import { useClock, useNow, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { type Icon, IconClock, IconFileText, IconMapPin, IconTicket } from '../../base/icons.ts';
import { LinkedText, SafeLink } from './linked-text.tsx';

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
        <Button className="small-button" variant="default" onClick={() => setWhole(true)}>
          {t('whole', { length: formats.number(text.length) })}
        </Button>
      )}
    </>
  );
}

export function Fact(props: {
  readonly Icon: Icon;
  readonly name: string;
  readonly children: ReactNode;
}) {
  const { Icon: FactIcon, name, children } = props;
  return (
    <div className="beside even fact">
      <dt>
        <FactIcon size={18} stroke={1.75} aria-hidden />
        <span className="only-spoken">{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Place({ location }: { readonly location: string }) {
  const { t } = useTranslation('panel');
  const map = mapAddress(location);
  if (map === null) {
    return (
      <span dir="auto">
        <LinkedText text={location} />
      </span>
    );
  }
  return (
    <>
      <span dir="auto">{location}</span>{' '}
      <SafeLink url={map}>
        <span className="fact-map">{t('map')}</span>
      </SafeLink>
    </>
  );
}

/** Returns a function that names the day and time of an event: `Sunday 22 November, 10:00`. */
export function useDayAndTime(): (moment: string, today: Day, formats: Formats) => string {
  const { t } = useTranslation('changes');
  return (moment, today, formats) => {
    const day = formats.dayNear('longDay', moment, today);
    const time = formats.time(moment);
    return capitalize(time === '' ? day : t('moment', { day, time }));
  };
}

/** The date in words, the place, the note and the registration; `children` are more facts. */
export function EventFacts(props: { readonly event: Event; readonly children: ReactNode }) {
  const { event, children } = props;
  const clock = useClock();
  const { t } = useTranslation(['panel', 'event', 'changes']);
  const formats = useFormats();
  const now = useNow();
  const today = useToday();
  const nameOf = useDayAndTime();
  const { location, registrationOpen: open } = event;
  const { end, text: description } = noteOf(event, clock);
  const count = dayCount(event, clock);
  const hours = end?.time && formats.clock(end.time);
  const distance = formats.distance(event.date, now);
  const endName = ({ day, time }: Moment) => {
    const name = formats.on(
      day.slice(0, 4) === today.slice(0, 4) ? 'longDayInYear' : 'longDay',
      day,
    );
    return time === '' ? name : t('changes:moment', { day: name, time: hours });
  };
  const lasting = [
    end &&
      (count > 1 ? t('days', { count, shown: formats.number(count) }) : t('until', { end: hours })),
    distance,
  ];
  return (
    <dl className="stack close facts">
      <Fact Icon={IconClock} name={t('when')}>
        <time
          className="fact-when"
          data-over={
            (isOver(clock, event, now) && !(count > 1 && lastDayOf(event, clock) >= today)) ||
            undefined
          }
          dateTime={event.date}
          title={formats.utc(event.date)}
        >
          {nameOf(event.date, today, formats)}
          {end && count > 1 && <span className="fact-until">{t('to', { end: endName(end) })}</span>}
        </time>
        <p className="small quiet">{capitalize(lasting.filter(Boolean).join(', '))}</p>
      </Fact>
      {location !== '' && (
        <Fact Icon={IconMapPin} name={t('where')}>
          <Place location={location} />
        </Fact>
      )}
      {description && (
        <Fact Icon={IconFileText} name={t('description')}>
          <Description key={event.id} text={description} />
        </Fact>
      )}
      {open !== undefined && (
        <Fact Icon={IconTicket} name={t('registration')}>
          {t(open ? 'registrationIsOpen' : 'registrationIsNot')}
        </Fact>
      )}
      {children}
    </dl>
  );
}
