import { Button, CloseButton } from '@mantine/core';
import { IconFileImport, IconFileText } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { useTask } from '../parts/actions.ts';
import { ErrorNotice } from '../parts/parts.tsx';
import type { ImportWork, WorkFile } from './choices.ts';
import { useClubImport } from './state.ts';
import { Step } from './step.tsx';

const kilobyte = 1_000;

/** Returns a function that formats a size in bytes: `12 kB`, `3.4 MB`. */
function useSizeOf(): (bytes: number | null) => string {
  const { number } = useFormats();
  return (bytes) => {
    if (bytes === null) return '';
    if (bytes < kilobyte ** 2) return `${number(Math.ceil(bytes / kilobyte))} kB`;
    return `${number(Math.round(bytes / kilobyte ** 2 / 0.1) / 10)} MB`;
  };
}

function FileRow({ file, onRemove }: { readonly file: WorkFile; readonly onRemove: () => void }) {
  const { t } = useTranslation('import');
  const sizeOf = useSizeOf();
  const words = useWords();
  const { name, size, preview, error } = file;
  const isReading = preview === undefined && error === undefined;
  return (
    <li className="import-file">
      <IconFileText size={20} stroke={1.5} aria-hidden />
      <span className="import-file-name" dir="auto">
        {name}
      </span>
      <span className="import-file-size">{isReading ? t('reading') : sizeOf(size)}</span>
      <CloseButton size="sm" aria-label={t('removeFile', { file: name })} onClick={onRemove} />
      {preview?.notes.map((note) => (
        <p key={JSON.stringify(note)} className="import-note">
          {capitalize(words(note))}
        </p>
      ))}
      {preview?.rows.length === 0 && <p className="import-note">{t('empty')}</p>}
      <ErrorNotice error={error} />
      {preview?.failure && (
        <p role="alert" className="import-fault">
          {words(problemMessage(preview.failure))}
        </p>
      )}
    </li>
  );
}

/** The step that collects the files: dropped on the window or chosen in a dialog. */
export function FileStep({ work: { files } }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const { addFiles, removeFile } = useClubImport();
  const button = useRef<HTMLButtonElement>(null);
  const choose = useTask(async () => {
    const chosen = await unwrap(requireBridge().chooseFiles(null));
    if (chosen.length > 0) addFiles(chosen);
  });
  const isEmpty = files.length === 0;
  return (
    <Step title={t('files', { count: Math.max(files.length, 1) })}>
      {!isEmpty && (
        <ul className="import-files">
          {files.map((file) => (
            <FileRow
              key={file.token}
              file={file}
              onRemove={() => {
                removeFile(file.token);
                button.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <div className="import-drop" data-small={!isEmpty || undefined}>
        {isEmpty && (
          <>
            <IconFileImport size={36} stroke={1.25} aria-hidden />
            <p className="import-drop-here">{t('dropHere')}</p>
          </>
        )}
        <Button
          ref={button}
          variant={isEmpty ? 'filled' : 'default'}
          size={isEmpty ? 'md' : 'compact-md'}
          fw={isEmpty ? 600 : 500}
          loading={choose.isRunning}
          onClick={() => void choose.run()}
        >
          {t(isEmpty ? 'choose' : 'addAnother')}
        </Button>
        {isEmpty && <p className="import-help">{t('formats')}</p>}
      </div>
      <ErrorNotice error={choose.error} />
    </Step>
  );
}
