import './file-answers.css';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FileUse } from '../../import/formats.ts';
import { Dialog } from '../base/dialog.tsx';
import { useErrorMessage } from '../base/i18n.ts';
import { IconCalendar, IconCalendarOff, IconFileImport, IconRefresh } from '../base/icons.ts';
import { useApplication } from '../manage/parts/desktop-provider.tsx';
import type { FileQuestion, FileRefusal } from '../manage/parts/file-door.ts';
import { OptionButtons } from '../manage/parts/parts.tsx';

/** Returns the title of a question, a sentence about its files, and the answers. */
function useQuestionWords({ files, uses }: FileQuestion) {
  const { t, i18n } = useTranslation('files');
  const { club, door } = useApplication();
  const choose = (use: FileUse) => () => door.answer(use);
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const names = { count: files.length, files: list.format(files.map(({ name }) => name)) };
  if (uses.includes('follow')) {
    const once = club === null ? t('onceNewHelp') : t('onceHelp', { club: club.name });
    const options = [
      { Icon: IconRefresh, label: t('follow'), help: t('followHelp'), choose: choose('follow') },
      { Icon: IconFileImport, label: t('once'), help: once, choose: choose('import') },
    ];
    return { title: t('copyTitle'), about: t('copyAbout', names), options };
  }
  const options = [
    {
      Icon: IconCalendarOff,
      label: t('daysOff'),
      help: t('daysOffHelp'),
      choose: choose('daysOff'),
    },
    { Icon: IconCalendar, label: t('events'), help: t('eventsHelp'), choose: choose('import') },
  ];
  return { title: t('daysOffTitle'), about: t('daysOffAbout', names), options };
}

/** A question about files, with answers of the same weight. */
function QuestionDialog({ question }: { readonly question: FileQuestion }) {
  const { t } = useTranslation('manage');
  const { title, about, options } = useQuestionWords(question);
  const { door } = useApplication();
  return (
    <Dialog isOpen title={title} close={t('cancel')} size="lg" onClose={() => door.answer(null)}>
      <div className="stack file-question">
        <p className="quiet" dir="auto">
          {about}
        </p>
        <OptionButtons options={options} />
      </div>
    </Dialog>
  );
}

/** Returns the sentence about files with which nothing is done; undefined without any. */
function useRefusalText(refusal: FileRefusal | undefined): string | undefined {
  const { t, i18n } = useTranslation('files');
  const error = useErrorMessage(refusal?.kind === 'error' ? refusal.error : undefined);
  if (refusal === undefined || refusal.kind === 'error') return error;
  if (refusal.kind !== 'apart') return t(refusal.kind, { file: refusal.name });
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const files = refusal.files.map(({ name, kind }) => t(`is_${kind}`, { file: name }));
  return t('apart', { files: list.format(files) });
}

/** The question about files that have several uses, and why nothing is done with others. */
export function FileAnswers() {
  const { t } = useTranslation('manage');
  const { door } = useApplication();
  const { question, refusal, clearRefusal } = door;
  const message = useRefusalText(refusal);
  return (
    <>
      {question !== undefined && <QuestionDialog question={question} />}
      <div role="status" className="file-refusal">
        {message !== undefined && (
          <div className="row">
            <p dir="auto">{message}</p>
            <CloseButton size="sm" aria-label={t('closeNotice')} onClick={clearRefusal} />
          </div>
        )}
      </div>
    </>
  );
}
