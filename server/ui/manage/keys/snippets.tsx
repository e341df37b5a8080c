import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DesktopState } from '../../../actions/bridge.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton } from '../parts/parts.tsx';
import { writePowerQuery } from './excel.ts';

/** Source code in a box that scrolls. */
export function CodeBlock(props: {
  readonly label: string;
  /** True if long lines wrap; for code of a single line. */
  readonly isWrapped?: boolean;
  readonly text: string;
}) {
  const { label, isWrapped, text } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <pre
      className="code access-code"
      data-wrapped={isWrapped || undefined}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
    >
      {text}
    </pre>
  );
}

/** The kinds of example scripts, in display order. */
export const snippetKinds = ['curl', 'powershell', 'python', 'javascript', 'excel'] as const;
type SnippetKind = (typeof snippetKinds)[number];

/**
 * The values in a snippet. The key and the address need no escaping in any of the languages: a key
 * has only letters, digits and `_`, and the address is `http://127.0.0.1:` and a port.
 */
type SnippetValues = {
  /** For Excel, which cannot ask for the address. */
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly platform: DesktopState['platform'];
  /** The data directory of the service. */
  readonly directory: string;
};

/**
 * Returns the words of the command that prints the address of the service. A fixed address would
 * send the key to any program that has the port.
 */
function urlCommand(values: CommandPlace): readonly string[] {
  return [...programWords(values), 'url'];
}

type CommandPlace = Pick<SnippetValues, 'platform' | 'directory'>;

/** Returns the words with which each command line begins. */
function programWords({ platform, directory }: CommandPlace): readonly string[] {
  const bin = platform === 'darwin' ? '/Applications/Club Events.app/Contents/Resources/bin/' : '';
  return [`${bin}club-events`, '--home', directory];
}

/** Returns a function that quotes a word where necessary; `quote` stands for a quote in it. */
const quoteWith = (quote: string) => (word: string) =>
  /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", quote)}'`;

const quoteForPowerShell = quoteWith("''");
const quoteForShell = quoteWith("'\\''");

// A configured proxy would receive the key, and could not reach the loopback address.

/** On Windows, this is for PowerShell, which has another command named `curl`. */
function writeCurl(values: SnippetValues): string {
  const onWindows = values.platform === 'win32';
  const program = onWindows ? 'curl.exe' : 'curl';
  const words = urlCommand(values).map(onWindows ? quoteForPowerShell : quoteForShell);
  const header = `Authorization: Bearer ${values.accessKey}`;
  return `${program} --noproxy "*" -H "${header}" "$(${words.join(' ')})/v1/events"\n`;
}

/** Windows PowerShell 5.1 has no `-NoProxy`; its .NET Framework uses no proxy for loopback. */
function writePowerShell(values: SnippetValues): string {
  const { accessKey } = values;
  return `$base = & ${urlCommand(values).map(quoteForPowerShell).join(' ')}
$request = @{
    Uri = "$base/v1/events"
    Headers = @{ Authorization = 'Bearer ${accessKey}' }
}
if ($PSVersionTable.PSVersion.Major -ge 6) { $request.NoProxy = $true }
try {
    $answer = Invoke-RestMethod @request
    $answer.events | Format-Table date, name, location, status
} catch {
    if (-not $_.ErrorDetails) { throw }
    Write-Error ($_.ErrorDetails.Message | ConvertFrom-Json).detail
}
`;
}

/** Writes the command that runs a script at each change of a club; on Windows for PowerShell. */
export function writeWatch(values: CommandPlace & { readonly club: string }): string {
  const onWindows = values.platform === 'win32';
  const python = onWindows ? 'py' : 'python3';
  const command = ['watch', '--user', values.club, '--exec', python, 'react.py'];
  const words = [...programWords(values), ...command];
  const line = words.map(onWindows ? quoteForPowerShell : quoteForShell).join(' ');
  // PowerShell takes a quoted program for a text.
  return onWindows ? `& ${line}` : line;
}

function writePython(values: SnippetValues): string {
  return `import json
from subprocess import check_output
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

command = ${JSON.stringify(urlCommand(values))}
url = check_output(command).decode("utf-8").strip() + "/v1/events"
headers = {"Authorization": "Bearer ${values.accessKey}"}
opener = build_opener(ProxyHandler({}))
try:
    while url:
        answer = opener.open(Request(url, headers=headers))
        for event in json.loads(answer.read().decode("utf-8"))["events"]:
            print(event["date"], event["name"])
        link = answer.headers["Link"]
        url = link[1:link.index(">")] if link else None
except HTTPError as error:
    raise SystemExit(json.loads(error.read().decode("utf-8"))["detail"])
`;
}

function writeJavaScript(values: SnippetValues): string {
  const [program, ...args] = urlCommand(values);
  return `async function main() {
  const { execFileSync } = await import('node:child_process');
  const address = execFileSync(${JSON.stringify(program)}, ${JSON.stringify(args)});
  let url = address.toString().trim() + '/v1/events';
  const headers = { Authorization: 'Bearer ${values.accessKey}' };
  while (url) {
    const answer = await fetch(url, { headers });
    if (!answer.ok) throw new Error(await answer.text());
    const { events } = await answer.json();
    for (const { date, name } of events) console.log(date, name);
    url = answer.headers.get('link')?.match(/<(.+)>/)[1];
  }
}

main();
`;
}

const writers: Readonly<Record<SnippetKind, (values: SnippetValues) => string>> = {
  curl: writeCurl,
  powershell: writePowerShell,
  python: writePython,
  javascript: writeJavaScript,
  excel: ({ baseUrl, accessKey }) => writePowerQuery(baseUrl, `"Bearer ${accessKey}"`),
};

/** Returns a script that runs as it is pasted. */
export function writeSnippet(kind: SnippetKind, values: SnippetValues): string {
  return writers[kind](values);
}

/** The kinds of snippets that read all pages. */
const pagingKinds: ReadonlySet<SnippetKind> = new Set(['python', 'javascript', 'excel']);

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
  if (kind !== 'excel') return <p className="quiet optional access-note">{t(kind)}</p>;
  return (
    <div className="quiet optional access-note">
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

function Snippet(props: {
  readonly kind: SnippetKind;
  readonly text: string;
  readonly baseUrl: string;
}) {
  const { kind, text, baseUrl } = props;
  const { t } = useTranslation('newKey');
  return (
    <>
      <Instructions kind={kind} />
      <CodeBlock label={names[kind]} isWrapped={kind === 'curl'} text={text.trimEnd()} />
      <CopyButton text={text} label={t('copySnippet')} />
      <p className="quiet optional access-note">
        {t(pagingKinds.has(kind) ? 'allPages' : 'onePage')}
        {kind !== 'excel' && ` ${t('address', { url: baseUrl })}`}
      </p>
    </>
  );
}

/** Example scripts that read the events with the key, one in each tab. */
export function SnippetTabs(values: { readonly baseUrl: string; readonly accessKey: string }) {
  const { t } = useTranslation('newKey');
  const { platform, home } = useDesktop().state;
  return (
    <Tabs defaultValue={snippetKinds[0]} keepMounted={false}>
      <Tabs.List aria-label={t('uses')}>
        {snippetKinds.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {names[kind]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippetKinds.map((kind) => (
        <Tabs.Panel key={kind} value={kind} className="stack even access-panel">
          <Snippet
            kind={kind}
            text={writeSnippet(kind, { ...values, platform, directory: home.directory })}
            baseUrl={values.baseUrl}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
