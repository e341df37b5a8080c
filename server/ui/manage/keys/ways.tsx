import './ways.css';
import { Switch } from '@mantine/core';
import { type ComponentType, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assistantLimits } from '../../../../db/model.ts';
import { fileNameOf } from '../../../export/file-name.ts';
import pythonClient from '../../../http/examples/club_events.py?raw';
import { saveFile } from '../../base/browser.ts';
import { RowButton } from '../../base/buttons.tsx';
import { perform, requireBridge, unwrap, useServiceUrl } from '../../base/desktop.ts';
import {
  IconBell,
  IconBrandPowershell,
  IconBrandPython,
  IconCheck,
  IconChevronDown,
  IconFileSpreadsheet,
  IconMessageChatbot,
  type IconProps,
  IconTerminal2,
  IconX,
} from '../../base/icons.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton, ErrorNotice } from '../parts/parts.tsx';
import { WaitingProposals } from '../parts/received-proposals.tsx';
import { writeExcelConnection } from './excel.ts';
import { CodeBlock, writeSnippet, writeWatch } from './snippets.tsx';

type WayProps = {
  readonly icon: ComponentType<IconProps>;
  readonly title: string;
  readonly help: string;
};

/** A way to read the events: its name, its use, and a button. */
function Way(
  props: WayProps & {
    readonly button: (titleId: string) => ReactNode;
    readonly children?: ReactNode;
  },
) {
  const { icon: WayIcon, title, help, button, children } = props;
  const titleId = useId();
  return (
    <li className="way">
      <span className="centred tile way-tile">
        <WayIcon size={24} stroke={1.6} aria-hidden />
      </span>
      <div>
        <h3 id={titleId}>{title}</h3>
        <p className="small quiet">{help}</p>
      </div>
      {button(titleId)}
      {children}
    </li>
  );
}

/** A way that saves a file, and then says what to do with it. */
function FileWay(
  props: WayProps & {
    readonly next: string;
    readonly name: string;
    readonly type: string;
    readonly write: () => string;
  },
) {
  const { next, name, type, write, ...way } = props;
  const { t } = useTranslation('ways');
  const buttonId = useId();
  const [isSaved, setSaved] = useState(false);
  const save = () => {
    saveFile(new Blob([write()], { type }), name);
    setSaved(true);
  };
  return (
    <Way
      {...way}
      button={(titleId) => (
        <RowButton id={buttonId} aria-labelledby={`${buttonId} ${titleId}`} onClick={save}>
          {t('save')}
        </RowButton>
      )}
    >
      <p role="status" className="stack optional way-more">
        {isSaved && next}
      </p>
    </Way>
  );
}

/** A way that shows lines to copy. */
function LinesWay(props: WayProps & { readonly note: string; readonly text: string }) {
  const { note, text, ...way } = props;
  const { t } = useTranslation('ways');
  const [isShown, setShown] = useState(false);
  const buttonId = useId();
  return (
    <Way
      {...way}
      button={(titleId) => (
        <RowButton
          id={buttonId}
          aria-labelledby={`${buttonId} ${titleId}`}
          aria-expanded={isShown}
          rightSection={<IconChevronDown size={15} aria-hidden />}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'hide' : 'show')}
        </RowButton>
      )}
    >
      {isShown && (
        <div className="stack optional way-more">
          <CodeBlock label={way.title} isWrapped text={text.trimEnd()} />
          <CopyButton text={text} label={t('copy')} />
          <p className="quiet">{note}</p>
        </div>
      )}
    </Way>
  );
}

