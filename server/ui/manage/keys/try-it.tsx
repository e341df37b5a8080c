import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { headerNames } from '../../../http/headers.ts';
import { useFormats } from '../../base/format.ts';
import { IconPlayerPlay } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { CodeBlock } from './snippets.tsx';

type Trial =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly ms: number;
      /** Number of events in the answer. */
      readonly shown: number;
      /** Number of all events of the club. */
      readonly total: number;
      readonly excerpt: string;
    }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable' };

const timeoutMs = 10_000;

/** Maximum length of a line of the excerpt, in characters. */
const excerptWidth = 160;

function shorten(line: string): string {
  const characters = Array.from(line);
  return characters.length > excerptWidth ? `${characters.slice(0, excerptWidth).join('')}…` : line;
}

/** Returns the answer as indented JSON, with only its first event. */
function excerptOf(events: readonly unknown[]): string {
  const lines = JSON.stringify({ events: events.slice(0, 1) }, null, 2)
    .split('\n')
    .map(shorten);
  if (events.length > 1) lines.splice(-2, 0, '    …');
  return lines.join('\n');
}

type ListAnswer = { readonly events: readonly unknown[] };

async function readTrial(response: Response, startedAt: number): Promise<Trial> {
  const { status } = response;
  const body: unknown = await response.json();
  const ms = performance.now() - startedAt;
  if (!response.ok) return { kind: 'refused', status };
  const { events } = body as ListAnswer;
  const total = Number(response.headers.get(headerNames.totalCount) ?? events.length);
  const excerpt = excerptOf(events);
  return { kind: 'answered', status, ms, shown: events.length, total, excerpt };
}

/** Requests the events as a script would. */
async function tryRequest(accessKey: string): Promise<Trial> {
  const startedAt = performance.now();
  try {
    const response = await fetch('/v1/events', {
      headers: { Authorization: `Bearer ${accessKey}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readTrial(response, startedAt);
  } catch {
    // No answer, or one that is incomplete or not JSON.
    return { kind: 'unreachable' };
  }
}

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
    <div className="beside loose access-trial">
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
        {!isRunning && !trial && (
          <span className="quiet optional access-note">{t('tryItHelp')}</span>
        )}
      </p>
      {trial?.kind === 'answered' && <CodeBlock label={t('excerpt')} text={trial.excerpt} />}
    </div>
  );
}
