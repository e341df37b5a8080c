import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { CodePicture } from '../../base/code-picture.tsx';
import { useClock } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useEvent, useVisibleEvents } from '../../data/visible-events.tsx';
import { isNotable } from '../event/marks.tsx';
import { ChosenLogo, IncludeOptions, PaperOptions, TitleField } from './choices-form.tsx';
import { shorten } from './entries.tsx';
import { makeEntryCode } from './entry-code.ts';
import { layOutEvent } from './event-pages.tsx';
import { useLogoImage } from './logo.ts';
import type { Frame } from './paper.tsx';
import { maxTitleLength, useChoices } from './print-choices.ts';
import { useIdentity } from './print-snapshot.ts';
import { type LayOut, Studio, StudioMessage } from './studio.tsx';
import { SubscribeField, useSubscribeChoice } from './subscribe.tsx';

/** The QR code of an event's calendar entry, to be scanned from the paper. */
function EntryFigure({ event, uidBase }: { readonly event: Event; readonly uidBase: string }) {
  const clock = useClock();
  const { t } = useTranslation('print');
  const code = useMemo(
    () => makeEntryCode(event, { now: new Date(), uidBase, timeZone: clock.name }),
    [event, uidBase, clock.name],
  );
  if (code === undefined) return <p className="sheet-figure">{t('codeTooLong')}</p>;
  return (
    <figure className="sheet-figure">
      <CodePicture className="sheet-code" code={code} name={t('code')} />
      <figcaption>
        {t('codeUse')} {code.isShortened && t('codeShortened')}
      </figcaption>
    </figure>
  );
}

/** The studio for one event; its title is for this sheet only. */
function EventStudio({ event, asOf }: { readonly event: Event; readonly asOf: number }) {
  const { t } = useTranslation(['print', 'shell', 'event', 'panel']);
  const formats = useFormats();
  const { account } = useVisibleEvents();
  const [choices, onChange] = useChoices(account);
  const [ownTitle, setOwnTitle] = useState<string | undefined>();
  const identity = useIdentity();
  const image = useLogoImage(choices.logo);
  const subscription = useSubscribeChoice(choices);
  const { foot } = subscription;
  const name = shorten(event.name, maxTitleLength);
  const title = ownTitle ?? name;
  const { places, notes, paper } = choices;
  const sheet = useMemo(() => {
    const { status, date, location, description, registrationOpen: open } = event;
    const frame: Frame = {
      kind: 'event',
      paper,
      title,
      logo: image,
      legend: [],
      stamp: t('shell:asOf', { when: formats.at('day', new Date(asOf)) }),
      foot,
    };
    // Texts that are too long for their place stand above the description.
    const place = shorten(location, maxTitleLength);
    const whole = [
      name === event.name ? '' : event.name,
      places && place !== location ? location : '',
      (notes && description) || '',
    ];
    const facts = {
      status: isNotable(status) ? t(`event:${status}`) : '',
      isCancelled: status === 'cancelled',
      day: formats.at('longDay', date),
      time: formats.time(date),
      place: places ? place : '',
      registration:
        open === undefined ? '' : t(open ? 'panel:registrationIsOpen' : 'panel:registrationIsNot'),
      description: whole.filter((text) => text !== '').join('\n\n'),
      code: identity && <EntryFigure event={event} uidBase={identity.uidBase} />,
    };
    const layOut: LayOut = (signal) => layOutEvent(facts, frame, signal);
    return { frame, layOut };
  }, [event, asOf, name, title, paper, places, notes, image, identity, foot, t, formats]);
  const isWaiting = [identity, image, foot].includes(undefined);
  const props = { choices, onChange };
  return (
    <Studio frame={sheet.frame} layOut={isWaiting ? undefined : sheet.layOut}>
      <TitleField title={title} onTitle={setOwnTitle} />
      <ChosenLogo {...props} image={image} />
      <IncludeOptions {...props} options={['places', 'notes']} />
      <SubscribeField choice={subscription} onChange={onChange} />
      <PaperOptions {...props} />
    </Studio>
  );
}

/** The sheet of one event, which may have to be requested. */
export function SheetOfEvent({ id }: { readonly id: number }) {
  const { t } = useTranslation(['panel', 'shell']);
  const { club, all } = useVisibleEvents();
  const finding = useEvent(id);
  const [openedAt] = useState(Date.now);
  if (finding.state === 'found') {
    // While the club is still being read, the event has just been requested separately.
    const confirmed = all?.asOf ? Date.parse(all.asOf) : club.confirmedAt();
    return <EventStudio event={finding.event} asOf={confirmed || openedAt} />;
  }
  return (
    <StudioMessage text={t(`panel:${finding.state}`)}>
      {finding.state === 'failed' && <Button onClick={finding.again}>{t('shell:again')}</Button>}
    </StudioMessage>
  );
}
