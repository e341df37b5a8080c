import './outcome.css';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventMembers } from '../../../../db/model.ts';
import type { Clock } from '../../../dates/clock.ts';
import { noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { copyText } from '../../base/browser.ts';
import { useClock } from '../../base/days.ts';
import { useServiceUrl } from '../../base/desktop.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { IconCheck } from '../../base/icons.ts';
import { useAnnounced } from '../../data/announced.ts';
import { isNotable } from './marks.tsx';

/** Parts of a text about an event, in the language of the page. */
type Words = {
  /** Date and time. */
  readonly when: string;
  /** Status, if it must be shown; null otherwise. */
  readonly state: string | null;
  /** Sentence about the registration; null if it is unknown. */
  readonly registration: string | null;
};

/** Formats an event as a message to the members. */
function writeMessage(clock: Clock, event: Event, words: Words): string {
  const { name, location } = event;
  const head = [
    words.state === null ? name : `${name} (${words.state})`,
    words.when,
    location,
    words.registration ?? '',
  ];
  // The time says the end.
  const about = noteOf(event, clock).text.trim();
  const lines = head.filter((line) => line !== '').join('\n');
  return about === '' ? `${lines}\n` : `${lines}\n\n${about}\n`;
}

/** Formats an event as JSON with exactly the members of the contract, in their order. */
function writeEventJson(event: Event): string {
  return `${JSON.stringify(event, ['id', ...eventMembers], 2)}\n`;
}

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/;

/**
 * Returns a curl command that reads an event. `KEY` is a placeholder: the key must not get to the
 * clipboard and from there into an e-mail.
 */
export function writeCurl({ id }: Event, origin: string): string {
  // A proxy would receive the key and could not reach the loopback address of this machine.
  const curl = loopback.test(origin) ? 'curl --noproxy "*"' : 'curl';
  return `${curl} -H "Authorization: Bearer KEY" ${origin}/v1/events/${id}`;
}

type Kind = 'Message' | 'Json' | 'Curl';

function useWriter(event: Event): (kind: Kind) => string {
  const clock = useClock();
  const { t } = useTranslation(['panel', 'event']);
  const times = useEventTimes('longDay');
  const serviceUrl = useServiceUrl();
  return (kind) => {
    if (kind === 'Json') return writeEventJson(event);
    if (kind === 'Curl') return writeCurl(event, serviceUrl);
    const open = event.registrationOpen;
    return writeMessage(clock, event, {
      when: times.zoned(event),
      state: isNotable(event.status) ? t(`event:${event.status}`) : null,
      registration:
        open === undefined ? null : t(open ? 'registrationIsOpen' : 'registrationIsNot'),
    });
  };
}

/** A text that could not be copied, selected for copying by hand. */
function SelectedText({ text }: { readonly text: string }) {
  const { t } = useTranslation('panel');
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.select(), []);
  return (
    <div className="small stack close uncopied">
      <label htmlFor={id}>{t('notCopied')}</label>
      <textarea ref={field} id={id} readOnly rows={5} value={text} />
    </div>
  );
}

type Outcome = {
  readonly event: Event;
  readonly kind: Kind;
  readonly text: string;
  readonly isCopied: boolean;
  readonly attempt: number;
};

/** Copying of an event, and a report of its outcome to show below the button. */
type Copying = {
  readonly copy: (kind: Kind) => void;
  readonly report: ReactNode;
};

export function useCopying(event: Event): Copying {
  const { t } = useTranslation('panel');
  const write = useWriter(event);
  const { markAnnounced } = useAnnounced();
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  // The outcome for another event is outdated.
  const last = outcome?.event.id === event.id ? outcome : undefined;
  const copy = async (kind: Kind) => {
    const text = write(kind);
    const isCopied = await copyText(text);
    if (isCopied && kind === 'Message') markAnnounced([event.id]);
    setOutcome((previous) => ({
      event,
      kind,
      text,
      isCopied,
      attempt: (previous?.attempt ?? 0) + 1,
    }));
  };
  return {
    copy: (kind) => void copy(kind),
    report: (
      <>
        <p role="status" className="small good-icon outcome">
          {last?.isCopied && (
            // A new element each time, so that screen readers announce every copy.
            <span key={last.attempt} className="row close">
              <IconCheck size={15} aria-hidden />
              {t(`copied${last.kind}`)}
            </span>
          )}
        </p>
        {last && !last.isCopied && <SelectedText key={last.attempt} text={last.text} />}
      </>
    ),
  };
}
