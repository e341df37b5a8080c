import './welcome.css';
import '../parts/parts.css';
import { Button } from '@mantine/core';
import { type Icon, IconFileSpreadsheet, IconPrinter, IconShare } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../messages/messages.ts';
import { useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { type PlainWords, parsePlainWords } from '../../base/plain-words/plain-words.ts';
import { useAction } from '../parts/actions.ts';
import { useDesktop } from '../parts/desktop.tsx';
import { ErrorNotice } from '../parts/parts.tsx';

/** Returns the message for the part of the event that the line lacks. */
function missingIn({ name, day }: PlainWords): 'nameMissing' | 'dayMissing' | undefined {
  if (day === undefined) return 'dayMissing';
  return name === '' ? 'nameMissing' : undefined;
}

/** The line of plain words that adds the first event. */
function FirstEvent() {
  const { t, i18n } = useTranslation('firstRun');
  const formats = useFormats();
  const { club } = useDesktop();
  const today = useToday();
  const id = useId();
  const [text, setText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const adding = useAction('event add');
  const language = i18n.language as Language;
  const now = new Date().toTimeString().slice(0, 5);
  const words = parsePlainWords(text, { today, now, language, places: [] });
  const { day, time, name, location, eventType, status } = words;
  const missing = missingIn(words);
  const date = day && (time === undefined ? day : `${day}T${time}`);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(missing !== undefined);
    if (missing !== undefined || date === undefined) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const values = { name, date, location, eventType, status };
    await adding.run({ user: club.name, event: values, timeZone });
  };
  const understood = day && [formats.on('longDay', day), time, location].filter(Boolean).join(', ');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <p className="quiet">{t('help')}</p>
      <form className="first-run-line" onSubmit={(event) => void add(event)}>
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('line')}
          aria-describedby={`${id}-read`}
          aria-invalid={isAsked && missing !== undefined}
          placeholder={t('example')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" loading={adding.isRunning}>
          {t('add')}
        </Button>
        <p id={`${id}-read`} role="status" className="small quiet">
          {isAsked && missing !== undefined ? t(missing) : understood}
        </p>
        <ErrorNotice error={adding.error} />
      </form>
    </section>
  );
}

function Step({
  icon: StepIcon,
  title,
  help,
  children,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}) {
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
export function FirstRun() {
  const { t } = useTranslation(['firstRun', 'manage']);
  const id = useId();
  const later = [
    { icon: IconPrinter, what: 'print', place: { sheet: 'month' } },
    { icon: IconShare, what: 'share', place: { manage: 'export' } },
  ] as const;
  return (
    <div className="first-run">
      <FirstEvent />
      <section aria-labelledby={`${id}-in`}>
        <h2 id={`${id}-in`}>{t('bringIn')}</h2>
        <ul className="card card-flush first-run-list">
          <Step icon={IconFileSpreadsheet} title={t('file')} help={t('fileHelp')}>
            <Button variant="default" size="compact-sm" onClick={() => goTo({ manage: 'import' })}>
              {t('manage:importFile')}
            </Button>
          </Step>
        </ul>
      </section>
      <section aria-labelledby={`${id}-later`}>
        <h2 id={`${id}-later`}>{t('once')}</h2>
        <ul className="card card-flush first-run-list">
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
