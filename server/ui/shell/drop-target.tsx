import './drop-target.css';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCovered } from '../base/browser.ts';
import { requireBridge, unwrap } from '../base/desktop.ts';
import { IconFileImport } from '../base/icons.ts';
import { useApplication } from '../manage/parts/desktop-provider.tsx';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Returns true while files are dragged over the window; prevents navigation to a dropped file. */
function useDraggedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    // A drop zone on a screen has already prevented the default.
    const isHandled = event.defaultPrevented;
    event.preventDefault();
    setOver(event.type === 'dragenter' || event.type === 'dragover');
    if (event.type === 'drop' && !isHandled) onFiles([...(event.dataTransfer?.files ?? [])]);
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

/** Takes files that are pasted. Cells of a spreadsheet come as text, beside a picture of them. */
function usePastedFiles(onFiles: (files: readonly File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { types = [], files = [] } = event.clipboardData ?? {};
    if (event.defaultPrevented || files.length === 0 || isCovered()) return;
    if (types.includes('text/plain')) return;
    event.preventDefault();
    onFiles([...files]);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

/** The window as a drop zone: files that are dropped or pasted anywhere are opened. */
export function DropTarget() {
  const { t } = useTranslation('files');
  const { door } = useApplication();
  const openFiles = (files: readonly File[]) => {
    unwrap(requireBridge().takeDropped(files)).then((taken) => door.open(taken), door.refuse);
  };
  const isOver = useDraggedFiles(openFiles);
  usePastedFiles(openFiles);
  if (!isOver) return null;
  return (
    <div className="brand-icon drop-target">
      <p>
        <IconFileImport size={32} stroke={1.5} aria-hidden />
        {t('drop')}
      </p>
    </div>
  );
}
