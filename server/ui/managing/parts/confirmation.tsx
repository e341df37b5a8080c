import './parts.css';
import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from './error-notice.tsx';
import type { Task } from './use-task.ts';

/** A confirmation dialog; it stays open and shows the error if the action fails. */
export function Confirmation({
  isOpen,
  title,
  confirm,
  task,
  onConfirm,
  onClose,
  children,
}: {
  readonly isOpen: boolean;
  readonly title: string;
  /** The label of the button, such as “Remove the club”. */
  readonly confirm: string;
  readonly task: Pick<Task<never, unknown>, 'isRunning' | 'error'>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** The consequences, in words. */
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('manage');
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="md" centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="confirmation">
          {/* Modal.Header would add a second banner landmark. */}
          <Modal.Title className="confirmation-title">{title}</Modal.Title>
          {children}
          <ErrorNotice error={task.error} />
          <div className="confirmation-choices">
            <Button variant="default" data-autofocus onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button color="red" loading={task.isRunning} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
