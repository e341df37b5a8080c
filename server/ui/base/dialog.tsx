import './dialog.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

type DialogProps = {
  readonly title: string;
  /** The name of the button that closes it. */
  readonly close: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly size?: 'sm' | 'lg' | 'xl';
  readonly returnFocus?: boolean;
  readonly children: ReactNode;
};

/** A dialog of the page, with a title and a button that closes it. */
export function Dialog(props: DialogProps) {
  const { title, close, isOpen, onClose, size = 'lg', returnFocus = true, children } = props;
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      centered
      lockScroll={false}
      returnFocus={returnFocus}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="dialog">
          {/* The header of the modal would be a second banner landmark. */}
          <div className="apart dialog-head">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label={close} />
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
