import './drop-target.css';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importEndings } from '../../actions/import/endings.ts';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { useApplication } from './desktop.tsx';
import { useSentence } from './parts/error-notice.tsx';
import { useTask } from './parts/use-task.ts';

/** What an import reads. */
const readable = new RegExp(`\\.(${importEndings.join('|')})$`, 'i');

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

type Drag = { readonly onDrop: (files: readonly File[]) => void };

/** Whether files are being dragged over the window, which they can never navigate away. */
function useDraggedFiles({ onDrop }: Drag): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    // A part of a screen that takes files itself has said so.
    const isTaken = event.defaultPrevented;
    event.preventDefault();
    setOver(event.type === 'dragenter' || event.type === 'dragover');
    if (event.type === 'drop' && !isTaken) onDrop([...(event.dataTransfer?.files ?? [])]);
  });
  // On its way over the page, a drag leaves one element for another.
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

/** How long it stands that nothing could be done with a file, in milliseconds. */
const refusalMs = 8_000;

/** Lets files be dropped anywhere on the window, which starts their import. */
export function DropTarget() {
  const { t } = useTranslation('managing');
  const { open } = useApplication();
  const [isRefused, setRefused] = useState(false);
  const drop = useTask(async (files: readonly File[]) => {
    const taken = files.filter(({ name }) => readable.test(name));
    setRefused(taken.length === 0);
    if (taken.length > 0) open(await unwrap(requireBridge().takeDropped(taken)));
  });
  const isOver = useDraggedFiles({ onDrop: (files) => void drop.run(files) });
  const sentence = useSentence(drop.error) ?? (isRefused ? t('unreadable') : undefined);
  const forget = useEffectEvent(() => {
    setRefused(false);
    drop.reset();
  });
  useEffect(() => {
    if (sentence === undefined) return;
    const timer = setTimeout(() => forget(), refusalMs);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <>
      {isOver && (
        <div className="drop-target">
          <p>
            <IconFileImport size={32} stroke={1.5} aria-hidden />
            {t('drop')}
          </p>
        </div>
      )}
      <div role="status" className="drop-refusal">
        {sentence && <p>{sentence}</p>}
      </div>
    </>
  );
}