/** A list of what an assistant can do, or cannot. */
function Abilities(props: {
  readonly title: string;
  readonly icon: ComponentType<IconProps>;
  readonly abilities: readonly string[];
}) {
  const { title, icon: AbilityIcon, abilities } = props;
  const titleId = useId();
  return (
    <div>
      <p id={titleId} className="way-abilities-title">
        {title}
      </p>
      <ul aria-labelledby={titleId}>
        {abilities.map((ability) => (
          <li key={ability} className="beside">
            <AbilityIcon size={16} aria-hidden />
            {ability}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The way of an assistant: saves the file that adds the program to it, and opens the file. */
function AssistantWay() {
  const { t } = useTranslation('ways');
  const { club, showClub } = useDesktop();
  const isOwn = useMirror() === null;
  const mayPropose = club.assistantProposes;
  const allowing = useTask(async (isOn: boolean) => {
    await perform('user assistant', { name: club.name, propose: isOn ? 'on' : 'off' });
    await showClub(club.id);
  });
  const adding = useTask(async () => {
    const name = `${fileNameOf(club.name)}.mcpb`;
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    if (file === null) return null;
    // It takes effect where the club allows it.
    return await perform('mcp bundle', { user: club.name, propose: true, output: file.token });
  });
  return (
    <Way
      icon={IconMessageChatbot}
      title={t('assistant')}
      help={t('assistantHelp')}
      button={() => (
        <RowButton
          aria-disabled={adding.isRunning}
          onClick={() => !adding.isRunning && void adding.run()}
        >
          {t('assistantAdd')}
        </RowButton>
      )}
    >
      <div className="stack optional way-more">
        {isOwn && (
          <Switch
            className="boxed way-switch"
            size="md"
            label={t('assistantMayPropose')}
            description={t('assistantMayProposeHelp', { club: club.name })}
            checked={mayPropose}
            onChange={({ currentTarget }) => void allowing.run(currentTarget.checked)}
          />
        )}
        <div className="small way-abilities">
          <Abilities
            title={t('assistantCan')}
            icon={IconCheck}
            abilities={[
              t('assistantReads'),
              t('assistantFollows'),
              ...(mayPropose ? [t('assistantProposes')] : []),
            ]}
          />
          <Abilities
            title={t('assistantCannot')}
            icon={IconX}
            abilities={[
              ...(mayPropose
                ? [t('assistantChangesAlone'), t('assistantDeletes')]
                : [t('assistantChanges')]),
              t('assistantSees'),
            ]}
          />
        </div>
        <p className="small quiet">
          {t('assistantLeaves')}
          {mayPropose && ` ${t('assistantMisled')}`}
        </p>
        {mayPropose && (
          <p className="small quiet">
            {t('assistantAgain')} {t('assistantLimit', { limit: assistantLimits.waiting })}
          </p>
        )}
        <WaitingProposals />
      </div>
      <p role="status" className="stack optional way-more">
        {adding.result && t('assistantNext', { file: adding.result.output })}
      </p>
      <ErrorNotice error={allowing.error} onClose={allowing.reset} />
      <ErrorNotice error={adding.error} onClose={adding.reset} />
    </Way>
  );
}

/** The ways in which other programs can read the events, none of them with a key in it. */
export function Ways() {
  const { t } = useTranslation('ways');
  const { club, state } = useDesktop();
  const baseUrl = useServiceUrl();
  const place = { platform: state.platform, directory: state.home.directory };
  const values = { ...place, baseUrl, accessKey: 'KEY' };
  return (
    <section className="stack loose ways" aria-labelledby="ways">
      <h2 id="ways" className="row brand-icon">
        {t('title')}
      </h2>
      <ul className="ruled boxed ways-list">
        <AssistantWay />
        <FileWay
          icon={IconFileSpreadsheet}
          title={t('excel')}
          help={t('excelHelp')}
          next={t('excelNext')}
          name={`${fileNameOf(club.name)}.odc`}
          type="text/x-ms-odc"
          write={() => writeExcelConnection(baseUrl, club.name)}
        />
        <FileWay
          icon={IconBrandPython}
          title="Python"
          help={t('pythonHelp')}
          next={t('pythonNext')}
          name="club_events.py"
          type="text/x-python"
          write={() => pythonClient.replace('http://127.0.0.1:28470', baseUrl)}
        />
        <LinesWay
          icon={IconBrandPowershell}
          title="PowerShell"
          help={t('powershellHelp')}
          note={t('writeKey')}
          text={writeSnippet('powershell', values)}
        />
        <LinesWay
          icon={IconTerminal2}
          title="curl"
          help={t('curlHelp')}
          note={t('writeKey')}
          text={writeSnippet('curl', values)}
        />
        <LinesWay
          icon={IconBell}
          title={t('changes')}
          help={t('changesHelp')}
          note={t('changesNote')}
          text={writeWatch({ ...place, club: club.name })}
        />
      </ul>
    </section>
  );
}
