import './file-answers.css';
import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FileUse } from '../../import/formats.ts';
import { Dialog } from '../base/dialog.tsx';
import { useErrorMessage } from '../base/i18n.ts';
import {
  type Icon,
  IconCalendar,
  IconCalendarOff,
  IconFileImport,
  IconRefresh,
} from '../base/icons.ts';
import { useApplication } from '../manage/parts/desktop-provider.tsx';
import type { FileQuestion, FileRefusal } from '../manage/parts/file-door.ts';

type Choice = { readonly use: FileUse; readonly Icon: Icon; readonly label: string; help: string };

/** Returns the title of a question, a sentence about its files, and the answers. */
function useQuestionWords({ files, uses }: FileQuestion) {
  const { t, i18n } = useTranslation('files');
  const { club } = useApplication();
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const names = { count: files.length, files: list.format(files.map(({ name }) => name)) };
  if (uses.includes('follow')) {
    const once = club === null ? t('onceNewHelp') : t('onceHelp', { club: club.name });
    const choices: readonly Choice[] = [
      { use: 'follow', Icon: IconRefresh, label: t('follow'), help: t('followHelp') },
      { use: 'import', Icon: IconFileImport, label: t('once'), help: once },
    ];
    return { title: t('copyTitle'), about: t('copyAbout', names), choices };
  }
  const choices: readonly Choice[] = [
    { use: 'daysOff', Icon: IconCalendarOff, label: t('daysOff'), help: t('daysOffHelp') },
    { use: 'import', Icon: IconCalendar, label: t('events'), help: t('eventsHelp') },
  ];
  return { title: t('daysOffTitle'), about: t('daysOffAbout', names), choices };
}

/** A question about files, with answers of the same weight. */
function QuestionDialog({ question }: { readonly question: FileQuestion }) {
  const { t } = useTranslation('manage');
  const { title, about, choices } = useQuestionWords(question);
  const { door } = useApplication();
  return (
    <Dialog isOpen title={title} close={t('cancel')} size="lg" onClose={() => door.answer(null)}>
      <div className="stack file-question">
        <p className="quiet" dir="auto">
          {about}
        </p>
        <div className="option-cards">
          {choices.map(({ use, Icon: ChoiceIcon, label, help }) => (
            <button
              key={use}
              type="button"
              className="brand-icon option-card"
              onClick={() => door.answer(use)}
            >
              <ChoiceIcon size={24} stroke={1.5} aria-hidden />
              <strong>{label}</strong>
              <span className="quiet small">{help}</span>
            </button>
          ))}
        </div>
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
