import './installation.css';
import { Button } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import {
  conclusionOf,
  findingMessage,
  type PackedFinding,
  remedyMessage,
} from '../../../messages/message.ts';
import { perform } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { IconAlertTriangle, IconCheck, IconCircleX } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { CopyButton } from '../parts/parts.tsx';
import { Setting } from '../parts/setting.tsx';

type Level = ActionResult<'doctor'>['findings'][number]['level'];

/** A checked item in words. */
type Item = { readonly level: Level; readonly text: string; readonly remedy?: string };

const marks = {
  ok: { icon: IconCheck, text: '✓' },
  warning: { icon: IconAlertTriangle, text: '!' },
  problem: { icon: IconCircleX, text: '✗' },
} as const;

function ItemGroup({ title, items }: { readonly title: string; readonly items: readonly Item[] }) {
  const { t } = useTranslation('installation');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className="stack checked-items">
        {items.map(({ level, text, remedy }) => {
          const MarkIcon = marks[level].icon;
          return (
            <li key={text} data-level={level}>
              <MarkIcon size={18} role="img" aria-label={t(level)} />
              <p>
                {text}
                {remedy !== undefined && <span className="checked-remedy">{remedy}</span>}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Returns a function that words a finding, with its times in the format of the language. */
function useItemOf(): (finding: PackedFinding & { readonly level: Level }) => Item {
  const words = useWords();
  const formats = useFormats();
  return (finding) => {
    const values = Object.entries(finding.values).map(([name, value]) => {
      const isTime = name === 'date' || name === 'newest';
      return [name, isTime ? formats.at('moment', String(value)) : value] as const;
    });
    const dated = { ...finding, values: Object.fromEntries(values) };
    const remedy = remedyMessage(dated);
    const item = { level: finding.level, text: words(findingMessage(dated)) };
    return remedy === undefined ? item : { ...item, remedy: words(remedy) };
  };
}

/** Returns the parts of the data as items; technical details are in English. */
function usePartItems(): (report: ActionResult<'check'>) => readonly Item[] {
  const { t } = useTranslation('installation');
  return ({ areas }) =>
    areas
      // `doctor` reports that there is no backup.
      .filter(({ isEmpty }) => !isEmpty)
      .map(({ area, problems }) => ({
        level: problems.length === 0 ? 'ok' : 'problem',
        text: `${t(area)}: ${problems.slice(0, 3).join('; ') || t('ok')}`,
      }));
}

type Group = { readonly title: string; readonly items: readonly Item[] };

function reportText(heading: string, groups: readonly Group[], conclusion: string): string {
  const lines = groups.flatMap(({ title, items }) => [
    title,
    ...items.flatMap(({ level, text, remedy }) => [
      `${marks[level].text} ${text}`,
      ...(remedy === undefined ? [] : [`  → ${remedy}`]),
    ]),
    '',
  ]);
  return [heading, '', ...lines, conclusion].join('\n');
}

/** Returns a function that groups the results under their questions. */
function useGroups() {
  const { t } = useTranslation('installation');
  const itemOf = useItemOf();
  const partItems = usePartItems();
  return (
    { findings }: ActionResult<'doctor'>,
    report: ActionResult<'check'> | undefined,
  ): readonly Group[] => {
    const found = (['connection', 'data'] as const).map((question) => ({
      title: t(question),
      items: findings.filter((finding) => finding.question === question).map(itemOf),
    }));
    return report === undefined
      ? found
      : [...found, { title: t('parts'), items: partItems(report) }];
  };
}

/** The check of the installation: the findings of `doctor` and `check`, with their remedies. */
export function Installation() {
  const { t } = useTranslation('installation');
  const words = useWords();
  const groupsOf = useGroups();
  const { settings, versions } = useApplication().state;
  const diagnosis = useTask((url: string) => perform('doctor', { url }));
  const check = useTask(() => perform('check', {}));
  const isRunning = diagnosis.isRunning || check.isRunning;
  const start = () => {
    // The address that scripts expect, even if the service uses another port for now.
    void diagnosis.run(`http://127.0.0.1:${settings.port}`);
    void check.run();
  };
  const groups =
    isRunning || diagnosis.result === undefined ? [] : groupsOf(diagnosis.result, check.result);
  const conclusion = words(conclusionOf(groups.flatMap(({ items }) => items)));
  const status = groups.length === 0 ? t('help') : conclusion;
  return (
    <Setting
      name={t('title')}
      help={<span role="status">{isRunning ? t('running') : status}</span>}
      error={diagnosis.error ?? check.error}
      control={({ described }) => (
        <Button variant="default" loading={isRunning} {...described} onClick={start}>
          {t('start')}
        </Button>
      )}
      below={() =>
        groups.length > 0 && (
          <div className="stack wide checked">
            {groups.map((group) => (
              <ItemGroup key={group.title} {...group} />
            ))}
            <CopyButton
              text={reportText(`Club Events ${versions.app}`, groups, conclusion)}
              label={t('copyReport')}
              size="sm"
            />
          </div>
        )
      }
    />
  );
}
