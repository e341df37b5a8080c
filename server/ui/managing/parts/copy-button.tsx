import './parts.css';
import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../shell/clipboard.ts';

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
    <span className="copy-button">
      <Button
        size="compact-sm"
        fw={500}
        variant="default"
        leftSection={<OutcomeIcon size={15} aria-hidden />}
        {...props}
        onClick={() => void copy()}
      >
        {label}
      </Button>
      <span role="status">{outcome && t(outcome.isCopied ? 'copied' : 'notCopied')}</span>
    </span>
  );
}
