import './undo-notice.css';
import { Button, CloseButton } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText, focusContent, useSize } from '../../base/browser.ts';
import { leaveStops, useF6Stop } from '../../base/f6.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { IconArrowBackUp, IconArrowForwardUp, IconCheck, IconMessage2 } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useAnnounced } from '../../data/announced.ts';
import type { ChangeWords } from '../parts/change-words.ts';

/** The last change, undo, error or other news of this window. */
export type Shown = {
  /** `plain` has no button; `waiting` stays until there is an answer. */
  readonly state: 'done' | 'undone' | 'plain' | 'waiting';
  readonly words?: ChangeWords;
  readonly error?: Error;
  /** The number of the change in the history. */
  readonly batch?: number;
  /** Another one for each notice. */
  readonly number: number;
};

/** Time after which a notice closes unless it is hovered or focused, in milliseconds. */
const visibleMs = 10_000;

function CopyMessage(props: {
  readonly message: string;
  readonly ids?: readonly number[] | undefined;
}) {
  const { message, ids = [] } = props;
  const { markAnnounced } = useAnnounced();
  const { t } = useTranslation(['undoNotice', 'manage']);
  const [copied, setCopied] = useState<string | undefined>();
  const [failed, setFailed] = useState<string | undefined>();
  const copy = async () => {
    if (await copyText(message)) {
      setCopied(message);
      markAnnounced(ids);
    } else setFailed(message);
  };
  const isCopied = copied === message;
  const label = isCopied ? 'manage:copied' : failed === message ? 'manage:notCopied' : 'copy';
  const CopyIcon = isCopied ? IconCheck : IconMessage2;
  return (
    <Button
      size="compact-sm"
      leftSection={<CopyIcon size={16} aria-hidden />}
      onClick={() => void copy()}
    >
      {t(label)}
    </Button>
  );
}

type NoticeProps = {
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onClose: () => void;
};

function NoticeContent(props: NoticeProps & { readonly shown: Shown }) {
  const { shown, onUndo, onRedo, onClose } = props;
  const { t } = useTranslation(['undoNotice', 'teams']);
  const { state, words, error, number } = shown;
  const unlisted = state === 'done' ? words?.unlisted : undefined;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const message = useErrorMessage(error);
  useF6Stop(notice);
  const height = useSize(notice)?.height ?? 0;
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--notice', `${height}rem`);
    return () => void document.documentElement.style.removeProperty('--notice');
  }, [height]);
  const close = () => {
    const hadFocus = notice.current?.contains(document.activeElement);
    onClose();
    if (hadFocus && !leaveStops()) focusContent();
  };
  const closeLater = useEffectEvent(close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each notice has its own time
  useEffect(() => {
    if (isHovered || isFocused || state === 'waiting') return;
    const timer = setTimeout(closeLater, visibleMs);
    return () => clearTimeout(timer);
  }, [isHovered, isFocused, state, number]);
  const isUndone = state === 'undone';
  const UndoIcon = isUndone ? IconArrowForwardUp : IconArrowBackUp;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the notice stays while it is in use
    <div
      ref={notice}
      className="cluster undo-notice"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) =>
        setFocused(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <p>
        {isUndone && <strong>{t('undone')} </strong>}
        {words && words.title !== '' && (
          <strong dir="auto">
            {words.title}
            {isUndone ? ' ' : ': '}
          </strong>
        )}
        <span dir="auto">{message ?? words?.text}</span>
        {unlisted && <span dir="auto"> {unlisted.why}</span>}
      </p>
      {unlisted && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => goTo({ team: null, event: unlisted.id })}
        >
          {t('teams:show')}
        </Button>
      )}
      {(state === 'done' || isUndone) && (
        <Button
          size="compact-sm"
          leftSection={<UndoIcon size={16} aria-hidden />}
          onClick={isUndone ? onRedo : onUndo}
        >
          {t(isUndone ? 'redo' : 'undo')}
        </Button>
      )}
      {state === 'done' && words?.message !== undefined && (
        <CopyMessage message={words.message} ids={words.ids} />
      )}
      <CloseButton size="sm" aria-label={t('close')} onClick={close} />
    </div>
  );
}

/** The notice about the last change, over the lower end of the list. It takes no focus; F6 does. */
export function UndoNotice(props: NoticeProps & { readonly shown: Shown | undefined }) {
  const { shown, ...actions } = props;
  return (
    <div role="status" className="undo-notice-place">
      {shown && <NoticeContent shown={shown} {...actions} />}
    </div>
  );
}
