import './drop-target.css';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { documentEndings, importEndings } from '../../import/formats.ts';
import { requireBridge, unwrap } from '../base/desktop.ts';
import { useErrorMessage } from '../base/i18n.ts';
import { IconFileImport } from '../base/icons.ts';
import { useTask } from '../manage/parts/action-hooks.ts';
import { useApplication } from '../manage/parts/desktop-provider.tsx';

/** Names of files that can be imported, or of documents that the import explains. */
const importableName = new RegExp(`\\.(${[...importEndings, ...documentEndings].join('|')})$`, 'i');

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

type Drag = { readonly onDrop: (files: readonly File[]) => void };

/** Returns true while files are dragged over the window; prevents navigation to a dropped file. */
function useDraggedFiles({ onDrop }: Drag): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    // A drop zone on a screen has already prevented the default.
    const isHandled = event.defaultPrevented;
    event.preventDefault();
    setOver(event.type === 'dragenter' || event.type === 'dragover');
    if (event.type === 'drop' && !isHandled) onDrop([...(event.dataTransfer?.files ?? [])]);
  });
  // A dragleave between two elements of the page has a related target.
  const onLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setOver(false);
  });
  useEffect(() => {
    const drag = (event: DragEvent) => onDrag(event);
    const leave = (event: DragEvent) => onLeave(event);
    const types = ['dragenter', 'dragover', 'drop'] as const;
    for (const type of types) window.addEventListener(type, drag);
    window.addEventListener('dragleave', leave);
    return () => {
      for (const type of types) window.removeEventListener(type, drag);
      window.removeEventListener('dragleave', leave);
    };
  }, []);
  return isOver;
}

/** Display time of an error message about dropped or opened files, in milliseconds. */
const messageMs = 8_000;

/** The window as a drop zone: files dropped on it are imported. */
export function DropTarget() {
  const { t } = useTranslation('manage');
  const { open, openError, clearOpenError } = useApplication();
  const [isRefused, setRefused] = useState(false);
  const drop = useTask(async (files: readonly File[]) => {
    const importable = files.filter(({ name }) => importableName.test(name));
    setRefused(importable.length === 0);
    if (importable.length > 0) open(await unwrap(requireBridge().takeDropped(importable)));
  });
  const isOver = useDraggedFiles({ onDrop: (files) => void drop.run(files) });
  const message =
    useErrorMessage(drop.error ?? openError) ?? (isRefused ? t('unreadable') : undefined);
  const clear = useEffectEvent(() => {
    setRefused(false);
    drop.reset();
    clearOpenError();
  });
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => clear(), messageMs);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <>
      {isOver && (
        <div className="brand-icon drop-target">
          <p>
            <IconFileImport size={32} stroke={1.5} aria-hidden />
            {t('drop')}
          </p>
        </div>
      )}
      <div role="status" className="drop-refusal">
        {message && <p>{message}</p>}
      </div>
    </>
  );
}
