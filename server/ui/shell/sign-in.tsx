import './sign-in.css';
import { Button, Code, Paper, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../base/buttons.tsx';
import { ReadingError, tryKey } from '../base/client.ts';
import { KeyInput } from '../base/key-input.tsx';
import { goTo } from '../base/navigation.ts';
import { useUnsavedText } from '../base/unsaved.ts';
import type { SignInReason } from './session.ts';
import { isKey } from './session.ts';

type Problem = 'empty' | 'wrong' | 'unreachable' | 'failed';

function problemOf(error: unknown): Problem {
  if (!(error instanceof ReadingError)) return 'failed';
  if (error.kind === 'key') return 'wrong';
  return error.kind === 'unreachable' ? 'unreachable' : 'failed';
}

export function SignIn(props: {
  readonly reason: SignInReason;
  readonly onKey: (key: string) => void;
}) {
  const { reason, onKey } = props;
  const { t } = useTranslation(['signIn', 'more']);
  const [text, setText] = useUnsavedText('key', { isSecret: true });
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const key = text.trim();
    if (key === '') return setProblem('empty');
    setBusy(true);
    try {
      if (!isKey(key)) throw new ReadingError('key', 'Not a key.');
      await tryKey(key, new AbortController().signal);
      onKey(key);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="centred sign-in">
      <Paper withBorder shadow="sm" radius="md" className="sign-in-card">
        <form onSubmit={submit}>
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          <Text mt="xs" role={reason === 'revoked' || reason === 'damaged' ? 'alert' : undefined}>
            {t(reason)}
          </Text>
          <KeyInput
            mt="lg"
            size="md"
            label={t('key')}
            description={t('storage')}
            placeholder="ce_…"
            data-autofocus
            autoFocus
            value={text}
            error={problem && t(problem)}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button mt="md" size="md" fullWidth type="submit" loading={busy}>
            {t('open')}
          </Button>
        </form>
        <Text mt="xl" size="sm" c="dimmed">
          {t('links')}
        </Text>
        <Text mt="xs" size="sm" c="dimmed">
          {t('none')}
        </Text>
        <Code block mt="xs">
          npx --no club-events key create --user NAME
        </Code>
        <LinkButton className="sign-in-help" onClick={() => goTo({ manage: 'help' })}>
          {t('more:help')}
        </LinkButton>
      </Paper>
    </main>
  );
}
