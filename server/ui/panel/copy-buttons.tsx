import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { isNotable } from '../events/state.ts';
import { useServiceUrl } from '../managing/desktop.tsx';
import { copyText } from '../shell/clipboard.ts';
import { useFormats } from '../time/format.ts';
import { writeCurl, writeEventJson, writePlainText } from './copies.ts';

const kinds = ['Text', 'Json', 'Curl'] as const;
type Kind = (typeof kinds)[number];

function useWriter(event: Event): (kind: Kind) => string {
  const { t } = useTranslation(['panel', 'event']);
  const formats = useFormats();
  const serviceUrl = useServiceUrl();
  return (kind) => {
    if (kind === 'Json') return writeEventJson(event);
    if (kind === 'Curl') return writeCurl(event, serviceUrl);
    const open = event.registrationOpen;
    return writePlainText(event, {
      when: formats.at('fullMoment', event.date),
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
    <div className="panel-uncopied">
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

export function CopyButtons({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const write = useWriter(event);
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  // The outcome for another event is outdated.
  const last = outcome?.event.id === event.id ? outcome : undefined;
  const copy = async (kind: Kind) => {
    const text = write(kind);
    const isCopied = await copyText(text);
    setOutcome((previous) => ({
      event,
      kind,
      text,
      isCopied,
      attempt: (previous?.attempt ?? 0) + 1,
    }));
  };
  return (
    <>
      {kinds.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          fw={500}
          variant="default"
          leftSection={<IconCopy size={15} aria-hidden />}
          onClick={() => void copy(kind)}
        >
          {t(`copy${kind}`)}
        </Button>
      ))}
      <p role="status" className="panel-copied">
        {last?.isCopied && (
          // A new element each time, so that screen readers announce every copy.
          <span key={last.attempt}>
            <IconCheck size={15} aria-hidden />
            {t(`copied${last.kind}`)}
          </span>
        )}
      </p>
      {last && !last.isCopied && <SelectedText key={last.attempt} text={last.text} />}
    </>
  );
}
