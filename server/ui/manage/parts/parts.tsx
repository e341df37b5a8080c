import './parts.css';
import {
  Button,
  type ButtonProps,
  CloseButton,
  Modal,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../base/browser.ts';
import { LinkButton, RowButton } from '../../base/buttons.tsx';
import { useErrorMessage } from '../../base/i18n.ts';
import { type Icon, IconAlertCircle, IconCheck, IconCopy } from '../../base/icons.ts';
import type { Task } from './action-hooks.ts';

export function ScreenIntro({ children }: { readonly children: ReactNode }) {
  return <p className="managing-intro">{children}</p>;
}

/** A field for an address of the web, which no browser completes or corrects. */
export function AddressInput(props: TextInputProps) {
  return (
    <TextInput
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      {...props}
    />
  );
}

export function ErrorMessage(props: {
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const { onClose, children } = props;
  const { t } = useTranslation('manage');
  return (
    <div role="alert" className="managing-error">
      <IconAlertCircle size={20} aria-hidden />
      <p>{children}</p>
      {onClose && <CloseButton size="sm" aria-label={t('close')} onClick={onClose} />}
    </div>
  );
}

/** The message of an error; nothing without an error or after a cancellation. */
export function ErrorNotice(props: {
  readonly error: Error | null | undefined;
  readonly onClose?: () => void;
}) {
  const { error, onClose } = props;
  const message = useErrorMessage(error);
  return message === undefined ? null : <ErrorMessage onClose={onClose}>{message}</ErrorMessage>;
}

/** The placeholder for an empty list: the reason and the next step. */
export function EmptyState(props: {
  readonly icon: Icon;
  readonly title: string;
  readonly next: string;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}) {
  const { icon: StateIcon, title, next, children } = props;
  return (
    <div className="stack brand-icon invitation awaiting managing-empty">
      <StateIcon size={32} stroke={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  );
}

/** A button that copies a text and shows if that succeeded. */
export function CopyButton({
  text,
  label,
  ...props
}: { readonly text: string; readonly label: string } & ButtonProps) {
  const { t } = useTranslation('manage');
  const [last, setLast] = useState<{ readonly text: string; readonly isCopied: boolean }>();
  const outcome = last?.text === text ? last : undefined;
  const copy = async () => setLast({ text, isCopied: await copyText(text) });
  const OutcomeIcon = outcome?.isCopied ? IconCheck : IconCopy;
  return (
    <span className="inline copy-button">
      <RowButton
        leftSection={<OutcomeIcon size={15} aria-hidden />}
        {...props}
        onClick={() => void copy()}
      >
        {label}
      </RowButton>
      <span role="status">{outcome && t(outcome.isCopied ? 'copied' : 'notCopied')}</span>
    </span>
  );
}

/** A confirmation dialog; it stays open and shows the error if the action fails. */
export function Confirmation({
  isOpen,
  title,
  confirm,
  task,
  isReversible = false,
  onConfirm,
  onClose,
  children,
}: {
  readonly isOpen: boolean;
  readonly title: string;
  /** The label of the button, such as “Remove the club”. */
  readonly confirm: string;
  /** The action that it waits for. */
  readonly task?: Pick<Task<never, unknown>, 'isRunning' | 'error' | 'reset'>;
  /** True for an action that can be undone; any other has a red button. */
  readonly isReversible?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** The consequences, in words. */
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('manage');
  const close = () => {
    task?.reset();
    onClose();
  };
  return (
    <Modal.Root opened={isOpen} onClose={close} size="md" centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="stack wide confirmation">
          {/* Modal.Header would add a second banner landmark. */}
          <Modal.Title className="confirmation-title">{title}</Modal.Title>
          {children}
          <ErrorNotice error={task?.error} />
          <div className="flow confirmation-choices">
            <Button variant="default" data-autofocus onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              {...(!isReversible && { color: 'red' })}
              loading={task?.isRunning ?? false}
              onClick={onConfirm}
            >
              {confirm}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A badge that says that something is as it should be. */
export function GoodBadge({ children }: { readonly children: ReactNode }) {
  return (
    <span className="badge badge-good">
      <IconCheck size={14} aria-hidden />
      {children}
    </span>
  );
}

/** The note that a setting is saved, with its value before and an undo; empty without a change. */
export function Saved(props: { readonly was: string | undefined; readonly onUndo?: () => void }) {
  const { was, onUndo } = props;
  const { t } = useTranslation(['clubs', 'undoNotice']);
  return (
    <p role="status" className="saved-note">
      {was !== undefined && (
        <>
          <GoodBadge>{t('saved')}</GoodBadge> <span dir="auto">{was}</span>{' '}
          {onUndo && <LinkButton onClick={onUndo}>{t('undoNotice:undo')}</LinkButton>}
        </>
      )}
    </p>
  );
}

/** The bar at the bottom: the status, the way back and the one strong button. */
export function StepFooter(props: { readonly status: ReactNode; readonly children: ReactNode }) {
  const { status, children } = props;
  return (
    <div className="row work-foot">
      <p role="status">{status}</p>
      <div className="flow loose">{children}</div>
    </div>
  );
}

/** Cards of the same weight, each a button with an answer to a question. */
export function OptionButtons(props: {
  readonly options: readonly {
    readonly Icon: Icon;
    readonly label: string;
    readonly help: string;
    readonly choose: () => void;
  }[];
}) {
  return (
    <div className="option-cards option-buttons">
      {props.options.map(({ Icon, label, help, choose }) => (
        <button key={label} type="button" className="brand-icon option-card" onClick={choose}>
          <Icon size={24} stroke={1.5} aria-hidden />
          <strong>{label}</strong>
          <span className="quiet small">{help}</span>
        </button>
      ))}
    </div>
  );
}

/** Cards with a name and an explanation, of which one is chosen. */
export function OptionCards<Value extends string>(props: {
  readonly name: string;
  readonly value: Value | null | undefined;
  readonly options: readonly {
    readonly value: Value;
    readonly Icon: Icon;
    readonly label: string;
    readonly help: string;
  }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <div className="option-cards">
      {props.options.map(({ value, Icon, label, help }) => (
        <label key={value} className="choice brand-icon option-card">
          <input
            type="radio"
            name={props.name}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <Icon size={24} stroke={1.5} aria-hidden />
          <strong>{label}</strong>
          <span className="quiet small">{help}</span>
        </label>
      ))}
    </div>
  );
}
