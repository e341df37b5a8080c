import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../../messages/messages.ts';
import { copyText } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { IconCopy, IconMail } from '../../base/icons.ts';
import { Segments } from '../../base/segments.tsx';
import { useTask } from '../parts/action-hooks.ts';
import { useClubText } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';

/** A way to give the text to members: `pasted` is an e-mail that needs the copied text. */
export type Way = 'copied' | 'mailed' | 'pasted' | 'marked';

type LetterProps = {
  readonly language: string;
  readonly onLanguage: (language: string) => void;
  /** The text in the language. */
  readonly written: string;
  /** The first line of an e-mail. */
  readonly subject: string;
  /** The name of the choice of events: another choice has another text. */
  readonly choice: string;
  readonly isEmpty: boolean;
  /** True if the changes can be marked as told without a text. */
  readonly canMark: boolean;
  /** Stores that members know the text. Throws `BridgeError`. */
  readonly onTell: (way: Way) => Promise<void>;
};

/** The message in a language, free to change, and the ways to tell it. */
export function Letter(props: LetterProps) {
  const { language, onLanguage, written, subject, choice, isEmpty, canMark, onTell } = props;
  const { t } = useTranslation(['message', 'manage', 'undoNotice']);
  const [text, setText, forget] = useClubText(`message ${choice}`);
  const [replaced, setReplaced] = useState<{ language: string; text: string } | undefined>();
  const [notCopied, setNotCopied] = useState(false);
  const shown = text === '' ? written : text;
  const telling = useTask(async (way: Way) => {
    await onTell(way);
    forget();
  });
  const copy = async (way: Way) => {
    const isCopied = await copyText(shown);
    setNotCopied(!isCopied);
    if (isCopied) await telling.run(way);
  };
  const mailing = useTask(async () => {
    const isWhole = await unwrap(requireBridge().writeMail({ subject, text: shown }));
    if (isWhole) await telling.run('mailed');
    else await copy('pasted');
  });
  const choose = (next: string) => {
    setReplaced(text === '' ? undefined : { language, text });
    forget();
    onLanguage(next);
  };
  return (
    <section className="stack announced-letter" aria-label={t('text')}>
      <Segments
        label={t('language')}
        value={language}
        options={Object.entries(languages)}
        onChange={choose}
      />
      <p role="status" className="small optional announced-replaced">
        {replaced && (
          <>
            {t('wordsLost')}{' '}
            <LinkButton
              onClick={() => {
                onLanguage(replaced.language);
                setText(replaced.text);
                setReplaced(undefined);
              }}
            >
              {t('undoNotice:undo')}
            </LinkButton>
          </>
        )}
      </p>
      <Textarea
        aria-label={t('text')}
        description={t('textHelp')}
        inputWrapperOrder={['input', 'description', 'error']}
        lang={language}
        autosize
        minRows={12}
        maxRows={24}
        spellCheck={false}
        value={shown}
        error={notCopied ? t('manage:notCopied') : undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ErrorNotice error={telling.error ?? mailing.error} />
      <div className="flow">
        <Button
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden />}
          disabled={isEmpty}
          loading={telling.isRunning}
          onClick={() => void copy('copied')}
        >
          {t('copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconMail size={18} stroke={1.75} aria-hidden />}
          disabled={isEmpty}
          onClick={() => void mailing.run()}
        >
          {t('mail')}
        </Button>
        {canMark && (
          <Button variant="subtle" disabled={isEmpty} onClick={() => void telling.run('marked')}>
            {t('mark')}
          </Button>
        )}
      </div>
    </section>
  );
}
