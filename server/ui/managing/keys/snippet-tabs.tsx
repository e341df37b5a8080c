import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDesktop } from '../desktop.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { CodeBlock } from './code-block.tsx';
import { pagingKinds, type SnippetKind, snippetKinds, writeSnippet } from './snippets.ts';

const names: Readonly<Record<SnippetKind, string>> = {
  curl: 'curl',
  powershell: 'PowerShell',
  python: 'Python',
  javascript: 'JavaScript',
  excel: 'Excel',
};

const excelSteps = ['excel1', 'excel2', 'excel3', 'excel4', 'excel5'] as const;

function Instructions({ kind }: { readonly kind: SnippetKind }) {
  const { t } = useTranslation('newKey');
  if (kind !== 'excel') return <p className="access-note">{t(kind)}</p>;
  return (
    <div className="access-note">
      {t('excel')}
      <ol className="access-steps">
        {excelSteps.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      {t('excelKey')}
    </div>
  );
}

function Snippet({ kind, text }: { readonly kind: SnippetKind; readonly text: string }) {
  const { t } = useTranslation('newKey');
  return (
    <>
      <Instructions kind={kind} />
      <CodeBlock label={names[kind]} isWrapped={kind === 'curl'} text={text.trimEnd()} />
      <CopyButton text={text} label={t('copySnippet')} />
      <p className="access-note">{t(pagingKinds.has(kind) ? 'allPages' : 'onePage')}</p>
    </>
  );
}

/** Example scripts that read the events with the key, one in each tab. */
export function SnippetTabs(values: { readonly baseUrl: string; readonly accessKey: string }) {
  const { t } = useTranslation('newKey');
  const onWindows = useDesktop().state.platform === 'win32';
  return (
    <Tabs defaultValue={snippetKinds[0]} keepMounted={false} className="access-tabs">
      <Tabs.List aria-label={t('uses')}>
        {snippetKinds.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {names[kind]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippetKinds.map((kind) => (
        <Tabs.Panel key={kind} value={kind} className="access-panel">
          <Snippet kind={kind} text={writeSnippet(kind, { ...values, onWindows })} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
