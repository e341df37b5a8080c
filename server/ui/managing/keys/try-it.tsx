import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import { useTask } from '../parts/use-task.ts';
import { CodeBlock } from './code-block.tsx';
import { type Trial, tryRequest } from './trial.ts';

type Answered = Extract<Trial, { readonly kind: 'answered' }>;

/** Returns a function that words the outcome of the request. */
function useOutcome(): (trial: Trial) => string {
  const { t } = useTranslation('newKey');
  const formats = useFormats();
  const describeAnswer = ({ status, ms, shown, total }: Answered) => {
    const values = {
      status,
      ms: formats.number(Math.max(1, Math.round(ms))),
      count: shown,
      shown: formats.number(shown),
    };
    if (shown === total) return t('answered', values);
    return t('answeredPart', { ...values, total: formats.number(total) });
  };
  return (trial) => {
    if (trial.kind === 'unreachable') return t('unreachable');
    return trial.kind === 'refused' ? t('refused', trial) : describeAnswer(trial);
  };
}

/** A button that sends a request with the new key, and the answer a script would get. */
export function TryIt({ accessKey }: { readonly accessKey: string }) {
  const { t } = useTranslation('newKey');
  const describe = useOutcome();
  const { run, isRunning, result: trial } = useTask(() => tryRequest(accessKey));
  return (
    <div className="access-trial">
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={isRunning}
        onClick={() => void run()}
      >
        {t('tryIt')}
      </Button>
      <p role="status" className="access-outcome" data-kind={trial?.kind}>
        {isRunning && t('asking')}
        {trial && describe(trial)}
        {!isRunning && !trial && <span className="access-note">{t('asks')}</span>}
      </p>
      {trial?.kind === 'answered' && <CodeBlock label={t('excerpt')} text={trial.excerpt} />}
    </div>
  );
}
