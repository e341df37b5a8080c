import { Button, CloseButton } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { IconFileImport, IconFileText } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, StepFooter } from '../parts/parts.tsx';
import { areReadable, type ImportWork, type WorkFile } from './choices.ts';
import { useClubImport } from './import-state.ts';
import { StepTitle, useFileDialog } from './step.tsx';

function FileRow({ file, onRemove }: { readonly file: WorkFile; readonly onRemove: () => void }) {
  const { t } = useTranslation('import');
  const { size: sizeOf } = useFormats();
  const words = useWords();
  const { name, size, preview, error } = file;
  const isReading = preview === undefined && error === undefined;
  return (
    <li className="import-file-row">
      <IconFileText size={20} stroke={1.5} aria-hidden />
      <span className="strong" dir="auto">
        {name}
      </span>
      <span className="small quiet">
        {isReading ? t('reading') : size !== null && sizeOf(size)}
      </span>
      <CloseButton size="sm" aria-label={t('removeFile', { file: name })} onClick={onRemove} />
      {preview?.notes.map((note) => (
        <p key={JSON.stringify(note)} className="small quiet">
          {capitalize(words(note))}
        </p>
      ))}
      {preview?.rows.length === 0 && <p className="small quiet">{t('empty')}</p>}
      <ErrorNotice error={error} />
      {preview?.failure && (
        <p role="alert" className="small field-error">
          {words(problemMessage(preview.failure))}
        </p>
      )}
    </li>
  );
}

/** The place for the first file: dropped on the window or chosen in a dialog. */
export function FirstFile() {
  const { t } = useTranslation('import');
  const { door } = useDesktop();
  const choose = useTask(async () => {
    await door.open(await unwrap(requireBridge().chooseFiles(null)));
  });
  return (
    <>
      <div className="cluster loose brand-icon awaiting import-drop">
        <IconFileImport size={24} stroke={1.5} aria-hidden />
        <div className="source-words">
          <p>
            <strong>{t('dropHere')}</strong> {t('formats')}
          </p>
          <p className="small quiet">{t('paste')}</p>
        </div>
        <Button loading={choose.isRunning} onClick={() => void choose.run()}>
          {t('choose')}
        </Button>
      </div>
      <ErrorNotice error={choose.error} />
    </>
  );
}

/** The step that collects the files. */
export function FileStep({ work: { files } }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const { addFiles, removeFile, replaceFiles, showColumns } = useClubImport();
  const addButton = useRef<HTMLButtonElement>(null);
  const add = useFileDialog(addFiles);
  const replace = useFileDialog(replaceFiles);
  const isReadable = areReadable(files);
  return (
    <>
      <div className="stack work-body">
        <StepTitle>{t('files', { count: files.length })}</StepTitle>
        <p className="quiet">{t('intro')}</p>
        <ul className="card card-flush ruled import-files">
          {files.map((file) => (
            <FileRow
              key={file.token}
              file={file}
              onRemove={() => {
                removeFile(file.token);
                addButton.current?.focus();
              }}
            />
          ))}
        </ul>
        <Button
          ref={addButton}
          variant="default"
          loading={add.isRunning}
          onClick={() => void add.run()}
        >
          {t('addAnother')}
        </Button>
        <ErrorNotice error={add.error ?? replace.error} />
      </div>
      <StepFooter status={t('nothingChanged')}>
        {isReadable ? (
          <Button onClick={showColumns}>{t('continue')}</Button>
        ) : (
          <Button loading={replace.isRunning} onClick={() => void replace.run()}>
            {t('replace')}
          </Button>
        )}
      </StepFooter>
    </>
  );
}
